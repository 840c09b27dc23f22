// Pieces glide from where they were, unless the reader prefers less motion or goes on quickly.

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** When a piece glided last. */
let glided = 0;

/** @param {Board} was @param {Board} is @param {number[]} gone squares that a piece has left, or on which it was captured
 * @param {[number, Element][]} come squares on which a piece has arrived, and the piece */
function glide(was, is, gone, come) {
  const time = performance.now();
  const isQuick = time - glided < 150;
  glided = time;
  if (still.matches || isQuick || come.length > 4) return;
  const sideOf = (/** @type {number} */ cell) => shapes[cell].words.split(" ")[0];
  for (const [to, use] of come) {
    const cell = is.cells[to];
    const left = gone.filter((at) => at !== to && is.cells[at] !== was.cells[at]);
    const same = left.find((at) => was.cells[at] === cell) ?? left.find((at) => sideOf(was.cells[at]) === sideOf(cell));
    if (same === undefined) continue;
    const [[a, b], [c, d]] = [corner(is, same), corner(is, to)];
    use.animate([{ transform: `translate(${a - c}px, ${b - d}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  }
}

