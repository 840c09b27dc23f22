// The viewer of games. It knows no game: what stands where, and what a step changes, stands on the tape.
"use strict";
(() => {
  /** @typedef {{files: number, ranks: number, capitals: boolean, id: string}} Ground */
  /** @typedef {{turn: number, both: boolean, closed: boolean, checked: number[], hands: number[][] | null}} Look */
  /** @typedef {{ground: Ground, cells: number[], look: Look, lit: number[], step: number}} Board */
  /** @typedef {{path: string, from: number, to: number, result: string, names: string[] | null}} Inside */
  /** @typedef {{id: string, words: string, board: boolean}} Shape */
  /** The kinds: start, ply, unsaid, stands (d), illegal, unjudged (j), turn, result, end.
   * @typedef {{kind: string, path: string, at: string | null, link: HTMLElement, changed: Map<string, [Board | undefined, Board]>,
      fens: Map<string, any>, more: any, from: number, kings: string}} Step */

  /** @type {(id: string) => any} */
  const $ = (id) => document.getElementById(id);
  const tape = JSON.parse($("tape").textContent);
  /** @type {Shape[]} */
  const shapes = [["", "", 0]].concat(tape.shapes).map(([id, words, is]) => ({ id: id + "", words: words + "", board: is === 1 }));
  /** @type {Ground[]} */
  const grounds = tape.grounds.map(/** @param {any} g */ ([files, ranks, capitals, id]) => ({ files, ranks, capitals: !!capitals, id }));
  /** @type {string[]} */
  const paths = tape.paths;
  const links = /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll("#moves .m")));
  /** @type {(path: string) => string} */
  const up = (path) => path.slice(0, Math.max(0, path.lastIndexOf(".")));
  /** @type {(text: string) => string} */
  const escaped = (text) => text.replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");

  /** @type {Step[]} */
  const steps = [];
  /** Games inside, in the order in which they begin.
   * @type {Inside[]} */
  const insides = [];
  /** @type {string[]} */
  let tops = [];
  load();
  /** Whether the outermost boards stand side by side. */
  const row = tops[0] !== "";

  const hasTurns = steps.some((step) => step.kind === "t");
  /** The boards as they stand at the step shown. @type {Map<string, Board>} */
  const boards = new Map();
  let now = -1;
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
    tape.steps.forEach(/** @param {any} told @param {number} number */ (told, number) => {
      const [kind, board, moment, changes, more] = told;
      if (more && more.kings) kings = `Kings ${more.kings[0]} : ${more.kings[1]}`;
      if (board >= 0) path = paths[board];
      if (moment) at = at.slice(0, parseInt(moment[0], 36)) + moment.slice(1);
      /** @type {Step} */
      const step = { kind, path, at: moment ? at : null, link: links[number], changed: new Map(), fens: new Map(), more: more || {}, from: turn, kings };
      (changes || []).forEach(/** @param {any} change */ (change) => {
        const name = paths[change[0]];
        if (change[4]) step.fens.set(name, change[4]);
        const was = known.get(name);
        const is = changed(was, change, number);
        if (is && is !== was) {
          step.changed.set(name, [was, is]);
          known.set(name, is);
        }
      });
      if (number === 0) tops = [...known.keys()].filter((name) => !holder(known, name));
      if (kind === "s" && number && path) open.push(insides[insides.push({ path, from: number, to: Infinity, result: "", names: step.more.names || null }) - 1]);
      if (kind === "r") {
        const last = open.findIndex((inside) => inside.path === step.more.of);
        open.splice(last, last < 0 ? 0 : 1).forEach((inside) => {
          inside.to = number;
          inside.result = step.more.result;
        });
      }
      steps.push(step);
      if (kind === "t") turn = number + 1;
    });
  }

  /** A board after a change; nothing where only its position in letters is told.
   * @param {Board | undefined} was @param {any[]} change @param {number} step @returns {Board | undefined} */
  function changed(was, [, whole, cells, look], step) {
    if (whole < 0 && !(cells && cells.length) && !look) return was;
    const seen = look ? { turn: look[0] & 3, both: !!(look[0] & 4), closed: !!(look[0] & 8), checked: look[1] || [], hands: look[2] || null } : was && was.look;
    if (whole >= 0) {
      const [ground, ...runs] = tape.wholes[whole];
      /** @type {number[]} */
      const all = [];
      runs.forEach(/** @param {number} run */ (run) => (run < 0 ? all.push(...new Array(-run).fill(0)) : all.push(run)));
      const lit = was ? all.map((_, i) => i).filter((i) => all[i] !== was.cells[i]) : [];
      return { ground: grounds[ground], cells: all, look: /** @type {Look} */ (seen), lit: step ? lit : [], step };
    }
    if (!was) return was;
    if (!cells || !cells.length) return { ...was, look: /** @type {Look} */ (seen) };
    const all = was.cells.slice();
    const lit = [];
    for (let i = 0; i < cells.length; i += 2) {
      all[cells[i]] = cells[i + 1];
      lit.push(cells[i]);
    }
    return { ground: was.ground, cells: all, look: /** @type {Look} */ (seen), lit, step };
  }

  /** The number of a square by its name, such as `e5`.
   * @param {Ground} ground @param {string} name */
  function square(ground, name) {
    return (parseInt(name.slice(1), 10) - 1) * ground.files + name.toLowerCase().charCodeAt(0) - 97;
  }
  /** @param {Ground} ground @param {number} at */
  function named(ground, at) {
    const letter = String.fromCharCode(97 + (at % ground.files));
    return (ground.capitals ? letter.toUpperCase() : letter) + (Math.floor(at / ground.files) + 1);
  }
  /** The board on a square of which one is, where it is one.
   * @param {Map<string, Board>} all @param {string} path @returns {Board | undefined} */
  function holder(all, path) {
    if (!path) return undefined;
    const around = all.get(up(path));
    const own = path.slice(path.lastIndexOf(".") + 1);
    return around && /^[A-Za-z]\d+$/.test(own) && shapes[around.cells[square(around.ground, own)] || 0].board ? around : undefined;
  }
  /** The game inside that is played on a board at a step, or else the last or the next one there.
   * @param {string} path @param {number} step */
  function inside(path, step) {
    const there = insides.filter((one) => one.path === path);
    return there.find((one) => one.from <= step && step <= one.to) || there.filter((one) => one.to < step).pop() || there[0];
  }
  /** The position of a board in letters. @param {string} path @param {number} step */
  function fenOf(path, step) {
    let [from, fen] = fens.get(path) || [0, ""];
    if (from > step + 1) [from, fen] = [0, ""];
    for (; from <= step; from++) {
      const told = steps[from].fens.get(path);
      if (typeof told === "string") fen = told;
      else if (told) {
        let text = "";
        let at = 0;
        for (let i = 0; i < told.length; i += 3) {
          text += fen.slice(at, at + told[i]) + told[i + 2];
          at += told[i] + told[i + 1];
        }
        fen = text + fen.slice(at);
      }
    }
    fens.set(path, [from, fen]);
    return fen;
  }

  // Going from step to step.

  /** @param {number} step */
  function show(step) {
    const to = Math.max(0, Math.min(steps.length - 1, step));
    /** @type {Set<string>} */
    const touched = new Set();
    for (; now < to; ) {
      now++;
      for (const [path, [, is]] of steps[now].changed) touched.add(path), boards.set(path, is);
    }
    for (; now > to; now--) {
      for (const [path, [was]] of steps[now].changed) {
        touched.add(path);
        if (was) boards.set(path, was);
        else boards.delete(path);
      }
    }
    return touched;
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
    for (view = path; view && !boards.has(view); ) view = up(view);
  }
  /** @param {string} path */
  function isSeen(path) {
    if (path === view) return true;
    if (!view && row) return true;
    return up(path) === view && !!holder(boards, path);
  }
  /** The next step on the board that is shown. @param {number} way */
  function along(way) {
    let to = now + way;
    while (steps[to] && steps[to].path !== view) to += way;
    if (steps[to]) go(to, true);
  }
  /** Goes into a board. @param {string} path */
  function enter(path) {
    const one = inside(path, now);
    const after = insides.find((next) => next.path === path && next.from > now);
    const next = one && now >= one.to && after ? after : one;
    if (next && (now < next.from || now > next.to)) {
      view = path;
      go(now < next.from ? next.from : next.to === Infinity ? next.from : next.to - 1);
    }
    if (boards.has(path)) view = path;
    held = !insides.length;
    tell(new Set());
  }
  /** Goes into the game inside that is due, or into the board of this step. */
  function inward() {
    const path = steps[now].path;
    if (path !== view && (view === "" || path.startsWith(view + "."))) {
      const own = path.slice(view ? view.length + 1 : 0).split(".")[0];
      return enter(view ? view + "." + own : own);
    }
    const due = insides.find((one) => up(one.path) === view && one.to > now);
    if (due) enter(due.path);
  }
  function outward() {
    if (!view) return;
    view = up(view);
    tell(new Set());
  }

  // Drawing.

  /** @param {Ground} ground @param {number} at @returns {[number, number]} */
  function corner(ground, at) {
    const file = at % ground.files;
    const rank = Math.floor(at / ground.files);
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
        const [x, y] = corner(board.ground, at);
        if (!holds) return man(cell, x, y);
        const child = (path && path + ".") + named(board.ground, at);
        const on = shapes[cell].board && boards.get(child);
        const span = on ? Math.max(on.ground.files, on.ground.ranks) + 3 : 11;
        const closed = on && on.look.closed;
        const body = on ? `<g class="bd" data-p="${child}" transform="translate(1 2)">${layers(child, on)}</g>` + (closed ? man(cell, 1, 2, span - 3) : man(cell, 1, -0.1, 2)) : man(cell, 1, 2, span - 3);
        return `<g transform="translate(${x} ${y})scale(${1 / span})"><text class="address" x="${span - 1}" y="1.6">${named(board.ground, at)}</text>${body}</g>`;
      })
      .join("");
  }
  /** @param {Board} board */
  function marks(board) {
    const shown = hasTurns ? board.step >= steps[now].from : board.step === now;
    const box = (/** @type {string} */ kind) => (/** @type {number} */ at) => {
      const [x, y] = corner(board.ground, at);
      return `<rect class="${kind}" x="${x + 0.03}" y="${y + 0.03}" width=".94" height=".94"/>`;
    };
    return (shown && board.step ? board.lit.map(box("last")).join("") : "") + board.look.checked.map(box("check")).join("");
  }
  /** @param {string} path @param {Board} board @returns {string} */
  function layers(path, board) {
    const { files, ranks } = board.ground;
    return `${squares(board.ground)}<g class="marks">${marks(board)}</g><g class="men ink">${men(path, board)}</g><g class="over">${over(path, board)}</g>${board.look.closed ? `<rect class="shade" width="${files}" height="${ranks}"/>` : ""}`;
  }
  /** What is drawn over the men: coloured squares, arrows, the squares that a game inside is played on.
   * @param {string} path @param {Board} board */
  function over(path, board) {
    const own = steps[now].path === path ? steps[now].more : {};
    const coloured = (own.csl || []).map((/** @type {string} */ said) => {
      const [x, y] = corner(board.ground, square(board.ground, said.slice(1)));
      return `<circle class="c${said[0]}" cx="${x + 0.5}" cy="${y + 0.5}" r=".44"/>`;
    });
    const arrows = (own.cal || []).map((/** @type {string} */ said) => {
      const parts = said.slice(1).match(/[a-z]\d+/g) || [];
      if (parts.length < 2) return "";
      const [[a, b], [c, d]] = parts.map((name) => corner(board.ground, square(board.ground, name)));
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
    if (!board.look.hands) return "";
    return board.look.hands[side].map((_, i, all) => (i % 2 ? "" : man(all[i], i * 0.55 + 0.1, y, 0.8) + (all[i + 1] > 1 ? `<text class="count" x="${i * 0.55 + 0.95}" y="${y + 0.62}">${all[i + 1]}</text>` : ""))).join("");
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
    const name = row && !view ? `<text class="name" x="0" y="-.15">Board ${escaped(path)}${board.look.closed ? " (closed)" : ""}</text>` : "";
    return [`<g transform="translate(${x + left} ${head(board)})"><g class="bd" data-p="${path}">${layers(path, board)}</g><g class="letters">${letters}</g>${name}<g class="sides" data-s="${path}">${sides(board)}</g></g>`, files + left];
  }
  /** Room above a board. @param {Board} board */
  const head = (board) => (board.look.hands ? 1.1 : 0.7);
  /** Who has the move, and what both hold. @param {Board} board */
  function sides(board) {
    const { files, ranks } = board.ground;
    const { turn, both } = board.look;
    const tip = (/** @type {number} */ side) => {
      const low = (side === 1) !== flipped;
      const y = low ? ranks + 0.5 : -0.12;
      return turn === side || (turn && both) ? `<path class="turn s${side}" d="M${files - 0.2} ${y}l-.18 ${low ? 0.36 : -0.36}h.36z"/>` : "";
    };
    const [upper, lower] = flipped ? [0, 1] : [1, 0];
    return `<g class="ink">${hand(board, upper, -1)}${hand(board, lower, ranks + 0.5)}</g>` + tip(1) + tip(2);
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
          lit.innerHTML = marks(board);
          drawn.innerHTML = over(path, board);
        }
      }
      for (const g of picture.querySelectorAll(".sides")) g.innerHTML = sides(/** @type {Board} */ (boards.get(g.getAttribute("data-s"))));
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
      picture.innerHTML = all;
      drawn = key;
    }
    const frame = picture.parentElement;
    const own = picture.querySelector(`.bd[data-p="${steps[now].path}"]`);
    if (own && frame.scrollWidth > frame.clientWidth) frame.scrollLeft += own.getBoundingClientRect().left - frame.getBoundingClientRect().left - 20;
  }
  /** @param {string} path */
  function isHolding(path) {
    const board = boards.get(path);
    return !!board && board.cells.some((cell) => shapes[cell].board);
  }

  // Telling.

  /** @param {string} path */
  function namesOf(path) {
    for (let at = path; at; at = up(at)) {
      const one = inside(at, now);
      if (one && one.names) return one.names;
      if (tape.names[at]) return tape.names[at];
    }
    return tape.names[""] || ["White", "Black"];
  }
  /** The last clock of a side on a board or around it. @param {string} path @param {number} side */
  function clockOf(path, side) {
    for (let k = tape.clocks ? now : -1; k >= 0; k--) {
      const { more } = steps[k];
      if ("clk" in more && more.side === side && (steps[k].path === path || !row)) return more.clk;
    }
    return null;
  }
  /** @param {number} seconds */
  function time(seconds) {
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds) % 60)}`;
  }
  /** What is seen of a step beside the board. @param {Set<string>} touched */
  function tell(touched) {
    draw(touched);
    const step = steps[now];
    current.removeAttribute("aria-current");
    current = step.link;
    step.link.setAttribute("aria-current", "true");
    reveal(step.link);
    const text = (step.link.textContent || "").replace("‹", "").trim();
    const made = /(?:^|\.)(\d+)([wb])$/.exec(isPly(step) ? step.at || "" : "");
    const number = made && !/^\d/.test(text) ? made[1] + (made[2] === "w" ? ". " : "... ") : "";
    $("caption").textContent = (step.path && isPly(step) && !hasTurns && !row ? step.path + ": " : "") + (step.kind === "t" ? "The turn is over" : number + text);
    const notes = [];
    for (let next = step.link.nextElementSibling; next && next.classList.contains("x"); next = next.nextElementSibling) notes.push(next.cloneNode(true));
    $("notes").replaceChildren(...notes);
    const [upper, lower] = flipped ? [0, 1] : [1, 0];
    [upper, lower].forEach((side, low) => {
      const id = low ? "lower" : "upper";
      const many = !view && row;
      const clock = many ? null : clockOf(view, side);
      $(id).textContent = many ? tape.teams[side] : namesOf(view)[side];
      if (clock !== null) $(id).append(Object.assign(document.createElement("time"), { textContent: time(clock) }));
    });
    $("kings").textContent = step.kings;
    crumbs();
    beside();
    rosters(step.more.rosters);
    $("time").value = String(now);
    $("time").setAttribute("aria-valuetext", $("caption").textContent);
    $("head").setAttribute("transform", `translate(${now + 0.5} 0)`);
    $("fen").value = seen().map((path) => fenOf(path, now)).join(" | ");
    $("back").disabled = $("first").disabled = now === 0;
    $("next").disabled = $("last").disabled = now === steps.length - 1;
    $("out").disabled = !view;
    if ($("words").open) inWords();
    clearTimeout(waiting);
    waiting = setTimeout(() => history.replaceState(null, "", step.link.getAttribute("href")), 200);
  }
  /** Scrolls the list of moves, and nothing else, to a move. @param {HTMLElement} link */
  function reveal(link) {
    const list = $("moves");
    const [box, own] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
    if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - list.clientHeight / 3;
  }
  function inWords() {
    const shown = seen();
    $("said").textContent = shown
      .map((path) => {
        const board = /** @type {Board} */ (boards.get(path));
        const men = board.cells.map((cell, at) => (cell ? `${shapes[cell].words} on ${named(board.ground, at)}` : "")).filter(Boolean);
        return (path ? `Board ${path}. ` : "") + men.join(", ") + (board.look.turn ? `. ${["", "White", "Black"][board.look.turn]} to move.` : ".");
      })
      .join(" ");
  }
  /** The way to the board that is shown. */
  function crumbs() {
    /** @type {[string, string][]} */
    const way = [];
    for (let path = view; path; path = up(path)) {
      const one = inside(path, now);
      const names = one && one.names ? ` ${one.names[0]} – ${one.names[1]}` : "";
      way.unshift([path, (one && one.from ? steps[one.from].more.of || path : path.slice(path.lastIndexOf(".") + 1)) + names]);
    }
    way.unshift(["", tape.whole]);
    $("crumbs").hidden = way.length < 2;
    $("crumbs").replaceChildren(
      ...way.map(([path, text], i) => {
        const item = document.createElement(i === way.length - 1 ? "span" : "button");
        item.textContent = text;
        if (i < way.length - 1) item.addEventListener("click", () => ((view = path), tell(new Set())));
        else item.setAttribute("aria-current", "page");
        return item;
      }),
    );
  }
  /** A small board. @param {string} path @param {Board | undefined} board @param {number[]} lit */
  function small(path, board, lit) {
    if (!board) return "";
    const { files, ranks } = board.ground;
    const ring = lit.map((at) => {
      const [x, y] = corner(board.ground, at);
      return `<rect class="here" x="${x}" y="${y}" width="1" height="1"/>`;
    });
    const plain = board.cells.map((cell, at) => man(cell, ...corner(board.ground, at)));
    return `<svg viewBox="-.1 -.1 ${files + 0.2} ${ranks + 0.2}" aria-hidden="true">${squares(board.ground)}<g class="ink">${plain.join("")}</g>${ring.join("")}</svg>`;
  }
  /** The board around this one, and the games inside with what has become of them. */
  function beside() {
    const around = $("around");
    const outer = view && boards.get(up(view));
    around.hidden = !outer;
    if (outer) {
      around.innerHTML = small(up(view), outer, [square(outer.ground, view.slice(view.lastIndexOf(".") + 1))]) + "<span>Up (Esc)</span>";
    }
    $("tree").hidden = !insides.length;
    if (!insides.length) return;
    const items = $("games").children;
    insides.forEach((one, i) => {
      const state = now < one.from ? "due" : now < one.to ? "open" : "over";
      const item = items[i];
      if (item.dataset.state === state && state !== "open") return;
      item.dataset.state = state;
      const said = { due: "not begun", open: "in play", over: one.result || "broken off" }[state];
      const last = state === "due" ? undefined : boardAt(one.path, Math.min(now, one.to === Infinity ? now : one.to - 1));
      const laurel = /^(1-0|0-1)$/.test(one.result) && state === "over" ? " won" : "";
      item.className = state + laurel;
      item.innerHTML = `<button>${small(one.path, last, [])}<span><b>${escaped(steps[one.from].more.of || one.path)}</b> ${escaped(one.names ? one.names.join(" – ") : one.path)} <em>${escaped(said)}</em></span></button>`;
      item.firstChild.addEventListener("click", () => {
        view = one.path;
        go(now >= one.from && now < one.to ? now : one.from);
      });
    });
  }
  /** A board as it stood at a step that is not after this one. @param {string} path @param {number} step */
  function boardAt(path, step) {
    for (let k = step; k >= 0; k--) {
      const told = steps[k].changed.get(path);
      if (told) return told[1];
    }
    return undefined;
  }
  /** Who has what before and after a step. @param {any[] | undefined} tables */
  function rosters(tables) {
    $("rosters").hidden = !tables;
    if (!tables) return;
    const line = (/** @type {string} */ kind) => (/** @type {string[]} */ row) => `<tr class="${kind}">${[kind].concat(row).map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`;
    $("rosters").innerHTML = tables.map(([title, heads, was, is]) => `<table><caption>${escaped(title)}</caption>${line("")(heads)}${was.map(line("before")).join("")}${is.map(line("after")).join("")}</table>`).join("");
  }

  // The line of time.

  /** @param {Step} step */
  function isPly(step) {
    return !"stre".includes(step.kind);
  }
  function lanes() {
    const all = [...new Set(steps.filter((step) => isPly(step)).map((step) => step.path))];
    const high = Math.max(3, Math.min(10, 110 / Math.max(1, all.length)));
    const curve = steps.some((step) => "eval" in step.more) ? 30 : 0;
    let body = "";
    all.forEach((path, i) => {
      const y = curve + i * high;
      const ticks = steps.map((step, k) => (step.path === path && isPly(step) ? `M${k + 0.5} ${y + 0.5}v${high - 1}` : "")).join("");
      body += `<path class="lane" d="M0 ${y + high / 2}H${steps.length}"/><path class="tick" d="${ticks}"/>`;
    });
    let bad = "";
    let crossed = "";
    steps.forEach((step, k) => {
      const from = all.indexOf(step.path);
      if (from < 0) return;
      if (step.more.bad) bad += `M${k + 0.5} ${curve + from * high}v${high}`;
      if (!row) return;
      for (const [path, [, is]] of step.changed) {
        const to = all.indexOf(path);
        if (path !== step.path && to >= 0 && is.step === k) crossed += `M${k + 0.5} ${curve + (from + 0.5) * high}V${curve + (to + (to > from ? 0.1 : 0.9)) * high}`;
      }
    });
    let points = "";
    steps.forEach((step, k) => "eval" in step.more && (points += `${points ? "L" : "M"}${k + 0.5} ${15 - 14 * Math.tanh(step.more.eval / 4)}`));
    const height = curve + all.length * high;
    const svg = $("lanes");
    svg.setAttribute("viewBox", `0 0 ${steps.length} ${height || 1}`);
    svg.setAttribute("height", String(Math.max(12, height)));
    svg.innerHTML = `<path class="zero" d="M0 15H${curve ? steps.length : 0}"/>${body}<path class="bad" d="${bad}"/><path class="cross" d="${crossed}"/><path class="eval" d="${points}"/><path id="head" d="M0 0v${height || 1}"/>`;
    svg.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const box = svg.getBoundingClientRect();
      go(Math.floor(((event.clientX - box.left) / box.width) * steps.length));
    });
  }

  // What a reader does.

  function play() {
    if (playing) {
      clearInterval(playing);
      playing = undefined;
    } else {
      playing = setInterval(() => (now < steps.length - 1 ? go(now + 1) : play()), 900);
    }
    $("play").setAttribute("aria-pressed", String(!!playing));
  }
  /** @param {string} name */
  function toggle(name) {
    const is = document.documentElement.classList.toggle(name);
    $(name)?.setAttribute("aria-pressed", String(is));
  }
  function dark() {
    const root = document.documentElement;
    const is = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = is ? "light" : "dark";
    $("dark").setAttribute("aria-pressed", String(!is));
  }
  function copy() {
    $("fen").select();
    document.execCommand("copy");
  }
  function flip() {
    flipped = !flipped;
    $("flip").setAttribute("aria-pressed", String(flipped));
    tell(new Set());
  }
  /** The step that a link leads to. @param {string} hash */
  function linked(hash) {
    const at = decodeURIComponent(hash).replace(/^#(g\d+\/)?/, "");
    if (!at) return -1;
    if (at === "end") return steps.length - 1;
    if (/^@\d+$/.test(at)) return parseInt(at.slice(1), 10);
    return steps.map((step) => step.at).lastIndexOf(at);
  }
  /** @type {{[key: string]: () => void}} */
  const acts = {
    first: () => go(0),
    back: () => go(now - 1),
    next: () => go(now + 1),
    last: () => go(steps.length - 1),
    in: inward,
    out: outward,
    play,
    flip,
    letters: () => toggle("letters"),
    dark,
    copy,
  };
  /** @type {{[key: string]: string}} */
  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", Enter: "in", Escape: "out", " ": "play", f: "flip", l: "letters", d: "dark", c: "copy" };

  function listen() {
    for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
    document.addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const typing = /^(INPUT|TEXTAREA)$/.test(target.tagName);
      const pressing = /^(A|BUTTON|SUMMARY)$/.test(target.tagName);
      if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
      if (pressing && (event.key === "Enter" || event.key === " ")) return;
      if (event.shiftKey && /^Arrow(Left|Right)$/.test(event.key)) along(event.key === "ArrowRight" ? 1 : -1);
      else if (keys[event.key]) acts[keys[event.key]]();
      else return;
      event.preventDefault();
    });
    $("moves").addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const link = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest(".m"));
      if (!link) return;
      event.preventDefault();
      go(links.indexOf(link));
    });
    $("time").addEventListener("input", () => go(Number($("time").value)));
    $("around").addEventListener("click", outward);
    $("words").addEventListener("toggle", inWords);
    $("picture").addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const hit = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest(".bd")).find((g) => g);
      const path = hit && hit.getAttribute("data-p");
      if (path === null || path === undefined) return;
      if (path !== view && (view || !row || !tops.includes(path))) return enter(path);
      const board = boards.get(path);
      const matrix = /** @type {SVGGElement} */ (hit).getScreenCTM();
      if (!board || !matrix) return;
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      const { files, ranks } = board.ground;
      const [file, rank] = flipped ? [files - 1 - Math.floor(point.x), Math.floor(point.y)] : [Math.floor(point.x), ranks - 1 - Math.floor(point.y)];
      const child = (path && path + ".") + named(board.ground, rank * files + file);
      if (holder(boards, child) || insides.some((one) => one.path === child)) enter(child);
    });
    let touch = 0;
    $("picture").addEventListener("touchstart", (/** @type {TouchEvent} */ event) => (touch = event.touches[0].clientX), { passive: true });
    $("picture").addEventListener("touchend", (/** @type {TouchEvent} */ event) => {
      const moved = event.changedTouches[0].clientX - touch;
      const frame = $("picture").parentElement;
      if (Math.abs(moved) > 50 && frame.scrollWidth <= frame.clientWidth) go(now + (moved < 0 ? 1 : -1));
    });
    addEventListener("hashchange", () => {
      const to = linked(location.hash);
      if (to >= 0 && to !== now) go(to);
    });
  }

  links.forEach((link, k) => link.setAttribute("href", `#g${tape.game}/${steps[k].at || "@" + k}`));
  document.documentElement.classList.add("live");
  $("time").max = String(steps.length - 1);
  $("games").innerHTML = insides.map(() => "<li></li>").join("");
  lanes();
  listen();
  $("in").hidden = $("out").hidden = !insides.length && !shapes.some((shape) => shape.board);
  $("stage").hidden = false;
  $("beside").hidden = false;
  const at = linked(location.hash);
  go(at >= 0 ? at : Math.max(0, linked(tape.at)), at < 0 && !tape.at);
})();
