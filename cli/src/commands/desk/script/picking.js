// A ply by click or by drag: what the desk lists is lit when a piece is picked up. No rule is known here.

/** A legal ply in coordinates, taken apart. `from` is a square, or a letter and `@` for a piece in hand; `over` is the board to
 * which a piece crosses, else that of the ply. Plies without squares have only their text.
 * @typedef {{ply: string, path: string, from: string, over: string, to: string, rest: string, text: string}} Legal */

/** @type {Legal[]} */
let legal = [];
/** The board and the square, or the piece in hand, that has been picked up. @type {{path: string, from: string} | undefined} */
let picked;
/** Which question about legal plies was the last. */
let asking = 0;
/** A click that came before it was known what is legal. @type {Hit | undefined} */
let early;
/** Whether that is not known yet. */
let isAsking = false;
/** Whether there are too many plies to list but those of one board. */
let isVast = false;
/** The most plies that are listed at once where boards hold boards. */
const MOST = 30000;

/** @param {string} ply @returns {Legal} */
function apart(ply) {
  const [, address, text] = /** @type {RegExpMatchArray} */ (ply.match(/^((?:[A-Za-z]+\d*\.)*)(.*)$/));
  const path = address.slice(0, -1);
  const [, from = "", to = "", over = path, rest = ""] = text.match(/^([a-zA-Z]\d+|[A-Z]@)([a-zA-Z]\d+)(?:\/([A-Z]+))?(\S*)$/) || [];
  return { ply, path, from, over, to, rest, text };
}
/** Asks what is legal where somebody with this page is to act. */
async function seek() {
  const turn = ++asking;
  legal = [];
  isVast = false;
  drop();
  const own = state.over ? [] : state.due.filter(isOwn);
  /** @type {Set<string | null>} */
  const places = new Set(own.map((/** @type {any} */ due) => (row ? due.seat.slice(2) : null)));
  /** @type {Legal[]} */
  const all = [];
  isAsking = places.size > 0;
  $("offers").ariaBusy = `${isAsking}`;
  isVast = isAsking && !!boards.get("")?.ground.capitals && (await desk.ask({ type: "position" })).legal > MOST;
  if (!isVast) for (const board of places) all.push(...(await listed(board)));
  if (turn !== asking) return;
  legal = all;
  isAsking = false;
  offer();
  $("offers").ariaBusy = "false";
  if (early) taken(early);
  early = undefined;
}
/** The legal plies of a board, or of all. @param {string | null} board @returns {Promise<Legal[]>} */
async function listed(board) {
  const answer = await desk.ask({ type: "legal", board });
  isVast ||= answer.code === "too-many";
  return answer.type === "legal" ? answer.plies.map(apart) : [];
}
/** Where the game stands, and nowhere else, is played on. */
const isLast = () => now === count - 1;
/** The squares to which a piece can go. @param {string} path @param {string} from */
const ways = (path, from) => legal.filter((one) => one.path === path && one.from === from && one.from);
/** @param {string} path @param {string} from */
function pick(path, from) {
  picked = { path, from };
  light();
}
function drop() {
  picked = undefined;
  light();
}
/** Lights the squares of what is picked up. */
function light() {
  for (const old of $("picture").querySelectorAll(".ways")) old.remove();
  if (!picked) return;
  const { path, from } = picked;
  for (const over of new Set([path, ...ways(path, from).map((one) => one.over)])) lightOn(over, over === path ? from : "");
}
/** @param {string} on @param {string} from The square of the piece, if it is on this board. */
function lightOn(on, from) {
  const board = boards.get(on);
  const picture = drawn.get(on);
  if (!board || !picture || !picked) return;
  const own = ways(picked.path, picked.from).filter((one) => one.over === on);
  const dots = [...new Set(own.map((one) => one.to))].map((to) => {
    const [x, y] = corner(board, square(board, to));
    return `<circle cx="${x + 0.5}" cy="${y + 0.5}" r=".17"/>`;
  });
  const [x, y] = /\d/.test(from) ? corner(board, square(board, from)) : [-9, -9];
  const g = document.createElementNS($("picture").namespaceURI, "g");
  g.setAttribute("class", "ways");
  picture.g.append(g);
  g.innerHTML = `<rect x="${x + 0.04}" y="${y + 0.04}" width=".92" height=".92"/>` + dots.join("");
}
/** Plays what is picked up to a square, if that is legal. @param {Hit} hit */
function put(hit) {
  if (!picked) return false;
  const to = named(hit.board, hit.at);
  const plies = ways(picked.path, picked.from).filter((one) => one.to === to && one.over === hit.path);
  if (!plies.length) return false;
  drop();
  if (plies.length === 1) desk.play(plies[0].ply);
  else choose(`To ${to}`, plies.map((one) => [one.ply, wayWords(one)]));
  return true;
}
/** What a ply does beside going to a square, as somebody would say it. @param {Legal} one */
function wayWords({ from, to, rest }) {
  /** @type {{[letter: string]: string}} */
  const kinds = { Q: "queen", R: "rook", B: "bishop", N: "knight", G: "gold", S: "silver", K: "king" };
  const kind = kinds[rest.replace("=", "").toUpperCase()];
  if (kind) return `promotes to a ${kind}`;
  return rest ? `${from}–${to} ${rest}` : `${from}–${to}`;
}
/** The square of the board around, where a board on it was hit. @param {Hit} hit @returns {Hit} */
function around(hit) {
  const board = boards.get(up(hit.path));
  return isSmall(hit.path) && board ? { path: up(hit.path), board, at: square(board, tail(hit.path)) } : hit;
}
taken = (clicked) => {
  if (wasDragged) return !(wasDragged = false);
  const hit = around(clicked);
  if (!isLast() || isSmall(hit.path)) return false;
  if (isAsking) return hit === clicked && !!(early = hit);
  if (put(hit)) return true;
  const from = named(hit.board, hit.at);
  // A second click on a piece that is a board goes into it.
  if (picked && picked.path === hit.path && picked.from === from) {
    drop();
    if (hit === clicked) lookInto(hit);
    return hit === clicked;
  }
  if (ways(hit.path, from).length) return pick(hit.path, from), true;
  if (picked) return drop(), true;
  // Of very many boards, the plies of one are asked for when it is looked at.
  if (isVast) listed(hit.path).then((all) => ((legal = all), ways(hit.path, from).length ? pick(hit.path, from) : hit === clicked && lookInto(hit)));
  else if (hit === clicked) lookInto(hit);
  return false;
};
/** Offers what can be played on a board that is not drawn, since nothing has been played there. @param {Hit} hit */
function lookInto(hit) {
  const path = child(hit.path, hit.board, hit.at);
  if (state.over || !state.due.some(isOwn)) return;
  if (hit.board.ground.capitals && hit.board.cells[hit.at] && !boards.has(path)) offerOn(path);
}
/** Offers the plies of a board, and the boards on it. @param {string} path */
async function offerOn(path) {
  const answer = await desk.ask({ type: "legal", board: path });
  if (answer.type !== "legal") return;
  /** @type {string[]} */
  const inner = answer.boards || [];
  /** @type {[string, string][]} */
  const items = answer.plies.map((/** @type {string} */ ply) => [ply, apart(ply).text]);
  items.push(...inner.map((name) => /** @type {[string, string]} */ ([name, name])));
  if (items.length) choose(`On ${path}`, items, (chosen) => (inner.includes(chosen) ? offerOn(chosen) : desk.play(chosen)));
}
/** Whether the click that follows was a drag. */
let wasDragged = false;
/** @type {Hit | undefined} */
let grabbed;
$("picture").addEventListener("mousedown", (/** @type {MouseEvent} */ event) => {
  wasDragged = false;
  const hit = event.button ? undefined : under(event);
  grabbed = hit && isLast() && !isSmall(hit.path) && ways(hit.path, named(hit.board, hit.at)).length ? hit : undefined;
});
$("picture").addEventListener("mouseup", (/** @type {MouseEvent} */ event) => {
  const hit = grabbed && under(event);
  if (!grabbed || !hit || (hit.path === grabbed.path && hit.at === grabbed.at)) return;
  pick(grabbed.path, named(grabbed.board, grabbed.at));
  wasDragged = true;
  if (!put(hit)) drop();
});
