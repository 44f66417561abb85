// Sets light or dark before the first paint, so that the page never flashes in the wrong one.
// The choice is the hash's (theme=light or theme=dark), else the system's. Runs first in <head>; may do nothing else.
(function () {
  'use strict';
  var saved = /[#&]theme=(light|dark)(&|$)/.exec(location.hash);
  var dark = window.matchMedia && window.matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = saved ? saved[1] : dark ? 'dark' : 'light';
})();
