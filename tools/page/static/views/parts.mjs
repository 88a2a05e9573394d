// The displays with what each lights, and what the slow parts say.

import { h, put } from "../dom.mjs";
import { ask } from "../link.mjs";

const EACH_MS = 2000;

export function mount(root, app) {
  const displays = h("div", { class: "displays", id: "displays" });
  const others = h("div", { class: "parts" });
  root.append(h("h2", {}, app.t("parts.displays")), displays, h("h2", {}, app.t("parts.others")), others, h("p", { class: "aside" }, app.t("parts.asked")));

  const word = (value) => (value === true ? app.t("parts.yes") : value === false ? app.t("parts.no") : value === null || value === undefined ? "–"
    : typeof value === "number" ? app.number(value, Number.isInteger(value) ? 0 : 3) : String(value));

  function rows(found) {
    if (found === null) return [h("p", { class: "aside" }, app.t("parts.not_fitted"))];
    if (typeof found !== "object") return [h("p", {}, word(found))];
    return [h("dl", { class: "facts" }, Object.entries(found).map(([name, value]) => h("div", {}, h("dt", {}, name.replaceAll("_", " ")),
      h("dd", { class: "mono" }, value !== null && typeof value === "object" ? JSON.stringify(value) : word(value)))))];
  }

  function display(found) {
    const lit = found.shown ?? found.number ?? null;
    const state = found.state ?? (found.lit && found.lit.state) ?? "STALE";
    const heard = found.heard ?? found.answers ?? found.online ?? null;
    const known = ["address", "shown", "number", "state", "heard", "answers", "online", "lit"];
    const more = Object.fromEntries(Object.entries(found).filter(([name]) => !known.includes(name)));
    return h("article", { class: `card display ${heard === false ? "off" : ""}` },
      h("p", { class: "aside" }, `№ ${found.address}`),
      h("p", { class: "lit", "data-state": state }, lit === null ? "–" : String(lit)),
      h("p", {}, h("b", {}, app.has(`states.${state}`) ? app.t(`states.${state}`).toLowerCase() : state)),
      heard === null ? null : h("p", { class: "aside" }, app.t(heard ? "parts.answers" : "parts.silent")),
      Object.keys(more).length ? rows(more) : null);
  }

  async function load() {
    if (document.hidden || app.status === null) return;
    const found = await ask("/api/parts").catch(() => null);
    if (found === null) return;
    const { displays: shown = [], ...rest } = found.parts;
    const list = Array.isArray(shown) ? shown : Object.entries(shown ?? {}).map(([address, each]) => ({ address, ...each }));
    put(displays, ...(list.length ? list.map(display) : [h("p", { class: "aside" }, app.t("parts.none"))]));
    put(others, ...Object.entries(rest).map(([name, each]) => h("section", { class: "card" }, h("h3", {}, name.replaceAll("_", " ")), ...rows(each))));
  }
  load();
  const clock = setInterval(load, EACH_MS);
  return { unmount() { clearInterval(clock); } };
}
