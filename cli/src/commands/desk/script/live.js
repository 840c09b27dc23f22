// A game that goes on: what a desk shows of it takes the place of what was there.

/** What is due, what the clocks show, how the game ended. @type {any} */
let state = { due: [], clocks: [] };
/** When that came. */
let heard = 0;

/** @param {any} parts What there is to be seen. @param {{steps: number, grounds: number, shapes: number}} same How many of them
 * are what they were. */
function goOn(parts, same) {
  const wasLast = isLast();
  // What was shown before is still there up to the last step that is the same.
  const before = min(now, same.steps - 1);
  if (same.shapes < shapes.length - 1 || same.grounds < grounds.length) layout = "";
  for (const name of ["grounds", "wholes", "steps", "asides", "names", "clock", "clocks"]) tape[name] = parts[name];
  paths.length = 0;
  for (const path of parts.paths) paths.push(path);
  shapes.length = 1;
  grounds.length = min(grounds.length, same.grounds);
  learn(parts.shapes);
  load();
  row = tops[0] !== "";
  hasTurns = steps.some((step) => step.kind === "t");
  current = links[0];
  boards.clear();
  now = -1;
  show(max(0, before));
  refreshed = now;
  setOut();
  if (wasLast) show(count - 1);
  if (!boards.has(view)) follow();
  own.clear();
  refresh(new Set(boards.keys()));
  if (wasLast) announce(), about("");
  else about("The game has gone on.");
}
/** Where somebody was to act when the page last went there. */
let calledTo = "";
/** Goes to the game inside in which something is due, once; a reader who then goes elsewhere stays there. */
function goWhereDue() {
  if (row || state.over || state.due.length !== 1) return;
  const [due] = state.due;
  // Before its set-ups are made, a game inside has no board yet.
  const to = /set-up/.test(due.what) ? up(due.seat.slice(2)) : due.seat.slice(2);
  const isNew = to !== calledTo;
  calledTo = to;
  if (!isNew || !isLast() || !boards.has(to)) return;
  view = to;
  // In a game inside, the attacker has White, whoever that is.
  const isWhite = (due.seat[0] === "W") === (desk.side === due.team);
  if (desk.role === "player") $("flip").ariaPressed = flipped = !isWhite;
  refresh();
}
/** @param {any} is */
function situate(is) {
  state = is;
  heard = Date.now();
  is.clocks.sort((/** @type {any} */ one, /** @type {any} */ other) => (seatKey(one) < seatKey(other) ? -1 : 1));
  const hall = $("hall");
  hall.dataset.acts = is.acts;
  hall.classList.toggle("over", !!is.over);
  hall.classList.toggle("timeless", !is.clocks.length);
  $("due").replaceChildren(...(is.over ? [make("li", { textContent: `${is.over.result}: ${is.over.words}` })] : is.due.map(dueItem)));
  $("faces").replaceChildren(...is.clocks.map(() => make("li", {})));
  tick();
  offered();
  goWhereDue();
  seek();
}
/** @param {any} due */
function dueItem(due) {
  const item = make("li", { textContent: `${seatWords(due.seat)}${due.names ? ` (${due.names.join(" or ")})` : ""}: ${due.what}` });
  item.className = isOwn(due) ? "own" : "";
  return item;
}
/** Boards in order, and on each White before Black. @param {{seat: string}} face */
const seatKey = ({ seat }) => seat.slice(2) + (seat[0] === "W" ? " 0" : " 1");
/** The side of a seat, with its board. @param {string} seat */
function seatWords(seat) {
  const [side, on] = [seat[0] === "W" ? "White" : "Black", seat.slice(2)];
  return on ? `${side} on ${on}` : side;
}
/** Whether somebody who has this page is to act. @param {any} due */
function isOwn(due) {
  return desk.role === "arbiter" || (desk.role === "player" && (!due.names || due.names.includes(desk.name)));
}
/** Lets the clocks that run go on, until the desk says what they show; and says whether an earlier moment is looked at. */
function tick() {
  $("earlier").hidden = isLast();
  $("hall").classList.toggle("past", !isLast());
  state.clocks.forEach((/** @type {any} */ face, /** @type {number} */ i) => {
    const left = max(0, face.left - (face.running ? Date.now() - heard : 0));
    const seconds = floor(left / 1000);
    const parts = [floor(seconds / 60) % 60, seconds % 60].map((part) => (part + "").padStart(2, "0"));
    const item = $("faces").children[i];
    item.textContent = `${seatWords(face.seat)} ${floor(seconds / 3600)}:${parts.join(":")}`;
    item.className = !left ? "fallen" : face.running ? "runs" : "";
  });
}
setInterval(tick, 250);
desk.changed = (/** @type {any} */ parts, /** @type {{steps: number, grounds: number, shapes: number}} */ same) => {
  goOn(parts, same);
  situate(parts.now);
};
desk.situated = situate;
