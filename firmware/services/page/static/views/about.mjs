// What this is, and how to know that it is this.

import { copyable } from "../copy.mjs";
import { h, put } from "../dom.mjs";

export function mount(root, app) {
  const row = (name, value) => h("div", {}, h("dt", {}, app.t(name)), h("dd", {}, h("b", {}, String(value ?? "–"))));
  const code = (name, text = "") => h("div", { class: "whole" }, h("dt", {}, app.t(name)),
    h("dd", {}, copyable(app, h("code", { class: "fingerprint" }, text), text, app.t(name))));
  const { wheel } = app;
  const rows = h("dl", { class: "facts" });
  root.append(h("section", { class: "card about" },
    h("dl", { class: "facts" }, row("about.wheel", wheel?.wheel), row("about.board", wheel?.title), row("about.version", wheel?.version),
      code("about.fingerprint", wheel?.fingerprint), code("about.firmware", wheel?.firmware)),
    h("p", { class: "aside" }, app.t("login.compare"))),
  h("section", { class: "card" }, rows, h("p", { class: "aside" }, app.t("about.offline"))));
  function draw() {
    const { status } = app;
    put(rows, row("about.viewers", app.viewers), row("about.clients", status?.clients),
      row("about.loop", status === null ? null : `${status?.loop_age_ms ?? "–"} ms`));
  }
  const off = app.on((name) => { if (name === "status") draw(); });
  draw();
  return { unmount: off };
}
