// The table display: draws each scene that the bridge tells, and a dash when it tells none.

import { listen } from "./link.mjs";
import { drawCloth, headline } from "./cloth.mjs";
import { bar, rings, shape } from "./shapes.mjs";
import words from "./words.mjs"; // all that is said: by language, group and name

const DASH = "–";
const ARROWS = { 1: "↺", [-1]: "↻" };
const TABLE = "fr"; // what the table speaks, whoever reads; beside it who reads that has English
const LANGUAGES = Object.keys(words);
const SILENT = {
  stage: "STALE", game: null, wheel: null, number: null, colour: null, chances: [], rotor: 0,
  coup: 0, reason: null, by_hand: false, unverified: false, last: [], tally: null, limits: null,
  asks: null, cloth: null,
};
const STARTING = { ...SILENT, stage: "STARTING" }; // until somebody is heard, or was listened for in vain

const at = (id) => document.getElementById(id);
let scene = STARTING;
let trouble = "unheard"; // why nothing is shown, while it is silent
const asked = new URLSearchParams(location.search).get("lang");
let language = LANGUAGES.includes(asked) ? asked : TABLE;

const next = () => LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length];
const beside = () => (language === TABLE ? "en" : TABLE);
const here = (group, name) => words[language][group][name] ?? "";
// In the table's other language; nothing where that is the same.
const there = (group, name) => {
  const said = words[beside()][group][name] ?? "";
  return said === here(group, name) ? "" : said;
};
const two = (value) => String(value).padStart(2, "0");
const first = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const label = (name) => here("labels", name);

// Says a text, and to its style of how many letters it is.
function fit(element, text) {
  element.textContent = text;
  element.style.setProperty("--letters", Math.max(text.length, 1));
}

function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function draw() {
  document.documentElement.lang = language;
  document.body.dataset.stage = scene.stage;
  // A table that is not heard any more stays the table that it was.
  if (scene.game !== null) document.body.dataset.kind = scene.cloth === null ? "wheel" : scene.game;
  at("number").textContent = scene.number === null ? DASH : String(scene.number);
  at("number").className = scene.number === null ? "dash" : "";
  at("disc").className = scene.number === null ? "" : scene.colour;
  head();
  call();
  if (["blackjack", "baccarat"].includes(document.body.dataset.kind)) {
    drawCloth({ cloth: scene.cloth, game: document.body.dataset.kind }, here);
  } else {
    cylinder();
    shares();
    warmth();
    limits();
    last();
  }
  // The name as it is, whatever it has in it.
  at("asks").textContent = scene.asks === null ? "" : label("asks").replace("{name}", () => scene.asks);
}

function head() {
  at("wheel").textContent = scene.wheel ?? "";
  at("game").textContent = scene.game === null ? "" : here("games", scene.game);
  at("unverified").textContent = scene.unverified ? label("unverified") : "";
  const round = scene.cloth === null ? label("coup") : here("cloth", "round");
  at("coup").textContent = scene.coup ? `${round} ${scene.coup}` : "";
  at("language").textContent = words[next()].labels.own_name;
  document.title = scene.wheel === null ? "Cylindre" : `${scene.wheel} · Cylindre`;
}

function cylinder() {
  const turns = scene.game !== null && scene.game !== "boule";
  const mark = scene.number === null ? [] : [shape(scene.colour), element("span", here("letters", scene.colour))];
  at("mark").replaceChildren(...mark);
  for (const [name, rotor] of [["ccw", 1], ["cw", -1]]) {
    document.querySelector(`.ring.${name}`).classList.toggle("lit", turns && scene.rotor === rotor);
  }
  at("rings").classList.toggle("still", !turns); // a dish does not
  const [one, other] = [here("rotors", scene.rotor), there("rotors", scene.rotor)];
  at("direction").textContent = turns && scene.rotor !== 0 ? `${ARROWS[scene.rotor]} ${one} · ${other}` : "";
}

function call() {
  const told = scene.number !== null && scene.stage === "CONFIRMED";
  const names = told ? scene.chances.map((chance) => ["chances", chance]) : [["states", scene.stage]];
  const ended = scene.cloth !== null && scene.stage === "CONFIRMED";
  const heads = (which) => (ended ? headline(words[which], scene.cloth) || words[which].results.none
    : names.map(([group, name]) => words[which][group][name] ?? "").join(" · "));
  const [said, aside] = [heads(language), heads(beside())];
  let more = ["more", scene.stage];
  if (scene.reason !== null) more = ["reasons", scene.reason];
  // The shoe ended with this round, or the table is out of play since: its end stands beside that.
  const ends = (which) => (ended || scene.stage === "VOID" ? "" : headline(words[which], scene.cloth).toLowerCase());
  if (ends(language) !== "") {
    more = null;
    at("more").textContent = first(ends(language));
    at("more-too").textContent = first(ends(beside()));
  }
  if (scene === SILENT) more = ["labels", trouble];
  fit(at("headline"), said.toUpperCase());
  at("headline-too").textContent = aside === said ? "" : first(aside.toLowerCase());
  if (more !== null) {
    at("more").textContent = first(here(...more));
    at("more-too").textContent = first(there(...more));
  }
  const chip = scene.by_hand ? "by_hand" : scene.stage === "MANUAL" ? "manual" : null;
  at("by-hand").textContent = chip === null ? "" : label(chip);
}

function shares() {
  const tally = scene.tally;
  at("shares-title").textContent = label("shares");
  at("shares-window").textContent = tally === null ? DASH
    : label(tally.window === 1 ? "window_one" : "window").replace("{}", tally.window);
  const share = (count) => Math.round((100 * count) / tally.window);
  at("shares").replaceChildren(...(tally === null ? [] : tally.pairs).map(([one, other]) => {
    const row = element("div", "", "pair");
    const said = element("p");
    for (const { chance, count } of [one, other]) {
      const part = element("span", `${first(here("chances", chance))} `);
      part.append(element("b", `${share(count)} %`));
      said.append(part);
    }
    row.append(said, bar(share(one.count), share(other.count)));
    return row;
  }));
}

function warmth() {
  const tally = scene.tally;
  at("hot-title").textContent = label("hot");
  at("cold-title").textContent = label("cold");
  at("hot-aside").textContent = label("hot_aside");
  at("cold-aside").textContent = label("cold_aside");
  const chip = (number, note) => {
    const made = element("div");
    made.append(element("b", String(number)), element("i", note));
    return made;
  };
  const others = (count) => (count ? [element("div", `+ ${count}`, "others")] : []);
  const hot = tally === null ? [] : tally.hot.map(([number, count]) => chip(number, `${count} ×`));
  const cold = tally === null ? [] : tally.cold.map(([number, ago]) => chip(number, ago === null ? `> ${tally.window}` : String(ago)));
  at("hot").replaceChildren(...(hot.length ? [...hot, ...others(tally.hot_more)] : [element("div", DASH)]));
  at("cold").replaceChildren(...(cold.length ? [...cold, ...others(tally.cold_more)] : [element("div", DASH)]));
}

// As a decimal text: a number with a point would not hold every cent of a large amount.
function amount(cents) {
  const part = cents % 100;
  const digits = part === 0 ? 0 : 2;
  const how = { style: "currency", currency: scene.limits.currency, minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, how).format(`${(cents - part) / 100}.${two(part)}`);
}

function limits() {
  at("limits-title").textContent = label("limits");
  const minimum = element("b");
  fit(minimum, scene.limits === null ? DASH : amount(scene.limits.minimum_cents));
  at("minimum").replaceChildren(minimum, first(label("minimum")));
  const maxima = scene.limits === null ? [] : scene.limits.maxima;
  at("maxima").style.gridTemplateRows = `repeat(${Math.max(1, Math.ceil(maxima.length / 2))}, auto)`;
  at("maxima").replaceChildren(...maxima.map(([bets, maximum]) => {
    const row = element("p", "");
    const names = first(bets.map((bet) => here("bets", bet)).join(", "));
    row.append(element("span", names), element("b", maximum === null ? label("unlimited") : amount(maximum)));
    return row;
  }));
}

function last() {
  at("last-title").textContent = label("last");
  at("last-void").textContent = label("void");
  const cells = scene.last.map((outcome) => {
    if (outcome === null) return element("li", "×", "nul");
    const [number, colour] = outcome;
    const cell = element("li", "", colour);
    cell.append(element("span", String(number)), shape(colour));
    return cell;
  });
  if (cells.length) cells[cells.length - 1].classList.add("newest");
  at("last").replaceChildren(...cells);
}

function clock() {
  const now = new Date();
  at("clock").textContent = `${two(now.getHours())}:${two(now.getMinutes())}`;
}

function silent(why) {
  if (scene === SILENT && trouble === why) return;
  trouble = why;
  scene = SILENT;
  draw();
}

at("rings").append(rings());
at("language").addEventListener("click", () => {
  language = next();
  history.replaceState(null, "", `?lang=${language}`);
  draw();
});
addEventListener("resize", () => { if (scene.cloth !== null) draw(); }); // the roads are as long as there is room
clock();
setInterval(clock, 1000);
draw();
listen({
  onScene: (told) => {
    if (scene === told) return;
    scene = told;
    trouble = "unheard";
    draw();
  },
  onSilence: () => silent(trouble),
  onCrowded: () => silent("crowded"),
  onReload: () => location.reload(),
});
