import { h } from "../dom.mjs";
import { mountJob } from "./jobs.mjs";

export const mount = (root, app) => mountJob(root, app, "calibrate", (disabled) => {
  const anew = h("input", { type: "checkbox", id: "anew", disabled });
  return { elements: [h("label", { class: "check grow" }, anew, app.t("jobs.anew"))], options: () => ({ anew: anew.checked }) };
});
