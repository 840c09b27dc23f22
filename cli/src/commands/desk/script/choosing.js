// What is chosen and not moved: drops, set-ups, prisoners, reserves, consolidations, promotions, the end of a turn.

/** @param {string} title @param {[string, string][]} plies Each with what it is called. @param {(chosen: string) => void} [act] */
function choose(title, plies, act = desk.play) {
  const box = $("choice");
  const buttons = plies.map(([ply, words]) => make("button", { textContent: words, value: ply, type: "button", onclick: () => (box.close(), act(ply)) }));
  $("choice-title").textContent = title;
  $("choice-body").replaceChildren(...buttons);
  box.showModal();
}
/** Offers the plies that no square says. */
function offer() {
  /** @type {Map<string, Legal[]>} */
  const kinds = new Map();
  for (const one of legal) {
    const kind = one.from.endsWith("@") ? one.from : one.from ? "" : one.text.split(" ")[0];
    if (kind) kinds.set(`${one.path} ${kind}`, [...(kinds.get(`${one.path} ${kind}`) || []), one]);
  }
  const items = [...kinds].map(([key, plies]) => {
    const [path, kind] = key.split(" ");
    const on = path ? ` on ${path}` : "";
    if (kind.endsWith("@")) return make("button", { textContent: `Drop ${kind[0]}${on}`, onclick: () => pick(path, kind) });
    if (plies.length === 1) return make("button", { textContent: plies[0].text + on, onclick: () => desk.play(plies[0].ply) });
    const title = kind[0].toUpperCase() + kind.slice(1) + on;
    const open = kind === "setup" && arrays(plies).length ? () => setUpArmy(title, plies) : () => choose(title, plies.map((one) => [one.ply, one.text]));
    return make("button", { textContent: title + "…", onclick: open });
  });
  $("offers").replaceChildren(...items);
}
/** Set-ups as sixteen squares each, those of the second rank first; none if they are written otherwise. @param {Legal[]} plies */
function arrays(plies) {
  const all = plies.map((one) => one.text.split(" ")[1].replace("/", "").replace(/\d/g, (digit) => ".".repeat(+digit)));
  return all.every((one) => one.length === 16) ? all : [];
}
/** Lets somebody set up an army: a click on a square changes what stands there, as long as that makes a legal set-up.
 * @param {string} title @param {Legal[]} plies */
function setUpArmy(title, plies) {
  const all = arrays(plies);
  let chosen = 0;
  const far = (/** @type {string} */ one, /** @type {string} */ other) => [...one].filter((piece, at) => piece !== other[at]).length;
  /** The nearest set-up in which something else stands on a square. @param {number} at */
  const next = (at) => {
    const others = all.map((one, i) => i).filter((i) => all[i][at] !== all[chosen][at]);
    others.sort((i, k) => far(all[i], all[chosen]) - far(all[k], all[chosen]));
    if (others.length) chosen = others[0];
    fill();
  };
  const box = $("choice");
  const signs = "♟♞♝♜♛♚";
  const sign = (/** @type {string} */ piece) => signs["PNBRQK".indexOf(piece)] || "";
  const cells = [...all[0]].map((_, at) => make("button", { type: "button", onclick: () => next(at) }));
  const ready = make("button", { textContent: "Ready", type: "button", className: "ready", onclick: () => (box.close(), desk.play(plies[chosen].ply)) });
  const grid = make("div", { className: "array" });
  const fill = () =>
    cells.forEach((cell, at) => {
      cell.textContent = sign(all[chosen][at]);
      cell.disabled = all.every((one) => one[at] === all[chosen][at]);
      cell.ariaLabel = `${"abcdefgh"[at % 8]}${at < 8 ? 2 : 1}: ${all[chosen][at].replace(".", "empty")}`;
    });
  fill();
  grid.append(...cells, ...[..."abcdefgh"].map((file) => make("span", { textContent: file })));
  const help = make("p", { textContent: "A click on a square changes what stands there: pawns above, the first rank below. Ready takes it as it is." });
  $("choice-title").textContent = title;
  $("choice-body").replaceChildren(help, grid, ready);
  box.showModal();
}
