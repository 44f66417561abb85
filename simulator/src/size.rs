//! How much work makes a trace of the size that is wanted.

use std::io::{self, Write};

use crate::event::Nobody;
use crate::options::Options;
use crate::work::Amount;
use crate::world::World;

/// Counts bytes and forgets them.
struct Count;

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Share of the file that is not counters.
const WORK_SHARE: f64 = 0.77;

/// The amount of work for the size that the options want.
pub(crate) fn amount(options: &Options, world: &World) -> io::Result<Amount> {
    let steps = options.steps.max(1);
    let natural = Amount { steps, first_step: world.first_step, batches: 1, layers: 2 };
    if options.trace_bytes == 0 {
        return Ok(natural);
    }
    let measure = |steps, batches, layers| -> io::Result<f64> {
        let amount = Amount { steps, batches, layers, ..natural };
        let outcome = world.run(amount, true, &mut Nobody);
        // A size too small for any counters: only the work itself is counted.
        Ok(crate::run::trace(world, amount, &outcome, Some(1), &mut Count)? as f64)
    };
    let one = measure(1, 1, 1)?;
    let batch = measure(1, 3, 1)?;
    let batch = (batch - one) / 2.0;
    let layer = measure(1, 1, 3)?;
    let layer = (layer - one) / 2.0;
    let step = measure(2, 1, 1)? - one;
    let fixed = one - step;
    let wanted = (options.trace_bytes as f64 * WORK_SHARE - fixed) / f64::from(steps);
    // Of the layer counts that make sense, the one that comes closest from below.
    let mut best = (Amount { batches: 1, layers: 1, ..natural }, f64::INFINITY);
    for layers in 1..=4 {
        let one_batch = batch + (layers - 1) as f64 * layer;
        let batches = 1 + ((wanted - step - (layers - 1) as f64 * layer) / one_batch).floor().max(0.0) as u64;
        let bytes = step + (layers - 1) as f64 * layer + (batches - 1) as f64 * one_batch;
        let miss = wanted - bytes;
        if miss >= 0.0 && miss < best.1 {
            best = (Amount { batches, layers, ..natural }, miss);
        }
    }
    Ok(best.0)
}
