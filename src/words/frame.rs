//! Call stacks and frames in little room: the innermost frame of a stack, and the folders before a frame's file.

/// The innermost frame, which stands for its stack: the first line, without the `;` that ends it.
pub fn first_line(stack: &str) -> &str {
    stack.lines().next().unwrap_or_default().trim_end_matches(['\r', ';'])
}

/// The folders of a frame with the `/` that ends them (empty if there are none), and file, line and function.
pub fn split_folders(frame: &str) -> (&str, &str) {
    frame.split_at(frame.rfind('/').map_or(0, |slash| slash + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_by_its_innermost_frame() {
        assert_eq!(first_line("/a/b.py(1): f;\r\n/c.py(2): g"), "/a/b.py(1): f");
        assert_eq!(first_line("aten::mm"), "aten::mm");
        assert_eq!(first_line(""), "");
        assert_eq!(split_folders("/a/王/b.py(1): f"), ("/a/王/", "b.py(1): f"));
        assert_eq!(split_folders("b.py(1): f"), ("", "b.py(1): f"));
        assert_eq!(split_folders("a/"), ("a/", ""));
    }
}
