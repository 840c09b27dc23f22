// The viewer of games. It knows no game: what stands where, and what a step changes, is on the tape.
//
// The files of this folder are joined to one function, in the order in which `page.rs` names them; what one declares, all use.
/** @typedef {{files: number, ranks: number, capitals: boolean, id: string, roads: number[], turned: boolean}} Ground */
/** @typedef {{turn: number, both: boolean, closed: boolean, checked: number[], hands: number[][] | null}} Look */
/** @typedef {{ground: Ground, cells: number[], look: Look, lit: number[], step: number}} Board */
/** @typedef {{path: string, from: number, to: number, result: string, names: string[] | null}} Inside */
/** What a number on a board stands for; `sign` is what a reader may not know about it.
 * @typedef {{id: string, words: string, board: boolean, sign: string, worth: number}} Shape */
/** The kinds: start, ply, unsaid, stands (d), illegal, unjudged (j), flag, turn, result, end, variation.
 * @typedef {{kind: string, black: boolean, path: string, at: string | null, link: HTMLElement, changed: Map<string, [Board | undefined, Board]>,
    fens: Map<string, any>, more: any, from: number, kings: string, clocks: {[path: string]: string[]}, prev: number}} Step */

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);
const root = document.documentElement;
/** Whether the game is being played: then the address holds whose page it is, and no moment. */
const isLive = !!$("hall");
const { floor, max, min } = Math;
const tape = JSON.parse($("tape").textContent);
/** What pieces are worth, to see who is ahead on a board. @type {{[role: string]: number}} */
const worths = { pawn: 1, knight: 3, bishop: 3, silver: 3, gold: 4, rook: 5, queen: 9 };
/** The worth of what stands on a square, for White. @param {string} words */
function worthOf(words) {
  let sum = 0;
  for (const [, side, role] of words.matchAll(/(White|Black) (\w+)/g)) sum += (worths[role] || 0) * (side === "White" ? 1 : -1);
  return sum;
}
/** @type {Shape[]} */
const shapes = [{ id: "", words: "", board: false, sign: "", worth: 0 }];
/** @type {Ground[]} */
const grounds = [];
/** Adds what is drawn that was not drawn before. @param {any[]} all */
function learn(all) {
  for (const [id, words, is, sign] of all.slice(shapes.length - 1)) shapes.push({ id, words, board: is === 1, sign, worth: worthOf(words) });
  for (const [files, ranks, capitals, id, roads, turned] of tape.grounds.slice(grounds.length)) grounds.push({ files, ranks, capitals: !!capitals, id, roads, turned: !!turned });
}
learn(JSON.parse($("drawn").textContent));
/** @type {string[]} */
const paths = tape.paths;
/** The links to steps: those of the game, and then those of its variations. @type {HTMLElement[]} */
let links;
/** @type {(path: string) => string} */
const up = (path) => path.slice(0, max(0, path.lastIndexOf(".")));
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
/** Positions in letters, and up to which step. @type {Map<string, [number, string]>} */
const fens = new Map();

function load() {
  const named = (/** @type {string} */ kind) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#moves " + kind)]);
  // The star at the end of a game that goes on is no step.
  links = named(".m").slice(0, tape.steps.length).concat(named(".w"));
  steps.length = insides.length = kids.length = count = 0;
  delete kids[-1];
  fens.clear();
  /** @type {Map<string, Board>} */
  const known = new Map();
  /** @type {Inside[]} */
  const open = [];
  let at = "";
  let path = "";
  let turn = 0;
  let kings = "";
  /** @type {{[path: string]: string[]}} */
  let clocks = {};
  /** @param {string} kind @param {string | null} at @param {any[] | null} changes @param {any} more @param {number} prev @param {(name: string) => Board | undefined} known */
  const add = (kind, at, changes, more, prev, known) => {
    const number = steps.length;
    const small = kind.toLowerCase();
    const link = links[number];
    const black = kind !== small || link.classList.contains("k");
    /** @type {Step} */
    const step = { kind: small, black, path, at, link, changed: new Map(), fens: new Map(), more: more || {}, from: turn, kings, clocks, prev };
    if (step.more.clk) {
      const both = (clocks[path] || []).slice();
      both[+black] = step.more.clk;
      step.clocks = clocks = { ...clocks, [path]: both };
    }
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
    if (step.kind === "s" && number && path) open.push(insides[insides.push({ path, from: number, to: Infinity, result: "", names: step.more.names || null }) - 1]);
    if (step.kind === "r") {
      const last = open.findIndex((inside) => inside.path === step.more.of);
      for (const inside of open.splice(last, last < 0 ? 0 : 1)) {
        inside.to = number;
        inside.result = step.more.result;
      }
    }
    if (step.kind === "t") turn = number + 1;
  }
  for (const [prev, board, changes, black] of tape.asides) {
    turn = steps.length;
    path = paths[board];
    const after = prev < 0 ? -1 - prev : count + prev;
    clocks = steps[after].clocks;
    add(black ? "V" : "v", null, changes, null, after, (name) => boardAt(name, after));
  }
}

/** A board after a change; nothing where only its position in letters is change.
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
/** A text after a change. @param {string} text @param {any} change @returns {string} */
function spliced(text, change) {
  if (!change || typeof change === "string") return change || text;
  let all = "";
  let at = 0;
  for (let i = 0; i < change.length; i += 3) {
    all += text.slice(at, at + change[i]) + change[i + 2];
    at += change[i] + change[i + 1];
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

/** A board as it stood at a step that is not after this one. @param {string} path @param {number} step */
function boardAt(path, step) {
  for (let k = step; k >= 0; k = steps[k].prev) {
    const known = steps[k].changed.get(path);
    if (known) return known[1];
  }
  return undefined;
}
/** @param {Step} step */
function isPly(step) {
  return !"stre".includes(step.kind);
}
