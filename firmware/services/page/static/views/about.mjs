// What this is, and how to know that it is this.

import { h, put } from "../dom.mjs";

export function mount(root, app) {
  const rows = h("dl", { class: "facts" });
  root.append(h("section", { class: "card about" }, rows, h("p", { class: "aside" }, app.t("login.compare")), h("p", { class: "aside" }, app.t("about.offline"))));
  function draw() {
    const status = app.status;
    put(rows, ...[
      [app.t("about.board"), app.wheel?.title], [app.t("about.version"), app.wheel?.version],
      [app.t("about.fingerprint"), h("code", { class: "fingerprint" }, app.wheel?.fingerprint ?? "")],
      [app.t("about.viewers"), app.viewers], [app.t("about.clients"), status?.clients], [app.t("about.loop"), status === null ? null : `${status?.loop_age_ms ?? "–"} ms`],
    ].map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value instanceof Node ? value : h("b", {}, String(value ?? "–"))))));
  }
  const off = app.on((name) => { if (name === "status") draw(); });
  draw();
  return { unmount: off };
}
