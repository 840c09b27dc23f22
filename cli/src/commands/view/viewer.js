// The viewer of games. It knows no game: what stands where, and what a step changes, stands on the tape.
"use strict";
(() => {
  /** @typedef {{files: number, ranks: number, capitals: boolean, id: string}} Ground */
  /** @typedef {{turn: number, both: boolean, closed: boolean, checked: number[], hands: number[][] | null}} Look */
  /** @typedef {{ground: Ground, cells: number[], look: Look, lit: number[], step: number}} Board */
  /** @typedef {{path: string, from: number, to: number, result: string, names: string[] | null}} Inside */
  /** @typedef {{id: string, words: string, board: boolean}} Shape */
  /** The kinds: start, ply, unsaid, stands (d), illegal, unjudged (j), flag, turn, result, end, variation.
   * @typedef {{kind: string, path: string, at: string | null, link: HTMLElement, changed: Map<string, [Board | undefined, Board]>,
      fens: Map<string, any>, more: any, from: number, kings: string, prev: number}} Step */

  /** @type {(id: string) => any} */
  const $ = (id) => document.getElementById(id);
  if (!$("tape")) return;
  const root = document.documentElement;
  const { floor } = Math;
  const tape = JSON.parse($("tape").textContent);
  /** @type {Shape[]} */
  const shapes = [["", "", 0]].concat(JSON.parse($("drawn").textContent)).map(([id, words, is]) => ({ id: id + "", words: words + "", board: is === 1 }));
  /** @type {Ground[]} */
  const grounds = tape.grounds.map(/** @param {any} g */ ([files, ranks, capitals, id]) => ({ files, ranks, capitals: !!capitals, id }));
  /** @type {string[]} */
  const paths = tape.paths;
  /** The links to steps: those of the game, and then those of its variations. */
  const links = [".m", ".w"].flatMap((kind) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#moves " + kind)]));
  /** @type {(path: string) => string} */
  const up = (path) => path.slice(0, Math.max(0, path.lastIndexOf(".")));
  /** The last step of a way. @param {string} path */
  const tail = (path) => path.slice(path.lastIndexOf(".") + 1);
  /** @type {(text: string) => string} */
  const safe = (text) => text.replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");

  /** @type {Step[]} */
  const steps = [];
  /** Games inside, in the order in which they begin.
   * @type {Inside[]} */
  const insides = [];
  /** @type {string[]} */
  let tops = [];
  /** What may follow a step: first what does, then what is played there in variations. @type {number[][]} */
  const kids = [];
  /** How many steps the game has; those of its variations follow. */
  let count = 0;
  load();
  /** Whether the outermost boards stand side by side. */
  const row = tops[0] !== "";

  const hasTurns = steps.some((step) => step.kind === "t");
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
  /** @type {number | undefined} */
  let playing;
  /** @type {number | undefined} */
  let waiting;
  /** Positions in letters, and up to which step. @type {Map<string, [number, string]>} */
  const fens = new Map();
  /** The picture that is drawn: which board, which way round. */
  let drawn = "";
  /** What stood on its first board then. @type {number[]} */
  let painted;

  // The tape.

  function load() {
    /** @type {Map<string, Board>} */
    const known = new Map();
    /** @type {Inside[]} */
    const open = [];
    let at = "";
    let path = "";
    let turn = 0;
    let kings = "";
    /** @param {string} kind @param {string | null} at @param {any[] | null} changes @param {any} more @param {number} prev @param {(name: string) => Board | undefined} known */
    const add = (kind, at, changes, more, prev, known) => {
      const number = steps.length;
      /** @type {Step} */
      const step = { kind, path, at, link: links[number], changed: new Map(), fens: new Map(), more: more || {}, from: turn, kings, prev };
      for (const change of changes || []) {
        const name = paths[change[0]];
        if (change[4]) step.fens.set(name, change[4]);
        const was = known(name);
        const is = changed(was, change, number);
        if (is && is !== was) step.changed.set(name, [was, is]);
      }
      steps.push(step);
      (kids[prev] ||= []).push(number);
      return step;
    };
    for (const [kind, board, moment, changes, more] of tape.steps) {
      const number = count++;
      if (more && more.kings) kings = `Kings ${more.kings[0]} : ${more.kings[1]}`;
      if (board >= 0) path = paths[board];
      if (moment) at = at.slice(0, parseInt(moment[0], 36)) + moment.slice(1);
      const step = add(kind, moment ? at : null, changes, more, number - 1, (name) => known.get(name));
      for (const [name, [, is]] of step.changed) known.set(name, is);
      if (!number) tops = [...known.keys()].filter((name) => !holder(known, name));
      if (kind === "s" && number && path) open.push(insides[insides.push({ path, from: number, to: Infinity, result: "", names: step.more.names || null }) - 1]);
      if (kind === "r") {
        const last = open.findIndex((inside) => inside.path === step.more.of);
        open.splice(last, last < 0 ? 0 : 1).forEach((inside) => {
          inside.to = number;
          inside.result = step.more.result;
        });
      }
      if (kind === "t") turn = number + 1;
    }
    for (const [prev, board, changes] of tape.asides) {
      turn = steps.length;
      path = paths[board];
      const after = prev < 0 ? -1 - prev : count + prev;
      add("v", null, changes, null, after, (name) => boardAt(name, after));
    }
  }

  /** A board after a change; nothing where only its position in letters is told.
   * @param {Board | undefined} was @param {any[]} change @param {number} step @returns {Board | undefined} */
  function changed(was, [, whole, cells, look], step) {
    const seen = /** @type {Look} */ (look ? { turn: look[0] & 3, both: !!(look[0] & 4), closed: !!(look[0] & 8), checked: look[1] || [], hands: look[2] || null } : was && was.look);
    let ground = was && was.ground;
    /** @type {number[]} */
    let all = was ? was.cells : [];
    if (whole >= 0) {
      const [id, ...runs] = tape.wholes[whole];
      ground = grounds[id];
      all = runs.flatMap((/** @type {number} */ run) => (run < 0 ? Array(-run).fill(0) : run));
    } else if (was && cells && cells.length) {
      all = all.slice();
      for (let i = 0; i < cells.length; i += 2) all[cells[i]] = cells[i + 1];
    } else return was && look ? { ...was, look: seen } : was;
    const lit = was && step ? [...all.keys()].filter((i) => shapes[all[i]].words !== shapes[was.cells[i]].words) : [];
    return { ground: /** @type {Ground} */ (ground), cells: all, look: seen, lit, step };
  }

  /** The number of a square by its name, such as `e5`.
   * @param {Board} board @param {string} name */
  function square(board, name) {
    return (parseInt(name.slice(1), 10) - 1) * board.ground.files + name.toLowerCase().charCodeAt(0) - 97;
  }
  /** The name of the board on a square. @param {string} path @param {Board} board @param {number} at */
  const child = (path, board, at) => (path && path + ".") + named(board, at);
  /** @param {Board} board @param {number} at */
  function named({ ground }, at) {
    const letter = String.fromCharCode(97 + (at % ground.files));
    return (ground.capitals ? letter.toUpperCase() : letter) + (floor(at / ground.files) + 1);
  }
  /** The board on a square of which one is, where it is one.
   * @param {Map<string, Board>} all @param {string} path @returns {Board | undefined} */
  function holder(all, path) {
    if (!path) return undefined;
    const around = all.get(up(path));
    const own = tail(path);
    return around && /^[A-Za-z]\d+$/.test(own) && shapes[around.cells[square(around, own)] || 0].board ? around : undefined;
  }
  /** The game inside that is played on a board at a step, or else the last or the next one there.
   * @param {string} path @param {number} step */
  function inside(path, step) {
    const there = insides.filter((one) => one.path === path);
    return there.find((one) => one.from <= step && step <= one.to) || there.filter((one) => one.to < step).pop() || there[0];
  }
  /** A text after a change. @param {string} text @param {any} told @returns {string} */
  function spliced(text, told) {
    if (!told || typeof told === "string") return told || text;
    let all = "";
    let at = 0;
    for (let i = 0; i < told.length; i += 3) {
      all += text.slice(at, at + told[i]) + told[i + 2];
      at += told[i] + told[i + 1];
    }
    return all + text.slice(at);
  }
  /** The position of a board in letters. @param {string} path @param {number} step @returns {string} */
  function fenOf(path, step) {
    if (step >= count) return spliced(fenOf(path, steps[step].prev), steps[step].fens.get(path));
    let [from, fen] = fens.get(path) || [0, ""];
    if (from > step + 1) [from, fen] = [0, ""];
    for (; from <= step; from++) fen = spliced(fen, steps[from].fens.get(path));
    fens.set(path, [from, fen]);
    return fen;
  }

  // Going from step to step.

  /** @param {number} step */
  function show(step) {
    let to = Math.max(0, Math.min(steps.length - 1, step));
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
    const touched = show(step);
    if (!stay) follow();
    tell(touched);
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
    const after = insides.find((next) => next.path === path && next.from > spot);
    const next = one && spot >= one.to && after ? after : one;
    if (next && (spot < next.from || spot > next.to)) {
      view = path;
      go(spot < next.from ? next.from : next.to === Infinity ? next.from : next.to - 1);
    }
    if (boards.has(path)) view = path;
    held = !insides.length;
    tell();
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
    tell();
  }

  // Drawing.

  /** @param {Board} board @param {number} at @returns {[number, number]} */
  function corner({ ground }, at) {
    const file = at % ground.files;
    const rank = floor(at / ground.files);
    return flipped ? [ground.files - 1 - file, rank] : [file, ground.ranks - 1 - rank];
  }
  /** @param {Ground} ground */
  const squares = ({ id, files, ranks }) => `<g class="ink"><use href="#${id}"${flipped ? ` transform="rotate(180 ${files / 2} ${ranks / 2})"` : ""}/></g>`;
  /** @param {number} cell @param {number} x @param {number} y @param {number} [size] */
  const man = (cell, x, y, size) =>
    cell ? `<use href="#${shapes[cell].id}" ${size ? `transform="translate(${x} ${y})scale(${size})"` : `x="${x}" y="${y}"`}/>` : "";
  /** What stands on a board. @param {string} path @param {Board} board @returns {string} */
  function men(path, board) {
    const holds = isHolding(path);
    return board.cells
      .map((cell, at) => {
        const [x, y] = corner(board, at);
        if (!holds) return man(cell, x, y);
        const name = child(path, board, at);
        const on = shapes[cell].board && boards.get(name);
        const span = on ? Math.max(on.ground.files, on.ground.ranks) + 3 : 11;
        const closed = on && on.look.closed;
        const body = on ? `<g class="bd" data-p="${name}" transform="translate(1 2)">${layers(name, on)}</g>` + (closed ? man(cell, 1, 2, span - 3) : man(cell, 1, -0.1, 2)) : man(cell, 1, 2, span - 3);
        return `<g transform="translate(${x} ${y})scale(${1 / span})"><text class="address" x="${span - 1}" y="1.6">${named(board, at)}</text>${body}</g>`;
      })
      .join("");
  }
  /** @param {string} kind @param {Board} board @param {number} at */
  function box(kind, board, at) {
    const [x, y] = corner(board, at);
    return `<rect class="${kind}" x="${x + 0.03}" y="${y + 0.03}" width=".94" height=".94"/>`;
  }
  /** @param {string} kind @param {Board} board @param {number[]} all */
  const boxes = (kind, board, all) => all.map((at) => box(kind, board, at)).join("");
  /** @param {string} path @param {Board} board */
  function marks(path, board) {
    const step = steps[now];
    const shown = hasTurns ? board.step >= step.from : board.step === now;
    /** @type {string[]} */
    const lost = step.more.lost || [];
    const own = lost.filter((name) => up(name) === path).map((name) => square(board, tail(name)));
    return (shown && board.step ? boxes("last", board, board.lit) : "") + boxes("check", board, board.look.checked) + boxes("lost", board, own);
  }
  /** @param {string} path @param {Board} board @returns {string} */
  function layers(path, board) {
    const { files, ranks } = board.ground;
    return `${squares(board.ground)}<g class="marks">${marks(path, board)}</g><g class="men ink">${men(path, board)}</g><g class="over">${over(path, board)}</g>${board.look.closed ? `<rect class="shade" width="${files}" height="${ranks}"/>` : ""}`;
  }
  /** What is drawn over the men: coloured squares, arrows, the squares that a game inside is played on.
   * @param {string} path @param {Board} board */
  function over(path, board) {
    const own = steps[now].path === path ? steps[now].more : {};
    const coloured = (own.csl || []).map((/** @type {string} */ said) => {
      const [x, y] = corner(board, square(board, said.slice(1)));
      return `<circle class="c${said[0]}" cx="${x + 0.5}" cy="${y + 0.5}" r=".44"/>`;
    });
    const arrows = (own.cal || []).map((/** @type {string} */ said) => {
      const parts = said.slice(1).match(/[a-z]\d+/g) || [];
      if (parts.length < 2) return "";
      const [[a, b], [c, d]] = parts.map((name) => corner(board, square(board, name)));
      return arrow("c" + said[0], a + 0.5, b + 0.5, c + 0.5, d + 0.5);
    });
    return coloured.concat(arrows).join("");
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
    const held = (board.look.hands || [[], []])[side];
    const tray = held[0] ? `<rect class="tray" x=".05" y="${y}" width="${held.length * 0.55 + 0.1}" height=".84"/>` : "";
    return tray + held.map((_, i, all) => (i % 2 ? "" : man(all[i], i * 0.55 + 0.1, y, 0.8) + (all[i + 1] > 1 ? `<text class="count" x="${i * 0.55 + 0.95}" y="${y + 0.62}">${all[i + 1]}</text>` : ""))).join("");
  }
  /** Draws a board with its letters; where it begins and how much room it takes. @param {string} path @param {number} x @param {boolean} first @returns {[string, number]} */
  function framed(path, x, first) {
    const board = boards.get(path);
    if (!board) return ["", 0];
    const { files, ranks, capitals } = board.ground;
    const left = first ? 0.6 : 0.3;
    let letters = "";
    for (let i = 0; i < files; i++) {
      const letter = String.fromCharCode(97 + (flipped ? files - 1 - i : i));
      letters += `<text x="${i + 0.5}" y="${ranks + 0.45}">${capitals ? letter.toUpperCase() : letter}</text>`;
    }
    if (first) for (let i = 0; i < ranks; i++) letters += `<text x="-.3" y="${i + 0.62}">${flipped ? i + 1 : ranks - i}</text>`;
    return [`<g transform="translate(${x + left} ${head(board)})"><g class="bd" data-p="${path}">${layers(path, board)}</g><g class="letters">${letters}</g><g class="sides" data-s="${path}">${sides(path)}</g></g>`, files + left];
  }
  /** Room above a board. @param {Board} board */
  const head = (board) => (board.look.hands ? 1.1 : 0.7);
  /** Who has the move, what both hold, and their clocks where boards stand side by side. @param {string} path */
  function sides(path) {
    const board = /** @type {Board} */ (boards.get(path));
    const { files, ranks } = board.ground;
    const { turn, both } = board.look;
    const tip = (/** @type {number} */ side) => {
      const low = (side === 1) !== flipped;
      const y = low ? ranks + 0.5 : -0.12;
      return turn === side || (turn && both) ? `<path class="turn s${side}" d="M${files - 0.2} ${y}l-.18 ${low ? 0.36 : -0.36}h.36z"/>` : "";
    };
    return `<g class="ink">${hand(board, +!flipped, -1)}${hand(board, +flipped, ranks + 0.5)}</g>` + tip(1) + tip(2) + (row && !view ? headline(path) : "");
  }
  /** What stands above one of the boards side by side: its name, its players and their clocks. @param {string} path */
  function headline(path) {
    const players = namesOf(path).map((name, side) => name.replace(/(.{11}).{2,}/u, "$1…") + " " + clockOf(path, side));
    const closed = boards.get(path)?.look.closed ? " (closed)" : "";
    return `<text class="name" y="-.15">${safe(`Board ${path + closed}: ` + players.join(" – "))}</text>`;
  }

  /** The boards that are shown. */
  const seen = () => (view || !row ? [view] : tops);
  /** Draws the board that is shown, or what has changed on it. @param {Set<string>} touched */
  function draw(touched) {
    const shown = seen();
    const key = shown.join() + flipped;
    const picture = $("picture");
    const { cells, ground, look } = /** @type {Board} */ (boards.get(shown[0]));
    if (key === drawn && (cells === painted || !isHolding(shown[0]))) {
      for (const g of picture.querySelectorAll(".bd")) {
        const path = /** @type {string} */ (g.getAttribute("data-p"));
        const board = boards.get(path);
        if (!board) continue;
        if (touched.has(path) && !isHolding(path)) g.innerHTML = layers(path, board);
        const [, lit, , drawn] = g.children;
        if (lit.firstChild || drawn.firstChild || board.step === now || board.look.checked.length) {
          lit.innerHTML = marks(path, board);
          drawn.innerHTML = over(path, board);
        }
      }
      for (const g of picture.querySelectorAll(".sides")) g.innerHTML = sides(g.getAttribute("data-s"));
    } else {
      let x = 0;
      let all = "";
      shown.forEach((path, i) => {
        const [text, wide] = framed(path, x, i === 0);
        if (i) all += `<path class="seam" d="M${x + 0.15} .7v${boards.get(path)?.ground.ranks}"/>`;
        all += text;
        x += wide;
      });
      painted = cells;
      const high = ground.ranks + (look.hands ? 2.5 : 1.7);
      picture.setAttribute("viewBox", `0 0 ${x + 0.3} ${high}`);
      picture.parentElement.className = row && !view ? "frame many" : isHolding(shown[0]) ? "frame mega" : "frame";
      // Three boards fit beside the moves on a laptop; of more, each stays readable, and the frame scrolls.
      picture.style.minWidth = shown[1] ? shown.length * 20 - 12 + "rem" : "";
      picture.innerHTML = all;
      drawn = key;
    }
    const frame = picture.parentElement;
    const own = picture.querySelector(`.bd[data-p="${steps[now].path}"]`);
    if (!own) return;
    const [box, board] = [place(frame), place(own)];
    if (board.left < box.left || board.right > box.right) frame.scrollLeft += board.left - box.left - 20;
  }
  /** Whether boards are drawn on this one: those on these would be too small to be told apart. @param {string} path */
  function isHolding(path) {
    const board = boards.get(path);
    return !!board && seen().includes(path) && board.cells.some((cell) => shapes[cell].board);
  }

  // Telling.

  /** @param {string} path @returns {string[]} */
  function namesOf(path) {
    for (let at = path; at; at = up(at)) {
      const one = inside(at, spot);
      if (one && one.names) return one.names;
      if (tape.names[at]) return tape.names[at];
    }
    return tape.names[""] || ["White", "Black"];
  }
  /** The last clock of a side on a board or around it. @param {string} path @param {number} side */
  function clockOf(path, side) {
    for (let k = tape.clocks ? now : -1; k >= 0; k = steps[k].prev) {
      const { more } = steps[k];
      if (more.clk && more.side === side && (steps[k].path === path || !row)) return more.clk;
    }
    return "";
  }
  /** @param {string} tag @param {any} is @returns {any} */
  const make = (tag, is) => Object.assign(document.createElement(tag), is);
  /** What is seen of a step beside the board. @param {Set<string>} touched */
  function tell(touched = new Set()) {
    draw(touched);
    const step = steps[now];
    current.removeAttribute("aria-current");
    current = step.link;
    current.setAttribute("aria-current", "true");
    reveal(step.link);
    const caption = $("caption");
    const text = (step.link.textContent || "").replace("‹", "").trim();
    const made = /(?:^|\.)(\d+)([wb])$/.exec(isPly(step) ? step.at || "" : "");
    const number = made && !/^\d/.test(text) ? made[1] + (made[2] === "w" ? ". " : "... ") : "";
    caption.textContent = step.kind === "v" ? "Variation: " + step.link.title : (step.path && isPly(step) && !hasTurns && !row ? step.path + ": " : "") + (step.kind === "t" ? "The turn is over" : number + text);
    const notes = [];
    for (let next = step.link.nextElementSibling; next && next.classList.contains("x"); next = next.nextElementSibling) notes.push(next.cloneNode(true));
    if (step.more.law) notes.push(make("span", { className: "x law", textContent: step.more.law }));
    $("notes").replaceChildren(...notes);
    ["upper", "lower"].forEach((id, low) => {
      const side = +(flipped === !!low);
      const clock = clockOf(view, side);
      $(id).textContent = namesOf(view)[side];
      if (clock) $(id).append(make("time", { textContent: clock }));
    });
    $("kings").textContent = step.kings;
    crumbs();
    beside();
    rosters(step.more.rosters);
    $("time").value = spot;
    $("time").ariaValueText = caption.textContent;
    $("head").setAttribute("transform", `translate(${spot + 0.5} 0)`);
    $("fen").value = seen().map((path) => fenOf(path, now)).join(" | ");
    $("back").disabled = $("first").disabled = !now;
    $("next").disabled = after(now) === now;
    $("last").disabled = now === count - 1;
    $("aside").hidden = !other() && now < count;
    $("aside").textContent = other() ? "Variation" : "Main line";
    $("out").disabled = !view;
    if ($("words").open) inWords();
    clearTimeout(waiting);
    // Not where a link has led elsewhere in the meantime.
    const { hash } = location;
    waiting = setTimeout(() => location.hash === hash && history.replaceState(null, "", step.link.getAttribute("href")), 200);
  }
  /** @param {Element} element */
  const place = (element) => element.getBoundingClientRect();
  /** Scrolls the list of moves, and nothing else, to a move. @param {HTMLElement} link */
  function reveal(link) {
    const list = $("moves");
    const [box, own] = [place(list), place(link)];
    if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - list.clientHeight / 3;
  }
  function inWords() {
    $("said").textContent = seen()
      .map((path) => {
        const board = /** @type {Board} */ (boards.get(path));
        const men = board.cells.map((cell, at) => (cell ? `${shapes[cell].words} on ${named(board, at)}` : "")).filter(Boolean);
        return (path ? `Board ${path}. ` : "") + men.join(", ") + (board.look.turn ? `. ${["", "White", "Black"][board.look.turn]} to move.` : ".");
      })
      .join(" ");
  }
  /** The way to the board that is shown. */
  function crumbs() {
    /** @type {[string, string][]} */
    const way = [];
    for (let path = view; path; path = up(path)) {
      const one = inside(path, spot);
      const names = one && one.names ? ` ${one.names[0]} – ${one.names[1]}` : "";
      way.unshift([path, (one && one.from ? steps[one.from].more.of || path : tail(path)) + names]);
    }
    way.unshift(["", tape.whole]);
    $("crumbs").hidden = way.length < 2;
    $("crumbs").replaceChildren(
      ...way.map(([path, text], i) => {
        if (i === way.length - 1) return make("span", { textContent: text, ariaCurrent: "page" });
        return make("button", { textContent: text, onclick: () => ((view = path), tell()) });
      }),
    );
  }
  /** A small board. @param {string} path @param {Board | undefined} board @param {number[]} lit */
  function small(path, board, lit) {
    if (!board) return "";
    const { files, ranks } = board.ground;
    const plain = board.cells.map((cell, at) => man(cell, ...corner(board, at)));
    return `<svg viewBox="-.1 -.1 ${files + 0.2} ${ranks + 0.2}" aria-hidden="true">${squares(board.ground)}<g class="ink">${plain.join("")}</g>${boxes("here", board, lit)}</svg>`;
  }
  /** The board around this one, and the games inside with what has become of them. */
  function beside() {
    const around = $("around");
    const outer = view && boards.get(up(view));
    around.hidden = !outer;
    if (outer) around.innerHTML = small(up(view), outer, [square(outer, tail(view))]) + "<span>Up (Esc)</span>";
    $("tree").hidden = !insides.length;
    const items = $("games").children;
    insides.forEach((one, i) => {
      const state = spot < one.from ? "due" : spot < one.to ? "open" : "over";
      const item = items[i];
      if (item.dataset.state === state && state !== "open") return;
      item.dataset.state = state;
      const said = { due: "not begun", open: "in play", over: one.result || "broken off" }[state];
      const last = state === "due" ? undefined : boardAt(one.path, Math.min(spot, one.to - 1));
      const laurel = /^(1-0|0-1)$/.test(one.result) && state === "over" ? " won" : "";
      item.className = state + laurel;
      item.innerHTML = `<button>${small(one.path, last, [])}<span><b>${safe(steps[one.from].more.of || one.path)}</b> ${safe(one.names ? one.names.join(" – ") : one.path)} <em>${safe(said)}</em></span></button>`;
      item.firstChild.onclick = () => {
        view = one.path;
        go(state === "open" ? spot : one.from);
      };
    });
  }
  /** A board as it stood at a step that is not after this one. @param {string} path @param {number} step */
  function boardAt(path, step) {
    for (let k = step; k >= 0; k = steps[k].prev) {
      const told = steps[k].changed.get(path);
      if (told) return told[1];
    }
    return undefined;
  }
  /** Who has what before and after a step. @param {any[] | undefined} tables */
  function rosters(tables) {
    $("rosters").hidden = !tables;
    if (!tables) return;
    const line = (/** @type {string} */ kind) => (/** @type {string[]} */ row) => `<tr class="${kind}">${[kind].concat(row).map((cell) => `<td>${safe(cell)}</td>`).join("")}</tr>`;
    $("rosters").innerHTML = tables.map(([title, heads, was, is]) => `<table><caption>${safe(title)}</caption>${line("")(heads)}${was.map(line("before")).join("")}${is.map(line("after")).join("")}</table>`).join("");
  }

  // The line of time.

  /** @param {Step} step */
  function isPly(step) {
    return !"stre".includes(step.kind);
  }
  function lanes() {
    const line = steps.slice(0, count);
    const all = [...new Set(line.filter((step) => isPly(step)).map((step) => step.path))];
    const high = Math.max(3, Math.min(10, 110 / Math.max(1, all.length)));
    const curve = line.some((step) => "eval" in step.more) ? 30 : 0;
    const ticks = all.map(() => "");
    let bad = "";
    let crossed = "";
    let tips = "";
    let points = "";
    line.forEach((step, k) => {
      const x = k + 0.5;
      if ("eval" in step.more) points += `${points ? "L" : "M"}${x} ${15 - 14 * Math.tanh(step.more.eval / 4)}`;
      const from = all.indexOf(step.path);
      if (from < 0) return;
      const y = curve + from * high;
      if (isPly(step)) ticks[from] += `M${x} ${y + 0.5}v${high - 1}`;
      if (step.more.bad) bad += `M${x} ${y}v${high}`;
      for (const [path, [, is]] of row ? step.changed : []) {
        const to = all.indexOf(path);
        if (path === step.path || to < 0 || is.step !== k) continue;
        const end = curve + (to + 0.5) * high;
        crossed += `M${x} ${y + high / 2}V${end}`;
        tips += `M${x} ${end}h0`;
      }
    });
    const body = ticks.map((d, i) => `<path class="lane" d="M0 ${curve + (i + 0.5) * high}H${count}"/><path class="tick" d="${d}"/>`).join("");
    const height = curve + all.length * high;
    const svg = $("lanes");
    svg.setAttribute("viewBox", `0 0 ${count} ${height || 1}`);
    svg.setAttribute("height", Math.max(12, height));
    svg.innerHTML = `<path class="zero" d="M0 15H${curve ? count : 0}"/>${body}<path class="bad" d="${bad}"/><path class="cross" d="${crossed}"/><path class="cross tip" d="${tips}"/><path class="eval" d="${points}"/><path id="head" d="M0 0v${height || 1}"/>`;
    on("lanes", "click", (event) => {
      const { left, width } = place(svg);
      go(floor(((event.clientX - left) / width) * count));
    });
  }

  // What a reader does.

  function play() {
    if (playing) playing = /** @type {any} */ (clearInterval(playing));
    else playing = setInterval(() => (after(now) > now ? go(after(now)) : play()), 900);
    $("play").textContent = playing ? "Pause" : "Play";
  }
  function dark() {
    const is = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = is ? "light" : "dark";
    $("dark").ariaPressed = !is;
  }
  function copy() {
    $("fen").select();
    document.execCommand("copy");
    $("fen").blur();
  }
  function flip() {
    $("flip").ariaPressed = flipped = !flipped;
    tell();
  }
  /** The step that a link leads to. @param {string} hash */
  function linked(hash) {
    const at = hash.replace(/%40/g, "@").replace(/^#(g[\d.]+\/)?/, "");
    if (!at) return -1;
    if (at === "end") return count - 1;
    if (/^[@~]\d+$/.test(at)) return (at[0] === "~" ? count : 0) + parseInt(at.slice(1), 10);
    return steps.map((step) => step.at).lastIndexOf(at);
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
    copy,
  };
  /** @type {{[key: string]: string}} */
  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", Enter: "in", Escape: "out", " ": "play", f: "flip", l: "letters", d: "dark", c: "copy" };

  /** @param {string} id @param {string} type @param {(event: any) => void} act */
  const on = (id, type, act) => $(id).addEventListener(type, act, { passive: type !== "click" });
  function listen() {
    for (const id in acts) on(id, "click", acts[id]);
    document.addEventListener("keydown", (event) => {
      const { tagName } = /** @type {HTMLElement} */ (event.target);
      const { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || (tagName === "INPUT" && /^(Arrow|Home|End)/.test(key))) return;
      if (/^(A|BUTTON|SUMMARY)$/.test(tagName) && /^(Enter| )$/.test(key)) return;
      if (event.shiftKey && /^Arrow[LR]/.test(key)) along(key === "ArrowRight" ? 1 : -1);
      else if (key === "ArrowDown" && other()) go(other());
      else if (key === "ArrowUp" && now >= count) away();
      else if (keys[key]) acts[keys[key]]();
      else return;
      event.preventDefault();
    });
    on("moves", "click", (event) => {
      const link = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest(".m, .w"));
      if (!link) return;
      event.preventDefault();
      go(links.indexOf(link));
    });
    on("time", "input", () => go(+$("time").value));
    on("around", "click", outward);
    on("words", "toggle", inWords);
    on("picture", "click", (event) => {
      const hit = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest(".bd")).find(Boolean);
      const path = hit && hit.getAttribute("data-p");
      if (path == null) return;
      if (path !== view && (view || !row || !tops.includes(path))) return enter(path);
      const board = boards.get(path);
      const matrix = /** @type {SVGGElement} */ (hit).getScreenCTM();
      if (!board || !matrix) return;
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      const { files, ranks } = board.ground;
      const [file, rank] = flipped ? [files - 1 - floor(point.x), floor(point.y)] : [floor(point.x), ranks - 1 - floor(point.y)];
      const on = child(path, board, rank * files + file);
      if (holder(boards, on) || insides.some((one) => one.path === on)) enter(on);
    });
    // A swipe is of one finger, on a page that is not enlarged.
    let touch = 0;
    on("picture", "touchstart", (event) => (touch = event.touches[1] || /** @type {any} */ (visualViewport).scale > 1 ? NaN : event.touches[0].clientX));
    on("picture", "touchend", (event) => {
      const moved = event.changedTouches[0].clientX - touch;
      const frame = $("picture").parentElement;
      if (Math.abs(moved) > 50 && frame.scrollWidth <= frame.clientWidth) acts[moved < 0 ? "next" : "back"]();
    });
    addEventListener("hashchange", () => {
      const to = linked(location.hash);
      if (to >= 0 && to !== now) go(to);
    });
  }

  links.forEach((link, k) => link.setAttribute("href", `#${tape.game}/${k < count ? steps[k].at || "@" + k : "~" + (k - count)}`));
  root.classList.add("live");
  $("time").max = count - 1;
  $("games").innerHTML = insides.map(() => "<li></li>").join("");
  lanes();
  listen();
  $("in").hidden = $("out").hidden = paths.every((path) => !path || tops.includes(path));
  $("stage").hidden = $("beside").hidden = false;
  const at = linked(location.hash);
  go(at >= 0 ? at : Math.max(0, linked(tape.at)), at < 0 && !tape.at);
})();
