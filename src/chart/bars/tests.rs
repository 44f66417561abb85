//! Pixel tests of the bars.

use super::super::sheet::{Drawn, draw_on};
use super::*;

fn bar(group: usize, bytes: i64, by_match: ByMatch) -> Bar {
    Bar { group, label: format!("aten::op_{group}"), value: format!("{bytes} B"), bytes, by_match }
}

fn picture(bars: &[Bar], chosen: Option<usize>, scale: f64) -> Drawn<Vec<BarRect>> {
    let size = ((600.0 * scale) as u32, (height_for(bars.len()) * scale) as u32);
    draw_on(size, |area| draw(area, bars, &BarsView { scale, chosen }, &Theme::light()).unwrap())
}

#[test]
fn lengths_follow_the_bytes() {
    let certain = |bytes| ByMatch { enclosing: bytes, ..ByMatch::default() };
    let bars = [bar(4, 1000, certain(1000)), bar(2, 500, certain(500)), bar(9, 0, certain(0))];
    for scale in [1.0, 2.0] {
        let drawn = picture(&bars, None, scale);
        let rects = &drawn.result;
        assert_eq!(rects.iter().map(|r| r.group).collect::<Vec<_>>(), [4, 2, 9]);
        assert!((rects[1].bar_width * 2.0 - rects[0].bar_width).abs() <= 1.0);
        assert_eq!(rects[2].bar_width, 0.0);
        let middle = rects[1].top + 25.0 * scale;
        let inside = 6.0 * scale + rects[1].bar_width - 3.0;
        assert!(drawn.near(inside as i32, middle, 0, Theme::light().accent));
        assert!(!drawn.near((inside + 6.0) as i32, middle, 0, Theme::light().accent));
        assert!(rects[0].contains(5.0, 5.0) && !rects[0].contains(5.0, rects[1].top + 1.0));
        assert!(drawn.says("aten::op_4") && drawn.says("500 B"));
    }
}

#[test]
fn certain_guessed_and_open_differ_without_colour() {
    let by_match = ByMatch { queue: 100, nearest: 100, ambiguous: 50, none: 50, ..ByMatch::default() };
    let drawn = picture(&[bar(0, 300, by_match)], None, 1.0);
    let rect = drawn.result[0];
    let accent = Theme::light().accent;
    let filled = |from: f64, to: f64| {
        let (from, to) = ((6.0 + rect.bar_width * from) as i32 + 3, (6.0 + rect.bar_width * to) as i32 - 3);
        let hits = (from..to).filter(|x| drawn.at(*x, rect.top as i32 + 25) == accent).count();
        hits as f64 / f64::from(to - from)
    };
    assert!(filled(0.0, 1.0 / 3.0) > 0.99);
    assert!((0.1..0.6).contains(&filled(1.0 / 3.0, 2.0 / 3.0)), "{}", filled(1.0 / 3.0, 2.0 / 3.0));
    assert!(filled(2.0 / 3.0, 1.0) < 0.01);
}

#[test]
fn odd_bars_draw_something() {
    let wild = ByMatch { enclosing: i64::MAX, nearest: i64::MAX, none: i64::MIN, ..ByMatch::default() };
    let bars = [bar(0, i64::MAX, wild), bar(1, -5, wild), bar(2, 7, ByMatch::default())];
    assert_eq!(picture(&bars, Some(1), 1.0).result.len(), 3);
    assert!(picture(&[], None, 1.0).result.is_empty());
    let many: Vec<Bar> = (0..100).map(|n| bar(n, 5, ByMatch::default())).collect();
    assert_eq!(picture(&many, None, 1.0).result.len(), MOST_BARS);
    draw_on((2, 2), |area| draw(area, &bars, &BarsView { scale: f64::NAN, chosen: None }, &Theme::dark()).unwrap());
}

#[test]
fn long_labels_leave_room_for_the_value() {
    let mut long = bar(0, 5, ByMatch::default());
    long.label = format!("/very/{}/train_loop.py(12): forward", "long/".repeat(60));
    let drawn = picture(&[long], None, 1.0);
    let (label, _) = &drawn.texts[0];
    assert!(label.ends_with("train_loop.py(12): forward") && label.starts_with('…'), "{label}");
}
