import { h } from "../dom.mjs";
import { mountJob } from "./jobs.mjs";

export const mount = (root, app) => mountJob(root, app, "selftest", (disabled) => {
  const hand = h("input", { type: "checkbox", id: "with-hand", checked: true, disabled });
  return { elements: [h("label", { class: "check grow" }, hand, app.t("jobs.hand"))], options: () => ({ hand: hand.checked }) };
});
