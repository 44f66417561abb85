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
