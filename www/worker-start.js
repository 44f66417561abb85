// The start of a rank's worker. The page makes it from a Blob of the glue's text followed by this file.
//
// What the page and the worker say to each other before src/web takes over:
//
//   page -> worker   {module}        the compiled WebAssembly.Module, always the first message. The page may post its
//                                    further messages at once: starting is synchronous, so they arrive after it, in
//                                    order, at the handler that memlens_worker() has set. Nothing needs a queue.
//   worker -> page   {ready: true}   memlens_worker() has returned.
//   worker -> page   {fatal: text}   the worker cannot go on and has closed itself. The panic hook in Rust posts the
//                                    panic's own text in this form; the trap that follows then posts a second one that
//                                    says less. The first counts.
//
// memlens_worker() sets its handler with `self.onmessage = ...` or addEventListener('message', ...); both work.
// It must not expect to see the {module} message itself.
(function () {
  'use strict';
  function fatal(error) {
    var text = error && error.message ? String(error.message) : String(error);
    postMessage({ fatal: text });
    self.close();
  }
  self.addEventListener('error', function (event) {
    fatal(event.error || event.message);
  });
  self.addEventListener('unhandledrejection', function (event) {
    fatal(event.reason);
  });
  self.addEventListener('message', function (event) {
    try {
      wasm_bindgen.initSync({ module: event.data.module });
      wasm_bindgen.memlens_worker();
      postMessage({ ready: true });
    } catch (error) {
      fatal(error);
    }
  }, { once: true });
})();
