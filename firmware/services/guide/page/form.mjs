// What people ask together: names, PINs and what it is about, by touch or by a keyboard.

import { send } from "./send.mjs";
import words from "./words.mjs";

const RANKS = [..."A23456789TJQK"];
const FRENCH = { T: "10", J: "V", Q: "D", K: "R" };
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const ROWS = ["1234567890", "azertyuiop", "qsdfghjklm", "wxcvbn-'éè", "çàâêëîïôùûäöü"];
const SIGNS = [...",.:/()"];

function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function button(text, act, kind = "") {
  const made = element("button", text, kind);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

const shown = (card) => `${FRENCH[card[0]] ?? card[0]}${SUITS[card[1]]}`;

// Opens it; returns what the page tells it of: a new scene, and that it is to close.
export function open(form, ask, scene, language, onClosed) {
  let n = scene.n;
  let field = null; // where the next letter goes
  let isLarge = false;
  let isVoid = false;
  let rank = null;
  let isAsking = false;
  let isClosed = false;
  const most = ask.fields.includes("cards") ? 120 : 1;
  let picked = ask.fields.includes("cards") ? [...scene.cards] : [];
  const inputs = {};

  const label = (name) => words[language].labels[name];
  const say = (text) => { form.querySelector("#said").textContent = text; };

  function input(name, text, { isPin = false, value = "", isWhole = false } = {}) {
    const made = element("label", text, isWhole ? "whole" : "");
    const box = document.createElement("input");
    box.type = "text";
    if (isPin) box.className = "pin"; // no password of a browser's: nothing offers to keep it
    box.autocomplete = "off";
    box.spellcheck = false;
    box.maxLength = 64;
    box.value = inputs[name]?.value ?? value;
    box.addEventListener("focus", () => { field = box; });
    inputs[name] = box;
    made.append(box);
    return made;
  }

  function person(name) {
    return [input(name, label(name)), input(`${name}-pin`, `${label("pin")} (${label(name)})`, { isPin: true })];
  }

  function pick() {
    const made = element("div", "", "pick");
    made.append(element("label", label(most > 1 ? "cards" : "card")));
    const cards = element("div", "", "row");
    cards.id = "picked";
    made.append(cards);
    const ranks = element("div", "", "row");
    ranks.append(...RANKS.map((each) => {
      const key = button(FRENCH[each] ?? each, () => { rank = each; pressed(); });
      key.dataset.rank = each;
      return key;
    }));
    const suits = element("div", "", "row");
    suits.append(...Object.entries(SUITS).map(([suit, sign]) => {
      const key = button(sign, () => choose(suit));
      key.dataset.suit = suit;
      return key;
    }));
    suits.append(button(label("back"), () => { picked.pop(); pressed(); }));
    if (most > 1) {
      const none = button(label("void"), () => { isVoid = !isVoid; pressed(); });
      none.dataset.void = "";
      suits.append(none);
    }
    made.append(ranks, suits);
    return made;
  }

  function choose(suit) {
    if (rank === null) return;
    picked = [...picked, rank + suit].slice(-most);
    rank = null;
    pressed();
  }

  function pressed() {
    const row = form.querySelector("#picked");
    if (row === null) return;
    row.replaceChildren(...(isVoid ? [element("span", label("void"), "card dash")]
      : picked.map((each) => element("span", shown(each), `card ${each[1]}`))));
    for (const key of form.querySelectorAll("[data-rank]")) {
      key.setAttribute("aria-pressed", String(key.dataset.rank === rank));
    }
    form.querySelector("[data-void]")?.setAttribute("aria-pressed", String(isVoid));
  }

  function letters() {
    const made = element("div", "", "typing");
    for (const row of ROWS) {
      const line = element("div");
      line.append(...[...row].map((each) => {
        const text = isLarge ? each.toUpperCase() : each;
        return button(text, () => put(text));
      }));
      made.append(line);
    }
    const line = element("div");
    line.append(
      button(label("capitals"), () => { isLarge = !isLarge; build(); }),
      ...SIGNS.map((each) => button(each, () => put(each))),
      button(label("space"), () => put(" ")),
      button(label("back"), () => {
        if (field) field.value = field.value.slice(0, -1);
      }),
    );
    made.append(line);
    return made;
  }

  function put(text) {
    if (field && field.value.length < field.maxLength) field.value += text;
  }

  function build() {
    const which = Object.keys(inputs).find((name) => inputs[name] === field);
    const fields = element("div", "", "fields");
    for (const name of ask.fields) {
      if (name === "card" || name === "cards") fields.append(pick());
      else if (name === "why") fields.append(input(name, label(name), { value: words[language].whys[ask.do] ?? "", isWhole: true }));
      else fields.append(...person(name));
    }
    const doing = element("div", "", "doing");
    const ready = element("button", label("send"), "first");
    ready.type = "submit"; // Enter in a field presses it
    ready.dataset.send = "";
    doing.append(ready, button(label("close"), close));
    const told = element("p");
    told.id = "said";
    form.replaceChildren(element("h1", words[language].asks[ask.do]), fields, told, letters(), doing);
    pressed();
    field = inputs[which] ?? null;
    (field ?? inputs.croupier ?? inputs.management).focus();
  }

  async function submit() {
    if (isAsking) return;
    const given = {};
    for (const name of ask.fields) {
      if (name === "card") given.card = picked[0] ?? "";
      else if (name === "cards") given.cards = isVoid ? null : picked;
      else if (name === "why") given.why = inputs.why.value.trim();
      else given[name] = { name: inputs[name].value.trim(), pin: inputs[`${name}-pin`].value };
    }
    const isWhole = Object.values(given).every((each) => each === null || (each.pin === undefined
      ? each.length > 0 : each.name && each.pin));
    if (!isWhole) {
      say(label("missing"));
      return;
    }
    isAsking = true;
    say(label("asking"));
    const refused = await send("ask", { do: ask.do, n, given });
    isAsking = false;
    if (isClosed) return;
    if (refused === null) {
      close();
    } else {
      say(refused[language]);
      for (const [name, box] of Object.entries(inputs)) if (name.endsWith("-pin")) box.value = "";
      n = latest;
    }
  }

  let latest = n;
  function update(told, reads) {
    latest = told.n;
    if (!told.asks.some((each) => each.do === ask.do)) close();
    else if (reads !== language) {
      language = reads;
      build();
    }
  }

  function close() {
    isClosed = true;
    form.hidden = true;
    form.replaceChildren(); // no PIN stays
    onClosed();
  }

  form.hidden = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    submit();
  };
  build();
  return { update, close };
}
