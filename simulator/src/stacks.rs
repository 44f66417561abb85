//! Call stacks: each text stored once, passed as an id.

/// Where a stack stands in [`Stacks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StackId(pub(crate) u32);

/// All stacks of a rank.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stacks {
    /// Frames joined by `;` CR LF, as the profiler writes them.
    texts: Vec<String>,
    /// The same, escaped for JSON.
    json: Vec<String>,
}

impl Stacks {
    /// The id of the stack with these frames, innermost first.
    pub(crate) fn add(&mut self, frames: &[&str]) -> StackId {
        let text = frames.join(";\r\n");
        if let Some(at) = self.texts.iter().position(|t| *t == text) {
            return StackId(at as u32);
        }
        self.json.push(frames.join(";\\r\\n"));
        self.texts.push(text);
        StackId((self.texts.len() - 1) as u32)
    }

    pub(crate) fn json(&self, id: StackId) -> &str {
        self.json.get(id.0 as usize).map_or("", String::as_str)
    }

    pub(crate) fn text(&self, id: StackId) -> &str {
        self.texts.get(id.0 as usize).map_or("", String::as_str)
    }

    /// The frames, outermost first.
    pub(crate) fn frames(&self, id: StackId) -> impl Iterator<Item = &str> {
        self.text(id).rsplit(";\r\n")
    }

    /// The frames as they stand in the text: innermost first.
    #[cfg(feature = "database")]
    pub(crate) fn frames_inwards_out(&self, id: StackId) -> impl Iterator<Item = &str> {
        self.text(id).split(";\r\n")
    }

    pub(crate) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_each_text_once() {
        let mut stacks = Stacks::default();
        let a = stacks.add(&["a.py(1): f", "m.py(2): <module>"]);
        let b = stacks.add(&["b.py(1): 函数"]);
        assert_eq!(stacks.add(&["a.py(1): f", "m.py(2): <module>"]), a);
        assert_ne!(a, b);
        assert_eq!(stacks.json(a), "a.py(1): f;\\r\\nm.py(2): <module>");
        assert_eq!(stacks.into_texts(), ["a.py(1): f;\r\nm.py(2): <module>", "b.py(1): 函数"]);
    }
}
