//! The field's terms. Names of tools, columns and components, Rank and Step stay in Latin letters in Chinese, as users know them.

use super::Lang;
use crate::analysis::answer::{GroupBy, MatchKind, Quantity};

macro_rules! terms {
    ($($term:ident = $en:literal | $zh:literal, $note_en:literal | $note_zh:literal;)*) => {
        /// A term of the field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Term { $(#[doc = $note_en] $term,)* }

        impl Term {
            /// Every term.
            pub const ALL: &[Term] = &[$(Term::$term,)*];

            /// The term itself; English in lower case but for names.
            #[must_use]
            pub fn text(self, lang: Lang) -> &'static str {
                match self { $(Term::$term => lang.pick($en, $zh),)* }
            }

            /// What it means, for a tooltip or a help page.
            #[must_use]
            pub fn meaning(self, lang: Lang) -> &'static str {
                match self { $(Term::$term => lang.pick($note_en, $note_zh),)* }
            }
        }
    };
}

terms! {
    DeviceMemory = "device memory" | "显存",
        "Memory of the NPU." | "NPU 的 Device 侧内存。";
    HostMemory = "host memory" | "Host 侧内存",
        "Memory of the machine the NPU sits in." | "NPU 所在主机的内存。";
    Allocated = "allocated" | "已分配",
        "Given to tensors, as the allocator counts it right after an event." | "分配器在每个事件之后统计的、已分给张量的内存。";
    Active = "active" | "活跃",
        "Allocated, or released but still waiting for another stream before reuse." | "已分配，或已释放但仍在等待其他流、暂不能复用的内存。";
    Reserved = "reserved" | "预留",
        "Held from the device by the pool, in use or not." | "内存池向设备申请并持有的内存，无论是否正在使用。";
    Baseline = "memory from before the window" | "采集前已占用内存",
        "Allocated before recording began; no row lists it." | "采集开始之前已分配的内存，表中没有对应的行。";
    Outside = "process memory outside the pools" | "内存池之外的进程内存",
        "What the process holds beside its pools: communication buffers, the runtime, other libraries." | "进程在内存池之外持有的内存：通信缓冲区、运行时和其他库。";
    NeverReleased = "never released" | "未释放",
        "Still held when recording stopped." | "采集结束时仍未释放。";
    Peak = "peak" | "峰值",
        "The largest value, and the first time it was reached." | "最大值，以及首次达到该值的时刻。";
    Role = "role" | "角色（Role）",
        "The part of the RL job: actor_update, rollout, ..." | "强化学习任务中的组成部分，例如 actor_update、rollout。";
    Rank = "rank" | "Rank",
        "The process's number in its group." | "进程在通信组中的编号。";
    Step = "step" | "Step",
        "One recording among several, or one training step inside a recording." | "多次采集中的一次，或一次采集内的一个训练步。";
    Operator = "operator" | "算子",
        "The operation that asked for the memory." | "申请内存的算子。";
    CallStack = "call stack" | "调用栈",
        "The functions that led to the operator, innermost first." | "执行到该算子的函数调用链，最内层在前。";
    UserFrame = "user frame" | "用户代码入口",
        "The innermost function that is not library code." | "调用栈中最内层的非库函数。";
    Frame = "frame" | "栈帧",
        "One function of a call stack, with its file and line." | "调用栈中的一层函数，带文件名和行号。";
    Module = "module path" | "模块路径",
        "The modules around the operator, as Module Hierarchy records them." | "算子所在的各层模块，取自 Module Hierarchy。";
    SizeClass = "size class" | "大小分段",
        "Blocks of about the same size." | "大小相近的内存块。";
    Age = "age" | "存活时长",
        "How long ago the block was allocated." | "内存块从申请到此刻的时长。";
    Block = "block" | "内存块",
        "One piece of device memory from allocation to release." | "从申请到释放的一段显存。";
    Pool = "pool" | "内存池",
        "Who manages the memory: PTA, GE, WORKSPACE, APP. One may contain another, so they are never added up." | "管理内存的一方：PTA、GE、WORKSPACE、APP。它们可能相互包含，因此不能相加。";
    Component = "component" | "组件",
        "The pool's name as recorded." | "数据中记录的内存池名称。";
    Device = "device" | "设备",
        "The NPU, as recorded." | "数据中记录的 NPU。";
    Stream = "stream" | "流",
        "The queue of device work the memory belongs to." | "该内存所属的设备任务流。";
    Size = "size" | "大小",
        "Size of the block as the profiler recorded it." | "性能数据中记录的内存块大小。";
    AllocationTime = "allocation time" | "申请时间",
        "When the block was allocated." | "内存块的申请时刻。";
    ReleaseTime = "release time" | "释放时间",
        "When the block was released; empty if it never was." | "内存块的释放时刻；未释放则为空。";
    Lifetime = "lifetime" | "持有时长",
        "From allocation to release." | "从申请到释放的时长。";
    LiveSet = "live blocks" | "存活内存块",
        "Blocks allocated at or before a time and released after it." | "在某一时刻已申请且尚未释放的内存块。";
    Window = "recorded window" | "采集区间",
        "From the first to the last memory event." | "从第一个内存事件到最后一个内存事件。";
    Timeline = "timeline" | "时间线",
        "Memory over time." | "内存随时间的变化。";
    TimeRange = "time range" | "时间范围",
        "The part of the window that is shown." | "当前显示的时间段。";
    Fragmentation = "fragmentation" | "内存碎片",
        "Reserved but unusable for a request, since no free piece is large enough." | "已预留但因空闲块过小而无法满足申请的内存。";
    Leak = "suspected leak" | "疑似泄漏",
        "Memory that grows from step to step." | "逐 Step 增长的内存。";
    OutOfMemory = "out of memory" | "内存溢出（OOM）",
        "A request that could not be met." | "未能满足的内存申请。";
    Match = "match" | "匹配方式",
        "By which rule a block got its call stack." | "内存块的调用栈由哪条规则得到。";
    Enclosing = "enclosing operator" | "算子内",
        "Allocated while an operator of that name, with a stack of its own, was running." | "申请发生在同名且带有调用栈的算子执行期间。";
    Forward = "forward operator" | "前向算子",
        "Allocated in backward; the stack is that of the forward operator it stems from." | "申请发生在反向阶段，调用栈取自对应的前向算子。";
    Queue = "task queue" | "任务队列",
        "Allocated by the task queue; the stack is that of the operator that queued the work." | "由任务队列线程申请，调用栈取自下发该任务的算子。";
    Python = "Python functions" | "Python 函数",
        "The trace has no call stacks; the stack is made of the Python functions that were running when the operator began." | "trace 中没有调用栈，调用栈由算子开始时正在执行的 Python 函数组成。";
    Nearest = "nearest (guess)" | "就近推测",
        "A guess: the nearest earlier operator of that name." | "推测：取时间上最近的、更早的同名算子。";
    Ambiguous = "ambiguous" | "不唯一",
        "Several operators fit and differ; none is asserted." | "有多个不同的算子符合条件，不作断言。";
    Unmatched = "no match" | "未匹配",
        "No operator was found." | "没有找到对应的算子。";
    Certain = "known" | "确定",
        "The call stack follows from the recording." | "调用栈可由数据直接确定。";
    Guessed = "guessed" | "推测",
        "The call stack is a guess." | "调用栈为推测所得。";
    NotAsserted = "not asserted" | "不作断言",
        "No call stack is claimed for these bytes." | "未对这部分内存断言调用栈。";
    Gap = "distance" | "时间差",
        "How far the operator is from the allocation, in time." | "算子与申请时刻之间相差的时间。";
    Finding = "finding" | "分析结论",
        "A sentence proved from the data, with its number and place." | "可由数据证明的结论，并给出数值和位置。";
}

impl From<MatchKind> for Term {
    fn from(kind: MatchKind) -> Term {
        match kind {
            MatchKind::Enclosing => Term::Enclosing,
            MatchKind::Forward => Term::Forward,
            MatchKind::Queue => Term::Queue,
            MatchKind::Python => Term::Python,
            MatchKind::Nearest => Term::Nearest,
            MatchKind::Ambiguous => Term::Ambiguous,
            MatchKind::None => Term::Unmatched,
        }
    }
}

impl From<Quantity> for Term {
    fn from(quantity: Quantity) -> Term {
        match quantity {
            Quantity::Allocated => Term::Allocated,
            Quantity::Active => Term::Active,
            Quantity::Reserved => Term::Reserved,
            Quantity::Baseline => Term::Baseline,
            Quantity::Outside => Term::Outside,
        }
    }
}

impl From<GroupBy> for Term {
    fn from(by: GroupBy) -> Term {
        match by {
            GroupBy::Operator => Term::Operator,
            GroupBy::Stack => Term::CallStack,
            GroupBy::UserFrame => Term::UserFrame,
            GroupBy::Module => Term::Module,
            GroupBy::Size => Term::SizeClass,
            GroupBy::Age => Term::Age,
        }
    }
}

/// The term in a language.
#[must_use]
pub fn term(lang: Lang, term: impl Into<Term>) -> &'static str {
    term.into().text(lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_speaks_both_languages() {
        for term in Term::ALL {
            let (en, zh) = (term.text(Lang::En), term.text(Lang::Zh));
            assert!(!en.is_empty() && !zh.is_empty() && en != zh, "{term:?}");
            let (en, zh) = (term.meaning(Lang::En), term.meaning(Lang::Zh));
            assert!(en.ends_with(['.']) || en.ends_with("..."), "{en}");
            assert!(zh.ends_with('。') && !zh.is_ascii(), "{zh}");
        }
    }

    #[test]
    fn takes_the_engines_ids() {
        assert_eq!(term(Lang::Zh, MatchKind::Nearest), "就近推测");
        assert_eq!(term(Lang::En, Quantity::Baseline), "memory from before the window");
        assert_eq!(term(Lang::Zh, GroupBy::UserFrame), "用户代码入口");
        assert_eq!(term(Lang::En, Term::Peak), "peak");
    }
}
