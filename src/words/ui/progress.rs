//! A rank's states, and how far reading is.

crate::messages! {
    state_waiting = "Waiting" | "等待中";
    state_reading = "Reading" | "读取中";
    state_matching = "Matching call stacks" | "正在匹配调用栈";
    state_ready = "Ready" | "就绪";
    state_ready_with_problems = "Ready, with problems" | "就绪（有问题）";
    state_failed = "Failed" | "失败";
    state_cancelled = "Cancelled" | "已取消";
    state_summarized = "Summary kept" | "仅保留摘要";
    state_reloading = "Reading again" | "正在重新读取";
    state_summarized_hint = "To save memory, only the summary of this rank is kept. It is read again when you open it."
        | "为节省内存，该 Rank 仅保留摘要，打开时会重新读取。";
    state_waiting_hint = "Starts as soon as another rank is done." | "其他 Rank 完成后即开始。";
    state_failed_hint = "Other ranks are not affected." | "其他 Rank 不受影响。";
    cancelled_hint = "Reading was cancelled. Nothing of this rank is kept." | "读取已取消，未保留该 Rank 的任何内容。";

    reading_file(file: &str, done: &str, all: &str) = "{file}: {done} of {all}" | "{file}：{done} / {all}";
    reading_speed(speed: &str, left: &str) = "{speed}, about {left} left" | "{speed}，剩余约 {left}";
    reading_all(done: &str, all: &str) = "Read {done} of {all}" | "已读取 {done}，共 {all}";
    percent_read(percent: &str) = "{percent} read" | "已读取 {percent}";
    ranks_done(done: u64, all: u64) = "Ranks ready: {done} of {all}" | "Rank 就绪：{done} / {all}";
    read_took(bytes: &str, time: &str) = "{bytes} read in {time}" | "用时 {time} 读取 {bytes}";
    almost_done = "Almost done" | "即将完成";
    out_of_memory = "This rank needs more memory than a browser tab may have (4 GiB). Use the command for it: memlens summary <folder>"
        | "该 Rank 所需内存超过浏览器标签页的上限（4 GiB）。请改用命令行：memlens summary <文件夹>";
    worker_died(rank: &str) = "Reading {rank} ended unexpectedly. Other ranks are not affected."
        | "读取 {rank} 时意外终止，其他 Rank 不受影响。";
}
