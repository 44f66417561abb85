//! HTML by hand: the only way from a text to the document is through its escaping.

/// A document while it is written.
#[derive(Default)]
pub(super) struct Html {
    out: String,
}

impl Html {
    /// Markup of our own.
    pub fn raw(&mut self, markup: &str) -> &mut Html {
        self.out.push_str(markup);
        self
    }

    /// Any text.
    pub fn text(&mut self, text: &str) -> &mut Html {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                // What no document may hold, and what would turn the text around it.
                c if c.is_control() && c != '\n' => self.out.push(char::REPLACEMENT_CHARACTER),
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.out.push(char::REPLACEMENT_CHARACTER),
                c => self.out.push(c),
            }
        }
        self
    }

    /// An element with a text in it; `start` is its tag with attributes, without the angle brackets.
    pub fn element(&mut self, start: &str, text: &str) -> &mut Html {
        self.raw("<").raw(start).raw(">").text(text).raw("</");
        self.raw(start.split(' ').next().unwrap_or_default()).raw(">")
    }

    /// A table cell with a number.
    pub fn number(&mut self, text: &str) -> &mut Html {
        self.element("td class=n", text)
    }

    pub fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let mut html = Html::default();
        html.element("td class=n", "<b>&\"'\u{202e}\r\u{1b}\n王");
        assert_eq!(html.finish(), "<td class=n>&lt;b&gt;&amp;&quot;&#39;\u{fffd}\u{fffd}\u{fffd}\n王</td>");
    }
}
