//! Texts of the views of a whole run.

crate::messages! {
    all_ranks = "All ranks" | "全部 Rank";
    run_views = "Views of the whole run" | "整个任务的视图";
    overview_title(ranks: &str) = "All ranks side by side: {ranks}" | "全部 Rank 对比：{ranks}";
    overview_group = "Group by role and step" | "按角色和 Step 分组";
    overview_exact = "Bytes" | "字节";
    tip_overview_exact = "Show every byte instead of GiB and MiB (1024)" | "显示精确字节数，而不是 GiB、MiB（1024 进制）";
    overview_hint = "Bars of one column share a scale. A rank is marked where it is more than 3.5 robust standard deviations off its role's median, and far enough to matter."
        | "同一列的条形使用同一比例。某个 Rank 与同角色中位数的偏差超过 3.5 个稳健标准差且幅度足够大时会被标记。";
    overview_too_few = "It takes at least three ranks of a role to tell which is odd." | "同一角色至少有三个 Rank 才能判断哪个异常。";
    overview_median = "median" | "中位数";
    odd = "odd" | "异常";
    odd_none = "no odd rank" | "无异常 Rank";
    odd_count(count: u64) = "odd: {count}" | "异常：{count} 个";
    tip_median(median: &str) = "median of its role {median}" | "同角色中位数 {median}";
    open_rank(rank: &str) = "Open {rank}" | "打开 {rank}";
    role_rename(role: &str) = "Rename {role}" | "重命名 {role}";
    role_recorded(role: &str) = "recorded as {role}" | "记录名称：{role}";
    role_name = "Name of the role" | "角色名称";
    role_name_hint = "Enter keeps the name, Escape does not; an empty name brings back the recorded one."
        | "按 Enter 保存，按 Esc 放弃；留空则恢复记录的名称。";
    multiples_title = "Curves on one scale" | "统一比例的曲线";
    multiples_scale(bytes: &str, time: &str) = "Each picture: 0 to {bytes} upwards, {time} across" | "每幅图：纵向 0 至 {bytes}，横向 {time}";
    multiple_alt(rank: &str, peak: &str) = "{rank}, peak {peak}" | "{rank}，峰值 {peak}";
    short_allocated = "allocated" | "已分配";
    short_reserved = "reserved" | "预留";
    short_baseline = "from before the window" | "采集前已占用";
    short_growth = "Growth" | "增长";
    minimap = "Whole window" | "整个采集区间缩略图";
    minimap_hint = "Drag to choose what is shown, drag the frame to move it, double-click for the whole window."
        | "拖动选择显示范围，拖动选框可移动，双击显示整个采集区间。";
    range_start = "Start of the range shown" | "显示范围的起点";
    range_end = "End of the range shown" | "显示范围的终点";
    clock = "Clock" | "时钟时间";
    tip_clock = "Times by the recording machine's clock (UTC) instead of from the window's start"
        | "显示采集机器的时钟时间（UTC），而不是距采集开始的时间";
    save_png = "Save the picture as PNG" | "将图保存为 PNG";
    under = "Another rank below this one" | "叠加另一个 Rank";
    under_none = "No second rank" | "不叠加";
    under_by_step(rank: &str, step: &str) = "Dashed: {rank}, aligned at the start of step {step}" | "虚线：{rank}，按第 {step} 步的起点对齐";
    under_by_start(rank: &str) = "Dashed: {rank}, aligned at the start of the recording, as no step is common"
        | "虚线：{rank}，没有共同的 Step，按采集起点对齐";

    compare = "Compare" | "对比";
    compare_title = "Compare two sides" | "两侧对比";
    compare_who(side: &str) = "{side}: which ranks" | "{side}：选择 Rank";
    compare_when(side: &str) = "{side}: when" | "{side}：选择时刻";
    compare_swap = "Swap A and B" | "交换 A 与 B";
    compare_whole_role(role: &str, ranks: u64) = "{role}, all {ranks} ranks together" | "{role}，全部 {ranks} 个 Rank 之和";
    compare_order = "Order by" | "排序依据";
    compare_order_live = "Difference of live bytes" | "存活字节之差";
    compare_order_allocated = "Difference of allocated bytes" | "累计分配字节之差";
    compare_nothing = "Nothing to compare yet: two ranks, or two moments of one, are needed."
        | "还没有可以对比的内容：需要两个 Rank，或同一 Rank 的两个时刻。";
    compare_asking(done: u64, all: u64) = "Adding up: {done} of {all} ranks" | "正在累计：{done} / {all} 个 Rank";
    compare_no_moment = "One side has no such moment: pick another step or time." | "其中一侧没有该时刻，请选择其他 Step 或时刻。";
    compare_groups = "What differs" | "差异明细";
    compare_only_in(side: &str) = "only in {side}" | "仅在 {side}";
    compare_others(count: u64, change: &str) = "Further groups: {count}, together {change} live" | "其余 {count} 组，存活合计 {change}";
    when_peak = "at the peak" | "峰值时刻";
    when_start = "at the start" | "采集开始";
    when_end = "at the end" | "采集结束";
    when_step(step: &str) = "in step {step}, at its highest" | "第 {step} 步的峰值";
    when_chosen(time: &str) = "at the chosen time, {time}" | "选定时刻 {time}";
    laid_title = "Allocated over time" | "已分配随时间变化";
    laid_by_step = "aligned by step number" | "按编号相同的 Step 对齐";
    laid_by_start = "aligned at the start: no step is common" | "没有共同的 Step，按起点对齐";
    laid_alt(a: &str, b: &str) = "Allocated memory of A ({a}) and, dashed, of B ({b}) over time. The tables hold the numbers."
        | "A（{a}）与 B（{b}，虚线）的已分配内存随时间变化，数值见表格。";

    view_other = "Other memory" | "其他内存";
    static_title = "Static graphs" | "静态图内存";
    static_graph = "Graph" | "图";
    graph_named(graph: &str, device: &str) = "Graph {graph}, device {device}" | "图 {graph}，设备 {device}";
    static_operators(operators: u64) = "{operators} operators" | "{operators} 个算子";
    static_peak(bytes: &str, node: &str) = "at most {bytes}, at node {node}" | "峰值 {bytes}，在节点 {node}";
    static_reserved(bytes: &str) = "{bytes} reserved up front" | "预先预留 {bytes}";
    static_needed = "needed at the node" | "该节点所需";
    static_up_front = "reserved up front" | "预先预留";
    static_axis = "across: number of the node; click to see who needs memory there" | "横轴：节点编号，单击可查看该节点占用内存的算子";
    static_alt(numbers: &str) = "Memory a static graph needs over its nodes: {numbers}. The table below holds the numbers."
        | "静态图各节点所需内存：{numbers}。下方表格列出具体数值。";
    static_none = "This recording has no static_op_mem.csv. It is written for models compiled as static graphs (GE, torchair) when memory profiling is on; eager PyTorch has none."
        | "该数据没有 static_op_mem.csv。只有以静态图（GE、torchair）编译的模型开启内存采集时才会生成，PyTorch 动态图没有此文件。";
    static_table = "Operators of the graph" | "图中的算子";
    static_all(operators: u64, bytes: &str) = "{operators} operators, {bytes} if all were live at once" | "{operators} 个算子，若同时存活共 {bytes}";
    static_at_node(node: &str, operators: u64, bytes: &str) = "Node {node}: {operators} operators need {bytes}" | "节点 {node}：{operators} 个算子共需 {bytes}";
    static_show_all = "Show all operators" | "显示全部算子";
    static_node = "At node" | "节点";
    static_first_node = "From node" | "起始节点";
    static_end_node = "Before node" | "终止节点（不含）";
    static_to_the_end = "end" | "图末尾";
    outside_title = "Outside torch" | "torch 之外的内存";
    outside_hint = "What the process reserves (APP) less what PTA, GE and WORKSPACE reserve, at each sample of the process."
        | "在进程的每个采样点：进程预留（APP）减去 PTA、GE、WORKSPACE 的预留。";
    outside_none = "The process's total (APP in memory_record.csv) is not recorded for this rank, so nothing can be said of memory outside the pools."
        | "该 Rank 没有记录进程总量（memory_record.csv 中的 APP），无法判断内存池之外的占用。";
    outside_most(bytes: &str, time: &str) = "at most {bytes}, at {time}" | "最大 {bytes}，出现在 {time}";
    components_title = "Driver components" | "驱动组件";
    components_none = "This recording has no npu_module_mem.csv. Recent profilers write it when memory profiling is on; it names who holds memory outside torch."
        | "该数据没有 npu_module_mem.csv。较新的 profiler 开启内存采集时会生成，它能说明 torch 之外的内存由谁持有。";
    col_component = "Component" | "组件";
    col_peak_time = "Peak at" | "峰值时刻";
    col_samples = "Samples" | "采样数";
    col_over_time = "Over time" | "随时间变化";
    tip_growth = "Allocated at the window's end less that at its start" | "采集结束时与开始时已分配总量之差";
}
