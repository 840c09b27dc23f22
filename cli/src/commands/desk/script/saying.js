// Everything that is said and not played: a typed line, a button for what is said most.

/** Says a line as it would be typed in a terminal. @param {string} line */
async function sayLine(line) {
  if (!line.trim()) return;
  desk.do({ type: "typed", line });
}
/** An offer of a draw is answered where it is seen. */
function offered() {
  const { offer: draw } = state;
  $("offer").hidden = !draw;
  const isOwnOffer = draw && desk.role === "player" && state.offeredBy === desk.side;
  if (draw) $("offer-words").textContent = isOwnOffer ? "You have offered a draw." : `${seatWords(draw)} offers a draw.`;
  for (const button of $("offer").querySelectorAll("button")) button.hidden = isOwnOffer;
  $("pending").hidden = !state.pending;
  $("instruct").hidden = !row || desk.role !== "player";
  $("enter").hidden = !state.over || !desk.event;
  if (state.pending) $("pending-words").textContent = `Refused: ${state.pending}`;
}
/** Gives the time that a remedy gives. @param {{side: string, seconds: number}} given */
function giveButton({ side, seconds }) {
  const on = state.due.length && !row ? state.due[0].seat.slice(1) : "";
  const line = `give ${side[0].toUpperCase()}${on} +${seconds}`;
  const textContent = `Give ${side[0].toUpperCase() + side.slice(1)} ${floor(seconds / 60)}:${(seconds % 60 + "").padStart(2, "0")}`;
  return make("button", { type: "button", textContent, title: `the same as typing: ${line}`, onclick: () => sayLine(line) });
}
/** Shows what came of an act. @param {any} answer */
desk.answered = (answer) => {
  const words = $("refused");
  const isDone = answer.type !== "error";
  const lines = isDone ? (answer.notes || []).map((/** @type {any} */ note) => note.message).concat(answer.words || []) : [`Not done: ${answer.words}${answer.rule ? ` (${answer.rule})` : ""}`];
  if (answer.san && !isDone) lines.push("Possible: " + answer.san.slice(0, 8).join(", "));
  if (answer.remedy && desk.role === "arbiter") lines.push("Remedy: " + answer.remedy.text);
  words.replaceChildren(...lines.map((/** @type {string} */ text) => make("p", { textContent: text })));
  words.hidden = !lines.length;
  words.className = isDone ? "done" : "";
  const given = desk.role === "arbiter" && state.clocks.length && answer.remedy && answer.remedy.given;
  if (given) words.append(giveButton(given));
};
$("typing").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  sayLine($("typed").value);
  $("typed").value = "";
});
for (const button of document.querySelectorAll("[data-say]")) button.addEventListener("click", () => sayLine(button.getAttribute("data-say") || ""));
on("resign", "click", () => {
  const inside = !row && state.due.length ? state.due[0].seat.slice(2) : "";
  /** @type {[string, string][]} */
  const whole = [["whole resign", "Resign the match"]];
  choose("Resign?", inside ? [["resign", `Resign the sub-game on ${inside}`], ...whole] : [["resign", "Resign"]], sayLine);
});
on("instruct", "click", () => {
  $("typed").value = `order ${desk.side[0]} Team Player "…" send a Rook to Team Player "…".`;
  $("typed").focus();
});
on("now", "click", () => go(count - 1));
$("wall").addEventListener("click", () => root.classList.toggle("wall"));
$("hall").dataset.role = desk.role;
// Everybody sits behind their own pieces.
if (desk.side === "Black") $("flip").ariaPressed = flipped = true;
$("you").textContent = desk.role === "player" ? desk.name : desk.role === "arbiter" ? "Arbiter" : "Spectator";
