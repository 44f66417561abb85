//! The flame graph as it is laid out: what a search finds in it, and where the arrow keys lead.

use crate::chart::flame::{Bar, Label, Node, Width};

/// A tree with its names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flames {
    /// Texts of the labels.
    pub names: Vec<String>,
    /// The tree; of one frame, the tree of what it calls.
    pub nodes: Vec<Node>,
    /// Of one frame, the tree of what calls it.
    pub callers: Vec<Node>,
}

/// A bar's place: whether it is among the callers, and the node.
pub type Place = (bool, u32);

/// Bars of the callers and of the tree itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bars {
    /// Those of the callers.
    pub callers: Vec<Bar>,
    /// Those of the tree.
    pub nodes: Vec<Bar>,
    /// Rows of callers above the tree; its own first row is the frame.
    pub above: u32,
    /// Rows in all.
    pub rows: u32,
}

/// Bytes or blocks of the topmost bars that hold a text: what lies below one is in it already.
pub fn found_value(flames: &Flames, wanted: &str, width: Width) -> i64 {
    let mut inside = vec![false; flames.nodes.len()];
    let mut sum = 0_i64;
    for (place, node) in flames.nodes.iter().enumerate() {
        let above = node.parent.and_then(|parent| inside.get(parent as usize)).copied().unwrap_or(false);
        let holds = matches!(node.label, Label::Name(name)
            if flames.names.get(name as usize).is_some_and(|name| name.to_lowercase().contains(wanted)));
        if holds && !above {
            sum = sum.saturating_add(width.of(node));
        }
        if let Some(inside) = inside.get_mut(place) {
            *inside = above || holds;
        }
    }
    sum
}

/// The bar an arrow leads to: up to the parent, down to the widest child, left and right to what is beside it.
pub fn walk(bars: &Bars, node: Option<Node>, here: Place, key: &str) -> Option<Place> {
    let list = if here.0 { &bars.callers } else { &bars.nodes };
    let own = list.iter().find(|bar| bar.node == here.1)?;
    let beside = |bar: &&Bar| bar.depth == own.depth && bar.node != own.node;
    let (up, down) = if here.0 { ("ArrowDown", "ArrowUp") } else { ("ArrowUp", "ArrowDown") };
    let found = match key {
        _ if key == up => return node?.parent.map(|parent| (here.0, parent)),
        _ if key == down => {
            let right = own.left + own.width;
            let below =
                list.iter().filter(|bar| bar.depth == own.depth + 1 && bar.left >= own.left && bar.left < right);
            below.min_by(|a, b| a.left.total_cmp(&b.left))
        }
        "ArrowLeft" => {
            list.iter().filter(beside).filter(|bar| bar.left < own.left).max_by(|a, b| a.left.total_cmp(&b.left))
        }
        "ArrowRight" => {
            list.iter().filter(beside).filter(|bar| bar.left > own.left).min_by(|a, b| a.left.total_cmp(&b.left))
        }
        _ => None,
    };
    found.map(|bar| (here.0, bar.node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::answer::ByMatch;
    use crate::chart::flame::layout;

    fn node(label: Label, parent: Option<u32>, total_bytes: i64) -> Node {
        Node { label, parent, total_bytes, own_bytes: 0, blocks: 1, by_match: ByMatch::default() }
    }

    #[test]
    fn a_text_below_itself_counts_once() {
        let flames = Flames {
            names: vec!["a.py(1): f".to_owned(), "b.py(2): g".to_owned()],
            nodes: vec![
                node(Label::All, None, 100),
                node(Label::Name(0), Some(0), 60),
                node(Label::Name(0), Some(1), 50),
                node(Label::Name(1), Some(0), 40),
            ],
            callers: Vec::new(),
        };
        assert_eq!(found_value(&flames, "a.py", Width::Bytes), 60);
        assert_eq!(found_value(&flames, ".py", Width::Blocks), 2);
    }

    #[test]
    fn arrows_lead_to_neighbours() {
        let nodes = [node(Label::All, None, 100), node(Label::Name(0), Some(0), 60), node(Label::Name(1), Some(0), 40)];
        let bars = Bars { nodes: layout(&nodes, 0, Width::Bytes, 0.0), ..Bars::default() };
        let go = |from: u32, key: &str| walk(&bars, nodes.get(from as usize).copied(), (false, from), key);
        assert_eq!(go(0, "ArrowDown"), Some((false, 1)));
        assert_eq!(go(1, "ArrowRight"), Some((false, 2)));
        assert_eq!(go(2, "ArrowLeft"), Some((false, 1)));
        assert_eq!(go(2, "ArrowUp"), Some((false, 0)));
        assert_eq!(go(0, "ArrowUp"), None);
    }
}
