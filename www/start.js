// The start of the page: unpacks the WebAssembly that lies in this same file, compiles it once, and hands it with the
// address of the worker's Blob to memlens_page() in src/web. When the browser is too old, or starting fails, it says
// so in English and Chinese. Old syntax on purpose: a browser that cannot run the rest must still read this.
(function () {
  'use strict';
  var root = document.documentElement;
  var boot = document.getElementById('boot');

  function say(english, chinese, detail) {
    root.dataset.state = 'failed';
    boot.textContent = '';
    [[english, 'en'], [chinese, 'zh']].forEach(function (line) {
      var p = document.createElement('p');
      p.lang = line[1];
      p.textContent = line[0];
      boot.appendChild(p);
    });
    if (detail) {
      var code = document.createElement('code');
      code.textContent = detail;
      boot.appendChild(code);
    }
    boot.setAttribute('role', 'alert');
    if (!boot.parentNode) document.body.appendChild(boot);
  }

  // A module with one function that makes a 128-bit vector: valid only where SIMD is there.
  function hasSimd() {
    return WebAssembly.validate(new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11
    ]));
  }

  function textOf(id) {
    return document.getElementById(id).textContent;
  }

  // A slice of the packed text; its length is a multiple of four, so that each slice is base64 of its own.
  var SLICE = 1 << 18;

  function bytesOf(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    var packed = atob(base64);
    var bytes = new Uint8Array(packed.length);
    for (var i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
    return bytes;
  }

  // Unpacks slice by slice, compiling what is there already: in one piece it would hold up the page.
  function compile(base64) {
    var at = 0;
    var slices = new ReadableStream({
      pull: function (to) {
        if (at >= base64.length) { to.close(); return; }
        to.enqueue(bytesOf(base64.slice(at, at + SLICE)));
        at += SLICE;
        return pause();
      }
    });
    return WebAssembly.compileStreaming(new Response(slices.pipeThrough(new DecompressionStream('gzip')),
      { headers: { 'Content-Type': 'application/wasm' } }));
  }

  function pause() {
    return new Promise(function (go) { setTimeout(go); });
  }

  // A trap leaves the page's own WebAssembly unusable: say so instead of looking frozen.
  function watch(error) {
    if (!(error instanceof WebAssembly.RuntimeError)) return;
    say('Memlens stopped because of an error in the program. Please reload the page; your files are unchanged.',
      'Memlens 因程序错误已停止。请刷新页面；您的文件未被改动。', String(error.message));
  }

  if (typeof WebAssembly !== 'object' || typeof DecompressionStream !== 'function' ||
      typeof wasm_bindgen === 'undefined' || !hasSimd()) {
    say('This browser is too old for Memlens: it lacks WebAssembly with SIMD. Please use Chrome or Edge 96, ' +
      'Firefox 113, Safari 16.4, or a newer one.',
      '此浏览器版本过旧，不支持带 SIMD 的 WebAssembly，无法运行 Memlens。' +
      '请使用 Chrome 或 Edge 96、Firefox 113、Safari 16.4 或更新的版本。');
    return;
  }

  compile(textOf('wasm').trim()).then(function (module) {
    var source = new Blob([textOf('glue'), '\n', textOf('worker-start')], { type: 'text/javascript' });
    var workerUrl = URL.createObjectURL(source);
    return wasm_bindgen.start(module).then(pause).then(function () {
      wasm_bindgen.memlens_page(module, workerUrl);
      boot.remove();
      window.addEventListener('error', function (event) { watch(event.error); });
      window.addEventListener('unhandledrejection', function (event) { watch(event.reason); });
    });
  }).catch(function (error) {
    say('Memlens could not start. Please reload the page, or try a current Chrome, Edge, Firefox or Safari.',
      'Memlens 无法启动。请刷新页面，或改用最新版的 Chrome、Edge、Firefox 或 Safari。', String(error));
  });
})();
