// The line to the desk: what happens comes on one request that never ends, each act goes out on one of its own.

/** The viewer, and the line to the desk, which know each other by this. @type {any} */
const desk = { role: "", name: "", side: "", event: false, changed: undefined, situated: undefined, answered: undefined };
(() => {
  "use strict";
  /** @type {(id: string) => any} */
  const $ = (id) => document.getElementById(id);
  // The token is whoever has the link. It stays in this tab if the address changes.
  const token = location.hash.slice(1) || sessionStorage.getItem("token") || "";
  sessionStorage.setItem("token", token);
  // Another link in the same tab is another person.
  addEventListener("hashchange", () => /^#[0-9a-f]{32}$/.test(location.hash) && location.reload());
  const page = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let acts = 0;
  /** @type {any} */
  let parts;
  /** The acts that have not been answered, one after the other. @type {Promise<any>} */
  let queue = Promise.resolve();

  /** @param {string} words */
  const say = (words) => {
    $("line").textContent = words;
    $("line").hidden = !words;
  };
  /** @param {any} message @param {string} [act] */
  async function send(message, act) {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}`, ...(act ? { "overboard-act": act } : {}) };
    const response = await fetch("/acts", { method: "POST", headers, body: JSON.stringify(message) });
    return response.json();
  }
  /** Asks a question. @param {any} message */
  desk.ask = async (message) => {
    try {
      return await send(message);
    } catch {
      return { type: "error", words: "the desk does not answer" };
    }
  };
  /** Does an act; if the answer is lost, it is asked for again, and the act is not done twice. @param {any} message */
  desk.do = (message) => {
    const act = `${page} ${++acts}`;
    queue = queue.then(async () => {
      for (let tries = 0; ; tries++) {
        try {
          const answer = await send(message, act);
          say("");
          return desk.answered && desk.answered(answer);
        } catch {
          if (tries === 4) return say("The desk does not answer. Look at the record before you do it again.");
          say("The desk does not answer; trying again…");
          await new Promise((wake) => setTimeout(wake, 500 << tries));
        }
      }
    });
    return queue;
  };
  /** @param {string} ply */
  desk.play = (ply) => desk.do({ type: "play", plies: [ply] });

  /** @param {string} tag @param {string} html */
  function parsed(tag, html) {
    const box = document.createElement(tag);
    box.innerHTML = html;
    return box;
  }
  /** Puts the parts that are no lists where they belong. */
  function lay() {
    document.title = parts.title;
    $("part-head").innerHTML = parts.head;
    $("part-facts").innerHTML = parts.facts;
    $("part-legend").innerHTML ||= parts.legend;
    $("drawings").innerHTML = parts.defs;
    const list = $("moves");
    const moves = /** @type {Element} */ (parsed("div", parts.moves).firstElementChild);
    if (!list) return $("part-moves").append(moves);
    const at = list.scrollTop;
    list.replaceChildren(...moves.childNodes);
    list.scrollTop = at;
  }
  /** @param {string} id @param {any} value */
  function embed(id, value) {
    const script = Object.assign(document.createElement("script"), { id, type: "application/json", textContent: JSON.stringify(value) });
    $(id)?.remove();
    document.body.append(script);
  }
  /** Takes everything at once: at the start, and where something was missed. @param {any} whole */
  function open(whole) {
    const before = parts;
    parts = whole;
    lay();
    links();
    embed("record", parts.record);
    if (before) return desk.changed(parts, { steps: common(before.steps, parts.steps), grounds: common(before.grounds, parts.grounds), shapes: common(before.shapes, parts.shapes) });
    embed("tape", parts);
    embed("drawn", parts.shapes);
    /** @type {any} */ (globalThis).viewGame();
    desk.situated(parts.now);
  }
  /** How many items two lists have in common at their beginning. @param {any[]} one @param {any[]} other */
  function common(one, other) {
    let same = 0;
    while (same < one.length && same < other.length && JSON.stringify(one[same]) === JSON.stringify(other[same])) same++;
    return same;
  }
  /** The links of everybody, which the arbiter hands out. */
  function links() {
    desk.event = parts.event;
    const all = (parts.links || []).map((/** @type {[string, string]} */ [who, href]) => {
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("a"), { href, textContent: who, target: "_blank", rel: "noopener" }));
      return item;
    });
    $("links").replaceChildren(...all);
  }
  /** @param {any} was @param {any} how */
  function grown(was, how) {
    if ("is" in how) return how.is;
    if (typeof was === "string") return was.slice(0, how.keep) + how.add;
    was.length = how.keep;
    for (const one of how.add) was.push(one);
    return was;
  }
  /** @param {any} message */
  function hear(message) {
    if (message.you) {
      Object.assign(desk, message.you);
      return;
    }
    if (message.whole) return open(message.whole);
    const { change } = message;
    const kept = (/** @type {string} */ name) => (change[name] ? change[name].keep : parts[name].length);
    const same = { steps: kept("steps"), grounds: kept("grounds"), shapes: kept("shapes") };
    const isSeen = Object.keys(change).some((name) => !["now", "links"].includes(name));
    for (const name in change) parts[name] = grown(parts[name], change[name]);
    if (change.links) links();
    if (!isSeen) return desk.situated(parts.now);
    lay();
    embed("record", parts.record);
    desk.changed(parts, same);
  }
  /** Follows the game until the line breaks. */
  async function follow() {
    const response = await fetch("/watch", { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok || !response.body) {
      say((await response.json()).words);
      return response.status !== 401;
    }
    say("");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return true;
      const lines = (text + value).split("\n");
      text = /** @type {string} */ (lines.pop());
      for (const line of lines) if (line) hear(JSON.parse(line));
    }
  }
  (async () => {
    for (let wait = 250; ; wait = Math.min(5000, wait * 2)) {
      try {
        if (!(await follow())) return;
        wait = 250;
      } catch (error) {
        say("The desk is not there; trying again…");
      }
      await new Promise((wake) => setTimeout(wake, wait));
    }
  })();
})();
