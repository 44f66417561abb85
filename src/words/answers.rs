//! Headings and lines of the commands' tables.

crate::messages! {
    col_bytes = "bytes" | "内存";
    col_share = "share" | "占比";
    col_blocks = "blocks" | "内存块";
    col_known = "known" | "确定";
    col_change = "change" | "变化";
    col_kept = "never released" | "未释放";
    col_rises = "rises" | "上升次数";
    col_time = "time" | "时间";
    col_free = "free before" | "之前空闲";
    col_reserved = "reserved" | "预留";
    col_for = "for" | "申请";

    at_time(time: &str, pool: &str) = "{pool} at {time}" | "{pool}，{time}";
    between(from: &str, to: &str, pool: &str) = "{pool} from {from} to {to}" | "{pool}，{from} 至 {to}";
    no_moment(folder: &str, moment: &str) = "{folder}: there is no {moment} in this recording" | "{folder}：数据中没有 {moment}";
    no_pool(folder: &str, pool: &str, there: &str) = "{folder}: there is no pool {pool}; there are: {there}"
        | "{folder}：没有内存池 {pool}；现有：{there}";
    no_blocks(folder: &str) = "{folder}: no blocks, nothing to group" | "{folder}：没有内存块，无可分组";
    other_groups(count: u64) = "other groups: {count}" | "其他 {count} 组";
    leaving = "released, but not yet reported" | "已归还但尚未上报";
    unexplained = "in no row and not from before the window" | "无明细且非采集前已占用";
    recorded = "recorded total" | "记录的总量";
    reserved_growths(count: u64, bytes: &str) = "Growths of reserved memory: {count}, {bytes} in all" | "预留增长 {count} 次，共 {bytes}";
    unused_at_peak(unused: &str, reserved: &str, share: &str, level: &str, time: &str)
        = "Reserved and not allocated at the peak ({time}): {unused} of {reserved}, {share}, {level}"
        | "峰值处（{time}）预留而未分配：{reserved} 中的 {unused}，占 {share}，{level}";
    unused_worst(unused: &str, reserved: &str, share: &str, time: &str)
        = "Most reserved and not allocated ({time}): {unused} of {reserved}, {share}"
        | "预留而未分配的最大值（{time}）：{reserved} 中的 {unused}，占 {share}";
    pending_most(bytes: &str, time: &str) = "Most released but waiting for other streams ({time}): {bytes}"
        | "已释放但等待其他流的最大值（{time}）：{bytes}";
    col_own = "self" | "自身";
    allocated_between(from: &str, to: &str, pool: &str) = "{pool}, allocated from {from} to {to}" | "{pool}，{from} 至 {to} 期间分配";
    tree_all = "all" | "全部";
    tree_smaller(count: u64) = "smaller ones: {count}" | "其余较小项 {count} 个";
    tree_cut(count: u64) = "Call stacks not told to their end, as there are too many different ones: {count}"
        | "不同的调用栈过多，{count} 个未展开到底";
    sandwich_callers = "called by, the nearest first" | "调用者，由近及远";
    sandwich_callees = "calls" | "被调用者";
    no_frame(folder: &str, text: &str) = "{folder}: no call stack of these blocks has a frame with {text}" | "{folder}：所统计的调用栈中没有包含 {text} 的帧";
    many_frames(text: &str, count: u64) = "{text} is in {count} frames; the largest of them:" | "{count} 个帧包含 {text}，其中最大的：";
    compare_rank(name: &str, rank: &str, at: &str, from: &str, to: &str)
        = "{name}: {rank}; live at {at}, allocated from {from} to {to}"
        | "{name}：{rank}；存活取 {at}，分配取 {from} 至 {to}";
    compare_ranks(name: &str, count: u64, ranks: &str, at: &str)
        = "{name}: {count} rank folders together ({ranks}), each at its own {at}"
        | "{name}：{count} 个 Rank 文件夹之和（{ranks}），各取自身的 {at}";
    compare_live = "live" | "存活";
    compare_allocated = "allocated" | "累计分配";
    compare_live_blocks = "live blocks" | "存活的内存块";
    compare_allocated_blocks = "allocated blocks" | "累计分配的内存块";
    col_allocated_change = "allocated, change" | "累计分配变化";
    col_only_in = "only in" | "仅在";
    compare_only(name: &str, count: u64, live: &str, allocated: &str)
        = "Only in {name}: {count} groups, {live} live, {allocated} allocated"
        | "仅在 {name} 中：{count} 组，存活 {live}，累计分配 {allocated}";
    aligned_by_step = "Highest allocated memory of each step both have, by number; clocks of different recordings are never compared."
        | "双方共有的每个 Step（按编号对齐）的已分配峰值；不同采集的时钟从不直接比较。";
    aligned_by_start = "Highest allocated memory over time, both from the start of what is compared, as no steps are common; clocks of different recordings are never compared."
        | "没有共同的 Step，双方从所比较时段的起点对齐；下面是各时段的已分配峰值。不同采集的时钟从不直接比较。";
    aligned_highest(a: &str, b: &str) = "Of each side the rank with the highest peak: {a}, {b}." | "每一方取峰值最高的 Rank：{a}、{b}。";
    col_stretch = "in a row" | "连续";
    col_peak = "peak" | "峰值";
    col_node = "node" | "节点";
    component = "component" | "组件";
    churn_all(within: &str, blocks: u64, bytes: &str, pool: &str)
        = "{pool}: {blocks} blocks were released within {within} of their allocation, {bytes} in all"
        | "{pool}：{blocks} 个内存块在申请后 {within} 内释放，共 {bytes}";
    churn_uncertain(bytes: &str) = "Of these without a certain call stack: {bytes}" | "其中调用栈不确定：{bytes}";
    temporaries_at(time: &str, bytes: &str, blocks: u64) = "Of these live at {time}: {bytes} in {blocks} blocks"
        | "其中在 {time} 存活：{bytes}，{blocks} 个内存块";
    outside_most(time: &str) = "Most outside the pools, at {time}" | "内存池之外最多时，{time}";
    outside_unknown = "The process (APP) was not sampled: what it holds beside its pools is not known."
        | "没有进程（APP）采样，无法得知内存池之外的占用。";
    outside_components(source: &str) = "Driver components by their own peaks ({source})" | "驱动组件，按各自峰值（{source}）";
    outside_process = "the process (APP)" | "进程（APP）";
    outside_rest = "outside the pools" | "内存池之外";
    outside_ge(pool: &str, time: &str) = "{pool} at its peak ({time}), by operator of the graph engine" | "{pool} 峰值处（{time}），按图引擎算子";
    plan_node(node: u64) = "from node {node} on" | "自节点 {node} 起";
    col_first = "first" | "首次";
    col_last = "last" | "末次";
    across_recordings(count: u64, first: &str, last: &str) = "{count} recordings, from {first} to {last}"
        | "{count} 次采集，从 {first} 到 {last}";
    across_none = "No role and rank has several recordings." | "没有任何角色和 Rank 有多次采集。";
    nothing_found = "Nothing found." | "没有发现。";
    rule(text: &str) = "Rule: {text}" | "规则：{text}";
}

#[cfg(test)]
mod tests {
    use super::TEXTS;

    #[test]
    fn every_message_speaks_both_languages() {
        for (name, en, zh) in TEXTS {
            assert!(!en.trim().is_empty() && en != zh && !zh.is_ascii(), "{name}");
        }
    }
}
