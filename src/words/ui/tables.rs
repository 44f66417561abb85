//! Table headers, tooltips, and what an empty place says.

crate::messages! {
    col_rank = "Rank" | "Rank";
    col_role = "Role" | "角色（Role）";
    col_step = "Step" | "Step";
    col_folder = "Folder" | "文件夹";
    col_state = "State" | "状态";
    col_peak = "Peak allocated" | "已分配峰值";
    col_peak_reserved = "Peak reserved" | "预留峰值";
    col_blocks = "Blocks" | "内存块";
    col_never_released = "Never released" | "未释放";
    col_problems = "Problems" | "问题";
    col_name = "Name" | "名称";
    col_bytes = "Bytes" | "字节数";
    col_share = "Share" | "占比";
    col_largest = "Largest block" | "最大内存块";
    col_match = "Match" | "匹配方式";
    col_certain = "Known" | "确定";
    col_guessed = "Guessed" | "推测";
    col_not_asserted = "Not asserted" | "不作断言";
    col_time = "Time" | "时间";
    col_size = "Size" | "大小";
    col_allocated_at = "Allocated at" | "申请时间";
    col_released_at = "Released at" | "释放时间";
    col_lifetime = "Lifetime" | "持有时长";
    col_pool = "Pool" | "内存池";
    col_device = "Device" | "设备";
    col_allocated = "Allocated" | "已分配";
    col_active = "Active" | "活跃";
    col_reserved = "Reserved" | "预留";
    col_baseline = "From before the window" | "采集前已占用";
    col_file = "File" | "文件";
    col_place = "Place" | "位置";
    col_count = "Count" | "次数";
    files_beside = "Beside it, not read" | "同目录的其他文件（未读取）";
    form_of(form: &str) = "Read from: {form}" | "数据来源：{form}";
    form_text = "text export" | "文本导出";
    form_mindspore = "MindSpore text export" | "MindSpore 文本导出";
    form_db = "database" | "数据库";
    col_problem = "Problem" | "问题说明";

    tip_bytes_exact(bytes: &str) = "Exactly {bytes}" | "精确值 {bytes}";
    tip_share = "Share of all live bytes of the pool at this time" | "占该时刻内存池全部存活字节的比例";
    tip_match = "By which rule the blocks got their call stack" | "内存块的调用栈由哪条规则得到";
    tip_never_released = "Blocks still held when recording stopped; not all of them are leaks"
        | "采集结束时仍未释放的内存块，不一定都是泄漏";
    tip_peak = "The first time the largest value was reached" | "首次达到最大值的时刻";
    tip_baseline = "Allocated before recording began: in the total, but in no row" | "采集开始前已分配：计入总量，但没有明细行";
    tip_pools = "Pools may contain each other, so they are never added up" | "内存池之间可能相互包含，因此不会相加";
    tip_utc(time: &str) = "{time} by the recording machine's clock" | "采集机器时钟：{time}";
    sort_by(column: &str) = "Sort by {column}" | "按{column}排序";
    sorted_ascending = "sorted ascending" | "升序";
    sorted_descending = "sorted descending" | "降序";
    search = "Search" | "搜索";
    search_placeholder = "Name, file or function" | "名称、文件或函数";
    search_none(text: &str) = "Nothing contains “{text}”." | "没有包含“{text}”的内容。";
    show_more = "Show more" | "显示更多";
    show_less = "Show less" | "收起";
    show_library_frames = "Show library frames" | "显示库函数";
    hide_library_frames = "Hide library frames" | "隐藏库函数";
    innermost_first = "innermost first" | "最内层在前";
    page_of(page: u64, pages: u64) = "Page {page} of {pages}" | "第 {page} 页，共 {pages} 页";

    rank_named(rank: &str) = "Rank {rank}" | "Rank {rank}";
    rank_unknown = "Rank unknown" | "Rank 未知";
    problems_count(count: u64) = "Problems: {count}" | "问题：{count} 个";
    no_problems = "No problems: everything in the files was read." | "没有问题：文件内容已全部读取。";
    problems_lost_data = "Some data could not be taken over; see below." | "部分数据未能读取，详见下文。";
    trace_offset = "Add to all times of the trace, ns" | "给 trace 的所有时间加上（ns）";
    trace_offset_apply = "Read again with this offset" | "按此时间差重新读取";
    no_ranks = "Nothing is open yet." | "尚未打开任何数据。";
    no_curves = "No memory totals in this rank." | "该 Rank 没有内存总量数据。";
    no_curves_shown = "All curves are hidden." | "所有曲线均已隐藏。";
    no_blocks = "No blocks in this rank." | "该 Rank 没有内存块。";
    no_live_blocks = "No block is live at this time." | "此时刻没有存活的内存块。";
    no_stack = "No call stack is known for this." | "没有已知的调用栈。";
    no_stack_ambiguous = "Several operators fit and differ: no call stack is asserted." | "有多个不同的算子符合条件，不断言调用栈。";
    no_group_chosen = "Choose a group to see its call stacks." | "选择一个分组以查看其调用栈。";
    stack_is_guess(distance: &str) = "A guess: taken from the nearest earlier operator of this name, {distance} away."
        | "推测：取自最近的、更早的同名算子，相差 {distance}。";
    loading = "Loading" | "加载中";
    not_recorded = "not recorded" | "未记录";
}
