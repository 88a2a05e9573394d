// What to look at before it fails, and what was done to the wheel.

import { h, put } from "../dom.mjs";
import { ask, send } from "../link.mjs";

export function mount(root, app) {
  const list = h("div", { class: "stack" }, h("p", { class: "aside" }, app.t("shell.loading")));
  root.append(h("p", { class: "aside lead" }, app.t("upkeep.title")), list);
  if (app.me !== null) root.append(work());
  let kinds = [];

  function card(notice) {
    const values = { ...notice };
    for (const key of ["degrees", "now_s", "then_s"]) if (key in values) values[key] = app.number(values[key], 2);
    let text = app.t(`upkeep.${notice.kind}`, values);
    let remedy = app.has(`upkeep.${notice.kind}_remedy`) ? app.t(`upkeep.${notice.kind}_remedy`) : "";
    const kind = kinds.find((each) => each.code === notice.code);
    let more = null;
    if (kind) [more, remedy] = app.fault(kind, notice.detail, app.translated(notice, "detail"));
    return h("article", { class: `fault ${notice.severity === "now" ? "lock" : "void"}` },
      h("p", { class: "code" }, app.t(`upkeep.${notice.severity}`)),
      h("div", {}, h("p", {}, h("b", {}, text)), more ? h("p", {}, more) : null, h("p", {}, remedy)));
  }

  // What was done to the wheel itself: recorded by whoever is logged in.
  function work() {
    const kind = h("select", { id: "work", onchange: say }, Object.entries(app.work).map(([what, [done]]) => h("option", { value: what }, done)));
    const note = h("input", { id: "work-note", maxlength: 400, placeholder: app.t("upkeep.work_example") });
    const meaning = h("p", { class: "aside", id: "work-meaning", role: "status" });
    function say() { meaning.textContent = app.work[kind.value][1]; }
    async function record(event) {
      event.preventDefault();
      const detail = note.value.trim() || null;
      if (await app.try(() => send("/api/act", { what: kind.value, detail }), app.t("upkeep.work_recorded"))) note.value = "";
    }
    say();
    return h("section", { class: "card" }, h("h2", {}, app.t("upkeep.work")), h("form", { class: "row", onsubmit: record },
      h("p", { class: "field" }, h("label", { for: "work" }, app.t("upkeep.work_kind")), kind),
      h("p", { class: "field grow" }, h("label", { for: "work-note" }, app.t("upkeep.work_note")), note),
      h("button", { type: "submit" }, app.t("upkeep.work_record"))), meaning);
  }

  async function load() {
    const found = await app.try(() => Promise.all([ask("/api/upkeep"), ask("/api/faults")]));
    if (found === null) {
      if (!kinds.length) put(list, h("p", { class: "card warn" }, app.t("shell.unread")));
      return;
    }
    kinds = found[1].kinds;
    put(list, ...(found[0].notices.length ? found[0].notices.map(card)
      : [h("section", { class: "card well", id: "well" }, h("p", {}, h("b", {}, app.t("upkeep.well"))), h("p", { class: "aside" }, app.t("upkeep.well_why")))]));
  }
  const off = app.on((name, fact) => { if (name === "fact" && ["result", "void"].includes(fact.event)) load(); });
  load();
  return { unmount: off };
}
