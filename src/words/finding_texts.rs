//! The texts of findings: what each says, by which rule, and the parts of both.

crate::messages! {
    peak = "Peak" | "峰值";
    leak = "Suspected leak" | "疑似泄漏";
    outside = "Memory outside torch" | "torch 之外的内存";
    fragmentation = "Fragmentation" | "内存碎片化";
    odd_rank = "Odd rank" | "异常 Rank";
    churn = "Churn" | "频繁申请释放";
    file_check = "Recording does not agree with itself" | "数据自身不一致";
    file_problem = "File problem" | "文件问题";

    says_peak(total: &str, time: &str, live: &str, baseline: &str, by: &str, groups: &str)
        = "{total} allocated at {time}: {live} in live blocks, {baseline} from before the window. Largest by {by}: {groups}."
        | "{time} 已分配 {total}：存活内存块 {live}，采集前已占用 {baseline}。按{by}划分，最大的是：{groups}。";
    says_peak_without_groups(total: &str, time: &str, baseline: &str)
        = "{total} allocated at {time}, {baseline} of it from before the window; no row tells who holds it."
        | "{time} 已分配 {total}，其中采集前已占用 {baseline}；没有明细说明由谁持有。";
    time_lost = "a time that was lost" | "某一时刻（时间已丢失）";
    peak_uncertain(bytes: &str) = "{bytes} of the live blocks have no certain call stack."
        | "存活内存块中有 {bytes} 没有确定的调用栈。";
    line_of(frame: &str, operator: &str) = "{frame} ({operator})" | "{frame}（{operator}）";
    says_leak(line: &str, bytes: &str, each: &str, steps: u64, of_steps: u64, blocks: &str)
        = "{line} left {bytes} behind, {each} a step in {steps} of {of_steps} steps: {blocks}, never released."
        | "{line}累计遗留 {bytes}，{of_steps} 个 Step 中有 {steps} 个每步遗留 {each}：共 {blocks}，至采集结束仍未释放。";
    leak_alike(steps: u64) = "In {steps} more steps a block of the same operator and size stayed, without a certain call stack."
        | "另有 {steps} 个 Step 遗留了算子和大小相同、但调用栈不确定的内存块。";
    leak_uncertain(bytes: &str) = "{bytes} more stayed from the steps without a certain call stack."
        | "各 Step 另有 {bytes} 未释放，但没有确定的调用栈。";
    says_outside(bytes: &str, time: &str, process: &str, pools: &str)
        = "The process holds up to {bytes} beside its pools, at {time}: {process} in all, {pools} reserved by PTA, GE and WORKSPACE together."
        | "进程在内存池之外最多持有 {bytes}（{time}）：进程共 {process}，PTA、GE、WORKSPACE 共预留 {pools}。";
    outside_components(components: &str) = "Largest driver components: {components}." | "最大的驱动组件：{components}。";
    says_fragmentation(bytes: &str, growths: u64)
        = "After the first step the pool grew by {bytes} although enough was free (growths: {growths})."
        | "第一个 Step 之后，内存池在空闲内存足够时仍增长了 {bytes}（{growths} 次）。";
    fragmentation_largest(time: &str, largest: &str, size: &str, operator: &str, free: &str)
        = "Most at {time}: by {largest} for {size} ({operator}), with {free} free."
        | "最大的一次在 {time}：为申请 {size}（{operator}）增长 {largest}，当时空闲 {free}。";
    fragmentation_share(used: &str, reserved: &str, share: &str, level: &str)
        = "In the last step at most {used} of {reserved} reserved were in use: {share} unused, {level}."
        | "最后一个 Step 中，预留 {reserved}，最多使用 {used}：未使用 {share}，{level}。";
    says_odd_rank(measures: &str, ranks: u64) = "Unlike the other ranks of its role ({ranks} in all): {measures}."
        | "与同角色的其他 Rank（共 {ranks} 个）不同：{measures}。";
    odd_measure(measure: &str, value: &str, median: &str, off: &str) = "{measure} {value}, median {median} ({off})"
        | "{measure} {value}，中位数 {median}（{off}）";
    says_churn(line: &str, blocks: &str, bytes: &str, within: &str, stretch: u64)
        = "{line} allocated {blocks}, {bytes} in all, each released within {within}; up to {stretch} of them one after the other."
        | "{line}申请了 {blocks}，共 {bytes}，均在 {within} 内释放；最多连续 {stretch} 次。";
    churn_turns(turns: u64) = "Up to {turns} times in a row it allocated the same size again right after releasing it."
        | "最多连续 {turns} 次在释放之后立即再次申请同样大小的内存。";
    also_peak(count: u64) = "The peaks of its role's other ranks are no higher: {count}." | "同角色另外 {count} 个 Rank 的峰值均不高于此。";
    also(count: u64) = "The same on other ranks: {count}." | "另有 {count} 个 Rank 情况相同。";

    rule_peak(groups: u64) = "The first record with the highest allocated total of the framework's pool; its {groups} largest groups, of certain call stacks alone."
        | "框架内存池已分配总量首次达到最大值的记录；只按确定的调用栈取最大的 {groups} 组。";
    rule_leak(steps: u64, percent: u64, bytes: &str, certain: u64)
        = "Blocks of one call stack allocated in a step and never released, in at least {steps} steps and {percent} % of all, at least {bytes} together. Where the stack is certain in {certain} of them, others count in which a block of the same operator and size stayed without a certain stack."
        | "同一调用栈的内存块在 Step 内申请且始终未释放：至少涉及 {steps} 个 Step 且不低于全部 Step 的 {percent} %，合计不少于 {bytes}。若其中 {certain} 个 Step 的调用栈确定，则遗留了算子和大小相同、但调用栈不确定的内存块的 Step 也计入。";
    rule_outside(bytes: &str, percent: u64)
        = "APP less what PTA, GE and WORKSPACE reserve, at each sample of APP: at least {bytes} and {percent} % of the process."
        | "在 APP 的每个采样点，APP 减去 PTA、GE、WORKSPACE 的预留：不少于 {bytes}，且不低于进程的 {percent} %。";
    rule_fragmentation(bytes: &str)
        = "Growths of reserved memory after the first step, for allocations no larger than what was reserved and not active: at least {bytes} in all, and at least 5 % unused in the last step."
        | "第一个 Step 之后的预留增长，且所申请的内存不大于当时预留与活跃之差：合计不少于 {bytes}，且最后一个 Step 未使用部分不低于 5 %。";
    rule_odd_rank(tenths: &str, percent: u64, bytes: &str, blocks: u64)
        = "More than {tenths} robust standard deviations (1.4826 x median absolute deviation) off the role's median, and at least {percent} % of the median peak and {bytes} (blocks: {percent} % and {blocks})."
        | "偏离同角色中位数超过 {tenths} 个稳健标准差（1.4826 × 绝对中位差），且不少于峰值中位数的 {percent} % 和 {bytes}（内存块数：{percent} % 和 {blocks} 个）。";
    rule_churn(within: &str, stretch: u64, between: u64, turns: u64, apart: u64, bytes: &str)
        = "At least {stretch} blocks of one call stack released within {within}, with at most {between} others between any two; or at least {turns} of one size, each allocated after the one before was released, with at most {apart} others between, where the stack's short-lived blocks come to {bytes} in all."
        | "同一调用栈至少有 {stretch} 个内存块在 {within} 内释放，且相邻两个之间最多有 {between} 个其他内存块；或至少有 {turns} 个大小相同、前一个释放之后才申请下一个、其间最多有 {apart} 个其他内存块，且该调用栈的短命内存块合计不少于 {bytes}。";
    rule_file_check = "An identity that every sound recording obeys fails." | "完好的数据必然满足的等式不成立。";
    rule_file_problem = "Something could not be read, or is missing." | "有内容无法读取或缺失。";

    level_normal = "normal (< 5 %)" | "正常（< 5 %）";
    level_elevated = "elevated (5 to 15 %)" | "偏高（5 至 15 %）";
    level_severe = "severe (> 15 %)" | "严重（> 15 %）";

    measure_peak_allocated = "peak allocated" | "已分配峰值";
    measure_peak_reserved = "peak reserved" | "预留峰值";
    measure_baseline = "from before the window" | "采集前已占用";
    measure_growth = "growth over the window" | "采集区间内增长";
    measure_outside = "outside the pools" | "内存池之外";
    measure_blocks = "blocks" | "内存块数";
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
