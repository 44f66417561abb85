//! Runs wasm-bindgen and takes its loader out of the glue.
//!
//! The loader asks the network for the module, which a page from disk cannot do and this page never does. In its place
//! the glue gets `wasm_bindgen.start(module)` for the page (asynchronous, because browsers limit what a page's main
//! thread may instantiate at once) and keeps `wasm_bindgen.initSync({module})` for workers. The cut is made at exact
//! texts of the pinned version: another version must fail here, not ship a loader.
//!
//! JavaScript that a dependency brings along is left out as long as nothing calls it; if something does, wasm-bindgen
//! itself refuses, because without modules there is no place for it.

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

/// What stands in place of the loader.
const START: &str = "async function start(module) {
        const instance = await WebAssembly.instantiate(module, __wbg_get_imports());
        return __wbg_finalize_init(instance, module);
    }

    return Object.assign(exports, { initSync, start });";

/// The exports that the start scripts call.
const EXPORTS: [&str; 2] = ["memlens_page", "memlens_worker"];

/// The glue without its loader, and the module that goes with it.
pub fn bind(compiled: Vec<u8>) -> Result<(String, Vec<u8>)> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_bytes("memlens", compiled)
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    let mut output = bindgen
        .no_modules(true)
        .and_then(Bindgen::generate_output)
        .context("wasm-bindgen refused the module; is its version in Cargo.toml the one xtask uses?")?;
    let glue = without_loader(output.js())?;
    for export in EXPORTS {
        if !glue.contains(&format!("exports.{export} =")) {
            bail!("src/web does not export {export}(), which the start scripts in www/ call");
        }
    }
    Ok((glue, output.wasm_mut().emit_wasm()))
}

/// Cuts the loader out of wasm-bindgen's no-modules glue.
fn without_loader(glue: &str) -> Result<String> {
    let page_address = "script_src = new URL(document.currentScript.src, location.href).toString();";
    let glue = replace(glue, &["let script_src;", page_address, "}"], "")?;
    let glue =
        replace(&glue, &["async function __wbg_load(", "return false;", "function initSync("], "function initSync(")?;
    let end = "return Object.assign(__wbg_init, { initSync }, exports);";
    replace(&glue, &["let __wbg_init_promise;", "async function __wbg_init(", end], START)
}

/// Replaces what reaches from the first of these texts through each next one to the end of the last.
fn replace(text: &str, through: &[&str], by: &str) -> Result<String> {
    let mut reach: Option<(usize, usize)> = None;
    for part in through {
        let from = reach.map_or(0, |(_, end)| end);
        let at = text.get(from..).and_then(|rest| rest.find(part)).with_context(|| {
            format!(
                "wasm-bindgen's glue has another shape than the version xtask was written for: no {part:?} in its place"
            )
        })?;
        reach = Some((reach.map_or(at, |(start, _)| start), from + at + part.len()));
    }
    let (start, end) = reach.context("nothing to replace")?;
    let (before, after) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
    Ok(format!("{before}{by}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The glue's frame as version 0.2.130 writes it, shortened inside.
    const GLUE: &str = "let wasm_bindgen = (function(exports) {
    let script_src;
    if (typeof document !== 'undefined' && document.currentScript !== null) {
        script_src = new URL(document.currentScript.src, location.href).toString();
    }
    function memlens_page(module) { wasm.memlens_page(module); }
    exports.memlens_page = memlens_page;
    async function __wbg_load(module, imports) {
        if (module instanceof Response) { return await WebAssembly.instantiateStreaming(module, imports); }
        function expectedResponseType(type) {
            switch (type) {
                case 'basic': case 'cors': case 'default': return true;
            }
            return false;
        }
    }

    function initSync(module) { return module; }

    let __wbg_init_promise;
    async function __wbg_init(module_or_path) { module_or_path = fetch(module_or_path); }

    return Object.assign(__wbg_init, { initSync }, exports);
})({ __proto__: null });
";

    #[test]
    fn the_loader_goes_and_the_rest_stays() {
        let glue = without_loader(GLUE).unwrap();
        for gone in ["fetch", "script_src", "new URL", "__wbg_load", "__wbg_init", "expectedResponseType"] {
            assert!(!glue.contains(gone), "{gone} in {glue}");
        }
        for kept in ["let wasm_bindgen = (function(exports) {", "function initSync(module) {", "exports.memlens_page ="]
        {
            assert!(glue.contains(kept), "no {kept} in {glue}");
        }
        assert!(glue.ends_with("return Object.assign(exports, { initSync, start });\n})({ __proto__: null });\n"));
    }

    #[test]
    fn another_shape_is_refused() {
        for text in ["let script_src", "async function __wbg_load(", "let __wbg_init_promise;", "return Object.assign("]
        {
            let changed = GLUE.replace(text, "something_else");
            assert!(without_loader(&changed).is_err(), "{text} was not missed");
        }
    }
}
