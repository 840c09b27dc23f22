// The line of time: a lane for each board, a tick for each ply.

/** The most lanes that can be distinguished. */
const LANES = 40;
function lanes() {
  const line = steps.slice(0, count);
  const played = new Set(line.filter((step) => isPly(step)).map((step) => step.path));
  // Of more boards than that, those on a square of the outermost board share its lane.
  const laneOf = (/** @type {string} */ path) => (played.size > LANES ? path.split(".")[0] : path);
  const all = [...new Set([...played].map(laneOf))];
  const high = max(3, min(10, 110 / max(1, all.length)));
  const curve = line.some((step) => "eval" in step.more) ? 30 : 0;
  const ticks = all.map(() => "");
  let bad = "";
  let crossed = "";
  let tips = "";
  let points = "";
  line.forEach((step, k) => {
    const x = k + 0.5;
    if ("eval" in step.more) points += `${points ? "L" : "M"}${x} ${15 - 14 * Math.tanh(step.more.eval / 4)}`;
    const from = all.indexOf(laneOf(step.path));
    if (from < 0) return;
    const y = curve + from * high;
    if (isPly(step)) ticks[from] += `M${x} ${y + 0.5}v${high - 1}`;
    if (step.more.bad) bad += `M${x} ${y}v${high}`;
    for (const [path, [, is]] of row ? step.changed : []) {
      const to = all.indexOf(laneOf(path));
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
  svg.setAttribute("height", max(12, height));
  svg.innerHTML = `<path class="zero" d="M0 15H${curve ? count : 0}"/>${body}<path class="bad" d="${bad}"/><path class="cross" d="${crossed}"/><path class="cross tip" d="${tips}"/><path class="eval" d="${points}"/><path id="head" d="M0 0v${height || 1}"/>`;
}
