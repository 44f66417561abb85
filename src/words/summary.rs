//! Headings and lines of a rank's summary as text.

crate::messages! {
    modules_heading(source: &str) = "driver components, peak reserved ({source})" | "驱动组件的预留峰值（{source}）";
    modules_more(count: u64) = "{count} more components" | "另有 {count} 个组件";
    graph_heading(graph: &str, model: &str, device: &str) = "static graph {graph} (model {model}, device {device})"
        | "静态图 {graph}（模型 {model}，设备 {device}）";
    graph_reserved(bytes: &str) = "reserved up front: {bytes}" | "预先申请：{bytes}";
    graph_peak(bytes: &str, node: u64) = "highest need: {bytes}, at node {node}" | "最大需求：{bytes}，位于节点 {node}";
    graph_operators(count: u64) = "operators: {count}" | "算子数：{count}";
    time_lost = "(time lost)" | "（时间已丢失）";
    neighbours_heading = "Beside it" | "同目录的其他文件";
    neighbour_line(file: &str, what: &str) = "{file}: {what}" | "{file}：{what}";
    neighbour_lines(file: &str, more: u64, what: &str) = "{file} and {more} more: {what}" | "{file} 等（另有 {more} 个）：{what}";
    nothing_selected(asked: &str, there: &str) = "no rank folder has that role and rank ({asked}); there are: {there}"
        | "没有符合该角色和 Rank 的 Rank 文件夹（{asked}）；现有：{there}";
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
