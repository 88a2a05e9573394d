// The wheel's configuration: every mistake as it is typed, and a way back.

import { h, dialog, put } from "../dom.mjs";
import { ask, send } from "../link.mjs";
import { field } from "../login.mjs";
import { ordersList } from "./orders.mjs";

const TYPED_MS = 250;

// What was typed and not applied, of whom, and over which file: another view, another language, a
// session that ends or a new program takes it away from nobody. It ends with the tab.
const DRAFT = "config-draft";
const drafted = () => { try { return JSON.parse(sessionStorage.getItem(DRAFT)); } catch { return null; } };
function draft(said) {
  try { if (said === null) sessionStorage.removeItem(DRAFT); else sessionStorage.setItem(DRAFT, JSON.stringify(said)); } catch { /* private */ }
}

export function mount(root, app) {
  const orders = ordersList(app);
  const text = h("textarea", { id: "config", spellcheck: "false", autocapitalize: "none", autocomplete: "off", "aria-label": app.t("config.text"), "aria-describedby": "mistakes", wrap: "off" });
  const gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
  const list = h("ul", { class: "mistakes", id: "mistakes", role: "status", "aria-live": "polite" });
  const path = h("code", {});
  const apply = h("button", { type: "button", id: "apply", onclick: sure }, app.t("config.apply"));
  const revert = h("button", { type: "button", class: "quiet", id: "revert", onclick: () => { text.value = file ?? ""; changed(); } }, app.t("config.revert"));
  const why = h("p", { class: "aside" });
  const none = h("p", { hidden: true }, app.t("config.none"));
  const keys = h("details", { id: "keys", ontoggle: listKeys }, h("summary", {}, app.t("config.keys")));
  const moved = h("p", { class: "warn", id: "moved", hidden: true }, app.t("config.moved"));
  root.append(h("section", { class: "card editor" }, h("p", { class: "aside" }, app.t("config.path"), " ", path), none, moved, h("div", { class: "paper" }, gutter, text), list,
    h("div", { class: "actions" }, why, revert, apply), keys), orders.element);
  let file = null;
  let mistakes = [];
  let limits = null; // new ones, and whether there were others

  function number() {
    const bad = new Set(mistakes.map((mistake) => mistake.line));
    const count = text.value.split("\n").length;
    put(gutter, ...Array.from({ length: count }, (_, at) => h("span", { class: bad.has(at + 1) ? "bad" : "" }, `${at + 1}\n`)));
    gutter.scrollTop = text.scrollTop;
    text.style.height = `${Math.max(12, Math.min(count + 2, 40)) * 1.5}em`;
  }

  function draw() {
    number();
    const count = mistakes.length;
    list.className = `mistakes ${count ? "bad" : "good"}`;
    put(list, ...(count ? [h("li", {}, h("b", {}, count === 1 ? app.t("config.mistake") : app.t("config.mistakes", { n: count }))),
      ...mistakes.map((mistake) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => go(mistake.line) }, mistake.line ? app.t("config.line", { n: mistake.line }) : "–"), " ", h("span", { lang: app.tongue(mistake, "text") }, app.told(mistake, "text"))))]
      : [h("li", {}, app.t("config.sound"))]));
    const same = text.value === (file ?? "");
    const role = app.me?.role !== "supervisor" ? app.t("shell.supervisor_only") : same ? app.t("config.unchanged") : "";
    why.textContent = role;
    apply.disabled = count > 0 || role !== "";
    revert.disabled = same;
  }

  // Every key there is, as the controller's own table has them; asked for when it is opened first.
  async function listKeys() {
    if (!keys.open || keys.querySelector("table")) return;
    const found = await app.try(() => ask("/api/config/keys"));
    if (found === null || keys.querySelector("table")) return;
    keys.append(h("table", { class: "rows keys" }, h("thead", {}, h("tr", {},
      ["key", "may_be", "default", "decides"].map((name) => h("th", {}, app.t(`config.${name}`))))), h("tbody", {}, found.keys.map(row))));
  }

  function row(key) {
    const note = key.choices.length ? key.choices.map((choice) => JSON.stringify(choice)).join(", ") : app.told(key, "note");
    return h("tr", {}, h("td", {}, h("code", {}, `[${key.section}] ${key.key}`)), h("td", { lang: key.choices.length ? "en" : app.tongue(key, "note") }, note),
      h("td", {}, key.default === null ? "–" : JSON.stringify(key.default)), h("td", { lang: app.tongue(key, "text") }, app.told(key, "text")));
  }

  function go(line) {
    const lines = text.value.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    text.focus();
    text.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  }

  let timer = 0;
  let asked = 0;
  function changed() {
    draft(text.value === (file ?? "") ? null : { who: app.me?.name, text: text.value, file });
    number();
    asked += 1; // what is answered of the text before says nothing of this one
    apply.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(check, TYPED_MS);
  }
  async function check() {
    const mine = ++asked;
    const found = await app.try(() => send("/api/config/check", { text: text.value }));
    if (found === null || mine !== asked) return;
    mistakes = found.mistakes;
    limits = found.limits;
    draw();
  }

  function sure() {
    dialog(app.t("config.apply_title"), (made) => {
      const form = h("form", { method: "dialog", id: "apply-form", async onsubmit(event) {
        event.preventDefault();
        const asked = { text: text.value };
        if (form.elements.director?.value) {
          asked.director = form.elements.director.value.trim().normalize("NFC");
          asked.director_pin = form.elements.director_pin.value;
        }
        made.close();
        if (await app.try(() => send("/api/config/apply", asked), app.t("config.ordered"))) orders.load();
      } }, h("p", {}, app.t("config.apply_why")), ...signature(), h("div", { class: "actions" },
        h("button", { type: "button", class: "quiet", onclick: () => made.close() }, app.t("shell.cancel")),
        h("button", { type: "submit", id: "apply-sure" }, app.t("config.apply"))));
      return [form];
    });
  }

  // Who signs new limits beside who applies them.
  function signature() {
    if (limits === null) return [];
    const required = limits.must;
    return [h("p", { id: "limits" }, app.t(required ? "config.limits_why" : "config.limits_first")),
      field(app.t("config.director"), { name: "director", autocomplete: "off", required }),
      field(app.t("config.director_pin"), { name: "director_pin", type: "password", autocomplete: "off", required })];
  }

  text.addEventListener("input", changed);
  text.addEventListener("scroll", () => { gutter.scrollTop = text.scrollTop; });
  async function load() {
    const found = await app.try(() => ask("/api/config"));
    if (found === null) return;
    file = found.text;
    path.textContent = found.path;
    const mine = drafted();
    const kept = mine !== null && mine.who === app.me?.name && mine.text !== (file ?? "");
    if (mine?.who === app.me?.name && !kept) draft(null); // it is in the file: nobody's draft any more
    text.value = kept ? mine.text : file ?? "";
    moved.hidden = !kept || mine.file === file;
    none.hidden = file !== null;
    await check();
  }
  load();
  return { unmount() { clearTimeout(timer); orders.stop(); } };
}
