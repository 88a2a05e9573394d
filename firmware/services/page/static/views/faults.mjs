// What is wrong now, what was, and what to do about each.

import { acknowledge } from "../acknowledge.mjs";
import { copyable } from "../copy.mjs";
import { h, icon, put } from "../dom.mjs";
import { ask } from "../link.mjs";
import { standing } from "../standing.mjs";

const EACH_MS = 2000;

export function mount(root, app) {
  const now = h("section", { class: "stack", "aria-live": "polite" });
  const told = h("section", { class: "card", id: "told" });
  const all = h("section", { class: "card", id: "all" });
  root.append(now, told, all);
  let kinds; // undefined: not read yet; null: they cannot be read
  let past = [];
  let unread = null;  // why those of the last coups are not known
  let search = "";
  let stand = app.me === null ? [] : null; // what the parts say; null: that was not read yet

  const kindOf = (code) => kinds?.find((kind) => kind.code === code);
  function card(code, detail, aside, translated = undefined) {
    const kind = kindOf(code) ?? { code, grade: "notice", text: "", remedy: "" };
    const [said, remedy] = app.fault(kind, detail, translated);
    return h("article", { class: `fault ${kind.grade}`, "data-code": code }, h("p", {}, copyable(app, h("span", { class: "code mono" }, code), code, code)),
      h("div", {}, h("p", {}, h("b", {}, said)), h("p", {}, h("span", { class: "aside" }, `${app.t("faults.remedy")} `), remedy),
        h("p", { class: "aside" }, [app.t(`faults.${kind.grade}`), aside].filter(Boolean).join(" · ")), mend(code), aside === null || !kind.acknowledged ? null : acknowledge(app, code)));
  }

  // To the view that mends it, for whoever may see that.
  function mend(code) {
    const [view, , part] = app.mend(code) ?? [];
    if (view === undefined || !app.may(view)) return null;
    const named = { view: app.t(`shell.${view}`), part };
    return h("a", { class: "mend", href: `#${view}/${code}` }, icon("go"), h("span", {}, app.t(part === null ? "faults.mend" : "faults.mend_part", named)));
  }

  function drawNow() {
    const parts = app.status === null ? [] : stand ?? [];
    const codes = (app.status?.faults ?? []).filter((code) => !parts.some(([each]) => each === code));
    const cards = [...parts.map(([code, detail, translated]) => card(code, detail, "", translated)), ...codes.map((code) => {
      const fact = app.facts.findLast((each) => each.event === "fault" && each.code === code);
      const kind = kindOf(code);
      const detail = fact && kind ? detailOf(kind, fact.text) : null;
      return card(code, detail, "", app.translated(fact, "detail"));
    })];
    const unknown = app.status === null || app.silent;
    put(now, h("h2", {}, app.t("faults.now")), ...(cards.length ? cards : [unknown ? h("p", { class: "card warn", id: "unknown" }, app.t("faults.unknown"))
      : stand === null ? h("p", { class: "aside" }, app.t("shell.loading")) : h("p", { class: "card well" }, app.t("faults.none_now"))]));
  }

  async function look() {
    if (app.me === null || document.hidden || app.status === null) return;
    const found = await ask("/api/parts").catch(() => null);
    const next = found === null ? stand ?? [] : standing(found.parts, app.translated);
    if (JSON.stringify(next) === JSON.stringify(stand)) return;
    stand = next;
    drawNow();
  }

  // What stood for {} in the sentence that was told.
  function detailOf(kind, text) {
    const [before, after] = kind.text.split("{}");
    if (after === undefined) return null;
    const rest = text.slice(`${kind.code}: `.length + before.length);
    const end = rest.indexOf(after === "" ? ` ${kind.remedy}` : after);
    return end < 0 ? null : rest.slice(0, end);
  }

  function drawTold() {
    const groups = new Map();
    for (const fault of past) {
      const key = `${fault.code} ${fault.detail}`;
      const group = groups.get(key) ?? { ...fault, times: 0 };
      group.times += 1;
      groups.set(key, group);
    }
    put(told, h("h2", {}, app.t("faults.told")), !kinds ? h("p", { class: "aside" }, app.missing(kinds)) : unread ? h("p", { class: "warn" }, app.t("shell.unread"), " ", h("span", { lang: app.tongue(unread, "unread") }, app.told(unread, "unread"))) : null, ...(groups.size ? [...groups.values()].map((group) => card(group.code, group.detail,
      `${group.times === 1 ? app.t("faults.once") : app.t("faults.times", { n: group.times })}, ${app.t("faults.last_coup", { coup: group.coup })}`, app.translated(group, "detail"))) : !kinds || unread ? [] : [h("p", { class: "aside" }, app.t("faults.none_told"))]));
  }

  function drawAll() {
    const rows = h("div", { class: "stack" });
    const fill = () => {
      const wanted = search.toLowerCase();
      const found = (kinds ?? []).filter((kind) => [kind.code, ...app.fault(kind, "…")].join(" ").toLowerCase().includes(wanted));
      put(rows, ...found.map((kind) => card(kind.code, "…", null)));
      said.textContent = found.length ? "" : app.missing(kinds, app.t("faults.none_found", { text: search }));
    };
    const said = h("p", { class: "aside", role: "status" });
    put(all, h("h2", {}, app.t("faults.all")),
      h("p", { class: "field" }, h("label", { for: "search" }, app.t("faults.search")),
        h("input", { id: "search", type: "search", value: search, oninput: (event) => { search = event.target.value; fill(); } })), said, rows);
    fill();
  }

  async function load() {
    const found = await app.try(() => ask("/api/faults"));
    kinds = found?.kinds ?? null;
    past = found?.told ?? [];
    unread = found?.unread ? found : null;
    draw();
  }
  function draw() {
    drawNow();
    drawTold();
    drawAll();
  }
  let drawn = null; // not "", as no fault is
  const off = app.on((name) => {
    const next = String(app.silent ? null : app.status?.faults ?? null);
    if (["status", "silent"].includes(name) && next !== drawn) { drawn = next; drawNow(); }
  });
  draw();
  load();
  look();
  const clock = setInterval(look, EACH_MS);
  return { unmount() { off(); clearInterval(clock); } };
}
