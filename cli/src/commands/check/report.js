// The report on many games: shows one of them where the address names a moment of it.
"use strict";
(() => {
  /** The viewer of the game that the address names. */
  const named = () => /** @type {HTMLTemplateElement | null} */ (document.getElementById((/^#(g[\d.]+)\//.exec(location.hash) || ["", ""])[1]));
  const open = named();
  document.documentElement.classList.add("live");
  if (open) {
    const report = document.getElementById("report");
    if (report) report.replaceWith(open.content.cloneNode(true));
    const title = document.querySelector("h1");
    if (title) document.title = title.textContent || "";
  }
  addEventListener("hashchange", () => named() !== open && location.reload());
})();
