//! Headings and sentences of the report.

crate::messages! {
    title = "Memory report" | "显存分析报告";
    made(version: &str, when: &str) = "Made by Memlens {version} on {when}" | "由 Memlens {version} 生成于 {when}";
    left_out = "Call stacks, file names and folder paths are left out of this report; --with-stacks puts them in."
        | "本报告不含调用栈、文件名和文件夹路径；加 --with-stacks 可写入。";
    has_stacks = "This report holds call stacks and paths of the machine that recorded: mind whom you give it to."
        | "本报告含有采集机器上的调用栈和路径，转发前请留意。";
    ranks_read(ranks: u64, roles: u64) = "Rank folders: {ranks}, roles: {roles}" | "Rank 文件夹 {ranks} 个，角色 {roles} 个";
    call_site(number: u64) = "call site {number}" | "调用点 {number}";
    recording(number: u64) = "recording {number}" | "采集 {number}";
    name_left_out = "name left out" | "名称未写入";
    card_peak = "Highest peak" | "最高峰值";
    card_reserved = "Most reserved" | "最大预留";
    card_unused = "Reserved, not allocated, at a peak" | "峰值处预留而未分配";
    card_outside = "Outside the pools" | "内存池之外";
    findings = "Findings" | "分析结论";
    only_peaks = "Nothing but the peaks was found: no leak, no fragmentation, no odd rank, no churn." | "除峰值外没有发现：无泄漏、无碎片、无异常 Rank、无频繁申请释放。";
    median(count: u64) = "median of {count}" | "{count} 个的中位数";
    col_rank = "rank" | "Rank";
    col_role = "role" | "角色";
    details_of(rank: &str) = "Details of {rank}" | "{rank} 详情";
    largest_at_peak = "Largest groups at the peak" | "峰值处最大的分组";
    by(what: &str) = "by {what}" | "按{what}";
    time_since_start = "Time counts from the start of the window." | "时间从采集区间的起点算起。";
    file_notes = "Files" | "文件";
    problem_count(title: &str, count: u64) = "{title}: {count}" | "{title}：{count} 处";
    all_sound(checks: u64) = "All {checks} truth checks hold; nothing was lost in reading." | "{checks} 项校验全部成立，读取无丢失。";
    rules = "How each finding is made" | "各项结论的判定规则";
    full_stack = "call stack" | "调用栈";
    peak_free(unused: &str, share: &str, level: &str) = "Reserved and not allocated at the peak: {unused} ({share}, {level})"
        | "峰值处预留而未分配：{unused}（{share}，{level}）";
    components = "Driver components, by their own peaks" | "驱动组件，按各自峰值";
}

#[cfg(test)]
mod tests {
    use super::TEXTS;

    #[test]
    fn every_message_speaks_both_languages() {
        for (name, en, zh) in TEXTS {
            assert!(!en.trim().is_empty() && en != zh && (!zh.is_ascii() || *name == "col_rank"), "{name}");
        }
    }
}
