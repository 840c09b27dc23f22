// What is beside the board: players, clocks, the way to it, other boards.

/** @type {number | undefined} */
let waiting;
/** The step that was shown last. */
let refreshed = 0;
/** @param {string} tag @param {any} is @returns {any} */
const make = (tag, is) => Object.assign(document.createElement(tag), is);
/** @param {Element} element */
const place = (element) => element.getBoundingClientRect();

/** White and Black of a game. In one inside another that says nothing, whoever began it has White. @param {string} path @returns {string[]} */
function namesOf(path) {
  if (!path) return tape.names[""] || ["White", "Black"];
  const one = inside(path, spot);
  const own = (one && one.names) || tape.names[path];
  if (own) return own;
  const around = namesOf(up(path));
  if (!one) return around;
  let begun = steps[one.from].prev;
  while (begun > 0 && steps[begun].path !== up(path)) begun = steps[begun].prev;
  return steps[begun].black ? [around[1], around[0]] : around;
}
/** The last clock of a side on a board, before the first reading what the time control gives. @param {string} path @param {number} side */
function clockOf(path, side) {
  if (!tape.clocks) return "";
  const all = steps[now].clocks;
  const read = all[path] || (row ? [] : all[""]) || [];
  return read[side] || (!path || (row && tops.includes(path)) ? tape.clock || "" : "");
}
/** Brings the board into sight, which on a phone is far above what is beside it. */
const lookUp = () => $("stage").scrollIntoView({ block: "nearest" });
/** Shows what has changed. @param {Set<string>} [touched] */
function refresh(touched = new Set()) {
  draw(touched, refreshed);
  refreshed = now;
  const step = steps[now];
  const isFocused = document.activeElement === current;
  current.removeAttribute("aria-current");
  current.tabIndex = -1;
  current = step.link;
  current.setAttribute("aria-current", "true");
  current.tabIndex = 0;
  if (isFocused) current.focus({ preventScroll: true });
  caption();
  players();
  $("kings").textContent = step.kings;
  crumbs();
  beside();
  rosters(step.more.rosters);
  $("time").value = spot;
  $("time").ariaValueText = $("caption").textContent;
  $("head").setAttribute("transform", `translate(${spot + 0.5} 0)`);
  $("fen").value = seen().map((path) => fenOf(path, now)).join(" | ");
  $("back").disabled = $("first").disabled = !now;
  $("next").disabled = after(now) === now;
  $("last").disabled = now === count - 1;
  $("aside").hidden = !other() && now < count;
  $("aside").textContent = other() ? "Variation" : "Main line";
  $("out").disabled = !view;
  if ($("board").value !== view || !view) $("board").innerHTML = `<option value="${view}">${view || "all"}</option>`;
  if ($("words").open) inWords();
  // When all else has its size, which is what leaves the list its own.
  reveal(step.link);
  clearTimeout(waiting);
  // Not where a link has led elsewhere in the meantime.
  const { hash } = location;
  waiting = setTimeout(() => {
    tabulate();
    if (!isLive && location.hash === hash) history.replaceState(null, "", step.link.getAttribute("href"));
  }, 200);
}
/** Both players, their clocks and what they hold; whose turn it is, is lit. */
function players() {
  const board = boards.get(view);
  const turned = board ? isTurned(board.ground) : flipped;
  ["upper", "lower"].forEach((id, low) => {
    const side = +(turned === !!low);
    const clock = clockOf(view, side);
    const turn = board ? board.look.turn : 0;
    $(id).parentElement.classList.toggle("turn", turn === side + 1 || (!!turn && !!board?.look.both));
    $(id).textContent = namesOf(view)[side];
    const held = board && seen().length === 1 && board.look.hands;
    if (held && held[side][0]) $(id).insertAdjacentHTML("beforeend", ` <svg class="pocket" viewBox="0 0 ${held[side].length * 0.55 + 0.6} .84" height="28" role="img" aria-label="${held[side].map((cell, i) => (i % 2 ? cell + ", " : shapes[cell].words + " ")).join("")}"><g class="ink">${hand(board, side, 0)}</g></svg>`);
    if (clock) $(id).append(make("time", { textContent: clock }));
  });
}
/** Scrolls the list of moves, and nothing else, to a move. @param {HTMLElement} link */
function reveal(link) {
  const list = $("moves");
  const [box, own] = [place(list), place(link)];
  if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - list.clientHeight / 3;
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
  // A game of games has room for its way at all times: to make its board smaller for it costs as much as to draw it.
  $("stage").classList.toggle("deep", row ? way.length > 1 : paths.length > 1);
  $("crumbs").replaceChildren(
    ...way.map(([path, text], i) => {
      if (i === way.length - 1) return make("span", { textContent: text, ariaCurrent: "page" });
      return make("button", { textContent: text, onclick: () => ((view = path), refresh()) });
    }),
  );
}
/** A small board. @param {string} path @param {Board | undefined} board @param {number[]} lit */
function small(path, board, lit) {
  if (!board) return "";
  const { files, ranks } = board.ground;
  const plain = board.cells.map((cell, at) => piece(cell, ...corner(board, at)));
  return `<svg viewBox="-.1 -.1 ${files + 0.2} ${ranks + 0.2}" aria-hidden="true">${squares(board.ground)}<g class="ink">${plain.join("")}</g>${boxes("here", board, lit)}</svg>`;
}
/** What the small picture of the boards around shows. */
let aroundKey = "";
/** The board around this one, and the games inside with what has become of them. */
function beside() {
  const around = $("around");
  const outer = view && boards.get(up(view));
  const others = view && row && tops.includes(view);
  around.hidden = !outer && !others;
  const key = outer ? `${view} ${outer.cells} ${flipped}` : others ? `${view} ${steps[now].path}` : "";
  if (key !== aroundKey) {
    aroundKey = key;
    const chips = tops.map((path) => `<i class="chip${path === view ? " shown" : path === steps[now].path ? " moved" : ""}">${path}</i>`).join("");
    around.innerHTML = outer ? small(up(view), outer, [square(outer, tail(view))]) + "<span>Up (Esc)</span>" : `<span class="chips">${chips}</span><span>All ${tops.length} boards (Esc)</span>`;
  }
  $("tree").hidden = !insides.length;
  $("column").classList.toggle("wide", insides.length > 0 || !!view);
  const items = $("games").children;
  insides.forEach((one, i) => {
    const state = spot < one.from ? "due" : spot < one.to ? "open" : "over";
    const item = items[i];
    if (item.dataset.state === state && state !== "open") return;
    item.dataset.state = state;
    const said = { due: "to come", open: "in play", over: one.result || "unfinished" }[state];
    const last = state === "due" ? undefined : boardAt(one.path, min(spot, one.to - 1));
    const laurel = /^(1-0|0-1)$/.test(one.result) && state === "over" ? " won" : "";
    item.className = state + laurel;
    item.innerHTML = `<button>${small(one.path, last, [])}<span><b>${safe(steps[one.from].more.of || one.path)}</b> ${safe(one.names ? one.names.join(" – ") : one.path)} <em>${safe(said)}</em></span></button>`;
    item.firstChild.onclick = () => {
      view = one.path;
      go(state === "open" ? spot : one.from);
      lookUp();
      about(meaning(laurel ? "laurel" : "contest"));
    };
  });
}
/** Who has what before and after a step. @param {any[] | undefined} tables */
function rosters(tables) {
  $("rosters").hidden = !tables;
  if (!tables) return;
  const line = (/** @type {string} */ kind) => (/** @type {string[]} */ row) => `<tr class="${kind}">${[kind].concat(row).map((cell) => `<td>${safe(cell)}</td>`).join("")}</tr>`;
  $("rosters").innerHTML = tables.map(([title, heads, was, is]) => `<table><caption>${safe(title)}</caption>${line("")(heads)}${was.map(line("before")).join("")}${is.length ? is.map(line("after")).join("") : `<tr class="after"><td>after</td><td colspan="${heads.length}">off the board</td></tr>`}</table>`).join("");
}

