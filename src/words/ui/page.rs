//! Texts of the page that no other file holds.

crate::messages! {
    forms_title = "What can be read" | "支持的数据";
    forms = "Results of torch_npu's profiler, analysed: operator_memory.csv, memory_record.csv and trace_view.json (also .gz). Whole RL runs with many roles, steps and ranks in one go; a missing or damaged file costs only what was in it."
        | "torch_npu 性能采集并解析后的结果：operator_memory.csv、memory_record.csv、trace_view.json（也可为 .gz）。可一次打开包含多个角色、Step 和 Rank 的强化学习任务；文件缺失或损坏只影响其自身内容。";
    example_title = "No data at hand?" | "手头没有数据？";
    example_hint = "The example is a small run of two roles with two ranks each, made on the spot in this page."
        | "示例是一个小型任务：两个角色，各两个 Rank，由本页面即时生成。";
    pools_title = "All pools in numbers" | "全部内存池的数值";
    choose_rank = "Choose a rank from the list." | "请从列表中选择一个 Rank。";
    peak_active = "Peak active" | "活跃峰值";
    baseline_start_end = "at the start → at the end" | "采集开始 → 采集结束";
    window_long(duration: &str) = "in a window of {duration}" | "采集区间长 {duration}";
    rows_by_match = "Where the call stacks come from" | "调用栈来源";
    balance_first(time: &str, difference: &str) = "First at {time}: {difference}" | "首处在 {time}：{difference}";
    blocks_without_row(count: u64, bytes: &str) = "Rises of the total that no row explains: {count}, {bytes} in all."
        | "没有明细行对应的总量上升：{count} 次，共 {bytes}。";
    export_more = "Extended columns" | "扩展列";
    key_shift_drag_name = "Shift + drag" | "Shift + 拖动";
    key_centre = "Centre on the chosen time" | "以选定时刻为中心";
    about_workers = "Workers started" | "已启动的后台线程";
    checks_title = "What the numbers tell" | "数据自洽性检查";
    checks_made(held: u64, failed: u64, not_compared: u64)
        = "Truth checks: {held} hold, {failed} fail, {not_compared} not compared" | "自洽性检查：成立 {held} 项，不成立 {failed} 项，未比对 {not_compared} 项";
    checks_all = "All checks" | "全部检查";
    check_compared(count: u64) = "{count} compared" | "比对 {count} 处";
    check_failed(failed: u64, compared: u64) = "{failed} of {compared}" | "{compared} 处中有 {failed} 处";
    check_go(time: &str) = "Go to {time}" | "转到 {time}";
    check_not_compared = "not compared" | "未比对";
    about_memory = "Largest memory of a worker" | "单个后台线程的最大内存";
}
