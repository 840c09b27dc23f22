// A page of many games: a list that can be searched, and the game of which the address names a moment. Games are packed,
// and each is drawn when it is asked for.
(() => {
  "use strict";
  /** @type {(id: string) => any} */
  const $ = (id) => document.getElementById(id);
  /** The name of the game that the address names. */
  const named = () => (/^#(g[\d.]+)\//.exec(location.hash) || ["", ""])[1];
  const open = named();
  document.documentElement.classList.add("live");

  /** Unpacks a text. @param {string} packed */
  async function unpack(packed) {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).text();
  }
  /** Shows a game in the place of the list. @param {string} name */
  async function view(name) {
    const pack = document.querySelector(`[data-games~="${name}"]`);
    const report = $("report");
    if (!pack || !report) return;
    const all = document.createElement("template");
    all.innerHTML = await unpack(pack.textContent || "");
    const game = /** @type {HTMLTemplateElement | null} */ (all.content.querySelector(`[id="${name}"]`));
    if (!game) return;
    report.replaceWith(game.content);
    const title = document.querySelector("h1");
    if (title) document.title = title.textContent || "";
    // Declared by the script of the viewer, which follows this one.
    /** @type {any} */ (globalThis).viewGame();
  }

  const lines = /** @type {HTMLTableRowElement[]} */ ([...document.querySelectorAll(".games tbody tr:not(.file)")]);
  /** Shows the games that the reader looks for. */
  function sift() {
    const [text, verdict, result] = ["search", "verdict", "result"].map((id) => $(id).value.trim().toLowerCase());
    let count = 0;
    for (const line of lines) {
      const [, players, ended, judged] = [...line.cells].map((cell) => (cell.textContent || "").toLowerCase());
      const is = players.includes(text) && (!result || ended === result) && (!verdict || judged.startsWith(verdict));
      line.hidden = !is;
      count += +is;
    }
    $("sifted").textContent = count === lines.length ? "" : `${count} of ${lines.length} games`;
  }
  if ($("search")) for (const id of ["search", "verdict", "result"]) $(id).addEventListener("input", sift);
  for (const button of document.querySelectorAll(".slip"))
    button.addEventListener("click", () => {
      const slip = button.closest("article");
      const report = $("report");
      if (!report || !slip) return;
      report.classList.add("one"), slip.classList.add("printed");
      print();
      report.classList.remove("one"), slip.classList.remove("printed");
    });
  addEventListener("hashchange", () => named() !== open && location.reload());
  if (open) {
    const { dataset } = document.documentElement;
    dataset.busy = "";
    view(open).finally(() => delete dataset.busy);
  }
})();
