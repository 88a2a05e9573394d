// What is wrong now, what was, and what to do about each.

import { h, put } from "../dom.mjs";
import { ask } from "../link.mjs";

export function mount(root, app) {
  const now = h("section", { class: "stack", "aria-live": "polite" });
  const told = h("section", { class: "card" });
  const all = h("section", { class: "card" });
  root.append(now, told, all);
  let kinds = [];
  let past = [];
  let unread = null;  // why those of the last coups are not known
  let search = "";

  const kindOf = (code) => kinds.find((kind) => kind.code === code);
  function card(code, detail, aside, text = null) {
    const kind = kindOf(code) ?? { code, grade: "notice", text: "", remedy: "" };
    const [said, remedy] = app.fault(kind, detail);
    return h("article", { class: `fault ${kind.grade}` }, h("p", { class: "code mono" }, code),
      h("div", {}, h("p", {}, h("b", {}, text ?? said)), h("p", {}, h("span", { class: "aside" }, `${app.t("faults.remedy")} : `.replace(" :", app.language === 0 ? " :" : ":")), remedy),
        h("p", { class: "aside" }, [app.t(`faults.${kind.grade}`), aside].filter(Boolean).join(" · "))));
  }

  function drawNow() {
    const codes = app.status?.faults ?? [];
    put(now, h("h2", {}, app.t("faults.now")), ...(codes.length ? codes.map((code) => {
      const fact = app.facts.findLast((each) => each.event === "fault" && each.code === code);
      const kind = kindOf(code);
      const detail = fact && kind ? detailOf(kind, fact.text) : null;
      return card(code, detail, "");
    }) : [app.status === null || app.silent ? h("p", { class: "card warn", id: "unknown" }, app.t("faults.unknown"))
      : h("p", { class: "card well" }, app.t("faults.none_now"))]));
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
    put(told, h("h2", {}, app.t("faults.told")), unread ? h("p", { class: "warn" }, app.t("shell.unread"), " ", unread) : null, ...(groups.size ? [...groups.values()].map((group) => card(group.code, group.detail,
      `${group.times === 1 ? app.t("faults.once") : app.t("faults.times", { n: group.times })}, ${app.t("faults.last_coup", { coup: group.coup })}`)) : unread ? [] : [h("p", { class: "aside" }, app.t("faults.none_told"))]));
  }

  function drawAll() {
    const rows = h("div", { class: "stack" });
    const fill = () => {
      const wanted = search.toLowerCase();
      put(rows, ...kinds.filter((kind) => [kind.code, ...app.fault(kind, "…")].join(" ").toLowerCase().includes(wanted)).map((kind) => card(kind.code, "…", "")));
    };
    put(all, h("h2", {}, app.t("faults.all")),
      h("p", { class: "field" }, h("label", { for: "search" }, app.t("faults.search")),
        h("input", { id: "search", type: "search", value: search, oninput: (event) => { search = event.target.value; fill(); } })), rows);
    fill();
  }

  async function load() {
    const found = await app.try(() => ask("/api/faults"));
    if (found === null) return;
    ({ kinds, told: past, unread } = found);
    drawNow();
    drawTold();
    drawAll();
  }
  let drawn = "";
  const off = app.on((name) => {
    const next = String(app.silent ? null : app.status?.faults ?? null);
    if (["status", "silent"].includes(name) && next !== drawn) { drawn = next; drawNow(); }
  });
  drawNow();
  load();
  return { unmount: off };
}
