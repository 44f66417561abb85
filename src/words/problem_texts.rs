//! The texts for each kind of problem. Exhaustive: a new kind without both languages does not compile.

use super::Lang;
use crate::problem::ProblemKind;

/// One text in both languages.
#[derive(Debug, Clone, Copy)]
pub struct Both {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

impl Both {
    /// The text in a language.
    pub fn pick(self, lang: Lang) -> &'static str {
        lang.pick(self.en, self.zh)
    }
}

/// What there is to say about a kind.
#[derive(Debug, Clone, Copy)]
pub struct Said {
    /// A few words.
    pub title: Both,
    /// What was wrong: a clause without a full stop; a detail may follow in brackets.
    pub what: Both,
    /// What was done about it and what the person can do: whole sentences.
    pub then: Both,
}

macro_rules! said {
    ($kind:expr; $($name:ident: $title_en:literal | $title_zh:literal, $what_en:literal | $what_zh:literal,
        $then_en:literal | $then_zh:literal;)*) => {
        match $kind {
            $(ProblemKind::$name => Said {
                title: Both { en: $title_en, zh: $title_zh },
                what: Both { en: $what_en, zh: $what_zh },
                then: Both { en: $then_en, zh: $then_zh },
            },)*
        }
    };
}

/// The texts of a kind.
pub fn said(kind: ProblemKind) -> Said {
    said! { kind;
        BadNumber:
            "Not a number" | "不是数字",
            "a cell that should hold a number holds something else" | "应为数字的单元格中是其他内容",
            "The cell counts as empty; the rest of its row is used. Check whether the file was edited or cut."
                | "该单元格按空值处理，所在行的其余内容照常使用。请检查文件是否被修改或截断。";
        BadRow:
            "Row without size, time or pool" | "缺少大小、时间或内存池的行",
            "a row has no usable size, time or pool" | "该行没有可用的大小、时间或内存池",
            "The row is left out; all others are used. If there are many, export the recording again."
                | "该行未计入，其余各行照常使用。如数量较多，请重新导出数据。";
        ShortRow:
            "Row with too few cells" | "列数不足的行",
            "a row has fewer cells than the header" | "该行的单元格少于表头",
            "The missing cells count as empty. The file may have been cut while it was copied: compare its size with the original."
                | "缺少的单元格按空值处理。文件可能在复制时被截断，请与原文件核对大小。";
        LongRow:
            "Row with too many cells" | "列数过多的行",
            "a row has more cells than the header" | "该行的单元格多于表头",
            "The surplus cells are ignored. A name with an unquoted comma causes this: look at the row."
                | "多出的单元格已忽略。名称中含有未加引号的逗号时会出现这种情况，请查看该行。";
        BadEncoding:
            "Not valid text" | "无效的文本",
            "some text is not valid: bytes that are not UTF-8, or half of a surrogate pair" | "部分文本无效：不是 UTF-8 的字节，或不成对的代理项",
            "It is shown with replacement characters; numbers are not affected. If the file was saved in another encoding, save it as UTF-8 to see the names."
                | "这些文本显示为替代字符，数值不受影响。如文件以其他编码保存，请另存为 UTF-8 以查看名称。";
        UnclosedQuote:
            "Quote never closed" | "引号未闭合",
            "a quoted cell never ends" | "带引号的单元格没有结尾",
            "Reading went on at the next line; that row may be lost. Look at the row in an editor."
                | "已从下一行继续读取，该行可能丢失。请用编辑器查看该行。";
        MissingColumn:
            "Column missing" | "缺少必需的列",
            "a column that is needed is not in the header" | "表头中缺少必需的列",
            "The file could not be read. Export it again with a current torch_npu or MindStudio version."
                | "无法读取该文件。请用较新版本的 torch_npu 或 MindStudio 重新导出。";
        EmptyFile:
            "Empty file" | "空文件",
            "the file is empty" | "文件为空",
            "Nothing could be read from it. Check the disk's free space on the training machine and copy the file again."
                | "未能从中读取任何内容。请检查训练机器的磁盘空间，并重新复制该文件。";
        Truncated:
            "File cut short" | "文件不完整",
            "the file ends in the middle of a record" | "文件在一条记录中间结束",
            "Everything before that place was read and is shown. Copy the file again, or analyse the recording again."
                | "该位置之前的内容均已读取并显示。请重新复制文件，或重新解析采集数据。";
        BadEvent:
            "Broken trace event" | "损坏的 trace 事件",
            "an event of the trace is not valid JSON" | "trace 中有事件不是有效的 JSON",
            "That event alone is left out; reading went on at the next one. Its operator may be missing among the call stacks."
                | "仅跳过该事件，并从下一个事件继续读取。对应算子的调用栈可能缺失。";
        BadEventTime:
            "Event without a usable time" | "时间无效的事件",
            "an event's ts or dur is not a usable number" | "事件的 ts 或 dur 不是可用的数字",
            "That event is left out; all others are used. Its operator may be missing among the call stacks."
                | "该事件未计入，其余事件照常使用。对应算子的调用栈可能缺失。";
        MissingDuration:
            "Operator without duration" | "缺少时长的算子",
            "an operator event has no dur" | "算子事件没有 dur",
            "No allocation can be told to lie inside it, so at most a guess names it. This happens to operators cut off at the end of a recording."
                | "无法判断内存申请是否落在该算子内，最多只用于推测。采集结束时被截断的算子会出现这种情况。";
        NotRecognised:
            "Not what its name says" | "内容与文件名不符",
            "the file's content is not what its name says" | "文件内容与文件名不符",
            "The file is left out. Check whether it was renamed or saved by another program."
                | "该文件未使用。请检查它是否被改名，或由其他程序保存。";
        Unreadable:
            "Could not be read" | "无法读取",
            "the file could not be opened or read to its end" | "文件无法打开或无法读到结尾",
            "What was read before is shown. Check that the file still exists and that you may read it, then try again."
                | "此前已读取的内容照常显示。请确认文件仍然存在且有读取权限，然后重试。";
        BadJson:
            "Small file not understood" | "无法解析的小文件",
            "a JSON file with details of the recording could not be understood" | "记录采集信息的 JSON 文件无法解析",
            "It is left out: role, rank or versions may be unknown; memory data is not affected."
                | "该文件未使用：角色、Rank 或版本信息可能未知，内存数据不受影响。";
        NoMemoryFile:
            "No memory data" | "没有内存数据",
            "the rank folder holds no file with memory data" | "该 Rank 文件夹中没有内存数据文件",
            "There is nothing to show for it. Record with profile_memory=True in torch_npu.profiler.profile(...); with verl, put memory into the profiler's contents."
                | "没有可显示的内容。请在 torch_npu.profiler.profile(...) 中设置 profile_memory=True 后重新采集；使用 verl 时，请在 profiler 的 contents 中加入 memory。";
        NotAnalysed:
            "Recorded, not analysed yet" | "已采集，尚未解析",
            "the recording was never analysed: there is no ASCEND_PROFILER_OUTPUT folder" | "采集数据尚未解析：没有 ASCEND_PROFILER_OUTPUT 文件夹",
            "Where torch_npu is installed, run in Python: from torch_npu.profiler.profiler import analyse; analyse(\"{folder}\") - then open the folder again."
                | "请在安装了 torch_npu 的环境中用 Python 做离线解析：from torch_npu.profiler.profiler import analyse; analyse(\"{folder}\")，然后重新打开该文件夹。";
        NoTrace:
            "No trace" | "没有 trace 文件",
            "there is no {source}" | "没有 {source}",
            "Blocks have no call stacks; their sizes and times do not depend on it. Add the file if you have it, or analyse the recording again."
                | "内存块没有调用栈；其大小和时间不受影响。如有该文件请一并加入，或重新解析采集数据。";
        NoOperatorMemory:
            "No list of blocks" | "没有内存块明细",
            "there is no {source}" | "没有 {source}",
            "Without it there are no blocks, operators or call stacks; what the other files hold is shown. Record with profile_memory=True, or add the file."
                | "缺少它就没有内存块、算子和调用栈；其他文件中的内容照常显示。请设置 profile_memory=True 重新采集，或加入该文件。";
        NoMemoryRecord:
            "No recorded totals" | "没有内存总量记录",
            "there is no {source}" | "没有 {source}",
            "Peaks and the memory from before the window are derived from the list of blocks, as far as there is one; events without a row are missing. Add the file if you have it."
                | "峰值和采集前已占用内存由内存块明细（如有）推算，没有对应行的事件会缺失。如有该文件请一并加入。";
        NoStacks:
            "No call stacks recorded" | "未采集调用栈",
            "the trace holds operators, but not one call stack" | "trace 中有算子，但没有任何调用栈",
            "Blocks are shown by operator only. Record with with_stack=True in torch_npu.profiler.profile(...); with verl, set with_stack: True or contents: [npu, cpu, memory, stack] in the actor's profiler options."
                | "内存块只能按算子查看。请在 torch_npu.profiler.profile(...) 中设置 with_stack=True 后重新采集；使用 verl 时，请在 actor 的 profiler 配置中设置 with_stack: True 或 contents: [npu, cpu, memory, stack]。";
        UnknownRank:
            "Rank unknown" | "Rank 未知",
            "the rank could not be told from profiler_info" | "无法从 profiler_info 得知 Rank",
            "The folder is shown under its path. Keep profiler_info_<rank>.json beside the data to see the number."
                | "该文件夹以其路径显示。请将 profiler_info_<rank>.json 与数据放在一起，以显示编号。";
        SeveralRanks:
            "Several ranks in one folder" | "一个文件夹对应多个 Rank",
            "several profiler_info files name different ranks" | "多个 profiler_info 文件给出了不同的 Rank",
            "The smallest number is taken. Check whether two recordings were copied into one folder."
                | "已取最小的编号。请检查是否有两次采集被复制到了同一个文件夹。";
        NothingFound:
            "Nothing to analyse found" | "未找到可分析的数据",
            "nothing in it looks like an Ascend profiling result" | "其中没有类似昇腾性能数据的内容",
            "Open a folder that ends in _ascend_pt, a folder that contains such folders, or the files operator_memory.csv, memory_record.csv and trace_view.json."
                | "请打开以 _ascend_pt 结尾的文件夹、包含此类文件夹的上级文件夹，或 operator_memory.csv、memory_record.csv 和 trace_view.json 文件。";
        Unsupported:
            "Form not supported yet" | "暂不支持的数据形式",
            "this form is recognised but cannot be read yet" | "能识别这种数据形式，但暂时无法读取",
            "It is left out. Export the recording as text: export_type=[ExportType.Text] in torch_npu.profiler._ExperimentalConfig(...)."
                | "该内容未使用。请以文本形式导出：在 torch_npu.profiler._ExperimentalConfig(...) 中设置 export_type=[ExportType.Text]。";
        NoCommonAxis:
            "Times do not overlap" | "时间不重叠",
            "the times of the trace and of the memory tables do not overlap" | "trace 与内存表的时间没有重叠",
            "No call stack can be joined to a block by time. Check that all files come from the same recording, and that none was saved with other times; if only the trace's times are relative, give the distance by hand: on the page below this table, in the command with --trace-offset-ns N."
                | "无法按时间为内存块关联调用栈。请确认所有文件来自同一次采集，且时间未被改动；如果只有 trace 使用相对时间，可手动给出时间差：在页面上填入本表下方的输入框，命令行则用 --trace-offset-ns N。";
        AxisMoved:
            "Trace times moved" | "已平移 trace 时间",
            "the trace's times have another origin than those of the memory tables" | "trace 的时间起点与内存表不同",
            "They were moved by the distance given here. Where APP is named, that distance is proven: the trace's APP counters and the APP rows of memory_record.csv are the same samples."
                | "已按此处给出的时间差平移。注明 APP 时，该时间差有据可依：trace 的 APP 计数与 memory_record.csv 的 APP 行是同一组采样。";
        Concatenated:
            "Several traces in one file" | "一个文件中有多个 trace",
            "another list of events begins behind the end of the first" | "第一个事件列表结束后又出现了新的事件列表",
            "All of them were read as one trace. Check whether files of several ranks were joined: their operators would be mixed."
                | "已作为同一个 trace 全部读取。请检查是否拼接了多个 Rank 的文件，否则算子会混在一起。";
        OverLimit:
            "Over a limit" | "超出上限",
            "the file holds something larger, deeper or more numerous than is read" | "文件中有内容的大小、层数或数量超出读取上限",
            "Only what is over the limit is left out; all else is used. Real recordings stay far below: look at that place."
                | "仅跳过超出上限的部分，其余内容照常使用。正常采集远低于上限，请查看该处内容。";
        Inexact:
            "No whole number of bytes" | "不是整数字节",
            "a number is no whole number of bytes or nanoseconds" | "数值换算后不是整数字节或整数纳秒",
            "Its decimal text was kept beside it and is written to the rows as recorded. Sums use the nearest value."
                | "原始十进制文本已一并保留，导出明细时按原样写出。求和时使用最接近的数值。";
        Died:
            "Ended before it was done" | "处理中途终止",
            "reading this rank ended unexpectedly" | "读取该 Rank 时意外终止",
            "Other ranks are not affected. It may have run out of memory: close other tabs and retry, or use the command for very large traces."
                | "其他 Rank 不受影响。可能是内存不足：请关闭其他标签页后重试，特别大的 trace 请使用命令行工具。";
        GbkText:
            "Text in GBK" | "GBK 编码的文本",
            "some text is GBK, not UTF-8: a program on a Chinese Windows saved the file" | "部分文本是 GBK 而不是 UTF-8 编码，文件应是由中文 Windows 上的程序保存的",
            "It is shown with replacement characters; numbers are not affected. To see the names, open the file in an editor (Notepad, VS Code) and save it with the encoding UTF-8; in Excel choose the file type CSV UTF-8."
                | "这些文本显示为替代字符，数值不受影响。如需查看名称，请用编辑器（记事本、VS Code）打开并以 UTF-8 编码另存；Excel 请选择“CSV UTF-8”文件类型。";
        GbkRead:
            "Text in GBK was read" | "已读取 GBK 文本",
            "some text is GBK, not UTF-8: a program on a Chinese Windows saved the file" | "部分文本是 GBK 而不是 UTF-8 编码，文件应是由中文 Windows 上的程序保存的",
            "It was read as GBK. If a name looks wrong, save the file as UTF-8 (in Excel: the file type CSV UTF-8)."
                | "已按 GBK 读取。如有名称显示异常，请将文件另存为 UTF-8（Excel 请选择“CSV UTF-8”文件类型）。";
        HeaderAgain:
            "Several exports in one table" | "一张表中有多份导出",
            "the header stands again further down: several exports were joined in one file" | "表头在文件中再次出现：多份导出被拼接在同一个文件中",
            "All of them were read as one table, and rows that stand twice count once. If they are of several ranks or devices, open each export alone: their totals would be mixed."
                | "已作为同一张表全部读取，重复的行只计一次。如来自多个 Rank 或设备，请分别打开各份导出，否则总量会混在一起。";
        RepeatedRow:
            "Rows that stand twice" | "重复的行",
            "a row is the same as another in every cell, its time to the nanosecond among them" | "有行与另一行的所有单元格完全相同，包括精确到纳秒的时间",
            "Each such row counts once. A file joined with itself, or the same rows exported twice, cause this; nothing is missing."
                | "这样的行只计一次。文件与自身拼接，或同样的行被重复导出时会出现这种情况；没有内容缺失。";
        PoolWithoutRecords:
            "A pool without samples" | "内存池没有采样记录",
            "a pool has memory in this recording, but not one sample among the recorded totals" | "该内存池在本次采集中有内存，但内存总量记录中没有它的任何采样",
            "Its samples were removed, or are of another export; its totals are derived from the list of blocks, as far as there is one. Take the file as the profiler wrote it."
                | "其采样被删除，或位于另一份导出中；总量由内存块明细（如有）推算。请使用采集工具写出的原始文件。";
        Encrypted:
            "Encrypted" | "已加密",
            "a file in the archive needs a password" | "压缩包中有文件需要密码",
            "It is left out. Unpack the archive with its password and open the folder."
                | "该文件未使用。请用密码解压后打开解压出的文件夹。";
        PackedOtherwise:
            "Packed in another way" | "不支持的压缩方式",
            "this is packed in a way that cannot be opened here" | "无法打开这种压缩方式的内容",
            "It is left out. Unpack it and open the folder, or pack the folder as .zip (ordinary compression) or .tar.gz."
                | "该内容未使用。请解压后打开文件夹，或将文件夹重新打包为 .zip（普通压缩）或 .tar.gz。";
        NestedArchive:
            "Archive inside an archive" | "压缩包中的压缩包",
            "the archive holds another archive" | "压缩包中还有压缩包",
            "The inner one is not opened. Unpack the outer archive and open its folder."
                | "内层压缩包未打开。请解压外层压缩包后打开其文件夹。";
        OddName:
            "Name leads out of the archive" | "路径超出压缩包",
            "a name in the archive leads out of it" | "压缩包中有路径指向压缩包之外",
            "That file is left out. Such archives can be made to overwrite files when they are unpacked: ask where it comes from."
                | "该文件未使用。这类压缩包在解压时可能覆盖其他文件，请确认其来源。";
        ExpandsTooFar:
            "Expands beyond reason" | "解压后过大",
            "the packed data expands more than any recording does" | "压缩数据的膨胀倍数远超正常的采集数据",
            "Reading stopped there; what came before is shown. If the file is genuine, unpack it and open the folder."
                | "已在该处停止读取，此前的内容照常显示。如文件确实有效，请解压后打开文件夹。";
        TooMany:
            "Too many files" | "文件过多",
            "there are more files than are looked at" | "文件数量超出查看上限",
            "The rest is left out. Open a folder further down, or several one after the other."
                | "其余文件未查看。请打开更下层的文件夹，或分多次打开。";
        ArchiveCut:
            "Archive cut short" | "压缩包不完整",
            "the archive ends early, or is one of several volumes" | "压缩包提前结束，或只是分卷之一",
            "What is whole was read and is shown. Copy the archive again, or unpack all volumes and open the folder."
                | "完整的部分已读取并显示。请重新复制压缩包，或将所有分卷解压后打开文件夹。";
        ArchiveDamaged:
            "Packed data damaged" | "压缩数据损坏",
            "the packed data is damaged" | "压缩数据已损坏",
            "What came before that place was read and is shown. Copy the file again and compare its checksum with the original."
                | "该位置之前的内容已读取并显示。请重新复制文件，并与原文件核对校验和。";
        ArchiveLink:
            "Link in an archive" | "压缩包中的链接",
            "the archive holds a link instead of a file" | "压缩包中有链接而不是文件",
            "Links are not followed. If the data lies behind it, pack the folder again with links followed (tar -h)."
                | "不会跟随链接。如数据在链接所指位置，请以跟随链接的方式重新打包（tar -h）。";
        ArchiveLinkLeft:
            "Link in an archive, perhaps to a folder" | "压缩包中的链接（可能指向文件夹）",
            "the archive holds a link that is named like no file that is read; it may stand for a folder" | "压缩包中有链接，其名称不是所读取的文件，可能指向某个文件夹",
            "It was not followed, and nothing else depends on it. If recordings lie behind it, pack the folder again with links followed (tar -h)."
                | "未跟随该链接，其他内容不受影响。如其后有采集数据，请以跟随链接的方式重新打包（tar -h）。";
        ArchiveUnpacked:
            "Archive unpacked beside it" | "压缩包已解压",
            "all files of the archive lie beside it, and those that may be read have the same contents" | "压缩包中的所有文件都在旁边，其中可读取的文件内容相同",
            "Those files are read, the archive is not. Nothing is missing."
                | "读取的是旁边的文件，未读取压缩包，没有内容缺失。";
        ExportsDiffer:
            "Exports differ" | "多份导出内容不同",
            "an older export holds something else than the newest, which was read" | "较早的导出与所读取的最新导出内容不同",
            "It was not read: rows that only it holds are missing, and equal ones would count twice. Open it alone to see it, or keep the one that is right."
                | "未读取该文件：仅存在于其中的行会缺失，同时读取则相同的行会重复计算。如需查看请单独打开，或只保留正确的一份。";
        SliceMissing:
            "Slice missing" | "缺少分片",
            "a table is cut into numbered slices, and some numbers are not there" | "表被切分为带编号的分片，其中缺少部分编号",
            "The rows of these slices are missing in all that is shown. Copy all slices from where they were exported."
                | "所有结果中都缺少这些分片的行。请从导出处复制全部分片。";
        TraceAlone:
            "A trace alone" | "只有 trace",
            "there is a trace, but no file with memory data" | "只有 trace 文件，没有内存数据文件",
            "A trace holds operators and call stacks, but no blocks: curves, peaks and blocks cannot be shown. Add operator_memory.csv and memory_record.csv of the same recording, or record with profile_memory=True and export a folder, not the trace alone."
                | "trace 只包含算子和调用栈，不含内存块：无法显示曲线、峰值和内存块。请加入同一次采集的 operator_memory.csv 和 memory_record.csv；或设置 profile_memory=True 重新采集，并导出整个文件夹而不是单个 trace。";
        TimeAxisLost:
            "Times lost" | "时间已丢失",
            "a spreadsheet has rounded the times of this table, so that nearly all are equal" | "该表的时间被电子表格软件四舍五入，几乎全部相同",
            "Sizes and totals are shown; nothing is said about what was live at a time, and no call stack is joined by time. Take the file as the profiler wrote it, and do not save it from a spreadsheet."
                | "大小和总量照常显示；不再给出某一时刻的存活内存块，也不按时间关联调用栈。请使用 profiler 写出的原始文件，不要用电子表格软件另存。";
        DamagedDatabase:
            "Damaged database" | "数据库损坏",
            "part of the database cannot be reached" | "数据库的部分内容无法访问",
            "Everything that can be reached was read and is shown. Copy the file again from where it was recorded, together with the file that ends in -wal if there is one."
                | "能够访问的内容均已读取并显示。请从采集处重新复制该文件；如旁边有以 -wal 结尾的文件，请一并复制。";
        DatabaseLost:
            "Nothing of the database can be read" | "数据库无法读取",
            "the database is so damaged that nothing of it can be reached" | "数据库严重损坏，其中的内容均无法访问",
            "Nothing of it is shown, and what it held is not known. Copy the file again from where it was recorded, together with the file that ends in -wal if there is one."
                | "未显示其中的任何内容，也无法得知其中原有的内容。请从采集处重新复制该文件；如旁边有以 -wal 结尾的文件，请一并复制。";
        MissingText:
            "Name missing in the database" | "数据库中缺少名称",
            "a name or call stack is stored as a number that the database does not explain" | "名称或调用栈以编号保存，但数据库中没有对应的文本",
            "A block counts as unnamed, and its memory is counted all the same; a sample of a pool that is not known is left out. The database may be damaged or incomplete: copy or analyse it again."
                | "内存块按未命名处理，其内存仍照常计入；无法得知所属内存池的采样未计入。数据库可能损坏或不完整，请重新复制或重新解析。";
        NoRandomAccess:
            "Database too large for this browser" | "数据库过大，此浏览器无法读取",
            "this browser does not let a page opened from disk read parts of a file, and the database is too large to be loaded whole" | "此浏览器不允许从磁盘打开的页面按需读取文件，而该数据库过大，无法整体载入",
            "It was not read. Open it in Chrome, Edge or Firefox, open this page from a web server, or use the memlens command."
                | "未读取该文件。请使用 Chrome、Edge 或 Firefox 打开，或通过 Web 服务器打开本页面，或使用 memlens 命令行工具。";
        TwoForms:
            "Database and text side by side" | "同时存在数据库和文本文件",
            "the folder holds the recording both as a database and as text files" | "该文件夹同时以数据库和文本文件保存了同一次采集",
            "The form that has more was read; in brackets stands which. Of the other at most the rows were counted; its numbers were not compared. To see the other form, open its files alone."
                | "已读取内容更完整的一种，括号中为所读取的文件；另一种最多只统计了行数，未比对数值。如需查看另一种，请单独打开其文件。";
        NotAFile:
            "Not an ordinary file" | "不是普通文件",
            "this is a pipe, a socket or a device under the name of a file" | "该名称对应的是管道、套接字或设备，而不是普通文件",
            "It is not opened, as reading it might never end. Put an ordinary file in its place: copy what it stands for."
                | "未打开，因为读取可能永远不会结束。请复制其内容，以普通文件代替。";
        DatabaseJournal:
            "Journal beside the database" | "数据库旁有回滚日志",
            "a journal lies beside the database: writing it was interrupted or still goes on" | "数据库旁有回滚日志（-journal）：写入被中断或仍在进行",
            "The database was read as it stands, so that some of its rows may be half-written. Let the profiler finish, or open both files together once with sqlite3, which rolls the unfinished change back; then read it again."
                | "已按数据库现状读取，部分数据可能只写了一半。请等待 profiler 写完，或用 sqlite3 同时打开这两个文件一次以回滚未完成的修改，然后重新读取。";
        JournalBeside:
            "Journal beside a database that was not needed" | "未使用的数据库旁有回滚日志",
            "a journal lies beside the database, which was not read as the text files hold the recording" | "数据库旁有回滚日志（-journal）；文本文件已包含该次采集，未读取数据库",
            "Nothing shown rests on it. Before you use the database elsewhere, let the profiler finish, or open both files together once with sqlite3."
                | "所示内容与其无关。如需另行使用该数据库，请等待 profiler 写完，或用 sqlite3 同时打开这两个文件一次。";
        DatabaseLogUnused:
            "Write-ahead log not wholly used" | "预写日志未能完整使用",
            "a write-ahead log lies beside the database, and not all of it can be used" | "数据库旁有预写日志（-wal），但无法完整使用",
            "The database was read with the part of the log that is whole; what was written last may be missing. Copy the database and the file that ends in -wal again, both at one time, from where they were recorded."
                | "已读取数据库以及日志中完整的部分，最后写入的数据可能缺失。请从采集处同时重新复制数据库和以 -wal 结尾的文件。";
        ViewNotRun:
            "View instead of a table" | "是视图而不是表",
            "the database has a view where a table is expected" | "数据库中应为表的位置是视图",
            "Nothing in a database is run, so the view was not read. Use the database as the profiler wrote it, or copy the view into a table of its name."
                | "不会运行数据库中的任何内容，因此未读取该视图。请使用 profiler 写出的原始数据库，或将视图内容复制为同名的表。";
        NoColumn:
            "Read without a column" | "缺少列，已继续读取",
            "a column is missing that every version of this table has" | "缺少该表所有版本都有的列",
            "The table was read without it, and nothing is said that rests on it: without release times not which blocks were released, were live or were there before the window, without totals no curve, without a device all counts as one, without names or call stacks no operator or call site. Take the table as the profiler wrote it."
                | "已在缺少该列的情况下读取，不给出依赖该列的结论：缺少释放时间则无法得知内存块是否释放、是否存活以及采集前已占用内存，缺少总量则没有曲线，缺少设备列则视为同一设备，缺少名称或调用栈则无法得知算子或调用位置。请使用采集工具写出的原始表格。";
        MissingTotal:
            "Total missing" | "缺少总量",
            "samples of a pool have no Total Allocated" | "内存池的采样缺少 Total Allocated",
            "They are left out of the curve: the last total holds on, and a peak there is not seen. Check whether the file was edited, or export it again."
                | "这些采样未计入曲线：沿用上一个总量，该处的峰值无法看到。请检查文件是否被修改，或重新导出。";
        TimeOutlier:
            "Time far off" | "时间偏离过远",
            "a time lies more than a day from the others of this table" | "有时间与该表的其他时间相差一天以上",
            "That row or sample is left out, or its release counts as missing; all others are used. Check whether the file was edited or joined from two recordings."
                | "该行或采样未计入，或其释放时间按缺失处理，其余照常使用。请检查文件是否被修改，或由两次采集拼接而成。";
        NulBytes:
            "Run of NUL bytes" | "连续的 NUL 字节",
            "a row or event holds NUL bytes: part of the file was lost on its disk or while it was copied" | "有行或事件包含 NUL 字节，文件的一部分在磁盘上或复制时丢失",
            "That row or event is left out, and what stood in the lost part is missing; all else is used. Copy the file again from where it was recorded."
                | "该行或事件未计入，丢失部分的内容无法恢复，其余照常使用。请从采集处重新复制该文件。";
        NoOperators:
            "No operators in the trace" | "trace 中没有算子",
            "the trace holds no operators of the framework" | "trace 中没有框架算子",
            "No block can be joined to a call stack. Record with activities=[ProfilerActivity.CPU, ProfilerActivity.NPU] in torch_npu.profiler.profile(...), or take the trace of the same recording."
                | "无法为内存块关联调用栈。请在 torch_npu.profiler.profile(...) 中设置 activities=[ProfilerActivity.CPU, ProfilerActivity.NPU] 后重新采集，或使用同一次采集的 trace。";
    }
}
