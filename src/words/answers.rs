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
