//! Why unpacking stopped, and the rule by which packed bytes are refused.

/// Largest factor between plain and packed bytes: deflate cannot exceed 1032, and traces stay below 60.
const MAX_RATIO: u64 = 400;
/// Ratios are judged from this many plain bytes on: a small file of one repeated row may well pack tighter.
const JUDGED_FROM_BYTES: u64 = 64 << 20;

/// Why unpacking stopped. All that came before was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The packed data is damaged or ends early; what the unpacker says.
    Damaged(String),
    /// It expands beyond reason: a bomb, not a profile.
    Bomb,
}

/// Counts what goes in and comes out of an unpacking step.
#[derive(Debug, Default)]
pub(super) struct Ratio {
    pub packed: u64,
    pub plain: u64,
}

impl Ratio {
    /// Refuses what expands beyond reason.
    pub fn check(&self) -> Result<(), Fault> {
        if self.plain > JUDGED_FROM_BYTES && self.plain / self.packed.max(1) > MAX_RATIO {
            return Err(Fault::Bomb);
        }
        Ok(())
    }
}
