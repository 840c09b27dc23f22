// The page opens.

/** Goes where an address leads; says so if there is no such moment. @param {string} hash */
function visit(hash) {
  const to = linked(hash);
  if (to === -2) about(`This game has no moment ${decode(hash.replace(/^#(g[\d.]+\/)?/, ""))}.`);
  if (to >= 0 && to !== now) go(to);
  return to;
}
/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Everything that depends on how many steps, boards and games inside there are. */
function setOut() {
  links.forEach((link, k) => {
    link.setAttribute("href", `#${tape.game}/${k < count ? steps[k].at || "@" + k : "~" + (k - count)}`);
    link.tabIndex = -1;
  });
  $("time").max = count - 1;
  $("games").innerHTML = insides.map(() => "<li></li>").join("");
  lanes();
  $("in").hidden = $("out").hidden = paths.every((path) => !path || (tops.includes(path) && tops.length < 2));
  $("all").hidden = paths.length < 2 || insides.length > 0;
}
$("moves").removeAttribute("tabindex");
root.classList.add("live");
setOut();
listen();
$("stage").hidden = $("desk").hidden = $("tools").hidden = $("beside").hidden = false;
const asked = isLive ? -1 : visit(location.hash);
if (isLive) go(count - 1);
else if (asked < 0) go(max(0, linked(tape.at)), !tape.at);
