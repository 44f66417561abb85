//! Where a database keeps the names of its tables: on its first page, or on the pages that page leads to. Only what tells what a file
//! is gets looked at; reading it is `read::database`'s business.

/// What every database begins with.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";
/// Where the schema's tree begins, behind the file's header.
const TREE_AT: usize = 100;
/// Kinds of a page: one with rows, and one that leads to such.
const LEAF: u8 = 13;
const INNER: u8 = 5;
/// Bytes before the list of an inner page's cells.
const INNER_HEADER: usize = 12;
/// Most pages looked at: the tables of a profiler need a few.
const MOST_PAGES: usize = 64;

/// The bytes, beside the file's first `head`, on which the schema stands: from where and how many.
pub(super) fn pages(head: &[u8]) -> Vec<(u64, u64)> {
    let number = |at: usize, bytes: usize| {
        let field = at.checked_add(bytes).and_then(|end| head.get(at..end));
        field.map_or(0, |field| field.iter().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte)))
    };
    let size = match number(16, 2) {
        1 => 1 << 16,
        size => size,
    };
    if !head.starts_with(MAGIC) || !size.is_power_of_two() || size < 512 {
        return Vec::new();
    }
    let have = (head.len() as u64).min(size);
    let rest = (have < size).then_some((have, size - have));
    match head.get(TREE_AT) {
        Some(&LEAF) => rest.into_iter().collect(),
        Some(&INNER) => {
            let cells = usize::try_from(number(TREE_AT + 3, 2)).unwrap_or(0).min(MOST_PAGES);
            let cell = |index: usize| usize::try_from(number(TREE_AT + INNER_HEADER + 2 * index, 2)).unwrap_or(0);
            let children = (0..cells).map(|index| number(cell(index), 4)).chain([number(TREE_AT + 8, 4)]);
            children.filter(|page| *page > 1).map(|page| ((page - 1) * size, size)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(size: u16, tree: &[u8]) -> Vec<u8> {
        let mut head = MAGIC.to_vec();
        head.extend(size.to_be_bytes());
        head.resize(TREE_AT, 0);
        head.extend(tree);
        head.resize(4096, 0);
        head
    }

    #[test]
    fn tells_where_the_schema_stands() {
        assert_eq!(pages(&head(4096, &[LEAF])), []);
        assert_eq!(pages(&head(1, &[LEAF])), [(4096, 61_440)]);
        // Two cells, at 200 and 210, and the rightmost child.
        let mut inner = head(1024, &[INNER, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 9, 0, 200, 0, 210]);
        inner[203] = 2;
        inner[212..214].copy_from_slice(&[1, 0]);
        assert_eq!(pages(&inner), [(1024, 1024), (255 * 1024, 1024), (8 * 1024, 1024)]);
        for broken in [head(1000, &[LEAF]), head(4096, &[7]), b"SQLite format 3".to_vec(), Vec::new()] {
            assert_eq!(pages(&broken), []);
        }
        let mut wild = head(512, &[INNER, 0, 0, 0xff, 0xff]);
        wild.truncate(600);
        assert!(pages(&wild).len() <= MOST_PAGES + 1);
    }
}
