// Copying and saving, each with a word that it is done.

/** Copies a text, and says so on the button. @param {string} id @param {string} what @param {string} text */
function copied(id, what, text) {
  const focus = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = make("textarea", { value: text, className: "unseen" });
  document.body.append(area);
  area.select();
  const is = document.execCommand("copy");
  area.remove();
  if (focus) focus.focus({ preventScroll: true });
  done(id, is ? "Copied" : "Not copied", is ? `${what} copied` : `${what} could not be copied`);
}
/** Says on a button that something is done, and elsewhere in words. @param {string} id @param {string} word @param {string} words */
function done(id, word, words) {
  const button = $(id);
  button.dataset.name ||= button.textContent;
  button.textContent = word;
  about(words + ".");
  setTimeout(() => (button.textContent = button.dataset.name), 1500);
}
/** The record that the page was made from. @returns {string} */
const record = () => JSON.parse($("record").textContent);
function copyFen() {
  copied("copy", "FEN", $("fen").value);
}
function copyRecord() {
  if ($("record")) copied("record-copy", "Record", record());
}
function copyAddress() {
  copied("address", "Address", location.href.split("#")[0] + steps[now].link.getAttribute("href"));
}
function save() {
  if (!$("record")) return;
  const href = URL.createObjectURL(new Blob([record()], { type: "application/x-chess-pgn" }));
  make("a", { href, download: tape.file }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
  done("save", "Saved", `Saved as ${tape.file}`);
}

