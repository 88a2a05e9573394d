// The croupier's guide: draws each scene that the program tells, and sends the keys that are touched.

import { open } from "./form.mjs";
import { listen } from "./link.mjs";
import { send } from "./send.mjs";
import words from "./words.mjs"; // what the page says by itself: by language, group and name

const LANGUAGES = Object.keys(words);
const TABLE = "fr"; // what the table speaks, unless its croupier reads another language
// By how urgent it is, beside the colour: a shape, and a word.
const SHAPES = { go: "▶", wait: "■", held: "▲", locked: "✖" };
const SEATS = 7;
const SETTLED_MS = 300; // nobody sees what is due, and touches a key for it, in less
const BOUNCE_MS = 300; // nobody confirms in less: a finger has bounced
const SURE_MS = 4000; // a key that takes back what was played is touched again within
const NOTE_MS = 8000;

const at = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search).get("lang");
let language = LANGUAGES.includes(asked) ? asked : TABLE;
let scene = null; // null: nobody is heard
let trouble = "unheard";
let since = 0; // when something else was due
let note = null; // what this page was refused, by language
let noteTimer = 0;
let armed = null; // the key that was touched once
let armedMs = 0; // when
const KEYBOARD = -1; // the pointer of a click that no finger and no mouse has made
const downs = new Map(); // by pointer: the scene that was seen as it went down
let form = null;

const label = (name) => words[language].labels[name];
const said = () => scene.say[language];
const next = () => LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length];

function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

// Puts what is made in the place of what stands there, and touches nothing that stands already:
// what is not drawn anew costs no frame.
function keep(parent, made) {
  made.forEach((each, place) => {
    const stands = parent.children[place];
    if (stands === undefined) parent.append(each);
    else if (stands.outerHTML !== each.outerHTML) stands.replaceWith(each);
  });
  while (parent.children.length > made.length) parent.lastElementChild.remove();
}

function fill(id, texts) {
  keep(at(id), texts.map((text) => element("li", text)));
}

function write(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

function draw() {
  document.documentElement.lang = language;
  at("language").textContent = words[next()].labels.own_name;
  const isTable = scene !== null && scene.stage === "table";
  document.body.dataset.stage = isTable ? "table" : "gone";
  if (!isTable) {
    if (form !== null) form.close(); // it asked for what stood, and has PINs
    document.body.dataset.code = document.body.dataset.grade = "";
    at("dark").textContent = scene === null ? label(trouble) : said().due;
    document.title = "Cylindre";
    return;
  }
  at("dark").textContent = "";
  document.title = `${scene.table} · Cylindre`;
  document.body.dataset.grade = scene.grade;
  document.body.dataset.code = scene.code;
  head();
  due();
  cloth();
  side();
  keys();
  if (form !== null) form.update(scene, language);
}

function head() {
  write("table", scene.table);
  write("game", said().game);
  write("simulated", scene.simulated ? label("simulated") : "");
  write("last", scene.last ? label("last") : "");
  write("round", `${label("round")} ${scene.round}`);
}

function due() {
  keep(at("grade"), [element("span", SHAPES[scene.grade]), element("b", label(scene.grade))]);
  const text = said().due;
  write("due", text);
  at("due").className = text.length > 120 ? "longer" : text.length > 60 ? "long" : "";
  write("left", scene.left_s === null ? "" : `${scene.left_s} ${label("seconds")}`);
  write("then", said().then);
  write("announce", said().announce.join(" "));
  write("notes", (note ?? {})[language] ?? said().notes.join(" "));
}

function card([text, kind]) {
  return element("span", text, `card ${kind}`);
}

// Marks where to look, or what comes after it, with a frame and a word.
function mark(box, to) {
  const isHere = scene.places.includes(to);
  if (!isHere && scene.then !== to) return;
  box.classList.add(isHere ? "here" : "next");
  const flag = element("p", isHere ? `▼ ${label("here")}` : label("next"), "flag");
  const title = box.querySelector(":scope > h3"); // a hand of several has none
  if (title === null) box.prepend(flag);
  else title.after(flag);
}

function hand(told) {
  const made = element("div", "", "hand");
  made.dataset.to = told.to;
  const cards = element("div", "", "cards");
  cards.append(...told.cards.map(card));
  if (told.points) made.append(element("span", told.points, "points"));
  made.append(cards);
  return made;
}

function place(name, to) {
  const box = element("div", "", "place");
  box.dataset.to = to;
  box.append(element("h3", name));
  return box;
}

function cloth() {
  document.querySelector(".cloth").classList.toggle("here", scene.places.includes("cloth"));
  const isSeats = scene.game !== "baccarat";
  at("seats").className = isSeats ? "" : "sides";
  const boxes = isSeats ? Array.from({ length: SEATS }, (_, seat) => seatBox(seat + 1))
    : [sideBox("player", "P"), sideBox("banker", "B")];
  keep(at("seats"), boxes);
  const bank = [];
  if (isSeats) {
    const dealer = place(label("dealer"), "d");
    const told = scene.hands.find((each) => each.to === "d");
    if (told) dealer.append(hand(told));
    mark(dealer, "d");
    bank.push(dealer);
  } else {
    bank.push(place(label("cloth"), "cloth"));
  }
  const shoe = place(label("shoe"), "shoe");
  mark(shoe, "shoe");
  keep(at("bank"), [...bank, shoe]);
}

function seatBox(number) {
  const to = `s${number}`;
  const box = place(`${label("seat")} ${number}`, to);
  const hands = scene.hands.filter((each) => each.to.split(".")[0] === to);
  const isSplit = hands.length > 1;
  box.classList.toggle("many", isSplit || hands.some((each) => each.cards.length > 6));
  box.classList.toggle("crowded", hands.length > 2); // two hands beside each other
  const own = element("div", "", "own");
  for (const told of hands) {
    const made = hand(told);
    if (isSplit) mark(made, told.to);
    own.append(made);
  }
  box.append(own);
  if (!isSplit) mark(box, to);
  if (scene.staked.includes(number)) box.append(element("p", `● ${label("staked")}`, "chip"));
  return box;
}

function sideBox(name, to) {
  const box = place(label(name), to);
  const told = scene.hands.find((each) => each.to === to);
  if (told) box.append(hand(told));
  mark(box, to);
  return box;
}

function side() {
  for (const name of ["ways", "wrong", "paid"]) {
    const texts = said()[name];
    write(`${name}-title`, label(name === "paid" && scene.game === "baccarat" ? "paid_players" : name));
    at(`${name}-box`).hidden = texts.length === 0;
    fill(name, texts);
  }
  write("outcome", said().outcome);
}

// A button stays the same element while its key is offered: a redraw does not take the focus.
function keys() {
  const known = new Map([...at("keys").children].map((each) => [each.dataset.key, each]));
  const offered = scene.keys.map((cap) => keyButton(known.get(cap.key), cap));
  const asks = scene.asks.map((ask) => askButton(known.get(`ask:${ask.do}`), ask));
  const found = [...offered, ...asks];
  at("keys").classList.toggle("few", found.length <= 6);
  at("keys").classList.toggle("many", found.length > 6);
  const stands = [...at("keys").children];
  if (stands.length !== found.length || stands.some((each, place) => each !== found[place])) {
    at("keys").replaceChildren(...found);
  }
}

function button(known, name, kind) {
  const made = known ?? element("button");
  if (known === undefined) {
    made.type = "button";
    made.dataset.key = name;
    made.append(element("b"), element("i"), element("kbd"));
    made.addEventListener("click", (event) => touched(made, taken(event.pointerId)));
  }
  made.className = kind;
  return made;
}

function keyButton(known, cap) {
  const made = button(known, cap.key, cap.is_final ? "final" : "first");
  const isArmed = armed === cap.key;
  made.classList.toggle("armed", isArmed);
  name(made, cap.name, isArmed ? label("sure") : said().means[cap.key], cap.letter);
  return made;
}

function askButton(known, ask) {
  const made = button(known, `ask:${ask.do}`, "ask");
  name(made, words[language].asks[ask.do], "", ask.letter);
  return made;
}

function name(made, text, means, letter) {
  const [called, meaning, key] = made.children;
  if (called.textContent !== text) {
    called.textContent = text;
    called.style.setProperty("--letters", text.length);
  }
  if (meaning.textContent !== means) meaning.textContent = means;
  key.textContent ||= `[${letter}]`;
  made.dataset.letter = letter;
}

function tell(say) {
  note = say;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => tell(null), NOTE_MS);
  if (scene !== null && scene.stage === "table") due();
}

const inEach = (name) => Object.fromEntries(LANGUAGES.map((one) => [one, words[one].labels[name]]));

// `n`: the scene that was seen as the key went down.
async function touched(made, n) {
  if (n === null || n !== scene?.n) {
    tell(inEach("changed"));
    return;
  }
  const key = made.dataset.key;
  if (key.startsWith("ask:")) {
    begin(key.slice(4));
    return;
  }
  if (made.classList.contains("final")) {
    if (armed !== key) {
      arm(key);
      return;
    }
    if (performance.now() - armedMs < BOUNCE_MS) return;
  }
  arm(null);
  await request("key", { key, n });
}

async function request(what, body) {
  tell(null);
  const refused = await send(what, body);
  if (refused !== null) tell(refused);
}

function arm(key) {
  armed = key;
  armedMs = performance.now();
  const sinceMs = armedMs;
  keys();
  if (key !== null) {
    setTimeout(() => {
      if (armed === key && armedMs === sinceMs) arm(null);
    }, SURE_MS);
  }
}

async function begin(what) {
  const ask = scene.asks.find((each) => each.do === what);
  if (ask.fields.length === 0) {
    await request("ask", { do: what, n: scene.n, given: {} });
    return;
  }
  form = open(at("form"), ask, scene, language, () => {
    form = null;
    document.querySelector(`[data-key="ask:${what}"]`)?.focus();
  });
}

// What has stood on the screen long enough to be seen; null: nothing.
const seen = () => (document.body.dataset.settled === "1" && scene?.stage === "table" ? scene.n : null);

// What was on the screen as a finger went down is what it was meant for.
function pressed(event) {
  if (event.isPrimary) downs.clear(); // no other finger is down
  downs.set(event.pointerId, seen());
}

function taken(pointer) {
  const n = downs.get(pointer) ?? null;
  downs.delete(pointer);
  return n;
}

function typed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const within = form === null ? document.body : at("form");
  const controls = [...within.querySelectorAll("button, input")].filter((each) => each.offsetParent !== null);
  const place = controls.indexOf(document.activeElement);
  const isText = document.activeElement instanceof HTMLInputElement;
  const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: isText ? 0 : 1, ArrowLeft: isText ? 0 : -1 }[event.key];
  if (step) {
    const first = step > 0 ? 0 : controls.length - 1;
    const to = place < 0 ? first : (place + step + controls.length) % controls.length;
    controls[to]?.focus();
    event.preventDefault();
  } else if (event.key === "Escape" && form !== null) {
    form.close();
  } else if (event.key === "Enter" || event.key === " ") {
    if (!event.repeat) downs.set(KEYBOARD, seen());
    else if (event.key === "Enter") event.preventDefault(); // one that is held presses once
  } else if (form === null && event.key.length === 1) {
    const wanted = event.key.toUpperCase();
    const made = controls.find((each) => each.dataset.letter === wanted);
    if (made && !event.repeat) {
      made.focus();
      touched(made, seen());
      event.preventDefault();
    }
  }
}

function clock() {
  const now = new Date();
  const two = (value) => String(value).padStart(2, "0");
  at("clock").textContent = `${two(now.getHours())}:${two(now.getMinutes())}`;
}

// Something else is due: what is touched now was meant for what stood before.
function changed() {
  since = performance.now();
  armed = null;
  document.body.dataset.settled = "";
  setTimeout(() => {
    if (performance.now() - since >= SETTLED_MS) document.body.dataset.settled = "1";
  }, SETTLED_MS + 1);
}

function silent(why) {
  if (scene === null && trouble === why && document.body.dataset.stage === "gone") return;
  trouble = why;
  scene = null;
  draw();
}

at("language").addEventListener("click", () => {
  language = next();
  history.replaceState(null, "", `?lang=${language}`);
  draw();
});
document.addEventListener("pointerdown", pressed, true);
document.addEventListener("keydown", typed, true);
document.addEventListener("contextmenu", (event) => event.preventDefault());
clock();
setInterval(clock, 1000);
listen({
  onScene: (told) => {
    if (scene === told) return;
    if (scene === null || scene.n !== told.n) changed();
    scene = told;
    draw();
  },
  onSilence: () => silent("unheard"),
  onCrowded: () => silent("crowded"),
  onReload: () => location.reload(),
});
