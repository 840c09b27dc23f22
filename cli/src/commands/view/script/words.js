// What is on the boards and what happens, in words.

/** @type {{[letter: string]: string}} */
const roles = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn", S: "silver", G: "gold" };
/** A ply as it is spoken: `Nbxd2+` is "knight b takes d2, check". @param {string} san */
function spoken(san) {
  return san
    .replace(/O-O-O|0-0-0/g, "castles long")
    .replace(/O-O|0-0/g, "castles short")
    .replace(/^--/, "passes")
    .replace(/=([A-Z])/g, (_, role) => ` promotes to ${roles[role] || role}`)
    .replace(/([KQRBNPSG])(?=\d*[a-z@x^])/g, (_, role) => roles[role] + " ")
    .replace(/\b([a-z]|\d+)(?=[a-z]\d)/g, "$1 ")
    .replace(/x/g, " takes ")
    .replace(/@/g, " dropped on ")
    .replace(/\^/g, " on top")
    .replace(/\/([A-Z])/g, " on board $1")
    .replace(/#/g, ", checkmate")
    .replace(/\+/g, ", check")
    .replace(/[‹›]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
/** A step as it is in the list, without signs: its number, and the rest. @param {Step} step @returns {[string, string]} */
function written({ link, at, kind }) {
  if (kind === "v") {
    const [number, ...rest] = link.title.split(" ");
    return [number, rest.join(" ")];
  }
  const text = [...link.childNodes].map((node) => (node.nodeType === 3 ? node.textContent : "")).join("").replace("‹", "").trim();
  const own = /^(\d+[A-Za-z]*\.+) (.*)$/.exec(text);
  if (own) return [own[1], own[2]];
  const made = /(?:^|\.)(\d+)([wb])$/.exec(at || "");
  const before = link.previousElementSibling;
  const number = before && before.className === "n" ? before.textContent + "" : made ? made[1] + (made[2] === "w" ? "." : "...") : "";
  return [number, text];
}
/** What the record and the referee say about a step: the remarks after its link. @param {Step} step */
function remarks({ link, more }) {
  const all = [];
  for (let next = link.nextElementSibling; next && next.matches(".x, .v, .g"); next = next.nextElementSibling) if (next.matches(".x")) all.push(/** @type {Element} */ (next.cloneNode(true)));
  if (more.law) all.push(make("span", { className: "x law", textContent: more.law }));
  return all;
}
/** The step above the controls, and what is said about it. */
function caption() {
  const step = steps[now];
  const [number, text] = written(step);
  const signs = step.link.querySelector(".g");
  const where = step.path && isPly(step) && !hasTurns && !row && step.kind !== "v" ? step.path + ": " : "";
  const ply = isPly(step) && number ? number + " " : "";
  $("caption").textContent = step.kind === "v" ? "Variation: " + step.link.title : step.kind === "t" ? "The turn is over" : where + ply + text + (signs ? signs.textContent : "");
  $("notes").replaceChildren(...remarks(step));
}
/** Says the step that the reader has come to, with what is said about it: `1, White, knight f3`. */
function announce() {
  const step = steps[now];
  const [number, text] = written(step);
  const board = step.path && (isPly(step) || step.kind === "v") ? [`board ${step.path}`] : [];
  const made = isPly(step) ? [...board, parseInt(number, 10) || "", step.black ? "Black" : "White", spoken(text)] : [step.kind === "t" ? "The turn is over" : text];
  const words = made.filter(Boolean).join(", ");
  const found = remarks(step).map((one) => (one.classList.contains("f") ? "Finding: " : "") + one.textContent);
  $("live").textContent = (step.kind === "v" ? "Variation. " : "") + [words, ...found].join(". ");
}
/** What stands on a square. @param {string} path @param {Board} board @param {number} at */
function onIt(path, board, at) {
  const cell = board.cells[at];
  const name = child(path, board, at);
  return !cell ? "empty" : shapes[cell].board && boards.has(name) ? inShort(name) : shapes[cell].words;
}
/** What a sign on the boards means. @param {string} sign */
const meaning = (sign) => ($("legend") && $("legend").querySelector(`[data-s="${sign}"]`)?.textContent) || "";
/** A square in words for a reader. @param {string} path @param {Board} board @param {number} at */
function explained(path, board, at) {
  const cell = shapes[board.cells[at]];
  const place = (path ? path + ", " : "") + named(board, at);
  const lost = (steps[now].more.lost || []).includes(child(path, board, at));
  return [
    `${place}: ${onIt(path, board, at)}.`,
    meaning(cell.sign),
    cell.sign === "contest" ? meaning("strength") : "",
    board.ground.roads.includes(floor(at / board.ground.files)) ? meaning("road") : "",
    isNew(board) && board.lit.includes(at) ? `Yellow: changed by the last ${hasTurns ? "turn" : "ply"}.` : "",
    board.look.checked.includes(at) ? "Red: a king in check." : "",
    lost ? steps[now].more.law : "",
  ].filter(Boolean).join(" ");
}
/** Says something below the board. @param {string} text */
function about(text) {
  $("answer").textContent = text;
}
/** The table of squares for those who cannot see them, brought up to date when the reader rests. */
function tabulate() {
  const path = seen().includes(steps[now].path) ? steps[now].path : seen()[0];
  const board = /** @type {Board} */ (boards.get(path));
  const { files, ranks } = board.ground;
  const table = $("squares");
  const key = path + board.ground.id;
  if (table.dataset.key !== key) {
    table.dataset.key = key;
    const line = (/** @type {number} */ rank) => `<tr><th scope="row">${rank + 1}</th>${"<td></td>".repeat(files)}</tr>`;
    table.tBodies[0].innerHTML = [...Array(ranks).keys()].reverse().map(line).join("");
  }
  const turn = board.look.turn ? `, ${["", "White", "Black"][board.look.turn]} to move` : "";
  table.caption.textContent = (path ? `Board ${path}` : "Board") + turn;
  const cells = table.querySelectorAll("td");
  board.cells.forEach((_, at) => {
    const cell = cells[(ranks - 1 - floor(at / files)) * files + (at % files)];
    const words = `${named(board, at)} ${onIt(path, board, at)}`;
    if (cell.textContent !== words) cell.textContent = words;
  });
}
function inWords() {
  $("said").textContent = seen()
    .map((path) => {
      const board = /** @type {Board} */ (boards.get(path));
      const all = board.cells.map((cell, at) => (cell ? `${shapes[cell].words} on ${named(board, at)}` : "")).filter(Boolean);
      return (path ? `Board ${path}. ` : "") + all.join(", ") + (board.look.turn ? `. ${["", "White", "Black"][board.look.turn]} to move.` : ".");
    })
    .join(" ");
}

