//! Frames of call stacks: which of them are the user's own code, and which end of a stack is the inner one.
//!
//! A frame is `path/file.py(line): function`.

/// Packages below site-packages that are the user's own working material in RL training, not library: people edit them.
const OWN_PACKAGES: &[Own] = &[
    Own::Exact("verl"),
    Own::Prefix("verl_"),
    Own::Exact("megatron"),
    Own::Prefix("mindspeed"),
    Own::Prefix("vllm"),
    Own::Prefix("sglang"),
];

enum Own {
    Exact(&'static str),
    Prefix(&'static str),
}

impl Own {
    fn matches(&self, package: &str) -> bool {
        match self {
            Own::Exact(name) => package == *name,
            Own::Prefix(prefix) => package.starts_with(prefix),
        }
    }
}

/// Between frames; the profiler writes `;` CR LF.
const SEPARATOR: char = ';';

/// The frames of a stack in the order written, without the separators and line ends.
pub fn frames(stack: &str) -> impl DoubleEndedIterator<Item = &str> {
    // A `;` inside a frame would need a `;` in a path; the profiler itself turns every `;` into a separator.
    stack.split(SEPARATOR).map(|frame| frame.trim_matches(['\r', '\n'])).filter(|frame| !frame.is_empty())
}

/// Whether a frame is library code: the standard library, `<...>`, or an installed package that is not the user's own.
pub fn is_library(frame: &str) -> bool {
    if frame.starts_with('<') {
        return true;
    }
    let path = path_of(frame).replace('\\', "/");
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let file = parts.pop().unwrap_or_default();
    let installed = parts.iter().rposition(|part| matches!(*part, "site-packages" | "dist-packages"));
    if let Some(at) = installed {
        let package = parts.get(at + 1).copied().unwrap_or_else(|| file.strip_suffix(".py").unwrap_or(file));
        return !OWN_PACKAGES.iter().any(|own| own.matches(package));
    }
    let is_windows = path.as_bytes().get(1) == Some(&b':');
    parts.iter().enumerate().any(|(at, part)| {
        let before = at.checked_sub(1).and_then(|b| parts.get(b)).copied().unwrap_or_default();
        if !is_windows {
            return is_versioned_python(part) && matches!(before, "lib" | "lib64" | "lib32")
                || part.starts_with("python") && part.ends_with(".zip");
        }
        // Windows keeps the standard library in `<prefix>\Lib`, without a version; the prefix is Python's or an environment's.
        let two_before = at.checked_sub(2).and_then(|b| parts.get(b)).copied().unwrap_or_default();
        part.eq_ignore_ascii_case("lib") && (is_python_home(before) || two_before.eq_ignore_ascii_case("envs"))
    })
}

/// `python3`, `python3.11`, `python3.13t`, `pypy3.10`.
fn is_versioned_python(part: &str) -> bool {
    let version = part.strip_prefix("python").or_else(|| part.strip_prefix("pypy"));
    version.is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_python_home(part: &str) -> bool {
    let part = part.to_ascii_lowercase();
    let digits = part.strip_prefix("python").or_else(|| part.strip_prefix("pythoncore"));
    digits.is_some_and(|d| d.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '_')))
        || ["conda", "miniforge", "mambaforge", "micromamba"].iter().any(|name| part.contains(name))
}

/// `path/file.py` of `path/file.py(12): name`; the whole frame if it has another form.
fn path_of(frame: &str) -> &str {
    let Some(end) = frame.rfind("): ").or_else(|| frame.strip_suffix(')').map(str::len)) else { return frame };
    let head = frame.get(..end).unwrap_or(frame);
    match head.rfind('(') {
        Some(open) if head.get(open + 1..).is_some_and(|n| n.chars().all(|c| c.is_ascii_digit())) => {
            head.get(..open).unwrap_or(frame)
        }
        _ => frame,
    }
}

/// Which end of a file's stacks is the inner one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// As torch_npu writes them.
    #[default]
    InnermostFirst,
    /// As some converters write them.
    OutermostFirst,
}

/// Counts votes for the direction of a file's stacks: module level and launchers stand at the outer end.
#[derive(Debug, Default)]
pub struct DirectionVotes {
    first: u64,
    last: u64,
}

impl DirectionVotes {
    /// Looks at one stack.
    pub fn count(&mut self, stack: &str) {
        let mut all = frames(stack);
        let (Some(first), Some(last)) = (all.next(), all.next_back()) else { return };
        match (is_outer(first), is_outer(last)) {
            (true, false) => self.first += 1,
            (false, true) => self.last += 1,
            _ => {}
        }
    }

    /// The direction most stacks vote for; without votes the profiler's own.
    pub fn decide(&self) -> Direction {
        if self.first > self.last { Direction::OutermostFirst } else { Direction::InnermostFirst }
    }
}

fn is_outer(frame: &str) -> bool {
    frame.ends_with("<module>") || frame.contains("runpy") || frame.contains("torchrun")
}

/// The innermost frame that is not library code.
pub fn user_frame(stack: &str, direction: Direction) -> Option<&str> {
    match direction {
        Direction::InnermostFirst => frames(stack).find(|frame| !is_library(frame)),
        Direction::OutermostFirst => frames(stack).rev().find(|frame| !is_library(frame)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_and_own_code() {
        for library in [
            "<string>(1): <module>",
            "<frozen runpy>(198): _run_module_as_main",
            "<built-in method run_backward>",
            "/usr/lib/python3.11/threading.py(982): run",
            "/usr/lib64/python3.9/multiprocessing/queues.py(122): get",
            "/home/a/miniconda3/lib/python3.9/multiprocessing/process.py(108): run",
            "/opt/conda/envs/verl/lib/python3.10/site-packages/torch/nn/modules/module.py(1747): _call_impl",
            "/usr/lib/python3/dist-packages/yaml/__init__.py(3): load",
            "/usr/local/lib/python3.11/site-packages/six.py(3): f",
            "/home/a/.local/lib/python3.9/site-packages/ray/_private/worker.py(951): main_loop",
            "/x/site-packages/megatron_extra/a.py(1): f",
            r"C:\Users\a\miniconda3\envs\rl\Lib\threading.py(5): run",
            r"C:\Users\a\AppData\Local\Programs\Python\Python311\Lib\runpy.py(5): run",
            r"D:\venv\Lib\site-packages\torch\_tensor.py(5): backward",
            r"C:\ProgramData\Anaconda3\lib\runpy.py(5): run",
        ] {
            assert!(is_library(library), "{library}");
        }
        for own in [
            "/workspace/verl/verl/workers/actor/dp_actor.py(421): update_policy",
            "/usr/lib/python3.11/site-packages/verl/trainer/main.py(3): f",
            "/x/site-packages/verl_omni/a.py(1): f",
            "/x/dist-packages/megatron/core/a.py(1): f",
            "/x/site-packages/mindspeed_llm/a.py(1): f",
            "/x/site-packages/vllm_ascend/a.py(1): f",
            r"C:\envs\Lib\site-packages\sglang\srt\a.py(1): f",
            "/home/王芳/强化学习/损失函数.py(88): 计算策略损失",
            r"D:\work\lib\model.py(3): forward",
            "/home/a/lib/model.py(3): forward",
            "train.py(42): train_step",
            "/home/a/python3.9/train.py(1): f",
        ] {
            assert!(!is_library(own), "{own}");
        }
    }

    #[test]
    fn finds_the_inner_end() {
        let inner_first = "/a/site-packages/torch/x.py(1): f;\r\n/a/train.py(2): step;\r\n/a/main.py(9): <module>";
        let outer_first = "/a/main.py(9): <module>;\r\n/a/train.py(2): step;\r\n/a/site-packages/torch/x.py(1): f";
        let direction = |stack: &str| {
            let mut votes = DirectionVotes::default();
            votes.count(stack);
            votes.decide()
        };
        assert_eq!(direction(inner_first), Direction::InnermostFirst);
        assert_eq!(direction(outer_first), Direction::OutermostFirst);
        assert_eq!(direction("a.py(1): f"), Direction::InnermostFirst);
        for stack in [inner_first, outer_first] {
            assert_eq!(user_frame(stack, direction(stack)), Some("/a/train.py(2): step"));
        }
        assert_eq!(user_frame("<string>(1): <module>", Direction::InnermostFirst), None);
    }

    #[test]
    fn splits_frames_whatever_the_line_end() {
        assert_eq!(frames("a;\r\nb;\nc;d;").collect::<Vec<_>>(), ["a", "b", "c", "d"]);
        assert_eq!(frames("").count(), 0);
    }
}
