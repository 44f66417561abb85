//! Titles and texts of the panels with pictures.

crate::messages! {
    panel_timeline = "Timeline" | "时间线";
    panel_top = "Top allocators" | "内存占用排行";
    panel_problems = "Problems" | "问题";
    panel_ranks = "Ranks" | "Rank 列表";
    panel_stack = "Call stack" | "调用栈";
    panel_balance = "Balance" | "对账";
    panel_blocks = "Blocks" | "内存块";
    panel_summary = "Summary" | "概览";
    balance_title = "What the page adds up, and what the recording says" | "页面累加的结果与数据记录的总量";
    balance_rows = "Live rows" | "存活内存块（明细行）";
    balance_baseline = "Memory from before the window" | "采集前已占用内存";
    balance_sum = "Sum" | "合计";
    balance_recorded = "Recorded total" | "记录的总量";
    balance_difference = "Difference" | "差值";
    balance_equal = "They agree." | "两者一致。";
    balance_differs(difference: &str) = "They differ by {difference}." | "两者相差 {difference}。";
    balance_derived = "Totals are derived from the rows: there is nothing to compare them with."
        | "总量由明细行推算，没有可供核对的记录。";
    balance_before_first = "Nothing was recorded before this time." | "此时刻之前没有记录。";
    balance_all(events: u64, mismatches: u64) = "Compared at {events} events; different at {mismatches}."
        | "共核对 {events} 个事件，其中 {mismatches} 个不一致。";

    curve_allocated = "Operator allocated" | "算子分配";
    curve_active = "Operator activated" | "算子激活";
    curve_reserved = "Operator reserved" | "算子预留";
    curve_app = "Process reserved (APP)" | "进程预留（APP）";
    curve_baseline = "From before the window" | "采集前已占用内存";
    curve_outside = "Process outside the pools" | "内存池之外（进程）";
    curve_of(pool: &str, quantity: &str) = "{pool} {quantity}" | "{pool}：{quantity}";
    curve_show(curve: &str) = "Show {curve}" | "显示 {curve}";
    curve_hide(curve: &str) = "Hide {curve}" | "隐藏 {curve}";
    curves = "Curves" | "曲线";
    peak_label(bytes: &str) = "peak {bytes}" | "峰值 {bytes}";
    peak_at(bytes: &str, time: &str) = "Peak {bytes} at {time}" | "峰值 {bytes}，出现在 {time}";
    go_to_peak = "Go to the peak" | "转到峰值";
    at_time(time: &str) = "At {time}" | "时刻 {time}";
    chosen_time = "Chosen time" | "选定时刻";
    whole_window = "Whole window" | "整个采集区间";
    zoom_in = "Zoom in" | "放大";
    zoom_out = "Zoom out" | "缩小";
    pan_left = "Move left" | "左移";
    pan_right = "Move right" | "右移";
    zoom_reset = "Reset zoom" | "重置缩放";
    zoom_selection = "Zoom to selection" | "缩放至所选范围";
    range_shown(from: &str, to: &str) = "{from} to {to}" | "{from} 至 {to}";
    range_selected(length: &str) = "{length} selected" | "已选 {length}";
    timeline_hint = "Click to choose a time, drag to select a range, Ctrl + wheel to zoom."
        | "单击选择时刻，拖动选择范围，Ctrl + 滚轮缩放。";
    timeline_alt(pool: &str, peak: &str) = "Memory of {pool} over time; peak {peak}. The table below holds the numbers."
        | "{pool} 的显存随时间变化，峰值 {peak}。下方表格列出具体数值。";
    bars_alt(count: u64) = "The largest {count} groups as bars. The table below holds the numbers."
        | "以条形图显示最大的 {count} 组。下方表格列出具体数值。";
    step_mark(number: u64) = "step {number}" | "第 {number} 步";

    top_at(time: &str) = "Live blocks at {time}" | "{time} 时的存活内存块";
    top_by = "Group by" | "分组方式";
    top_by_operator = "Operator" | "算子";
    top_by_stack = "Call stack" | "调用栈";
    top_by_user_frame = "User frame" | "用户代码入口";
    top_by_module = "Module path" | "模块路径";
    top_by_size = "Size class" | "大小分段";
    top_by_age = "Age" | "存活时长";
    top_pool = "Pool" | "内存池";
    top_shown(shown: u64, all: u64) = "{shown} of {all} groups" | "显示 {shown} 组，共 {all} 组";
    top_total(bytes: &str, blocks: &str) = "{bytes} in {blocks}" | "{blocks}，共 {bytes}";
    top_within(group: &str) = "Within {group}" | "{group} 之内";
    top_leave_group = "Back to all groups" | "返回全部分组";
    group_without_stack = "Without an asserted call stack" | "未断言调用栈";
    group_without_user_frame = "Library code only" | "仅含库代码";
    group_without_module = "Without a module path" | "无模块路径";
    group_unnamed = "Without a name" | "无名称";
    legend_certain = "Call stack known" | "调用栈确定";
    legend_guessed = "Call stack guessed" | "调用栈为推测";
    legend_not_asserted = "No call stack asserted" | "未断言调用栈";
}
