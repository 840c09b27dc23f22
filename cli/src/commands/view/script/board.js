// Drawing boards. What is drawn once is changed square by square.

/** A board that is drawn: where, what is on it, and the piece on each square.
 * @typedef {{g: Element, board: Board, holds: boolean, pieces: Map<number, Element>, marked: boolean}} Picture */

/** The boards that are drawn. @type {Map<string, Picture>} */
const drawn = new Map();
/** The names of the boards that are drawn large, and how: which ground, which way round, in how many columns. */
let [large, layout] = ["", ""];
/** The part of a square that the board on it takes, and where that begins. */
const [ROOM, RIM] = [0.62, 0.36];

/** Whether Black is below on a board. @param {Ground} ground */
const isTurned = (ground) => flipped !== ground.turned;
/** @param {Board} board @param {number} at @returns {[number, number]} */
function corner({ ground }, at) {
  const file = at % ground.files;
  const rank = floor(at / ground.files);
  return isTurned(ground) ? [ground.files - 1 - file, rank] : [file, ground.ranks - 1 - rank];
}
/** @param {Ground} ground */
const squares = (ground) => `<g class="ink"><use href="#${ground.id}"${isTurned(ground) ? ` transform="rotate(180 ${ground.files / 2} ${ground.ranks / 2})"` : ""}/></g>`;
/** @param {number} cell @param {number} x @param {number} y @param {number} [size] */
const piece = (cell, x, y, size) => (cell ? `<use href="#${shapes[cell].id}" ${size ? `transform="translate(${x} ${y})scale(${size})"` : `x="${x}" y="${y}"`}/>` : "");
/** What stands on a board. @param {string} path @param {Board} board @param {boolean} holds @returns {string} */
function pieces(path, board, holds) {
  if (isSmall(path)) return smallPieces(board);
  return board.cells
    .map((cell, at) => {
      const [x, y] = corner(board, at);
      return holds ? `<g data-a="${at}" transform="translate(${x} ${y})">${onSquare(path, board, at)}</g>` : piece(cell, x, y);
    })
    .join("");
}
/** The pieces of a board on a square: for each kind a line through its squares, which is not seen, with the piece at each
 * corner. A thousand pieces as elements of their own take a fifth of a second. @param {Board} board */
function smallPieces(board) {
  /** @type {string[]} */
  const lines = [];
  board.cells.forEach((cell, at) => {
    if (cell) lines[cell] = (lines[cell] || "M0 0") + "L" + corner(board, at);
  });
  return lines.map((line, cell) => `<path marker-mid="url(#${marker(cell)})" d="${line}L0 0"/>`).join("");
}
/** The name of the marker that is a piece. @param {number} cell */
function marker(cell) {
  const name = "at-" + shapes[cell].id;
  if (!$(name)) $("shapes").insertAdjacentHTML("beforeend", `<marker id="${name}" class="ink" markerUnits="userSpaceOnUse" overflow="visible">${piece(cell, 0, 0)}</marker>`);
  return name;
}
/** What is on a square of a board that holds boards: the piece, and its own board with what has come of it.
 * @param {string} path @param {Board} board @param {number} at */
function onSquare(path, board, at) {
  const cell = board.cells[at];
  const name = child(path, board, at);
  const on = shapes[cell].board && boards.get(name);
  const address = `<text class="address" font-size=".16" x=".93" y=".22">${named(board, at)}</text>`;
  if (!on) return address + (cell ? piece(cell, 0.14, 0.16, 0.78) : "");
  const size = ROOM / max(on.ground.files, on.ground.ranks);
  const big = on.look.closed ? piece(cell, 0.22, 0.22, 0.76) : piece(cell, 0, 0, RIM);
  return `${address}<g class="bd" data-p="${name}" transform="translate(${RIM} ${RIM})scale(${size})">${layers(name, on)}</g><g class="state">${stateOf(on)}</g>${big}`;
}
/** Who is to move on a small board, and who is ahead. @param {Board} on */
function stateOf(on) {
  if (on.look.closed) return "";
  const { turn, both } = on.look;
  const lead = leadOf(on);
  const dot = turn ? `<circle class="turn s${turn}" cx="${both ? 0.11 : 0.17}" cy=".5" r=".07"/>` + (both ? `<circle class="turn s${3 - turn}" cx=".25" cy=".5" r=".07"/>` : "") : "";
  if (!lead) return dot;
  const side = lead > 0 ? 1 : 2;
  return dot + `<rect class="lead s${side}" x=".01" y=".68" width=".33" height=".21" rx=".05"/><text class="lead s${side}" font-size="${Math.abs(lead) > 9 ? 0.145 : 0.17}" x=".175" y=".84">+${Math.abs(lead)}</text>`;
}
/** By how many points of material White is ahead. @param {Board} board */
const leadOf = (board) => board.cells.reduce((sum, cell) => sum + shapes[cell].worth, 0);

/** @param {string} kind @param {Board} board @param {number} at */
function box(kind, board, at) {
  const [x, y] = corner(board, at);
  return `<rect class="${kind}" x="${x + 0.03}" y="${y + 0.03}" width=".94" height=".94"/>`;
}
/** @param {string} kind @param {Board} board @param {number[]} all */
const boxes = (kind, board, all) => all.map((at) => box(kind, board, at)).join("");
/** Whether a change belongs to the step, or to the turn of which the step is a part. @param {Board | undefined} board */
function isNew(board) {
  return !!board && !!board.step && steps[now].kind !== "s" && (hasTurns ? board.step >= steps[now].from : board.step === now);
}
/** @param {string} path @param {Board} board */
function marks(path, board) {
  /** @type {string[]} */
  const lost = steps[now].more.lost || [];
  const there = lost.filter((name) => up(name) === path).map((name) => square(board, tail(name)));
  const lit = new Set(isNew(board) ? board.lit : []);
  // On a board that holds boards, those on which this turn has moved.
  if (isHolding(path)) {
    board.cells.forEach((cell, at) => {
      const on = shapes[cell].board ? boards.get(child(path, board, at)) : undefined;
      if (on && on.lit.length && isNew(on)) lit.add(at);
    });
  }
  return boxes("last", board, [...lit]) + boxes("check", board, board.look.checked) + boxes("lost", board, there);
}
/** @param {string} path @param {Board} board @returns {string} */
function layers(path, board) {
  const { files, ranks } = board.ground;
  const holds = isHolding(path);
  return `${squares(board.ground)}<g class="marks">${marks(path, board)}</g><g class="men ink">${pieces(path, board, holds)}</g><g class="over">${over(path, board)}</g>${board.look.closed ? `<rect class="shade" width="${files}" height="${ranks}"/>` : ""}`;
}
/** What is drawn over the pieces: coloured squares and arrows, those of the record and the reader's own.
 * @param {string} path @param {Board} board */
function over(path, board) {
  const { more } = steps[now];
  const said = steps[now].path === path ? (more.csl || []).concat(more.cal || []) : [];
  return said.concat([...(own.get(path) || [])]).map((/** @type {string} */ mark) => {
    const names = mark.slice(1).match(/[a-z]\d+/gi) || [];
    const all = names.map((name) => square(board, name));
    if (!all.length || all.some((at) => !(at in board.cells))) return "";
    const [[a, b], end] = all.map((at) => corner(board, at));
    const kind = "c" + mark[0];
    return end ? arrow(kind, a + 0.5, b + 0.5, end[0] + 0.5, end[1] + 0.5) : `<circle class="${kind}" cx="${a + 0.5}" cy="${b + 0.5}" r=".44"/>`;
  }).join("");
}
/** @param {string} kind @param {number} a @param {number} b @param {number} c @param {number} d */
function arrow(kind, a, b, c, d) {
  const long = Math.hypot(c - a, d - b) || 1;
  const [x, y] = [(c - a) / long, (d - b) / long];
  const [e, f] = [c - x * 0.35, d - y * 0.35];
  return `<path class="${kind} arrow" d="M${a} ${b}L${e} ${f}"/><path class="${kind} head" d="M${c} ${d}L${e - y * 0.2} ${f + x * 0.2}L${e + y * 0.2} ${f - x * 0.2}z"/>`;
}
/** What a side holds. @param {Board} board @param {number} side @param {number} y */
function hand(board, side, y) {
  const own = (board.look.hands || [[], []])[side];
  const tray = own[0] ? `<rect class="tray" x=".05" y="${y}" width="${own.length * 0.55 + 0.1}" height=".84"/>` : "";
  return tray + own.map((_, i, all) => (i % 2 ? "" : piece(all[i], i * 0.55 + 0.1, y, 0.8) + (all[i + 1] > 1 ? `<text class="count" x="${i * 0.55 + 0.95}" y="${y + 0.62}">${all[i + 1]}</text>` : ""))).join("");
}
/** The letters and numbers on the squares at the edge, where they can be read; the letters are to the left, as numbers at
 * pieces are to the right. @param {Board} board @param {number} unit the pixels of a square */
function letters({ ground }, unit) {
  const size = min(0.3, max(0.15, 12 / unit));
  if (size * unit < 7) return "";
  const { files, ranks, capitals } = ground;
  const turned = isTurned(ground);
  let all = "";
  for (let i = 0; i < files; i++) {
    const letter = String.fromCharCode(97 + (turned ? files - 1 - i : i));
    all += `<text font-size="${size}" x="${i + 0.04}" y="${ranks - 0.07}">${capitals ? letter.toUpperCase() : letter}</text>`;
  }
  for (let i = 0; i < ranks; i++) all += `<text font-size="${size}" x=".03" y="${i + size * 0.9}">${turned ? i + 1 : ranks - i}</text>`;
  return `<g class="edges">${all}</g>`;
}

/** The boards that are shown. */
const seen = () => (view || !row ? [view] : tops);
/** Whether a board is drawn on a square of another. @param {string} path */
const isSmall = (path) => !seen().includes(path);
/** Whether boards are drawn on this one: those on these would be too small to be distinguished. @param {string} path */
function isHolding(path) {
  const board = boards.get(path);
  return !!board && seen().includes(path) && board.cells.some((cell) => shapes[cell].board);
}
/** Draws the boards that are shown, or what has changed on them. @param {Set<string>} touched @param {number} before */
function draw(touched, before) {
  const names = seen().join();
  const key = seen().map((path) => boards.get(path)?.ground.id + (isHolding(path) ? "+" : "")).join() + flipped + arranged();
  const from = large;
  large = names;
  if (key !== layout) {
    layout = key;
    $("picture").innerHTML = arrange();
    drawn.clear();
    for (const g of $("picture").querySelectorAll(".bd")) register(g);
    return;
  }
  if (from !== names) adopt(from, names);
  else for (const path of touched) update(path, before);
  for (const [path, picture] of drawn) mark(path, picture);
  for (const g of $("picture").querySelectorAll(".sides")) g.innerHTML = sides(g.getAttribute("data-s"));
  for (const g of $("picture").querySelectorAll(".sent")) g.innerHTML = sent();
}
/** Lets the picture of a board, and of those on its squares, show another one. Most of what is on two boards is the same, and
 * to change what is not takes a tenth of the time. @param {string} from @param {string} to */
function adopt(from, to) {
  const all = [...drawn];
  drawn.clear();
  for (const [path, picture] of all) {
    const name = path === from ? to : (to && to + ".") + tail(path);
    picture.g.setAttribute("data-p", name);
    drawn.set(name, picture);
  }
  const board = /** @type {Board} */ (boards.get(to));
  const picture = /** @type {Picture} */ (drawn.get(to));
  update(to, NaN);
  if (!picture.holds) return;
  board.cells.forEach((cell, at) => {
    const on = child(to, board, at);
    if (drawn.has(on)) update(on, NaN);
    else if (shapes[cell].board && boards.has(on)) renew(to, picture, at);
  });
}
/** Remembers a board that has been drawn. @param {Element} g */
function register(g) {
  const path = /** @type {string} */ (g.getAttribute("data-p"));
  const board = /** @type {Board} */ (boards.get(path));
  const holds = isHolding(path);
  const all = new Map();
  if (!holds && !isSmall(path)) {
    const uses = g.children[2].children;
    let i = 0;
    board.cells.forEach((cell, at) => cell && all.set(at, uses[i++]));
  }
  drawn.set(path, { g, board, holds, pieces: all, marked: true });
}
/** Draws what has changed on a board. @param {string} path @param {number} before */
function update(path, before) {
  const board = boards.get(path);
  const picture = drawn.get(path);
  const around = drawn.get(up(path));
  const isOn = path && around && around.holds;
  const is = !!board && !!picture && picture.board.ground === board.ground && picture.board.look.closed === board.look.closed;
  if (isOn && !is) return renew(up(path), around, square(around.board, tail(path)));
  if (!board || !picture) return;
  const was = picture.board;
  picture.board = board;
  if (!is) {
    picture.g.innerHTML = layers(path, board);
    register(picture.g);
    return;
  }
  if (picture.holds) {
    board.cells.forEach((cell, at) => cell !== was.cells[at] && renew(path, picture, at));
    return;
  }
  if (!isOn) return replace(picture, was, before);
  if (board.cells.some((cell, at) => cell !== was.cells[at])) picture.g.children[2].innerHTML = smallPieces(board);
  const state = stateOf(board);
  if (state !== stateOf(was)) /** @type {Element} */ (picture.g.nextElementSibling).innerHTML = state;
}
/** Draws a square of a board that holds boards again. @param {string} path @param {Picture} picture @param {number} at */
function renew(path, picture, at) {
  const board = /** @type {Board} */ (boards.get(path));
  const g = /** @type {Element} */ (picture.g.children[2].children[at]);
  g.innerHTML = onSquare(path, board, at);
  const inner = g.querySelector(".bd");
  if (inner) register(inner);
  else drawn.delete(child(path, board, at));
}
/** Puts pieces where they are, and takes others away. @param {Picture} picture @param {Board} was @param {number} before */
function replace(picture, was, before) {
  const { board, pieces } = picture;
  /** @type {[number, Element][]} */
  const come = [];
  /** @type {number[]} */
  const gone = [];
  board.cells.forEach((cell, at) => {
    if (cell === was.cells[at]) return;
    const [x, y] = corner(board, at);
    if (was.cells[at]) gone.push(at);
    let use = pieces.get(at);
    if (!cell) {
      if (use) use.remove();
      pieces.delete(at);
      return;
    }
    if (!use) {
      use = /** @type {Element} */ (document.createElementNS($("picture").namespaceURI, "use"));
      use.setAttribute("x", x + "");
      use.setAttribute("y", y + "");
      picture.g.children[2].append(use);
      pieces.set(at, use);
    }
    use.setAttribute("href", "#" + shapes[cell].id);
    come.push([at, use]);
  });
  if (Math.abs(now - before) === 1 || steps[now].prev === before) glide(was, board, gone, come);
}
/** Draws the marks of a board again, where there were some or are some now. @param {string} path @param {Picture} picture */
function mark(path, picture) {
  const { board, g, holds } = picture;
  const has = holds || isNew(board) || board.look.checked.length > 0 || own.has(path) || steps[now].path === path || !!steps[now].more.lost;
  if (!has && !picture.marked) return;
  g.children[1].innerHTML = marks(path, board);
  g.children[3].innerHTML = over(path, board);
  picture.marked = has;
}

