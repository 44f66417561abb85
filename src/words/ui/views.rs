//! Texts of the views of a rank: findings, block map, tables of blocks and events.

crate::messages! {
    views = "Views of the rank" | "该 Rank 的视图";
    view_map = "Block map" | "内存块图";
    view_events = "Events" | "事件";
    tab_key(number: u64) = "Key {number}" | "快捷键 {number}";

    panel_findings = "Findings" | "诊断结果";
    findings_of(ranks: &str) = "Proven from the recordings of {ranks}. Click one to see where it shows."
        | "由 {ranks} 的数据得出，点击可定位到对应位置。";
    findings_so_far(ranks: &str) = "So far; still reading {ranks}." | "目前的结果，还有 {ranks} 正在读取。";
    findings_all(count: u64) = "Show all {count}" | "显示全部 {count} 条";

    map_colour = "Colour by" | "着色方式";
    map_search = "Make stand out: name, file, function" | "突出显示：名称、文件或函数";
    map_bytes = "Bytes shown" | "显示的字节范围";
    map_bytes_in = "Show fewer bytes (Alt + wheel, +)" | "放大字节范围（Alt + 滚轮，+）";
    map_bytes_out = "Show more bytes (Alt + wheel, −)" | "缩小字节范围（Alt + 滚轮，−）";
    map_bytes_up = "Higher up the stack" | "向上移动";
    map_bytes_down = "Lower down the stack" | "向下移动";
    map_bytes_all = "Whole height" | "完整高度";
    map_as_table = "Live blocks as a table" | "以表格查看存活内存块";
    map_alt = "Live blocks over time, stacked in the order of their allocation. Arrow keys move from block to block, Enter chooses one. The blocks' table holds the same."
        | "存活内存块随时间的变化，按申请顺序堆叠。方向键在内存块之间移动，Enter 选中。内存块表格包含相同内容。";
    map_hint = "Each block is as high as its bytes and as long as its life; older ones lie below. Click to choose a block, drag to select a range, Ctrl + wheel zooms time, Alt + wheel zooms bytes."
        | "每个内存块的高度为字节数，长度为持有时长，较早申请的在下方。单击选中内存块，拖动选择时间范围，Ctrl + 滚轮缩放时间，Alt + 滚轮缩放字节。";
    map_legend = "What the colours mean" | "颜色含义";
    map_others = "All others" | "其他";
    no_blocks_in_range = "No block is live in this range." | "该范围内没有存活的内存块。";

    top_shows = "What is shown" | "显示内容";
    top_live = "Live at the time" | "时刻存活";
    top_grown = "Growth over the range" | "范围内增长";
    top_short_lived = "Short-lived" | "短生命周期";
    churn_within = "Released within" | "释放时间不超过";
    churn_all(blocks: &str, bytes: &str, within: &str) = "{blocks} released within {within} of their allocation, {bytes} in all over the recording."
        | "整个采集过程中，{blocks}在申请后 {within} 内释放，共 {bytes}。";
    churn_uncertain(bytes: &str) = "{bytes} of that have no certain call stack and are in no row." | "其中 {bytes} 的调用栈不确定，不在表中。";
    churn_live(bytes: &str, blocks: &str, time: &str) = "Of what is live at {time}, {bytes} in {blocks} are such temporaries."
        | "在 {time} 存活的内存中，{bytes}（{blocks}）属于此类临时内存。";
    churn_none = "No block with a certain call stack was released so soon." | "没有调用栈确定的内存块在这么短的时间内释放。";
    churn_col_stretch = "Most in a row" | "最多连续";
    churn_tip_stretch = "The most blocks of this stack that followed each other without a pause" | "该调用栈不间断地连续申请的内存块数";

    view_reserved = "Reserved" | "预留";
    reserved_title = "Reserved, not allocated" | "预留而未分配";
    reserved_over(from: &str, to: &str) = "{from} to {to}; choose another range on the timeline." | "{from} 至 {to}，可在时间线上选择其他范围。";
    reserved_none = "No record in this range says what this pool had reserved." | "该范围内没有该内存池的预留记录。";
    reserved_mixed = "The totals of two pools stand under one name in this recording (see Problems): what follows jumps between the two and is no pool's."
        | "该数据中两个内存池的总量记在同一名称下（见“问题”）：以下数值在两者之间跳动，不属于任何一个内存池。";
    reserved_unused_legend = "reserved, not allocated" | "预留而未分配";
    reserved_pending_legend = "released, waiting for other streams" | "已释放，等待其他流";
    reserved_peak = "At the peak" | "峰值处";
    reserved_worst = "At its most" | "最多时";
    reserved_pending = "Waiting for other streams, at most" | "等待其他流，最多";
    reserved_of(reserved: &str, share: &str, level: &str) = "of {reserved}: {share}, {level}" | "占预留 {reserved} 的 {share}，{level}";
    reserved_levels = "Below 5 % is normal, 5 to 15 % elevated, above 15 % severe." | "低于 5% 为正常，5% 至 15% 为偏高，高于 15% 为严重。";
    reserved_growths = "What made it grow" | "预留增长的触发者";
    reserved_growths_of(shown: u64, count: u64, bytes: &str) = "The {shown} largest of {count}, {bytes} in all, by time" | "共 {count} 次、{bytes}，按时间列出最大的 {shown} 次";
    reserved_no_growths = "Reserved memory did not grow in this range." | "该范围内预留内存没有增长。";
    reserved_col_growth = "Grew by" | "增长";
    reserved_col_free = "Free before" | "之前空闲";
    reserved_col_size = "Asked for" | "申请大小";
    reserved_in_spite = "There was enough free memory, but no piece of it was large enough." | "空闲内存总量足够，但没有足够大的连续块。";

    col_growth = "Growth" | "增长";
    col_over_steps = "Over the steps" | "随 Step 变化";
    growth_over(change: &str, from: &str, to: &str) = "{change} from {from} to {to}; choose another range on the timeline."
        | "{from} 至 {to} 变化 {change}，可在时间线上选择其他范围。";
    growth_none = "Nothing grew or shrank between these times." | "这两个时刻之间没有变化。";
    growth_in_each_step = "More after each step than before it" | "每个 Step 之后都比之前更多";

    view_flame = "Flame graph" | "火焰图";
    flame_of = "Show" | "显示";
    flame_live = "Bytes live at the chosen time" | "选定时刻存活字节";
    flame_live_count = "Blocks live at the chosen time" | "选定时刻存活块数";
    flame_allocated = "Bytes allocated in the range" | "范围内申请字节";
    flame_allocated_count = "Blocks allocated in the range" | "范围内申请块数";
    flame_order = "Begin with" | "起点";
    flame_icicle = "Outermost frame (icicle)" | "最外层函数（冰柱图）";
    flame_inverted = "Innermost frame (inverted)" | "最内层函数（反向）";
    flame_fold = "Fold library frames" | "折叠库函数";
    flame_patterns = "Fold these, too: one text a line" | "同时折叠：每行一个文本";
    flame_sandwich(frame: &str) = "Callers above, callees below: {frame}" | "上方为调用者，下方为被调用者：{frame}";
    flame_all = "Back to all frames" | "返回全部";
    flame_everything = "All" | "全部";
    flame_smaller = "Smaller ones" | "较小的部分";
    flame_own(bytes: &str) = "itself {bytes}" | "自身 {bytes}";
    flame_found(bytes: &str, share: &str) = "Found: {bytes} ({share})" | "匹配：{bytes}（{share}）";
    flame_callers = "Callers and callees" | "调用者与被调用者";
    flame_blocks = "Its blocks" | "对应的内存块";
    flame_hint = "Click a bar to zoom into it. Arrow keys walk from bar to bar, Enter zooms in, Backspace out. A yellow line marks bytes whose call stack is guessed."
        | "单击条形可放大。方向键在条形之间移动，Enter 放大，Backspace 返回。黄线表示调用栈为推测的字节。";
    flame_alt = "Bytes by call stack as nested bars. The table of frames below holds the numbers."
        | "按调用栈嵌套显示的字节。下方函数表格列出具体数值。";
    flame_frames = "Frames" | "函数列表";
    flame_frames_shown(shown: u64, all: u64) = "{shown} of {all}; click one for its callers and callees" | "显示 {shown} 个，共 {all} 个；单击查看调用者与被调用者";
    col_frame = "Frame" | "函数";
    col_own = "Itself" | "自身";

    chosen_block = "Chosen block" | "选中的内存块";
    block_row(row: u64) = "row {row} of the file" | "文件第 {row} 行";
    block_go = "Go to its allocation" | "转到申请时刻";
    block_life = "Show its whole life" | "显示完整生命周期";
    block_group = "All with this call stack" | "相同调用栈的内存块";
    never = "never" | "未释放";
    total_after = "The pool's total right after the allocation" | "申请后内存池的总量";

    event_allocation = "Allocation" | "申请";
    event_release = "Release" | "释放";
    event_older_release = "Release of memory from before the window" | "释放采集前已占用的内存";
    event_record = "Record of a pool" | "内存池记录";
    col_event = "Event" | "事件类型";
    col_operator = "Operator" | "算子名称";
    col_user_frame = "User frame" | "用户代码位置";
    col_stream = "Stream" | "流";
    col_change = "Change" | "变化量";
    col_total_allocated = "Total allocated" | "已分配总量";
    col_total_reserved = "Total reserved" | "预留总量";
    col_total_active = "Total active" | "活跃总量";
    filter = "Filter" | "筛选";
    filter_least(what: &str) = "{what}, at least" | "{what}（最小）";
    filter_most(what: &str) = "{what}, at most" | "{what}（最大）";
    filter_in_range = "In the range shown" | "仅当前时间范围";
    filter_unreleased = "Allocated in the range and not released in it" | "在范围内申请且未释放";
    filter_live = "Live at the chosen time" | "选定时刻存活";
    filter_group = "In the chosen group" | "仅选中的分组";
    filter_reset = "Clear the filter" | "清除筛选";
    all_pools = "All" | "全部";
    export_shown = "Export these rows" | "导出这些行";
    export_left = "the view was left" | "已离开该视图";
    copy_rows(count: u64) = "Copy as CSV, at most {count} rows" | "以 CSV 格式复制，最多 {count} 行";
    nothing_fits = "No row fits the filter." | "没有符合筛选条件的行。";
}
