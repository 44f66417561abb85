//! Names of curves, and of what stands beside a live set.

use super::{Lang, Term, answers, term, ui};
use crate::analysis::answer::{PoolKey, Quantity};
use crate::analysis::breakdown::Beside;

/// What a curve shows; the device is not part of it.
#[must_use]
pub fn curve_name(lang: Lang, pool: &PoolKey, quantity: Quantity) -> String {
    let name = match quantity {
        Quantity::Baseline => return ui::curve_baseline(lang).to_owned(),
        Quantity::Outside => return ui::curve_outside(lang).to_owned(),
        _ if pool.component == "APP" => return ui::curve_app(lang).to_owned(),
        Quantity::Allocated => ui::col_allocated(lang),
        Quantity::Active => ui::col_active(lang),
        Quantity::Reserved => ui::col_reserved(lang),
    };
    if matches!(pool.component.as_str(), "PTA" | "TorchNPU" | "MindSpore") {
        return match quantity {
            Quantity::Allocated => ui::curve_allocated(lang),
            Quantity::Active => ui::curve_active(lang),
            _ => ui::curve_reserved(lang),
        }
        .to_owned();
    }
    ui::curve_of(lang, &pool.component, name)
}

/// What stands beside the live blocks in the recorded total, with bytes and name; the live blocks and these add up to it.
#[must_use]
pub fn beside_rows(lang: Lang, beside: &Beside) -> [(i64, &'static str); 3] {
    [
        (beside.baseline_bytes, term(lang, Term::Baseline)),
        (beside.leaving_bytes.saturating_neg(), answers::leaving(lang)),
        (beside.unexplained_bytes, answers::unexplained(lang)),
    ]
}
