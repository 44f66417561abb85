//! The example run: made by the simulator in a worker of its own, then read like any other.

use wasm_bindgen::{JsCast, JsValue};

use super::intake::Picked;
use super::job::job;
use super::messages::{Order, Parts, Report};
use super::pool::Pool;

/// The files of the example.
pub async fn example(pool: Pool) -> Result<Vec<Picked>, JsValue> {
    let Parts { body: Report::Example(paths), files, .. } = job(pool, &Order::Example, &[], |_| {}).await? else {
        return Ok(Vec::new());
    };
    let picked = paths.into_iter().zip(files.iter());
    Ok(picked.map(|(path, file)| Picked::new(format!("example/{path}"), file.dyn_into().ok())).collect())
}
