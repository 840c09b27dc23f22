// What a reader does: keys, mouse, fingers.

/** The reader's own arrows and circles, by board. @type {Map<string, Set<string>>} */
const own = new Map();
/** @type {number | undefined} */
let playing;

function play() {
  if (playing) playing = /** @type {any} */ (clearInterval(playing));
  else playing = setInterval(() => (after(now) > now ? go(after(now)) : play()), +$("speed").value);
  $("play").textContent = playing ? "Pause" : "Play";
}
/** Plays faster or slower. @param {number} way */
function pace(way) {
  const speed = $("speed");
  speed.selectedIndex = max(0, min(speed.length - 1, speed.selectedIndex + way));
  paced();
}
function paced() {
  if (playing) play(), play();
  about(`${$("speed").value / 1000} seconds for each step.`);
}
function dark() {
  const is = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = is ? "light" : "dark";
  $("dark").ariaPressed = !is;
}
function flip() {
  $("flip").ariaPressed = flipped = !flipped;
  refresh();
}
/** @type {{[key: string]: () => void}} */
const acts = {
  first: () => go(0),
  back: () => go(steps[now].prev),
  next: () => go(after(now)),
  last: () => go(count - 1),
  in: inward,
  out: outward,
  aside: () => (other() ? go(other()) : away()),
  play,
  flip,
  letters: () => ($("letters").ariaPressed = root.classList.toggle("letters")),
  dark,
  help: () => $("keys").showModal(),
  copy: copyFen,
  "record-copy": copyRecord,
  address: copyAddress,
  save,
};
/** @type {{[key: string]: string}} */
const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", Enter: "in", Escape: "out", " ": "play", f: "flip", l: "letters", d: "dark", c: "copy", r: "record-copy", a: "address", s: "save", "?": "help" };

/** @param {string} id @param {string} type @param {(event: any) => void} act */
const on = (id, type, act) => $(id)?.addEventListener(type, act, { passive: !/click|wheel|menu/.test(type) });
/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const { tagName } = target;
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open || tagName === "SELECT") return;
  if (tagName === "INPUT" && /^(Arrow|Home|End)/.test(key)) return;
  if (target.matches("[type=text]:not([readonly])")) return;
  // Moves are links, too, but the one that has the focus is shown already.
  if (/^(A|BUTTON|SUMMARY)$/.test(tagName) && !target.matches(".m, .w") && /^(Enter| )$/.test(key)) return;
  if (event.shiftKey && /^Arrow[LR]/.test(key)) along(key === "ArrowRight" ? 1 : -1);
  else if (key === "ArrowDown" && other()) go(other());
  else if (key === "ArrowUp" && now >= count) away();
  else if (/^[+-]$/.test(key)) pace(key === "+" ? -1 : 1);
  else if (keys[key]) acts[keys[key]]();
  else return;
  event.preventDefault();
}
/** The board under a place on the screen, and the square. @param {MouseEvent} event */
function under(event) {
  const hit = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest("#picture .bd")).find(Boolean);
  const path = hit && hit.getAttribute("data-p");
  const board = path != null && boards.get(path);
  const matrix = hit && /** @type {SVGGElement} */ (hit).getScreenCTM();
  if (!board || !matrix || path == null) return undefined;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const { files, ranks } = board.ground;
  const [x, y] = [max(0, min(files - 1, floor(point.x))), max(0, min(ranks - 1, floor(point.y)))];
  const at = isTurned(board.ground) ? y * files + files - 1 - x : (ranks - 1 - y) * files + x;
  return { path, board, at };
}
/** @typedef {{path: string, board: Board, at: number}} Hit */
/** Whether a click on a square means something else than to look at it. @type {(hit: Hit) => boolean} */
let taken = () => false;
/** Goes into the board that was hit, or explains the square. @param {MouseEvent} event */
function onBoard(event) {
  if (/** @type {Element} */ (event.target).closest(".seam")) return about(meaning("seam"));
  const hit = under(event);
  if (!hit || taken(hit)) return;
  const { path, board, at } = hit;
  if (path !== view && (view || !row || !tops.includes(path))) {
    const around = /** @type {Board} */ (boards.get(up(path)));
    const words = explained(up(path), around, square(around, tail(path)));
    enter(path);
    return about(words);
  }
  const words = explained(path, board, at);
  const on = child(path, board, at);
  if (holder(boards, on) || insides.some((one) => one.path === on)) enter(on);
  // One of several boards is too small to be read; a tap makes it large.
  else if (!view && row && tops.length > 1) enter(path);
  about(words);
}
/** Draws or wipes out an arrow or a circle. @param {MouseEvent} from @param {MouseEvent} to */
function sketch(from, to) {
  const [one, two] = [under(from), under(to)];
  if (!one || !two || one.path !== two.path) return;
  const colour = to.shiftKey && to.altKey ? "Y" : to.shiftKey || to.ctrlKey ? "R" : to.altKey ? "B" : "G";
  const names = named(one.board, one.at) + (two.at === one.at ? "" : named(two.board, two.at));
  const all = own.get(one.path) || new Set();
  const old = [...all].find((mark) => mark.slice(1) === names);
  if (old) all.delete(old);
  if (!old || old[0] !== colour) all.add(colour + names);
  own.set(one.path, all);
  refresh();
}
function listen() {
  for (const id in acts) on(id, "click", acts[id]);
  document.addEventListener("keydown", onKey);
  on("moves", "click", (event) => {
    const link = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest(".m, .w"));
    if (!link) return;
    event.preventDefault();
    if (links.includes(link)) go(links.indexOf(link));
  });
  on("time", "input", () => go(+$("time").value));
  on("speed", "change", paced);
  on("around", "click", () => (outward(), lookUp()));
  on("words", "toggle", inWords);
  on("kings", "click", () => about(meaning("kings")));
  for (const id of ["upper", "lower"]) on(id, "click", (event) => event.target.closest(".pocket") && about(meaning("hand")));
  on("board", "focus", choose);
  on("board", "change", () => {
    if ($("board").value) enter($("board").value);
    else (view = ""), refresh();
    lookUp();
  });
  on("lanes", "click", (event) => {
    const { left, width } = place($("lanes"));
    go(floor(((event.clientX - left) / width) * count));
  });
  on("picture", "click", onBoard);
  on("picture", "contextmenu", (event) => event.preventDefault());
  /** @type {MouseEvent | undefined} */
  let pressed;
  on("picture", "mousedown", (event) => (pressed = event.button === 2 ? event : undefined));
  on("picture", "mouseup", (event) => {
    if (pressed && event.button === 2) sketch(pressed, event);
    pressed = undefined;
  });
  // The wheel steps once for each notch, and a touchpad once for so many pixels.
  let turned = 0;
  on("picture", "wheel", (event) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    turned += event.deltaMode ? event.deltaY * 40 : event.deltaY;
    if (Math.abs(turned) < 40) return;
    acts[turned > 0 ? "next" : "back"]();
    turned = 0;
  });
  // A swipe is of one finger, on a page that is not enlarged.
  let touch = 0;
  on("picture", "touchstart", (event) => (touch = event.touches[1] || /** @type {any} */ (visualViewport).scale > 1 ? NaN : event.touches[0].clientX));
  on("picture", "touchend", (event) => {
    const moved = event.changedTouches[0].clientX - touch;
    if (Math.abs(moved) > 50) acts[moved < 0 ? "next" : "back"]();
  });
  if (!isLive) addEventListener("hashchange", () => visit(location.hash));
  addEventListener("resize", () => refresh());
}

