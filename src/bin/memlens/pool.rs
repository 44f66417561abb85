//! A pool as written on the command line: `GE`, or with its device `GE/NPU:0`.

use memlens::analysis::answer::PoolKey;
use memlens::session::Session;

/// The pool of that name; of several devices the first. Inside, `None` is the framework's pool, which is meant where none is named.
/// Outside, `None`: the recording has no such pool.
pub fn chosen(session: &Session, name: Option<&str>) -> Option<Option<PoolKey>> {
    let Some(name) = name else { return Some(None) };
    let pools = session.summary().pools.iter();
    let keys = pools.map(|pool| PoolKey { component: pool.component.clone(), device: pool.device.clone() });
    let is_named = |key: &PoolKey| key.component.eq_ignore_ascii_case(name) || written(key).eq_ignore_ascii_case(name);
    keys.into_iter().find(is_named).map(Some)
}

/// What there is to choose from.
pub fn names(session: &Session) -> Vec<String> {
    let pools = session.summary().pools.iter();
    pools.map(|pool| written(&PoolKey { component: pool.component.clone(), device: pool.device.clone() })).collect()
}

fn written(key: &PoolKey) -> String {
    format!("{}/{}", key.component, key.device)
}
