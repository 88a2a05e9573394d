// The table display: draws each scene that the bridge tells, and a dash when it tells none.

import { listen } from "./link.mjs";
import { bar, rings, shape } from "./shapes.mjs";
import words from "./words.mjs"; // all that is said: [French, English]

const DASH = "–";
const ARROWS = { 1: "↺", [-1]: "↻" };
const HEADLINE_LONG = 16; // characters that fit in the large letters
const SILENT = {
  stage: "STALE", game: null, wheel: null, number: null, colour: null, chances: [], rotor: 0,
  coup: 0, reason: null, by_hand: false, unverified: false, last: [], tally: null, limits: null,
  call: null,
};

const at = (id) => document.getElementById(id);
let scene = SILENT;
let trouble = "unheard"; // why nothing is shown, while it is silent
let language = new URLSearchParams(location.search).get("lang") === "en" ? 1 : 0;

const here = (pair) => (pair ? pair[language] : "");
const there = (pair) => (pair && pair[0] !== pair[1] ? pair[1 - language] : "");
const first = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const label = (name) => here(words.labels[name]);

function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function draw() {
  document.documentElement.lang = language === 1 ? "en" : "fr";
  document.body.dataset.stage = scene.stage;
  at("number").textContent = scene.number === null ? DASH : String(scene.number);
  at("number").className = scene.number === null ? "dash" : "";
  at("disc").className = scene.number === null ? "" : scene.colour;
  head();
  cylinder();
  call();
  shares();
  warmth();
  limits();
  last();
}

function head() {
  at("wheel").textContent = scene.wheel ?? "";
  at("game").textContent = scene.game === null ? "" : here(words.games[scene.game]);
  at("unverified").textContent = scene.unverified ? here(words.unverified) : "";
  at("coup").textContent = scene.coup ? `${label("coup")} ${scene.coup}` : "";
  at("language").textContent = label("language");
  document.title = scene.wheel === null ? "Cylindre" : `${scene.wheel} · Cylindre`;
}

function cylinder() {
  const turns = scene.game !== null && scene.game !== "boule";
  const mark = scene.number === null ? [] : [shape(scene.colour), element("span", here(words.letters[scene.colour]))];
  at("mark").replaceChildren(...mark);
  for (const [name, rotor] of [["ccw", 1], ["cw", -1]]) {
    document.querySelector(`.ring.${name}`).classList.toggle("lit", turns && scene.rotor === rotor);
  }
  at("rings").classList.toggle("still", !turns); // a dish does not
  const [one, other] = [here(words.rotors[scene.rotor]), there(words.rotors[scene.rotor])];
  at("direction").textContent = turns && scene.rotor !== 0 ? `${ARROWS[scene.rotor]} ${one} · ${other}` : "";
}

function call() {
  const told = scene.number !== null && scene.stage === "CONFIRMED";
  const chances = (which) => scene.chances.map((pair) => pair[which]).join(" · ");
  const pair = told ? [chances(0), chances(1)] : words.states[scene.stage];
  const headline = told ? chances(language).toUpperCase() : here(pair).toUpperCase();
  let more = words.more[scene.stage];
  if (scene.reason !== null) more = words.reasons[scene.reason];
  if (scene === SILENT) more = words.labels[trouble];
  at("headline").textContent = headline;
  at("headline").className = headline.length > HEADLINE_LONG ? "long" : "";
  at("headline-too").textContent = first(there(pair).toLowerCase());
  at("more").textContent = first(here(more));
  at("more-too").textContent = first(there(more));
  const chip = scene.by_hand ? words.by_hand : scene.stage === "MANUAL" ? words.manual : null;
  at("by-hand").textContent = chip === null ? "" : here(chip);
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
      const part = element("span", `${first(here(chance))} `);
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

function amount(cents) {
  const digits = cents % 100 === 0 ? 0 : 2;
  return (cents / 100).toLocaleString(language === 1 ? "en" : "fr", { minimumFractionDigits: digits });
}

function limits() {
  at("limits-title").textContent = label("limits");
  const minimum = element("b", scene.limits === null ? DASH : amount(scene.limits.minimum_cents));
  at("minimum").replaceChildren(minimum, first(label("minimum")));
  const maxima = scene.limits === null ? [] : scene.limits.maxima;
  at("maxima").style.gridTemplateRows = `repeat(${Math.max(1, Math.ceil(maxima.length / 2))}, auto)`;
  at("maxima").replaceChildren(...maxima.map(([bets, maximum]) => {
    const row = element("p", "");
    const names = first(bets.map(here).join(", "));
    row.append(element("span", names), element("b", maximum === null ? label("unlimited") : amount(maximum)));
    return row;
  }));
}

function last() {
  at("last-title").textContent = label("last");
  at("last-void").textContent = label("void");
  at("standing").textContent = here(scene.call);
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
  const two = (value) => String(value).padStart(2, "0");
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
  language = 1 - language;
  history.replaceState(null, "", language === 1 ? "?lang=en" : "?lang=fr");
  draw();
});
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
