//! Details that programs word, in Chinese: our own, and those of the libraries that unpack and parse. What comes from the recording
//! itself (a cell, a name, a path) stays as it is; a sentence that is not known is marked as quoted.

use std::borrow::Cow;

use super::Lang;
use crate::problem::{Problem, ProblemKind};

/// The whole detail.
const KNOWN: &[(&str, &str)] = &[
    ("header only", "只有表头"),
    ("the file became shorter while it was read", "读取过程中文件变短了"),
    ("row > 16 MiB", "行超过 16 MiB"),
    ("event > 64 MiB", "事件超过 64 MiB"),
    ("distinct call stacks > 512 MiB", "不同的调用栈合计超过 512 MiB"),
    ("rank folders", "Rank 文件夹"),
    ("the beginning is missing", "文件开头缺失"),
    ("text behind the end", "结尾之后还有内容"),
    ("not an object", "不是 JSON 对象"),
    ("no traceEvents", "没有 traceEvents"),
    ("checksum differs", "校验和不一致"),
    ("more data than the archive says", "数据多于压缩包中的记录"),
    ("unexpected end of data", "数据提前结束"),
    ("unexpected end of packed data", "压缩数据提前结束"),
    ("no zip member where the archive says", "压缩包所指位置没有 zip 成员"),
    ("more bytes behind the archive's end", "压缩包结尾之后还有内容"),
    ("no gzip header", "没有 gzip 文件头"),
    ("endless gzip header", "gzip 文件头没有结尾"),
    ("pages refer to each other in circles", "数据页循环引用"),
    ("row numbers do not rise", "行号没有递增"),
    ("more rows than the file can hold", "行数超出文件所能容纳"),
    ("the times of operator_memory.csv alone are on another axis", "只有 operator_memory.csv 的时间在另一时间轴上"),
    ("the times of OP_MEMORY alone are on another axis", "只有 OP_MEMORY 的时间在另一时间轴上"),
    // flate2, rawzip, zlib.
    ("incomplete deflate stream", "deflate 数据不完整"),
    ("corrupt deflate stream", "deflate 数据损坏"),
    ("deflate decompression error", "deflate 解压失败"),
    ("invalid gzip header", "gzip 文件头无效"),
    ("gzip header field too long", "gzip 文件头字段过长"),
    ("corrupt gzip stream does not have a matching checksum", "gzip 校验和不一致"),
    ("Unexpected end of file", "文件提前结束"),
    ("Invalid end of central directory", "zip 中央目录结尾无效"),
    ("Missing end of central directory", "缺少 zip 中央目录结尾"),
    // The JSON parser.
    ("Unexpected end of file, a value was expected", "文件提前结束，此处应有值"),
    ("Trailing commas are not allowed", "结尾处有多余的逗号"),
    ("Object keys must be strings", "对象的键必须是字符串"),
    (
        "Object values must be followed by a comma to add a new value or a curly bracket to end the object",
        "对象的值之后应为逗号或右花括号",
    ),
    (
        "Array values must be followed by a comma to add a new value or a squared bracket to end the array",
        "数组的值之后应为逗号或右方括号",
    ),
    ("The JSON already contains one root element", "JSON 已有一个根元素"),
    ("Unexpected colon, no key to follow", "冒号之前没有键"),
    ("Unexpected comma, no values to separate", "逗号没有分隔任何值"),
    ("Unexpected closing curly bracket, no array to close", "多余的右花括号"),
    ("Unexpected closing square bracket, no array to close", "多余的右方括号"),
    // SQLite.
    ("database disk image is malformed", "数据库文件内容损坏"),
    ("disk I/O error", "磁盘读写错误"),
    ("file is not a database", "文件不是数据库"),
    ("interrupted", "已中断"),
    // The operating system.
    ("unreadable", "无法读取"),
    ("No such file or directory (os error 2)", "文件或目录不存在（os error 2）"),
    ("Permission denied (os error 13)", "没有权限（os error 13）"),
    ("Is a directory (os error 21)", "这是一个目录（os error 21）"),
    ("Input/output error (os error 5)", "输入输出错误（os error 5）"),
];

/// What begins a detail; what follows is a number or a name.
const BEGINNINGS: &[(&str, &str)] = &[
    ("threads > ", "线程数超过 "),
    ("frames > ", "调用栈层数超过 "),
    ("sparse: ", "稀疏文件："),
    ("malformed database schema ", "数据库表结构损坏："),
];

/// A problem's detail in a language.
pub fn detail(lang: Lang, problem: &Problem) -> Cow<'_, str> {
    let text = problem.detail.as_str();
    match (lang, problem.kind) {
        (Lang::En, _) => Cow::Borrowed(text),
        (
            Lang::Zh,
            ProblemKind::EmptyFile
            | ProblemKind::OverLimit
            | ProblemKind::NotRecognised
            | ProblemKind::NoCommonAxis
            | ProblemKind::PackedOtherwise
            | ProblemKind::ArchiveCut,
        ) => known(text).unwrap_or(Cow::Borrowed(text)),
        (
            Lang::Zh,
            ProblemKind::BadEvent | ProblemKind::ArchiveDamaged | ProblemKind::Unreadable | ProblemKind::Died,
        ) => told(text),
        (Lang::Zh, ProblemKind::DamagedDatabase | ProblemKind::DatabaseLost) => match text.split_once(": ") {
            Some((place, why)) if !place.contains("error") => {
                let place = match place.split_once(", after row ") {
                    Some((table, row)) => format!("{table}，第 {row} 行之后"),
                    None => place.to_owned(),
                };
                Cow::Owned(format!("{place}：{}", told(why)))
            }
            _ => told(text),
        },
        (Lang::Zh, _) => Cow::Borrowed(text),
    }
}

/// In Chinese, if it is known.
fn known(text: &str) -> Option<Cow<'static, str>> {
    if let Some((_, zh)) = KNOWN.iter().find(|(en, _)| *en == text) {
        return Some(Cow::Borrowed(zh));
    }
    BEGINNINGS.iter().find_map(|(en, zh)| Some(Cow::Owned(format!("{zh}{}", text.strip_prefix(en)?))))
}

/// In Chinese, or marked as another program's words.
fn told(text: &str) -> Cow<'_, str> {
    // The parser says where within the event: the problem's own place is that of the file.
    let inner = text.starts_with("Parser error ").then(|| text.split_once(": ")).flatten();
    let inner = inner.or_else(|| text.split_once("deflate decompression error: "));
    let why = inner.map_or(text, |(_, why)| why);
    if why.is_empty() || !why.is_ascii() {
        return Cow::Borrowed(why);
    }
    known(why).unwrap_or_else(|| Cow::Owned(format!("原始信息：{why}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Place;

    fn zh(kind: ProblemKind, text: &str) -> String {
        let problem = Problem { file: "f".into(), place: Place::Whole, kind, count: 1, detail: text.into() };
        assert_eq!(detail(Lang::En, &problem), text);
        detail(Lang::Zh, &problem).into_owned()
    }

    #[test]
    fn every_known_detail_has_chinese_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        for (en, zh) in KNOWN.iter().chain(BEGINNINGS) {
            assert!(en.is_ascii() && !zh.is_ascii() && seen.insert(*en), "{en}");
        }
    }

    #[test]
    fn chinese_is_whole_and_names_stay() {
        assert_eq!(zh(ProblemKind::EmptyFile, "header only"), "只有表头");
        assert_eq!(zh(ProblemKind::OverLimit, "frames > 4096"), "调用栈层数超过 4096");
        assert_eq!(zh(ProblemKind::OverLimit, "operator_memory_slice_9.csv"), "operator_memory_slice_9.csv");
        assert_eq!(zh(ProblemKind::ArchiveDamaged, "incomplete deflate stream"), "deflate 数据不完整");
        assert_eq!(
            zh(ProblemKind::DamagedDatabase, "OP_MEMORY, after row 7: database disk image is malformed"),
            "OP_MEMORY，第 7 行之后：数据库文件内容损坏"
        );
        assert_eq!(
            zh(ProblemKind::BadEvent, "Parser error at line 1 column 9: Object keys must be strings"),
            "对象的键必须是字符串"
        );
        assert_eq!(
            zh(ProblemKind::Unreadable, "Too many links (os error 31)"),
            "原始信息：Too many links (os error 31)"
        );
        // A cell that reads like one of ours is still the recording's.
        assert_eq!(zh(ProblemKind::BadNumber, "header only"), "header only");
    }
}
