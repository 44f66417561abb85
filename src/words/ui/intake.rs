//! Ways in: drop zone, buttons, what can go wrong with a drop.

crate::messages! {
    app_name = "Memlens" | "Memlens 显存透镜";
    tagline = "Where device memory went, from Ascend profiling results" | "从昇腾性能数据看清显存去向";
    privacy = "No byte leaves this machine." | "数据不会离开本机。";
    privacy_detail = "Files are read in this browser tab. The page cannot open network connections and stores nothing."
        | "文件只在当前浏览器标签页中读取。本页面无法建立网络连接，也不保存任何内容。";

    drop_title = "Drop a profiling folder here" | "将性能数据文件夹拖到此处";
    drop_hint = "One rank folder (…_ascend_pt), a whole run, also packed (.zip, .tar, .tar.gz), or loose files: operator_memory.csv, memory_record.csv, trace_view.json"
        | "可以是单个 Rank 文件夹（…_ascend_pt）、整个任务的文件夹（也可以是 .zip、.tar、.tar.gz 压缩包），或单独的文件：operator_memory.csv、memory_record.csv、trace_view.json";
    drop_now = "Let go to open" | "松开即可打开";
    drop_more = "Drop more folders to add them" | "继续拖入文件夹即可添加";
    open_folder = "Open folder" | "打开文件夹";
    open_files = "Open files" | "打开文件";
    open_example = "Open the example" | "打开示例";
    add_folder = "Add folder" | "添加文件夹";
    add_files = "Add files" | "添加文件";
    remove = "Remove" | "移除";
    remove_all = "Remove all" | "全部移除";
    remove_rank(rank: &str) = "Remove {rank}" | "移除 {rank}";
    cancel = "Cancel" | "取消";
    cancel_all = "Cancel all" | "全部取消";
    retry = "Try again" | "重试";
    close = "Close" | "关闭";
    copy = "Copy" | "复制";
    copied = "Copied" | "已复制";
    copy_failed = "Copying was refused by the browser: select the text and copy it by hand."
        | "浏览器拒绝了复制，请选中文本后手动复制。";

    language = "Language" | "语言";
    theme = "Theme" | "主题";
    theme_light = "Light" | "浅色";
    theme_dark = "Dark" | "深色";
    theme_system = "As the system" | "跟随系统";

    export = "Export" | "导出";
    export_rows = "Export rows as CSV" | "导出明细 CSV";
    export_columns = "Columns" | "列";
    export_plain = "12 columns" | "12 列";
    export_extended = "Extended: with match, distance and position" | "扩展：含匹配方式、时间差和位置";
    export_this_rank = "This rank" | "当前 Rank";
    export_all_ranks = "All ranks" | "全部 Rank";
    export_summary = "Export summary as JSON" | "导出摘要 JSON";
    export_report = "Export report" | "导出报告";
    export_writing(rows: &str) = "Writing: {rows}" | "正在写出：{rows}";
    export_done(file: &str) = "Saved {file}" | "已保存 {file}";
    export_failed(reason: &str) = "Export failed: {reason}" | "导出失败：{reason}";

    drop_empty = "Nothing was dropped. Drop a folder or files from your file manager."
        | "没有拖入任何内容。请从文件管理器拖入文件夹或文件。";
    drop_text_only = "That was text, not files. Drop a folder or files from your file manager."
        | "拖入的是文本而不是文件。请从文件管理器拖入文件夹或文件。";
    drop_unreadable(name: &str) = "The browser may not read {name}. Use the button “Open folder”."
        | "浏览器无法读取 {name}。请使用“打开文件夹”按钮。";
    drop_refused = "The browser did not hand over the folder's contents. Use the button “Open folder”."
        | "浏览器没有交出文件夹内容。请使用“打开文件夹”按钮。";
    drop_busy = "Still looking through the last drop; it will be done in a moment."
        | "仍在查看上一次拖入的内容，请稍候。";
    nothing_found(files: u64) = "Looked through all {files} files: nothing looks like an Ascend profiling result."
        | "已查看全部 {files} 个文件，没有发现类似昇腾性能数据的内容。";
    nothing_in(given: &str) = "{given}: nothing in it looks like a profiling result. What is open stays as it is."
        | "{given}：其中没有类似昇腾性能数据的内容。已打开的数据不受影响。";
    already_open(folder: &str) = "{folder} is open already." | "{folder} 已经打开。";
    worker_failed = "The browser refused to start a background worker. Open the page in a current Chromium, Firefox or Safari."
        | "浏览器拒绝启动后台线程。请使用较新的 Chromium、Firefox 或 Safari 打开本页面。";
    looking(files: u64) = "Looking through files: {files} so far" | "正在查看文件：已查看 {files} 个";
    ranks_found(ranks: u64) = "Ranks found: {ranks}" | "找到 Rank：{ranks} 个";
}
