// Several boards side by side: as many in a row as leave them largest.

/** The room for boards in a window, in pixels. */
function room() {
  const isWide = innerWidth >= 900;
  return [isWide ? innerWidth - 400 : innerWidth, isWide ? innerHeight - 132 : max(innerHeight * 0.6, 320)];
}
/** A board with what is around it, in squares. @param {Board} board */
function sizeOf({ ground, look }) {
  const tray = look.hands ? 1 : 0;
  return { wide: ground.files, high: ground.ranks + 2 * tray, top: tray, name: 0.8 };
}
/** How many columns of boards there are. */
function columns() {
  const all = seen().length;
  const { wide, high, name } = sizeOf(/** @type {Board} */ (boards.get(seen()[0])));
  const [width, height] = room();
  let best = 1;
  let most = 0;
  for (let n = 1; n <= all; n++) {
    const size = min(width / (n * (wide + 0.4)), height / (Math.ceil(all / n) * (high + name + 0.3)));
    if (size > most) [best, most] = [n, size];
  }
  return best;
}
/** What the arrangement depends on besides the boards. */
const arranged = () => `${columns()} ${room()}`;
/** Where each of several boards has its corner. @type {Map<string, [number, number]>} */
const corners = new Map();
/** The boards that are shown, as one picture. */
function arrange() {
  const shown = seen();
  const across = columns();
  const side = shown.length > 1;
  const first = /** @type {Board} */ (boards.get(shown[0]));
  const { wide, high, top, name } = sizeOf(first);
  const [dx, dy] = side ? [wide + 0.4, high + name + 0.3] : [wide, first.ground.ranks];
  const [total, tall] = [side ? across * dx - 0.4 : dx, side ? Math.ceil(shown.length / across) * dy : dy];
  const [width, height] = room();
  const unit = min(width / total, height / tall);
  const all = shown.map((path, i) => {
    const board = boards.get(path);
    if (!board) return "";
    const [x, y] = [(i % across) * dx, floor(i / across) * dy + (side ? name + top : 0)];
    corners.set(path, [x, y]);
    const seam = side && meaning("seam") && (i + 1) % across && i + 1 < shown.length ? `<g class="seam"><rect x="${wide}" width=".4" height="${board.ground.ranks}"/><path d="M${wide + 0.2} 0v${board.ground.ranks}"/></g>` : "";
    const state = side ? `<g class="sides" data-s="${path}">${sides(path)}</g>` : "";
    return `<g transform="translate(${x} ${y})"><g class="bd" data-p="${path}">${layers(path, board)}</g>${isHolding(path) ? "" : letters(board, unit)}${seam}${state}</g>`;
  });
  const picture = $("picture");
  picture.setAttribute("viewBox", `0 0 ${total} ${tall}`);
  picture.parentElement.className = "frame" + (side ? " many" : isHolding(shown[0]) ? " mega" : "");
  $("stage").style.setProperty("--ratio", `${total / tall}`);
  return all.join("") + (side ? `<g class="sent">${sent()}</g>` : "");
}
/** What the step shown sends from its board to a pocket of another one, as an arrow. */
function sent() {
  const { path, changed } = steps[now];
  const from = boards.get(path);
  const begin = corners.get(path);
  const to = from && isNew(from) ? from.lit.find((at) => from.cells[at]) : undefined;
  if (!from || !begin || to === undefined) return "";
  for (const [other, [was, is]] of changed) {
    const end = corners.get(other);
    if (other === path || !end || !was?.look.hands || !is.look.hands) continue;
    for (const side of [0, 1]) {
      const slot = slotOf(is.look.hands[side], was.look.hands[side]);
      if (slot < 0) continue;
      const [a, b] = corner(from, to);
      const isBelow = side === +isTurned(is.ground);
      const y = isBelow ? is.ground.ranks + 0.5 : -0.6;
      return arrow("cB", begin[0] + a + 0.5, begin[1] + b + 0.5, end[0] + slot * 0.55 + 0.5, end[1] + y);
    }
  }
  return "";
}
/** The place in a pocket of what it has more of than before; -1 if there is nothing. @param {number[]} is @param {number[]} was */
function slotOf(is, was) {
  for (let i = 0; i < is.length; i += 2) {
    const known = was.findIndex((cell, at) => at % 2 === 0 && cell === is[i]);
    if (known < 0 || was[known + 1] < is[i + 1]) return i;
  }
  return -1;
}
/** What is said about one of several boards: its name, its players and their clocks, whose turn it is, what both hold.
 * @param {string} path */
function sides(path) {
  const board = /** @type {Board} */ (boards.get(path));
  const { files, ranks } = board.ground;
  const turned = isTurned(board.ground);
  const { turn, both, closed } = board.look;
  const size = nameSize(files);
  const names = namesOf(path).map((name, side) => name.replace(/(.{11}).{2,}/u, "$1…") + " " + clockOf(path, side));
  const [one, two] = names.map((name, side) => (turn === side + 1 || (turn && both) ? `<tspan class="to-move">${safe(name)}</tspan>` : safe(name)));
  const lead = leadOf(board);
  const ahead = closed ? "closed" : lead ? `${lead > 0 ? "White" : "Black"} +${Math.abs(lead)}` : "";
  const above = board.look.hands ? -1.15 : -0.2;
  const trays = board.look.hands ? `<g class="ink">${hand(board, +!turned, -1)}${hand(board, +turned, ranks + 0.1)}</g>` : "";
  return `${trays}<text class="name" font-size="${size}" y="${above}">Board ${path}: ${one} – ${two}</text><text class="ahead" font-size="${size}" x="${files}" y="${above}">${ahead}</text>`;
}
/** The size of the letters above a board. @param {number} files */
function nameSize(files) {
  const unit = room()[0] / (columns() * (files + 0.4));
  return min(0.6, max(0.36, 13 / unit));
}
/** The boards to choose from. */
function choose() {
  const all = [...boards.keys()].filter((path) => path && !insides.some((one) => one.path === path));
  const options = all.map((path) => `<option value="${path}"${path === view ? " selected" : ""}>${path}: ${safe(inShort(path))}</option>`);
  $("board").innerHTML = `<option value="">all</option>` + options.join("");
}
/** What has come of a board, in a few words. @param {string} path */
function inShort(path) {
  const board = /** @type {Board} */ (boards.get(path));
  const around = holder(boards, path);
  const on = around ? shapes[around.cells[square(around, tail(path))]].words + ", " : "";
  if (board.look.closed) return on + "closed";
  const lead = leadOf(board);
  const ahead = lead ? `${lead > 0 ? "White" : "Black"} ahead by ${Math.abs(lead)}` : "level";
  return `${on}${ahead}${board.look.turn ? `, ${["", "White", "Black"][board.look.turn]} to move` : ""}`;
}

