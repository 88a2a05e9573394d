// That a supervisor knows of a notice about the wheel's health, and why the wheel plays on.

import { h } from "./dom.mjs";
import { send } from "./link.mjs";

// Returns the form for a fault's code; null for who may not.
export function acknowledge(app, code) {
  if (app.me?.role !== "supervisor") return null;
  const why = h("input", { maxlength: 200, required: true, "aria-label": app.t("faults.why"), placeholder: app.t("faults.why") });
  async function record(event) {
    event.preventDefault();
    if (await app.try(() => send("/api/acknowledge", { code, why: why.value }), app.t("faults.acknowledged"))) why.value = "";
  }
  return h("form", { class: "row acknowledge", onsubmit: record }, h("p", { class: "field grow" }, why), h("button", { type: "submit", class: "quiet" }, app.t("faults.acknowledge")));
}
