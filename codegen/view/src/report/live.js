// A hidden frame loads this page again and again and says its version; another one means that the
// page was written anew.
(() => {
  const version = document.documentElement.dataset.version;
  if (window.parent !== window) {
    window.parent.postMessage(version, "*");
    return;
  }
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "version of this page";
  window.addEventListener("message", (event) => {
    if (event.source === frame.contentWindow && event.data !== version) location.reload();
  });
  document.body.append(frame);
  setInterval(() => { frame.src = location.href.split("#")[0]; }, 700);
})();
