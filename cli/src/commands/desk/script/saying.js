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
  if (draw) $("offer-words").textContent = `${seatWords(draw)} offers a draw.`;
  $("pending").hidden = !state.pending;
  $("enter").hidden = !state.over || !desk.event;
  if (state.pending) $("pending-words").textContent = `Refused: ${state.pending}`;
}
/** Shows what came of an act. @param {any} answer */
desk.answered = (answer) => {
  const words = $("refused");
  const isDone = answer.type !== "error";
  const lines = isDone ? (answer.notes || []).map((/** @type {any} */ note) => note.message).concat(answer.words || []) : [`Not done: ${answer.words}${answer.rule ? ` (${answer.rule})` : ""}`];
  if (answer.possible && answer.possible.length) lines.push("Possible: " + answer.possible.slice(0, 8).join(", "));
  if (answer.remedy && desk.role === "arbiter") lines.push("Remedy: " + answer.remedy.text);
  words.replaceChildren(...lines.map((/** @type {string} */ text) => make("p", { textContent: text })));
  words.hidden = !lines.length;
};
$("typing").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  sayLine($("typed").value);
  $("typed").value = "";
});
for (const button of document.querySelectorAll("[data-say]")) button.addEventListener("click", () => sayLine(button.getAttribute("data-say") || ""));
$("wall").addEventListener("click", () => root.classList.toggle("wall"));
$("hall").dataset.role = desk.role;
// Everybody sits behind their own pieces.
if (desk.side === "Black") $("flip").ariaPressed = flipped = true;
$("you").textContent = desk.role === "player" ? desk.name : desk.role === "arbiter" ? "Arbiter" : "Spectator";
