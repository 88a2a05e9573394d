// The last coups, and why each ended as it did.

import { h, s, tile, put } from "../dom.mjs";
import { ask } from "../link.mjs";

export function mount(root, app) {
  const list = h("tbody");
  const detail = h("section", { class: "card detail", "aria-live": "polite" }, h("p", { class: "aside" }, app.t("coups.choose")));
  const older = h("button", { type: "button", class: "quiet", onclick: () => load(true) }, app.t("shell.older"));
  root.append(h("div", { class: "split" },
    h("section", { class: "card list" }, h("table", { class: "rows" },
      h("thead", {}, h("tr", {}, h("th", {}, app.t("coups.coup")), h("th", {}, app.t("coups.number")), h("th", {}, app.t("coups.time")))), list), older),
    detail));
  let coups = [];
  let chosen = null;
  const say = (text) => put(list, h("tr", {}, h("td", { colspan: 3, class: "aside" }, text)));

  async function load(more = false) {
    const before = more && coups.length ? `&before=${coups.at(-1).coup}` : "";
    const found = await app.try(() => ask(`/api/coups?n=50${before}`));
    if (found === null) { if (!coups.length) say(app.missing(null)); return; }
    // What somebody has opened of the past stays, as long as the newest join it.
    const joins = found.coups.some((coup) => coup.coup === coups[0]?.coup);
    if (more) coups = [...coups, ...found.coups];
    else coups = joins ? [...found.coups, ...coups.filter((coup) => coup.coup < found.coups.at(-1).coup)] : found.coups;
    if (more || !joins) older.hidden = found.coups.length < 50;
    draw();
    if (chosen === null && coups.length && innerWidth > 900) choose(coups[0].coup);
  }

  function draw() {
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.coup : null;
    put(list, ...coups.map((coup) => h("tr", {},
      h("td", {}, h("button", { type: "button", class: "link mono", "data-coup": coup.coup, onclick: () => choose(coup.coup) }, `#${coup.coup}`)),
      h("td", { class: "outcome" }, tile(coup.number, coup.colour),
        coup.number === null ? h("span", {}, app.t(`reasons.${coup.reason}`)) : h("span", {}, app.t(`colours.${coup.colour}`)),
        coup.corrected ? h("small", { class: "badge" }, app.t("coups.corrected")) : null,
        coup.by_hand ? h("small", { class: "badge" }, app.t("coups.by_hand")) : null),
      h("td", { class: "aside nowrap", title: app.time(coup.utc) }, app.hour(coup.utc)))));
    if (!coups.length) say(app.t("coups.none"));
    mark();
    if (focused !== null) list.querySelector(`[data-coup="${focused}"]`)?.focus();
  }

  // Which is chosen: in its place, so that the keyboard stays where it is.
  function mark() {
    for (const button of list.querySelectorAll("[data-coup]")) {
      const is = Number(button.dataset.coup) === chosen;
      button.closest("tr").classList.toggle("chosen", is);
      button.setAttribute("aria-current", String(is));
    }
  }

  async function choose(coup) {
    chosen = coup;
    mark();
    const found = await app.try(() => ask(`/api/coup/${coup}`));
    if (found === null || chosen !== coup) return;
    const stands = found.stands;
    const head = h("div", { class: "coup-head" }, tile(stands.number ?? null, stands.colour),
      h("div", {}, h("h2", {}, `${app.t("coups.coup")} ${coup}`), h("p", { class: "aside" }, app.time(found.utc))));
    if (!found.lines) {
      put(detail, head, h("p", { class: "aside" }, app.t("coups.login")));
      return;
    }
    put(detail, head, h("h3", {}, app.t("coups.timeline")), timeline(found.evidence),
      h("h3", {}, app.t("coups.why")), h("ul", { class: "why", id: "why-called" }, found.lines[app.language].map((line) => h("li", {}, line))),
      ...votes(found.evidence),
      h("details", {}, h("summary", {}, app.t("coups.whole")), h("pre", { lang: "en" }, found.whole.join("\n"))));
  }

  function timeline(said) {
    const moments = [
      [said.rotor_us, "rotor"], [said.ball_us, "ball"], [said.call?.at_us, "call"], [said.drop?.at_us, "drop"], [said.at_us, "end"],
    ].filter(([at]) => Number.isFinite(at));
    if (!moments.length) return h("p", { class: "aside" }, "–");
    const end = Math.max(...moments.map(([at]) => at), 1);
    const x = (at) => 20 + (at / end) * 560;
    let row = 0;
    let last = -100;
    const close = moments.some(([at], each) => each > 0 && x(at) - x(moments[each - 1][0]) < 78);
    const made = s("svg", { viewBox: `0 0 600 ${close ? 92 : 56}`, class: "timeline", role: "img", "aria-label": app.t("coups.seconds") },
      s("path", { class: "axis", d: "M20 46H580" }),
      said.call && said.drop ? s("path", { class: "lead", d: `M${x(said.call.at_us)} 46H${x(said.drop.at_us)}` }) : null);
    for (const [at, name] of moments) {
      row = x(at) - last < 78 ? 1 - row : 0;
      last = x(at);
      const up = row === 0;
      const anchor = x(at) > 540 ? "end" : x(at) < 60 ? "start" : "middle";
      made.append(s("circle", { class: name, cx: x(at), cy: 46, r: 6 }),
        s("text", { x: x(at), y: up ? 18 : 72, "text-anchor": anchor }, app.t(`coups.${name}`)),
        s("text", { class: "aside", x: x(at), y: up ? 33 : 87, "text-anchor": anchor }, `${app.number(at / 1e6, 2)} s`));
    }
    return made;
  }

  function votes(said) {
    if (!said.votes?.length) return [];
    const half = (said.limit_uturn ?? 10000) * 1.15;
    return [h("h3", {}, app.t("coups.votes")), h("table", { class: "rows votes" },
      h("thead", {}, h("tr", {}, h("th", {}, app.t("coups.sensor")), h("th", {}, app.t("coups.compartment")), h("th", {}, app.t("coups.off")), h("th", {}), h("th", {}, app.t("coups.at")))),
      h("tbody", {}, said.votes.map(([sensor, compartment, residual, at]) => h("tr", {},
        h("td", { class: "mono" }, `pocket${sensor}`), h("td", { class: "mono" }, String(compartment)),
        h("td", { class: "mono" }, `${app.number((residual * 360) / 1e6, 2)}°`),
        h("td", {}, s("svg", { viewBox: "-50 0 100 14", class: "off", "aria-hidden": "true" },
          s("path", { class: "axis", d: "M-50 7H50M0 1V13" }),
          s("path", { class: "limit", d: `M${(-(said.limit_uturn ?? 0) / half) * 50} 2V12M${((said.limit_uturn ?? 0) / half) * 50} 2V12` }),
          s("circle", { cx: (residual / half) * 50, cy: 7, r: 4 }))),
        h("td", { class: "mono aside" }, `${app.number(at / 1e6, 2)} s`)))))];
  }

  const off = app.on((name, fact) => { if (name === "fact" && ["result", "void", "correction"].includes(fact.event)) load(); });
  say(app.missing());
  load();
  return { unmount: off };
}
