//! Keyboard help and the about panel.

crate::messages! {
    help = "Help" | "帮助";
    keyboard = "Keyboard" | "键盘操作";
    key_zoom = "Zoom in and out" | "放大、缩小";
    key_pan = "Move left and right" | "左移、右移";
    key_pan_arrows = "Move the chosen time from event to event" | "按事件逐个移动选定时刻";
    key_wheel = "Zoom at the pointer" | "在指针处缩放";
    key_drag = "Select a time range" | "选择时间范围";
    key_fit = "Fit the selection" | "缩放至所选范围";
    key_reset = "Show the whole window" | "显示整个采集区间";
    key_peak = "Go to the peak" | "转到峰值";
    key_search = "Search" | "搜索";
    key_help = "Open and close this help" | "打开或关闭本帮助";
    key_escape = "Close, or clear the selection" | "关闭，或清除选择";
    key_next_rank = "Next and previous rank" | "下一个、上一个 Rank";
    key_wheel_name = "Ctrl + wheel" | "Ctrl + 滚轮";
    key_drag_name = "Drag" | "拖动";
    key_arrows_name = "Arrow keys" | "方向键";

    key_views_name = "1 … 7" | "1 … 7";
    key_views = "Summary, block map, flame graph, blocks, events, reserved, other memory" | "概览、内存块图、火焰图、内存块、事件、预留、其他内存";
    key_alt_wheel_name = "Alt + wheel" | "Alt + 滚轮";
    key_alt_wheel = "Zoom bytes in the block map" | "在内存块图中缩放字节";
    key_enter = "Choose the block or bar at the cursor" | "选中光标处的内存块或条形";
    record_title = "How to record good data" | "如何采集高质量数据";
    record_memory = "Switch memory on: profile_memory=True. Without it there is no operator_memory.csv."
        | "开启内存采集：profile_memory=True，否则不会生成 operator_memory.csv。";
    record_stacks = "Switch call stacks on: with_stack=True. Without them blocks are known by operator only; with_modules=True adds module paths."
        | "开启调用栈：with_stack=True，否则内存块只能按算子查看；with_modules=True 可附加模块路径。";
    record_steps = "Call prof.step() after each step and record at least three: leaks and fragmentation are told from step to step."
        | "每步结束后调用 prof.step()，至少采集三步：泄漏与碎片按步比较得出。";
    record_early = "Begin before the model is built if you want to know its weights: what was allocated earlier is one number, without call stacks."
        | "如需了解权重占用，请在构建模型之前开始采集：更早申请的内存只有一个总数，没有调用栈。";
    record_verl = "With verl: profile the actor with contents: [npu, cpu, memory, stack], for all ranks whose memory is in question."
        | "使用 verl：在 actor 的 profiler 配置中设置 contents: [npu, cpu, memory, stack]，并覆盖需要分析的所有 Rank。";
    record_analyse = "Analyse the folder (torch_npu.profiler.profiler.analyse) and drop the whole run here: roles and ranks are told apart by themselves."
        | "解析数据（torch_npu.profiler.profiler.analyse）后将整个任务文件夹拖到此处，角色和 Rank 会自动识别。";
    limits_title = "What this tool cannot tell" | "本工具的局限";
    limits_baseline = "Who allocated memory before the window began: no row lists it."
        | "采集开始前的内存由谁申请：数据中没有对应的行。";
    limits_outside = "What lies outside the pools (communication, runtime): only its size is recorded."
        | "内存池之外的内存（通信、运行时）：只记录了大小。";
    limits_address = "Addresses are not in the tables, so holes between blocks are not seen; fragmentation is told from reserved against allocated."
        | "表中没有地址，无法看到块之间的空洞；碎片由预留与已分配的对比得出。";
    limits_guess = "A guessed call stack is a guess. It is marked everywhere and counts for no finding."
        | "推测的调用栈只是推测，各处均有标注，且不作为诊断依据。";
    limits_memory = "A tab holds at most 4 GiB a rank: beyond some ten million blocks use the command."
        | "浏览器标签页中每个 Rank 最多使用 4 GiB：超过约一千万个内存块时请使用命令行。";
    about = "About" | "关于";
    about_version(version: &str) = "Version {version}" | "版本 {version}";
    about_licence = "Free software under MIT or Apache-2.0" | "自由软件，采用 MIT 或 Apache-2.0 许可";
    about_engine = "What the engine did" | "引擎统计";
    about_bytes_read = "Bytes read" | "已读取字节";
    about_largest_piece = "Largest piece at once" | "单次最大分片";
    about_events = "Trace events seen" | "trace 事件数";
    about_parsed_events = "Events parsed key by key" | "逐键解析的事件";
    about_careful_events = "Events read the careful way" | "以谨慎方式读取的事件";
    about_operators = "Operators kept while matching" | "匹配时保留的算子";
    about_stacks = "Distinct call stacks" | "不同的调用栈";
    about_names = "Distinct names" | "不同的名称";
    about_kept_bytes = "Kept in all" | "保留数据合计";
    about_block_bytes = "of that, columns of the rows" | "其中明细行各列";
    about_record_bytes = "of that, curves of the pools" | "其中内存池曲线";
    about_text_bytes = "of that, text, each once" | "其中文本（各存一份）";
    about_kept_memory = "Memory of the ranks kept ready, of at most" | "就绪 Rank 占用内存 / 上限";
    about_rank_memory = "Memory of this rank's worker" | "该 Rank 后台线程的内存";
    about_terms = "Words used here" | "术语说明";
    about_privacy = "The page has no way to the network: its security policy forbids every connection, and the build refuses code that would open one."
        | "本页面没有任何联网途径：安全策略禁止所有连接，构建时也会拒绝任何可能联网的代码。";
    about_exact = "Sizes are whole bytes and times whole nanoseconds throughout; rounding happens on display only."
        | "大小始终以整数字节、时间始终以整数纳秒计算，仅在显示时取舍。";
    skip_to_content = "Skip to content" | "跳到主要内容";
    page_starting = "Memlens is starting" | "Memlens 正在启动";
    page_failed(reason: &str) = "Memlens could not start: {reason}" | "Memlens 无法启动：{reason}";
}
