// The displays with what each lights, and what the slow parts say.

import { h, put } from "../dom.mjs";
import { ask } from "../link.mjs";

const EACH_MS = 2000;

export function mount(root, app) {
  const displays = h("div", { class: "displays", id: "displays" });
  const others = h("div", { class: "parts" });
  root.append(h("h2", {}, app.t("parts.displays")), displays, h("h2", {}, app.t("parts.others")), others, h("p", { class: "aside" }, app.t("parts.asked")));

  const word = (value) => (value === true ? app.t("parts.yes") : value === false ? app.t("parts.no") : value === null || value === undefined ? "–"
    : typeof value === "number" ? app.number(value, Number.isInteger(value) ? 0 : 3) : named("value", String(value)));
  const named = (kind, name) => (app.has(`parts.${kind}_${name}`) ? app.t(`parts.${kind}_${name}`) : name.replaceAll("_", " "));
  const flat = (value) => (Array.isArray(value) ? value.map(flat).join(", ") || "–" : value !== null && typeof value === "object" ? JSON.stringify(value) : word(value));

  // What is not fitted is not named, but for the FRAM; null is a part that does not answer, or not yet.
  function rows(found, name = "") {
    if (found === null) return [name === "fram" ? h("p", { class: "aside" }, app.t("parts.not_fitted")) : h("p", { class: "warn" }, app.t("parts.silent"))];
    if (typeof found !== "object") return [h("p", {}, word(found))];
    return [h("dl", { class: "facts" }, Object.entries(found).map(([name, value]) => h("div", {}, h("dt", {}, named("key", name)),
      h("dd", { class: "mono" }, name === "utc_s" ? app.time(value * 1000) : flat(value)))))];
  }

  function display(found) {
    const lit = found.shown ?? found.number ?? null;
    const state = found.lights ?? "STALE";
    const heard = found.heard_ms !== null;
    const known = ["address", "shown", "number", "answers", "lights"];
    const more = Object.fromEntries(Object.entries(found).filter(([name]) => !known.includes(name)));
    return h("article", { class: `card display ${heard ? "" : "off"}` },
      h("p", { class: "aside" }, `№ ${found.address}`),
      h("p", { class: "lit", "data-state": state }, lit === null ? "–" : String(lit)),
      h("p", {}, h("b", {}, named("value", state))),
      h("p", { class: "aside" }, app.t(heard ? "parts.answers" : "parts.silent")),
      Object.keys(more).length ? rows(more) : null);
  }

  async function load() {
    if (document.hidden || app.status === null) return;
    const found = await ask("/api/parts").catch(() => null);
    if (found === null) { if (!others.children.length) put(displays, h("p", { class: "aside" }, app.missing(null))); return; }
    const { displays: shown = [], ...rest } = found.parts;
    const list = Array.isArray(shown) ? shown : Object.entries(shown ?? {}).map(([address, each]) => ({ address, ...each }));
    put(displays, ...(list.length ? list.map(display) : [h("p", { class: "aside" }, app.t("parts.none"))]));
    put(others, ...Object.entries(rest).map(([name, each]) => h("section", { class: `card ${name === app.sought ? "sought" : ""}` }, h("h3", {}, named("key", name)), ...rows(each, name))));
  }
  displays.classList.toggle("sought", app.sought === "displays");
  put(displays, h("p", { class: "aside" }, app.missing()));
  load();
  const clock = setInterval(load, EACH_MS);
  return { unmount() { clearInterval(clock); } };
}
