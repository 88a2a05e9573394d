// Facts and acts in words.

import { h } from "./dom.mjs";

const way = (app, value) => app.t(`ways.${value === 1 || value === "ccw" ? "ccw" : value === -1 || value === "cw" ? "cw" : "unknown"}`);
export function act(app, what) {
  const [done] = app.work[what] ?? [];
  return done !== undefined ? app.t("acts.work", { done }) : app.has(`acts.${what}`) ? app.t(`acts.${what}`) : what;
}

// What of a fact or row fills its sentence.
export const values = (app, said) => ({
  ...said,
  way: way(app, said.ball ?? said.rotor),
  colour: said.colour ? app.t(`colours.${said.colour}`) : "",
  reason: said.reason && app.has(`reasons.${said.reason}`) ? app.t(`reasons.${said.reason}`) : said.reason ?? "",
  what: said.what ? act(app, said.what).replace(said.detail ? "" : /\s*:$/, "") : "",
  detail: app.told(said, "detail") ?? "",
  who: said.who ?? "",
  card: said.card ?? "–",
});

// `at_ms`: of the day; null: it is not known.
export function factLine(app, fact, at_ms) {
  const name = `facts.${fact.event}`;
  const text = app.has(name) ? app.t(name, values(app, fact)) : fact.event.replaceAll("_", " ");
  const kind = { fault: "bad", void: "warn", round_void: "warn", result: "good", round_result: "good", no_more_bets: "call", bets_closed: "call" }[fact.event] ?? "";
  return h("li", { class: kind }, h("span", { class: "aside mono" }, at_ms === null ? "–" : app.hour(at_ms)),
    fact.coup ? h("span", { class: "aside mono" }, `#${fact.coup}`) : h("span", {}), h("span", {}, text));
}
