// What people ask together: names, PINs and what it is about, by touch or by a keyboard.

import { send } from "./send.mjs";
import words from "./words.mjs";

const RANKS = [..."A23456789TJQK"];
const FRENCH = { T: "10", J: "V", Q: "D", K: "R" };
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const ROWS = ["1234567890", "azertyuiop", "qsdfghjklm", "wxcvbn-'éè", "çàâêëîïôùûäöü"];
const SIGNS = [...",.:/()"];
const SEATS = 7;
const HANDS = 4; // of one seat

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

// Opens it; returns what the page tells it of: a new scene, and that it is to close.
export function open(form, ask, scene, language, onClosed) {
  let n = scene.n;
  let field = null; // where the next letter goes
  let isLarge = false;
  let isVoid = false;
  let [rank, seat, hand] = [null, null, 1]; // that were touched for what is entered next
  let listed = "cards"; // which list is shown
  let chosen = null; // the place in it that was touched
  let isDecided = false; // something was decided otherwise than it is recorded
  let isAsking = false;
  let isClosed = false;
  const most = ask.fields.includes("cards") ? 120 : 1;
  const lists = most > 1 ? { cards: [...scene.cards], decisions: [...scene.decisions] } : { cards: [] };
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

  // What lies there, in its order: one that is touched is replaced by what is entered next, or
  // wiped out; else it is the last.
  function pick() {
    const made = element("div", "", "pick");
    const heads = element("div", "", "row");
    if (most === 1) heads.append(element("label", label("card")));
    else {
      const lists = ["cards", ...(scene.game === "baccarat" ? [] : ["decisions"])];
      heads.append(...lists.map((each) => toggle(label(each), "list", each, () => {
        [listed, chosen] = [each, null];
        build();
      })), toggle(label("void"), "void", "", () => { isVoid = !isVoid; pressed(); }));
    }
    const own = element("div", "", "row");
    own.id = "picked";
    made.append(heads, own, ...(listed === "cards" ? cardRows() : decisionRows()));
    return made;
  }

  function toggle(text, kind, value, act) {
    const made = button(text, act);
    made.dataset[kind] = value;
    return made;
  }

  const toggles = (kind, texts, take) => Object.entries(texts).map(([value, text]) => (
    toggle(text, kind, value, () => { take(value); pressed(); })));
  const wiper = () => button(label("back"), () => wipe());

  function cardRows() {
    const ranks = element("div", "", "row");
    ranks.append(...RANKS.map((each) => (
      toggle(FRENCH[each] ?? each, "rank", each, () => { rank = each; pressed(); }))));
    const suits = element("div", "", "row");
    suits.append(...toggles("suit", SUITS, (suit) => {
      if (rank !== null) enter(rank + suit);
      rank = null;
    }), wiper());
    return [ranks, suits];
  }

  function decisionRows() {
    const numbers = (most) => Object.fromEntries(Array.from({ length: most }, (_, at) => [at + 1, String(at + 1)]));
    const places = element("div", "", "row");
    places.append(element("label", label("seat")), ...toggles("seat", numbers(SEATS), (value) => { seat = Number(value); }),
      element("label", label("hand")), ...toggles("hand", numbers(HANDS), (value) => { hand = Number(value); }));
    const does = element("div", "", "row");
    does.append(...toggles("do", words[language].decides, (value) => {
      if (seat !== null) enter({ seat, hand, do: value });
      [seat, hand] = [null, 1];
    }), wiper());
    return [places, does];
  }

  function enter(entered) {
    const own = lists[listed];
    if (listed === "decisions") isDecided = true;
    if (chosen !== null) own[chosen] = entered;
    else if (most > 1) own.push(entered);
    else own.splice(0, 1, entered);
    chosen = null;
  }

  function wipe() {
    lists[listed].splice(chosen ?? -1, 1);
    if (listed === "decisions") isDecided = true;
    chosen = null;
    pressed();
  }

  function shown(entered) {
    if (listed === "cards") return `${FRENCH[entered[0]] ?? entered[0]}${SUITS[entered[1]]}`;
    const where = entered.hand > 1 ? `${entered.seat}.${entered.hand}` : entered.seat;
    return `${where} ${words[language].decides[entered.do]} ${entered.sum ?? ""}`.trim();
  }

  function pressed() {
    const row = form.querySelector("#picked");
    if (row === null) return;
    row.replaceChildren(...(isVoid ? [element("span", label("void"), "card dash")]
      : lists[listed].map((each, place) => {
        const made = button(shown(each), () => {
          chosen = chosen === place ? null : place;
          pressed();
        }, listed === "cards" ? `card ${each[1]}` : "decision");
        made.setAttribute("aria-pressed", String(place === chosen));
        return made;
      })));
    const now = { rank, seat, hand, list: listed, void: isVoid ? "" : null };
    for (const [kind, value] of Object.entries(now)) {
      for (const key of form.querySelectorAll(`[data-${kind}]`)) {
        key.setAttribute("aria-pressed", String(value !== null && key.dataset[kind] === String(value)));
      }
    }
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
      else if (name === "decisions") continue; // picked beside the cards
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

  const decided = () => lists.decisions.map(({ sum, ...each }) => each);

  async function submit() {
    if (isAsking) return;
    const given = {};
    for (const name of ask.fields) {
      if (name === "card") given.card = lists.cards[0] ?? "";
      else if (name === "cards") given.cards = isVoid ? null : lists.cards;
      else if (name === "decisions") given.decisions = isVoid || !isDecided ? null : decided();
      else if (name === "why") given.why = inputs.why.value.trim();
      else given[name] = { name: inputs[name].value.trim(), pin: inputs[`${name}-pin`].value };
    }
    const isWhole = Object.entries(given).every(([name, each]) => each === null || name === "decisions"
      || (each.pin === undefined ? each.length > 0 : each.name && each.pin));
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
