//! That the check does refuse, and that it lets the page's own scripts pass.

use super::*;

/// A module that imports one function of this name: header, one type, one import.
fn module_importing(name: &str) -> Vec<u8> {
    let mut import = vec![1, 3];
    import.extend_from_slice(b"wbg");
    import.push(u8::try_from(name.len()).unwrap());
    import.extend_from_slice(name.as_bytes());
    import.extend_from_slice(&[0, 0]);
    let mut wasm = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02".to_vec();
    wasm.push(u8::try_from(import.len()).unwrap());
    wasm.extend_from_slice(&import);
    wasm
}

#[test]
fn every_way_out_is_refused_in_a_script() {
    for text in [
        "fetch(a)",
        "self.fetch (a)",
        "new XMLHttpRequest()",
        "new WebSocket(a)",
        "new WebTransport(a)",
        "new RTCPeerConnection()",
        "new EventSource(a)",
        "navigator.sendBeacon(a)",
        "importScripts(a)",
        "eval(a)",
        "window.open(a)",
        "location = a",
        "location.href = a",
        "location.href=a",
        "getObject(arg0).href = getStringFromWasm0(arg1, arg2);",
        "window.location = a",
        "location.assign(a)",
        "location.replace(a)",
        "location.reload()",
        "document.location.search = a",
        "form.submit()",
    ] {
        assert!(script("the glue", text).is_err(), "{text} passed");
    }
}

#[test]
fn what_only_looks_like_one_passes() {
    for text in [
        "location.hash = a",
        "getObject(arg0).hash = a",
        "const ret = getObject(arg0).location;",
        "if (location.href === a) b()",
        "prefetched = a",
        "URL.createObjectURL(blob)",
        "a.b(/x/g).c",
        "text.replace(/a/g, b)",
        "return Object.assign(exports, { a });",
        "history.replaceState(a, b, c)",
        "retrieval(a)",
    ] {
        script("the glue", text).unwrap();
    }
}

#[test]
fn the_start_scripts_pass() {
    for text in [
        include_str!("../../../www/theme.js"),
        include_str!("../../../www/start.js"),
        include_str!("../../../www/worker-start.js"),
    ] {
        script("www", &shipped(text)).unwrap();
    }
}

#[test]
fn every_way_out_is_refused_among_the_imports() {
    for function in IMPORTS {
        let wasm = module_importing(&format!("__wbg_{function}_0123456789abcdef"));
        assert!(module(&wasm).unwrap_err().to_string().contains(function));
    }
    assert!(module(&module_importing("fetch")).is_err());
}

#[test]
fn other_imports_pass() {
    for name in ["__wbg_set_hash_0123456789abcdef", "__wbg_openCursor_0123456789abcdef", "__wbindgen_throw"] {
        module(&module_importing(name)).unwrap();
    }
}

#[test]
fn a_module_that_is_none_is_named() {
    assert!(module(b"no module").unwrap_err().to_string().contains("cannot be read"));
}

#[test]
fn a_style_sheet_loads_nothing() {
    style("a { background: url(data:image/svg+xml;base64,AA) } b { fill: url(#c) }").unwrap();
    assert!(style("@import 'a.css';").is_err());
    assert!(style("a { background: url('https://b') }").is_err());
    assert!(style("a { background: url( \"c.png\") }").is_err());
}
