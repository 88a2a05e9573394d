// The service page: its shell, its views, who is logged in.

import { h, icon, dialog, put } from "./dom.mjs";
import { ask, send, setToken, speak, Stream } from "./link.mjs";
import { logIn } from "./login.mjs";
import words from "./words.mjs"; // all that is said: by language, group and name

// View, group, key, whether it is for those who are logged in.
const VIEWS = [
  ["live", "wheel", "1", false], ["scope", "wheel", "2", true], ["coups", "wheel", "3", false],
  ["history", "wheel", "4", true],
  ["faults", "care", "5", false], ["upkeep", "care", "6", false], ["health", "care", "h", true], ["selftest", "care", "7", true],
  ["calibrate", "care", "8", true], ["parts", "care", "9", true],
  ["config", "machine", "0", true], ["update", "machine", "u", true], ["log", "machine", "j", true],
  ["about", "machine", "a", false],
];
const EDGES = ["live", "scope"]; // views that draw them
const FOREMOST = ["live", "faults", "coups", "selftest"]; // in the one row that a telephone has room for
const LANGUAGES = Object.keys(words);
const LOCALES = { en: "en-GB" }; // whose dates are not those of "en" alone
const ALIVE_MS = 60000; // a session goes on while somebody is there: told at most that often

const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private */ } };

const listeners = new Set();
export const app = {
  language: "en",
  me: null, // {name, role}
  wheel: null, // what does not change
  status: null, // of the controller; null: it is gone
  service: null, // the act that took the wheel out of play
  facts: [], // the last ones, oldest first
  estimate: null,
  lines: null, // the wheel's, and how they stand; null: they are not told
  silent: false,
  view: null,
  sought: null, // what of the view to look at: what a fault that led there is mended by
  get name() { return this.wheel?.wheel ?? "Cylindre"; },
  // A text, its {names} filled in. `t("live.coup", {coup: 7})`
  t(path, values = {}) {
    const [group, name] = path.split(".");
    const text = words[this.language][group]?.[name];
    if (text === undefined) return name ?? path;
    return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? values[key] : whole));
  },
  // What stands where a list has no rows: it was not read yet (undefined), cannot be read (null), or is empty.
  missing(found, none) { return found === undefined ? this.t("shell.loading") : found === null ? this.t("shell.unread") : none; },
  has: (path) => { const [group, name] = path.split("."); return words[app.language][group]?.[name] !== undefined; },
  get locale() { return LOCALES[this.language] ?? this.language; },
  number(value, digits = 0) {
    return new Intl.NumberFormat(this.locale, {
      minimumFractionDigits: digits, maximumFractionDigits: digits,
    }).format(value);
  },
  time(utc) {
    const date = new Date(utc);
    return Number.isNaN(date.getTime()) ? utc : date.toLocaleString(this.locale, { dateStyle: "short", timeStyle: "medium" });
  },
  // Of today the hour alone.
  hour(utc) {
    const date = new Date(utc);
    const today = date.toDateString() === new Date().toDateString();
    return today ? date.toLocaleTimeString(app.locale) : app.time(utc);
  },
  fault(kind, detail, translated) {
    const [text, remedy] = words[this.language].fault_texts[kind.code] ?? [kind.text, kind.remedy];
    const reason = `reasons.${(detail ?? "").replaceAll(" ", "_")}`; // of a number that people enter
    const said = kind.code === "P14" && app.has(reason) ? app.t(reason) : translated ?? detail ?? "…";
    return [text.replace("{}", () => said), remedy];
  },
  // The kinds of work on a wheel: each in a word or two, and what it means.
  get work() { return words[this.language].service_acts; },
  // The kinds of notice about its health, and what each says.
  get notices() { return words[this.language].health_kinds; },
  // The view that mends a fault, what of it to look at, and that in words; undefined: none does.
  mend: (code) => words[app.language].fault_mends[code],
  may: (name) => app.me !== null || !VIEWS.find((view) => view[0] === name)[3],
  // What a window is told by from those of other wheels: its wheel first.
  entitle: (what) => { document.title = [app.wheel?.wheel, what, "Cylindre"].filter(Boolean).join(" · "); },
  entitleView: () => app.entitle(app.t(`shell.${app.view}`)),
  // What a tool has said (firmware/services/page/translation.py), and in which language that is then.
  translated: (said, key) => said?.translations?.[app.language]?.[key],
  told: (said, key) => app.translated(said, key) ?? said[key],
  tongue: (said, key) => (app.translated(said, key) === undefined ? "en" : app.language),
  on(listener) { listeners.add(listener); return () => listeners.delete(listener); },
  note,
  refresh: () => show(),
  logIn: () => logIn(app, arrived),
  // Does something that may be known, and says so.
  async try(doing, done = null) {
    try {
      const found = await doing();
      if (done) note(done, "good");
      return found;
    } catch (error) {
      note(error.message, "bad");
      if (error.code === "no_session") left();
      return null;
    }
  },
};

const at = (id) => document.getElementById(id);
const tell = (name, data, ms) => { for (const listener of [...listeners]) listener(name, data, ms); };

// --- what is said at the edge ---------------------------------------------------------------------
function note(text, kind = "plain") {
  const made = h("p", { class: `note ${kind}` }, text);
  at("notes").append(made);
  setTimeout(() => made.remove(), 7000);
}

// --- who is there ---------------------------------------------------------------------------------
function arrived(me) {
  app.me = me.name === null ? null : me;
  setToken(me.token);
  stream.open();
  show();
}

function left() {
  if (app.me === null) return;
  app.me = null;
  setToken(null);
  app.estimate = null;
  app.facts = app.facts.filter((fact) => fact.event !== "act");
  stream.open();
  show();
}

async function logOut() {
  const found = await ask("/api/job").catch(() => null);
  const runs = found?.job?.state === "running" && found.job.who === app.me?.name;
  const holds = app.service !== null && app.service?.who === app.me?.name;
  if (!runs && !holds) { leave(); return; }
  dialog(app.t("shell.logout"), (made) => [
    h("p", { id: "leaves" }, app.t(runs ? "shell.leaves_job" : "shell.leaves_wheel")),
    h("div", { class: "actions" },
      h("button", { type: "button", class: "quiet", id: "stay", autofocus: true, onclick: () => made.close() }, app.t("shell.cancel")),
      h("button", { type: "button", class: "bad", id: "leave", onclick: () => { made.close(); leave(); } }, app.t("shell.logout")))]);
}

async function leave() {
  await app.try(() => send("/api/logout"));
  left();
}

let alive = performance.now();
function wakes() {
  if (app.me === null || performance.now() - alive < ALIVE_MS) return;
  alive = performance.now();
  send("/api/alive").catch((error) => { if (error.code === "no_session") { note(app.t("shell.ended"), "bad"); left(); } });
}
for (const name of ["pointerdown", "keydown"]) addEventListener(name, wakes, { passive: true });

// --- the stream -----------------------------------------------------------------------------------
let build = null;
let told = false; // what happened before this page was opened
const TAKES = {
  hello(data) {
    app.facts = [];
    app.lines = null;
    told = false;
    if (build !== null && build !== data.build) location.reload();
    build = data.build;
  },
  status(data) {
    Object.assign(app, { status: data.status, service: data.service, viewers: data.viewers });
    told = true;
    bar();
  },
  fact(data) {
    if (told) data.heard_ms = Date.now();
    app.facts.push(data);
    if (app.facts.length > 60) app.facts.shift();
    if (data.event === "coup_started") app.estimate = null;
  },
  lines(data) { app.lines = data; }, // it may come before the view that draws them
  edges(data) { if (app.lines) for (const [, line, level] of data.edges) app.lines.levels[line] = level; },
  estimate(data) { app.estimate = data; },
  me() { note(app.t("shell.ended"), "bad"); left(); },
  crowded() { note(`${app.t("shell.crowded")}. ${app.t("shell.crowded_why")}`, "bad"); },
};
const stream = new Stream(
  (name, data, ms) => { TAKES[name]?.(data); tell(name, data, ms); },
  (is) => {
    app.silent = is;
    bar();
    tell("silent", is);
    if (!is && shown === null) show(); // a view could not be loaded
  },
);

// --- the shell ------------------------------------------------------------------------------------
function headline() {
  if (app.silent) return ["GONE", app.t("shell.unheard"), app.t("shell.unheard_why")];
  if (app.status === null) return ["GONE", app.t("shell.gone"), app.t("shell.gone_why")];
  const state = app.status.state ?? "BETS_OPEN";
  return [state, app.t(`states.${state}`), ""];
}

const saidText = h("span", {});
const saidCoup = h("span", { class: "aside" });
const said = h("p", { id: "state", role: "status", "aria-live": "polite" }, h("span", { class: "lamp", "aria-hidden": "true" }), saidText, saidCoup);
function bar() {
  const [state, text, why] = headline();
  document.body.dataset.state = state;
  const gone = state === "GONE";
  const who = app.me === null
    ? h("span", { class: "aside" }, icon("lock"), app.t("shell.read_only"))
    : h("span", {}, icon("person"), h("b", {}, app.me.name), h("span", { class: "aside role" }, app.t(`shell.role_${app.me.role}`)));
  const service = !gone && app.service
    ? h("p", { class: "banner service", id: "in-service" },
      // Who, and why, is told to whom is logged in.
      h("b", {}, app.t(app.service.who === undefined ? "shell.in_service_of" : "shell.in_service", { who: app.service.who })), " ",
      app.service.detail === undefined ? null : app.t("shell.in_service_why", { why: app.service.detail }))
    : null;
  // What is read aloud is changed in its place: an element that is made anew is read twice, or never.
  if (saidText.textContent !== text) saidText.textContent = text;
  const coup = !gone && app.status?.coup ? app.t("live.coup", { coup: app.status.coup }) : "";
  if (saidCoup.textContent !== coup) saidCoup.textContent = coup;
  const banner = gone ? h("p", { class: "banner gone", role: "alert", id: "gone" }, h("b", {}, text), " ", why) : service;
  const signature = JSON.stringify([app.me, app.language, app.name, app.view]);
  if (signature === bar.drawn) {
    const there = at("bar").querySelector(".banner");
    if (there?.textContent === banner?.textContent) return;
    there?.remove();
    if (banner) at("bar").append(banner);
    return;
  }
  bar.drawn = signature;
  const login = app.t(app.me === null ? "shell.login" : "shell.logout");
  keepFocus(() => put(at("bar"),
    h("div", { class: "bar" },
      h("p", { class: "brand", title: app.wheel?.title }, h("b", { id: "wheel" }, app.name), h("span", { class: "aside" }, app.view === null ? "" : app.t(`shell.${app.view}`))),
      said,
      h("p", { id: "who" }, who),
      h("button", { id: "login", class: app.me === null ? "" : "quiet", type: "button", title: login, onclick: () => (app.me === null ? app.logIn() : logOut()) },
        icon(app.me === null ? "login" : "logout"), h("span", {}, login)),
    ),
    banner));
}

// What stands below the bar begins where it ends.
new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${at("bar").offsetHeight}px`)).observe(at("bar"));

// What has the focus has it still, once it was made anew.
function keepFocus(making) {
  const focused = document.activeElement?.id;
  making();
  if (focused && document.activeElement?.id !== focused) at(focused)?.focus();
}

function nav() {
  const entry = (name, label, kind, attributes) => h(kind, { ...attributes }, icon(name), h("span", { class: "label" }, label));
  const groups = ["wheel", "care", "machine"].map((group) => h("section", {},
    h("h2", {}, app.t(`shell.group_${group}`)),
    VIEWS.filter((view) => view[1] === group).map(([name, , key]) => {
      const link = entry(name, app.t(`shell.${name}`), "a", {
        href: `#${name}`, class: FOREMOST.includes(name) ? "foremost" : null, "data-view": name,
        "aria-current": name === app.view ? "page" : null, "aria-keyshortcuts": key, onclick: () => more(false),
      });
      if (!app.may(name)) link.append(h("span", { class: "locked" }, icon("lock"), h("span", { class: "sr" }, app.t("shell.login_first"))));
      return link;
    })));
  const choices = h("section", { class: "choices" },
    h("p", { class: "aside", id: "own" }, app.me === null ? app.t("shell.read_only") : `${app.me.name}, ${app.t(`shell.role_${app.me.role}`)}`),
    entry("language", words[next()].shell.own_name, "button", { id: "language", type: "button", "aria-label": words[next()].shell.own_switch, onclick: language }),
    entry("theme", app.t("shell.theme"), "button", { id: "theme", type: "button", onclick: theme }));
  const open = document.body.classList.contains("nav-open");
  const menu = entry("menu", app.t("shell.more"), "button", { id: "menu", type: "button", "aria-controls": "nav", "aria-expanded": String(open), onclick: () => more() });
  keepFocus(() => put(at("nav"), ...groups, choices, menu));
  at("nav").setAttribute("aria-label", app.t("shell.menu"));
  at("skip").textContent = app.t("shell.skip");
}

// Where the row has room for the foremost views alone: shows all of them, or does not any more.
function more(open = !document.body.classList.contains("nav-open")) {
  document.body.classList.toggle("nav-open", open);
  at("menu").setAttribute("aria-expanded", String(open));
}

// What led to a view: the fault, what to do, what of the view to look at, and the way back.
function led(code) {
  const [, , said] = app.mend(code);
  const [text, remedy] = app.fault({ code }, null);
  return h("p", { class: "card led", id: "led" }, h("b", { class: "code mono" }, code),
    h("span", {}, text, " ", remedy, said === null ? null : [" ", h("b", {}, app.t("faults.look_at", { part: said }))]),
    h("a", { href: "#faults" }, app.t("faults.back")));
}

let shown = null;
let turn = 0;
async function show() {
  const [wanted, code] = location.hash.slice(1).split("/");
  const [name] = VIEWS.find((view) => view[0] === wanted) ?? VIEWS[0];
  const mend = app.mend(code)?.[0] === name ? app.mend(code) : null;
  const mine = ++turn;
  shown?.unmount?.();
  shown = null;
  app.view = name;
  app.sought = mend?.[1] ?? null;
  document.documentElement.lang = app.language;
  app.entitleView();
  document.body.dataset.view = name;
  bar.drawn = null;
  bar();
  nav();
  stream.want(EDGES.includes(name) && app.me !== null);
  const root = h("div", { class: `view view-${name}` }, h("h1", {}, app.t(`shell.${name}`)));
  put(at("view"), root);
  if (!app.may(name)) {
    root.append(h("section", { class: "card empty" }, icon("lock"), h("p", {}, h("b", {}, app.t("shell.login_first"))),
      h("p", { class: "aside" }, app.t("shell.login_first_why")),
      h("button", { type: "button", onclick: app.logIn }, app.t("shell.login"))));
    return;
  }
  if (mend) root.append(led(code));
  const view = await import(`./views/${name}.mjs`).catch(() => null);
  if (mine !== turn) return; // another was asked for meanwhile
  if (view === null) {
    root.append(h("p", { class: "card warn", id: "unheard" }, app.t("shell.unheard_why")));
    return;
  }
  shown = view.mount(root, app) ?? {};
}

function next() {
  return LANGUAGES[(LANGUAGES.indexOf(app.language) + 1) % LANGUAGES.length];
}

function language() {
  app.language = next();
  keep("language", app.language);
  show();
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  keep("theme", next);
  tell("theme", next);
}

function help() {
  const keys = [
    ["1 … 9, 0, h, u, j, a", "key_views"], ["l", "key_login"], ["f", "key_language"], ["t", "key_theme"], ["?", "key_help"],
    [`${app.t("shell.space")}, +, −, ←, →, c, v`, "key_scope"],
  ];
  dialog(app.t("shell.shortcuts"), (made) => [
    h("dl", { class: "keys" }, keys.flatMap(([key, name]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, app.t(`shell.${name}`))])),
    h("div", { class: "actions" }, h("button", { type: "button", onclick: () => made.close() }, app.t("shell.close"))),
  ]);
}

addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, textarea, select") || document.querySelector("dialog[open]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const view = VIEWS.find(([, , key]) => key === event.key);
  if (view) location.hash = view[0];
  else if (event.key === "l" && app.me === null) app.logIn(); // no slip of a finger logs anybody out
  else if (event.key === "f") language();
  else if (event.key === "t") theme();
  else if (event.key === "?") help();
  else if (event.key === "Escape" && document.body.classList.contains("nav-open")) more(false);
  else return;
  event.preventDefault();
});
addEventListener("hashchange", async () => { await show(); at("view").focus({ preventScroll: true }); });

// --- the beginning --------------------------------------------------------------------------------
const chosen = new URLSearchParams(location.search).get("lang") ?? kept("language") ?? navigator.language;
app.language = LANGUAGES.find((code) => String(chosen).startsWith(code)) ?? "en";
speak(() => app.language, () => app.t("shell.unheard"));
if (kept("theme")) document.documentElement.dataset.theme = kept("theme");
const [me, wheel] = await Promise.all([ask("/api/me").catch(() => ({ name: null })), ask("/api/wheel").catch(() => null)]);
app.wheel = wheel;
app.me = me.name === null ? null : me;
setToken(me.token);
document.body.dataset.ready = "yes";
show();
