//! The texts of truth checks: what each kind holds against what, and what an exception means.

crate::messages! {
    other_device = "Rows and totals are of one device" | "明细与总量属于同一设备";
    pools_mixed = "Pools are kept apart" | "各内存池未混在一起";
    events_without_record = "Each event of a row has its record" | "明细的每次申请与释放都有对应的总量记录";
    row_totals = "Totals beside the rows are the recorded ones" | "明细所附总量与总量记录相同";
    blocks_without_row = "Each allocation has its row" | "每次申请都有明细行";
    baseline_rises = "Memory from before the window only falls" | "采集前已占用内存只减不增";
    rows_total = "Live rows + memory from before the window = recorded total" | "存活内存块 + 采集前已占用 = 记录的总量";
    peaks = "Rows and records have the same peak" | "明细与总量记录的峰值相同";
    order = "Allocated ≤ active ≤ reserved" | "已分配 ≤ 活跃 ≤ 预留";
    durations = "Durations are what lies between the times" | "持有时长等于两个时间之差";
    times_rounded = "Times are exact" | "时间未被取整";
    older_released = "Releases of memory from before the window" | "采集前已占用内存的释放";
    outside_pools = "Memory of the process outside the pools" | "内存池之外的进程内存";

    holds(what: &str, compared: u64) = "{what}: holds at all {compared} places compared."
        | "{what}：共比对 {compared} 处，全部成立。";
    none_found(what: &str, compared: u64) = "{what}: none among {compared} places looked at."
        | "{what}：共查看 {compared} 处，没有发现。";
    not_compared(what: &str) = "{what}: not compared, the recording does not hold what it takes."
        | "{what}：未比对，数据中缺少所需内容。";

    says_renamed_device(pool: &str, other: &str, failed: u64, compared: u64)
        = "operator_memory.csv, {pool}: {failed} of {compared} blocks have their record, with the same time and total, under {other} in memory_record.csv: one of the two files names the wrong device. They are compared with that record; check which device the process ran on."
        | "operator_memory.csv，{pool}：{compared} 个内存块中有 {failed} 个的总量记录（时间与总量均相同）在 memory_record.csv 中属于 {other}，两个文件中有一个写错了设备。已按该记录比对；请确认进程实际所在的设备。";
    says_other_device(pool: &str, other: &str, compared: u64)
        = "operator_memory.csv, {pool}: it lists {compared} blocks, but memory_record.csv holds only totals of {other}, and none at their times: these are totals of another device. Blocks and curves do not belong together; put both files of one recording into the folder."
        | "operator_memory.csv，{pool}：列出了 {compared} 个内存块，但 memory_record.csv 中只有 {other} 的总量，且时间都对不上：这是另一个设备的总量。内存块与曲线不对应，请将同一次采集的两个文件放在一起。";
    says_rows_mixed(pool: &str, other: &str, failed: u64, compared: u64, bytes: &str)
        = "operator_memory.csv: {failed} of the {compared} rows listed under {pool}, {bytes} in all, have their record in {other} according to memory_record.csv: rows of two pools are mixed. The other checks count them there; the list and the balance leave them where the row stands."
        | "operator_memory.csv：{pool} 的 {compared} 行明细中有 {failed} 行（共 {bytes}）在 memory_record.csv 中属于 {other}，两个内存池的明细混在了一起。其他检查已将其计入后者，列表与对账仍按明细行所属显示。";
    says_totals_mixed(file: &str, pool: &str, failed: u64, time: &str)
        = "{file}, {pool}: totals that follow a counter of their own: {failed}, the first at {time}: two pools stand under one name, as workspace memory of the task queue does among torch's rows (before June 2025 among its records as well). The curve jumps between the two: do not read its peak as that of one pool; a newer recording with memory_record.csv tells them apart."
        | "{file}，{pool}：{failed} 个总量（首个在 {time}）遵循另一个计数，两个内存池写在了同一名称下：任务队列的 workspace 内存与 torch 的明细行混在一起（2025 年 6 月之前总量记录也是如此）。曲线会在两者之间跳动，其峰值不能当作单个内存池的峰值；较新版本采集的 memory_record.csv 可以区分两者。";
    says_strangers(pool: &str, compared: u64)
        = "memory_record.csv, {pool}: none of the {compared} allocations and releases in operator_memory.csv has a record: the two files are not of the same recording or device, or were cut to different parts of it. Each is shown as it is; put both files of one recording into the folder."
        | "memory_record.csv，{pool}：operator_memory.csv 中的 {compared} 次申请与释放均没有对应记录：两个文件不属于同一次采集或同一设备，或各自只截取了一部分。两者均按原样显示，请将同一次采集的两个文件放在一起。";
    says_unrecorded(pool: &str, failed: u64, compared: u64, time: &str)
        = "memory_record.csv, {pool}: {failed} of the {compared} allocations and releases in operator_memory.csv, the first at {time}, have no record at their time: records were removed, the file was cut, or times were changed or rounded. The curve lacks these events; compare the files with the originals."
        | "memory_record.csv，{pool}：operator_memory.csv 的 {compared} 次申请与释放中有 {failed} 次（首次在 {time}）没有同一时刻的记录：记录被删除、文件被截断，或时间被改动、取整。曲线缺少这些事件，请与原文件核对。";
    says_row_totals(pool: &str, failed: u64, compared: u64, time: &str, expected: &str, found: &str)
        = "operator_memory.csv, {pool}: at {failed} of {compared} allocations and releases, the first at {time}, the total beside the row ({found}) is not the recorded one ({expected}): totals were changed, or are those of another device. The curve follows memory_record.csv."
        | "operator_memory.csv，{pool}：{compared} 次申请与释放中有 {failed} 次（首次在 {time}）明细所附总量（{found}）与记录（{expected}）不同：总量被改动，或属于另一个设备。曲线以 memory_record.csv 为准。";
    says_without_row(pool: &str, failed: u64, time: &str, bytes: &str)
        = "memory_record.csv, {pool}: allocations without a row in operator_memory.csv: {failed}, {bytes} in all, the first at {time}. Rows were removed or lost (an external allocator's memory has none either). The bytes are in the curve, without name or call stack, and count with the memory from before the window; look for the original table."
        | "memory_record.csv，{pool}：有 {failed} 次申请（共 {bytes}，首次在 {time}）在 operator_memory.csv 中没有明细行：明细行被删除或丢失（外部分配器的内存也没有明细行）。这部分内存计入曲线，没有名称和调用栈，与采集前已占用内存合并计算；请查找原始表格。";
    says_baseline_rises(pool: &str, failed: u64, time: &str, bytes: &str)
        = "operator_memory.csv, {pool}: what the totals hold beyond the live rows rises; number of rises: {failed}, by {bytes} in all, the first at {time}. In a whole table it can only fall: rows were removed. The missing bytes count with the memory from before the window; look for the original table, and for memory_record.csv."
        | "operator_memory.csv，{pool}：总量超出存活内存块的部分上升了 {failed} 次，共 {bytes}，首次在 {time}；完整的表格中它只会下降：明细行被删除。缺少的内存与采集前已占用内存合并计算；请查找原始表格和 memory_record.csv。";
    says_totals_do_not_fit(pool: &str, failed: u64, time: &str)
        = "operator_memory.csv, {pool}: the totals beside the rows do not fit the rows: {failed} times, the first at {time}, they change by something else than the rows do. Two pools may stand under one name, or rows or totals were changed; the memory from before the window cannot be told from them. Add memory_record.csv, or look for the original table."
        | "operator_memory.csv，{pool}：明细所附总量与明细不符，共 {failed} 次变化量不一致，首次在 {time}。可能是两个内存池写在了同一名称下，或明细行、总量被改动；无法据此得知采集前已占用内存。请加入 memory_record.csv，或查找原始表格。";
    says_rows_total(pool: &str, failed: u64, compared: u64, time: &str, expected: &str, found: &str)
        = "memory_record.csv, {pool}: at {failed} of {compared} records, the first at {time}, live rows plus the memory from before the window ({found}) are not the recorded total ({expected}): sizes, times or totals were changed. The balance shows both numbers; trust the recorded total."
        | "memory_record.csv，{pool}：{compared} 条记录中有 {failed} 条（首条在 {time}）存活内存块加采集前已占用内存（{found}）不等于记录的总量（{expected}）：大小、时间或总量被改动。对账中并列显示两个数值，请以记录的总量为准。";
    says_peaks(pool: &str, time: &str, expected: &str, found: &str)
        = "operator_memory.csv, {pool}: the highest total beside the rows is {found}, but {expected} in memory_record.csv, at {time}: rows at the peak are missing, or totals were changed. The peak shown is that of memory_record.csv."
        | "operator_memory.csv，{pool}：明细所附总量的最大值为 {found}，而 memory_record.csv 中为 {expected}（{time}）：峰值处缺少明细行，或总量被改动。所示峰值以 memory_record.csv 为准。";
    says_order(file: &str, pool: &str, failed: u64, compared: u64, time: &str, above: &str)
        = "{file}, {pool}: at {failed} of {compared} rows' events and records, the first at {time}, allocated ≤ active ≤ reserved does not hold ({above}): columns were swapped or changed. The curves are drawn as recorded; check the header against the columns."
        | "{file}，{pool}：{compared} 处明细事件与记录中有 {failed} 处（首处在 {time}）不满足“已分配 ≤ 活跃 ≤ 预留”（{above}）：列被调换或改动。曲线按记录绘制，请核对表头与各列。";
    says_durations(failed: u64, compared: u64, row: &str, expected: &str, found: &str)
        = "operator_memory.csv, first at row {row}: {failed} of {compared} durations are not what lies between the row's times ({found} written, {expected} between them): times or durations were changed. The times are used, and the duration is exported as written."
        | "operator_memory.csv，首处在第 {row} 行：{compared} 个持有时长中有 {failed} 个不等于该行两个时间之差（所写为 {found}，相差为 {expected}）：时间或时长被改动。分析以时间为准，导出时保留所写时长。";
    says_rounded(compared: u64, step: &str)
        = "operator_memory.csv: all {compared} times lie on steps of {step}: they were rounded, as torch_npu did in 2023 and MindSpore does, or by a program that saved the table again. Events closer together may stand in the wrong order and take a neighbour's call stack; use the table as the profiler wrote it."
        | "operator_memory.csv：全部 {compared} 个时间都落在 {step} 的步长上，说明时间被取整：2023 年的 torch_npu 和 MindSpore 会如此，用其他程序另存表格也会。间隔更小的事件可能次序颠倒，并取到相邻算子的调用栈；请使用采集工具写出的原始表格。";
    says_older(pool: &str, failed: u64, time: &str, bytes: &str)
        = "memory_record.csv, {pool}: releases of memory from before the window: {failed}, {bytes} in all, the first at {time}. That is no fault: such memory has no row, and the curve falls without one."
        | "memory_record.csv，{pool}：采集前已占用内存释放 {failed} 次，共 {bytes}，首次在 {time}。这不是错误：此类内存没有明细行，曲线下降时也没有对应的明细。";
    says_outside(device: &str, time: &str, bytes: &str, pools: &str, process: &str)
        = "memory_record.csv, {device}: the process holds up to {bytes} outside its pools, at {time}: {process} in all, {pools} reserved by the pools. That is no fault: communication buffers, the runtime and other libraries take it."
        | "memory_record.csv，{device}：进程在内存池之外最多持有 {bytes}，在 {time}：进程共 {process}，内存池预留 {pools}。这不是错误：通信缓冲区、运行时和其他库会占用这部分内存。";
}
