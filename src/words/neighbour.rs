//! What a file beside the recordings is, and what becomes of it. Exhaustive: a new kind without both languages does not compile.

use super::Lang;
use crate::neighbour::NeighbourKind;

macro_rules! said {
    ($lang:expr, $kind:expr; $($name:ident: $en:literal | $zh:literal;)*) => {
        match $kind { $(NeighbourKind::$name => $lang.pick($en, $zh),)* }
    };
}

/// What it is, in a phrase.
#[must_use]
pub fn neighbour(lang: Lang, kind: NeighbourKind) -> &'static str {
    said! { lang, kind;
        SecondCopy: "another export of a kind of file that was read; not read, at most its size and beginning were compared" | "已读取文件的另一份导出，未读取，最多只比对了大小和开头";
        OtherEnding: "named like a file that is read, but saved in another form or packed, so that its content was not recognised; not read: unpack it, or save it as CSV or JSON under its usual name" | "名称与可读取的文件相同，但以其他形式保存或已打包，无法识别内容，未读取：请解压，或以常用名称另存为 CSV 或 JSON";
        MemscopeDump: "events of msMemScope (msLeaks): a recording of its own, not read yet" | "msMemScope（msLeaks）的事件数据：另一种采集，暂未读取";
        PythonTrace: "Python calls recorded by msMemScope, not read yet" | "msMemScope 采集的 Python 调用，暂未读取";
        TorchSnapshot: "a memory snapshot of PyTorch: a recording of its own, not read yet" | "PyTorch 内存快照：另一种采集，暂未读取";
        MemoryTimeline: "a memory timeline export of PyTorch: bytes by category, without blocks or stacks; not read" | "PyTorch 导出的 memory timeline：按类别统计的内存，没有内存块和调用栈，未读取";
        AscendLog: "a log of the Ascend runtime (plog); its out-of-memory lines are not read yet" | "昇腾运行日志（plog），其中的内存溢出信息暂未读取";
        ImasReport: "a report of imas, not read" | "imas 报告，未读取";
        KernelDetails: "kernels and their times on the device; no memory in it, not read" | "Device 侧 kernel 及其耗时，不含内存数据，未读取";
        OperatorDetails: "durations of operators; it has no time stamps, so it cannot place a block; not read" | "算子耗时明细，没有时间戳，无法对应内存块，未读取";
        Communication: "communication operators and their times; no memory in it, not read" | "通信算子及其耗时，不含内存数据，未读取";
        StepTrace: "time spent by step; no memory in it, not read" | "各 Step 的耗时，不含内存数据，未读取";
        Statistics: "counts and durations of operators or interfaces; no memory in it, not read" | "算子或接口的次数与耗时统计，不含内存数据，未读取";
        HardwareCounters: "counters of the hardware; no memory in it, not read" | "硬件计数器，不含内存数据，未读取";
        ProcessMemory: "memory of process and device as CANN samples it; memory_record.csv has it as APP, so it is not read" | "CANN 采样的进程与 Device 内存；memory_record.csv 中的 APP 即此数据，未读取";
        DataPreprocess: "times of data loading; no memory in it, not read" | "数据预处理耗时，不含内存数据，未读取";
        ClusterAnalysis: "results of a cluster analysis; no memory in it, not read" | "集群分析结果，不含内存数据，未读取";
        ViewerCache: "a cache that a viewer left beside the data; not profiler output, not read" | "其他查看工具留下的缓存，不是采集数据，未读取";
        CannTimeline: "CANN's timeline, without operators of the framework; not read" | "CANN 的时间线，不含框架侧算子，未读取";
        PartialTrace: "a trace whose writing was not finished; not read" | "未写完的 trace，未读取";
        OtherTrace: "a further trace; one is read for each recording" | "另一份 trace；每次采集只读取一份";
        EarlyCurve: "totals in the form before the first release, not read; its blocks are" | "首个正式版本之前格式的内存总量，未读取；其内存块明细可读取";
        OtherDatabase: "a database of no kind that is known; not read" | "无法识别的数据库，未读取";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_speaks_both_languages() {
        let mut seen = std::collections::BTreeSet::new();
        for kind in NeighbourKind::ALL {
            let (en, zh) = (neighbour(Lang::En, *kind), neighbour(Lang::Zh, *kind));
            assert!(en.is_ascii() && !zh.is_ascii() && !en.ends_with('.') && !zh.ends_with('。'), "{kind:?}");
            assert!(seen.insert(en), "{kind:?}");
        }
    }
}
