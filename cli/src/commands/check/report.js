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
  const report = document.getElementById("report");
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById("found"));
  const list = document.querySelector(".games");
  if (box && list) box.addEventListener("change", () => list.classList.toggle("found", box.checked));
  for (const button of document.querySelectorAll(".slip"))
    button.addEventListener("click", () => {
      const slip = button.closest("article");
      if (!report || !slip) return;
      report.classList.add("one"), slip.classList.add("printed");
      print();
      report.classList.remove("one"), slip.classList.remove("printed");
    });
  addEventListener("hashchange", () => named() !== open && location.reload());
})();
