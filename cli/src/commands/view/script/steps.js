// Going from step to step, and from board to board.

load();
/** Whether the outermost boards stand side by side. */
let row = tops[0] !== "";
let hasTurns = steps.some((step) => step.kind === "t");
/** The boards as they stand at the step shown. @type {Map<string, Board>} */
const boards = new Map();
let now = -1;
/** The step of the game that is shown, or that the variation shown begins after. */
let spot = 0;
let current = links[0];
/** The board that is shown, by its name; the outermost is "". */
let view = "";
/** Whether a reader has gone into one of many boards, to stay there. */
let held = false;
let flipped = false;

/** @param {number} step */
function show(step) {
  let to = max(0, min(steps.length - 1, step));
  /** @type {Set<string>} */
  const touched = new Set();
  const ahead = [];
  while (now !== to) {
    if (to > now) {
      ahead.push(to);
      to = steps[to].prev;
      continue;
    }
    for (const [path, [was]] of steps[now].changed) {
      touched.add(path);
      if (was) boards.set(path, was);
      else boards.delete(path);
    }
    now = steps[now].prev;
  }
  while (ahead.length) {
    now = /** @type {number} */ (ahead.pop());
    for (const [path, [, is]] of steps[now].changed) touched.add(path), boards.set(path, is);
  }
  for (spot = now; spot >= count; ) spot = steps[spot].prev;
  return touched;
}
/** The step after one; the same at the end. @param {number} step */
const after = (step) => (kids[step] || [step])[0];
/** What is played in the place of this step, in the next variation. */
function other() {
  const all = kids[steps[now].prev] || [];
  return all[all.indexOf(now) + 1];
}
/** Goes out of a variation, to the move that it takes the place of. */
function away() {
  let step = now;
  while (step && kids[steps[step].prev][0] === step) step = steps[step].prev;
  if (step) go(kids[steps[step].prev][0]);
}
/** Goes to a step, and to the board on which it is made. @param {number} step @param {boolean} [stay] */
function go(step, stay) {
  const before = now;
  const touched = show(step);
  if (!stay) follow();
  if (now !== before) own.clear();
  refresh(touched);
  if (now === before) return;
  announce();
  // What was said about another moment; nothing has been said before the first one but about its address.
  if (before >= 0) about("");
}
/** Shows the board on which the step is made, unless it is seen already. */
function follow() {
  const path = steps[now].path;
  if (isSeen(path) || (held && view)) return;
  for (view = holder(boards, path) ? up(path) : path; view && !boards.has(view); ) view = up(view);
}
/** @param {string} path */
function isSeen(path) {
  return path === view || (!view && row) || (up(path) === view && !!holder(boards, path));
}
/** The next step on the board that is shown. @param {number} way */
function along(way) {
  let to = spot + way;
  while (to < count && steps[to] && steps[to].path !== view) to += way;
  if (to < count && steps[to]) go(to, true);
}
/** Goes into a board. @param {string} path */
function enter(path) {
  const one = inside(path, spot);
  const later = insides.find((next) => next.path === path && next.from > spot);
  const next = one && spot >= one.to && later ? later : one;
  if (next && (spot < next.from || spot > next.to)) {
    view = path;
    go(spot < next.from ? next.from : next.to === Infinity ? next.from : next.to - 1);
  }
  if (boards.has(path)) view = path;
  held = !insides.length;
  refresh();
}
/** Goes into the game inside that is due, or into the board of this step. */
function inward() {
  let { path } = steps[now];
  if (path !== view && (view === "" || path.startsWith(view + "."))) {
    while (up(path) !== view) path = up(path);
    return enter(path);
  }
  const due = insides.find((one) => up(one.path) === view && one.to > spot);
  if (due) enter(due.path);
}
function outward() {
  if (!view) return;
  view = up(view);
  refresh();
}
/** The step that a link leads to; -1 if it names none, -2 if it names one that is not in this game. @param {string} hash */
function linked(hash) {
  const at = hash.replace(/%40/g, "@").replace(/^#(g[\d.]+\/)?/, "");
  if (!at) return -1;
  if (at === "end") return count - 1;
  const number = /^[@~]\d+$/.test(at) ? (at[0] === "~" ? count : 0) + parseInt(at.slice(1), 10) : steps.map((step) => step.at).lastIndexOf(at);
  return steps[number] ? number : -2;
}

