// The version that runs, another, and the one before.

import { copyable } from "../copy.mjs";
import { h, dialog, put } from "../dom.mjs";
import { ask, send, upload } from "../link.mjs";
import { ordersList } from "./orders.mjs";

export function mount(root, app) {
  const orders = ordersList(app, () => load());
  const slots = h("section", { class: "card" }, h("p", { class: "aside" }, app.t("shell.loading")));
  const file = h("input", { type: "file", id: "bundle", accept: ".raucb" });
  const bar = h("progress", { max: 1, value: 0, hidden: true });
  const said = h("p", { class: "aside", role: "status" });
  const install = h("button", { type: "submit", id: "install" }, app.t("update.install"));
  const rollback = h("button", { type: "button", id: "rollback", onclick: sure }, app.t("update.rollback"));
  const whyNot = h("p", { class: "aside", id: "rollback-why", role: "status" });
  const role = app.me?.role === "supervisor" ? "" : app.t("shell.supervisor_only");
  said.textContent = role;
  root.append(slots, h("section", { class: "card" }, h("h2", {}, app.t("update.install")), h("p", { class: "aside" }, app.t("update.why")),
    h("form", { class: "row", onsubmit: give }, h("p", { class: "field grow" }, h("label", { for: "bundle" }, app.t("update.bundle")), file), install), bar, said),
  h("section", { class: "card" }, h("h2", {}, app.t("update.rollback")), h("p", { class: "aside" }, app.t("update.rollback_why")),
    h("div", { class: "row" }, rollback, whyNot)), orders.element);

  async function give(event) {
    event.preventDefault();
    if (!file.files.length) { said.textContent = app.t("update.choose"); return; }
    install.disabled = true;
    bar.hidden = false;
    const found = await app.try(() => upload("/api/update", file.files[0], (share) => {
      bar.value = share;
      said.textContent = app.t("update.sending", { percent: Math.floor(share * 100) });
    }), app.t("update.sent"));
    bar.hidden = true;
    put(said, found ? ["SHA-256 ", copyable(app, h("code", {}, found.sha256), found.sha256, "SHA-256")] : "");
    orders.load();
    draw();
  }

  let look = null;
  // The slot to go back to, or why there is none: as firmware/services/update/rollback.py has it.
  function wayBack() {
    const here = look?.slots.find((slot) => slot.booted);
    const there = look?.slots.find((slot) => !slot.booted);
    if (!here || !there) return [null, ""];
    if (here.trial || here.state !== "good") return [null, app.t("update.on_trial")];
    if (there.trial) return [null, app.t("update.chosen", { slot: there.slot })];
    if (there.state !== "good" || there.version === null) return [null, app.t("update.no_way_back")];
    return [there, ""];
  }

  function sure() {
    const [back] = wayBack();
    dialog(app.t("update.rollback_title", { version: back.version }), (made) => [h("p", {}, app.t("update.rollback_sure", { slot: back.slot, version: back.version })), h("div", { class: "actions" },
      h("button", { type: "button", class: "quiet", autofocus: true, onclick: () => made.close() }, app.t("shell.cancel")),
      h("button", { type: "button", id: "rollback-sure", onclick: async () => {
        made.close();
        await app.try(() => send("/api/update/rollback", { slot: back.slot, version: back.version }), app.t("update.rollback_left"));
        orders.load();
      } }, app.t("update.rollback")))]);
  }

  function row(slot) {
    const known = [app.t(`update.state_${slot.state}`)];
    if (slot.booted) known.push(app.t("update.running"));
    if (slot.slot === look.next) known.push(app.t(slot.trial && !slot.booted ? "update.tried_next" : "update.starts_next"));
    return h("tr", {}, h("td", {}, h("b", { class: "mono" }, slot.slot)), h("td", { class: "mono" }, slot.version ?? "–"),
      h("td", {}, known.join(", "), slot.why ? h("span", { class: "aside", lang: app.tongue(slot, "why") }, ` ${app.told(slot, "why")}`) : null));
  }

  function draw() {
    install.disabled = role !== "" || look === null;
    const [back, why] = wayBack();
    rollback.disabled = role !== "" || back === null;
    whyNot.textContent = role || why;
  }

  async function load() {
    const found = await app.try(() => ask("/api/update"));
    look = found?.look ?? null;
    put(slots, h("h2", {}, app.t("update.slots")),
      h("dl", { class: "facts" }, h("div", {}, h("dt", {}, app.t("update.version")), h("dd", {}, h("b", { class: "mono" }, app.wheel?.version ?? "")))),
      found === null ? h("p", { class: "warn" }, app.missing(null)) : look === null ? h("p", { class: "warn", id: "no-rauc" }, app.t("update.no_rauc"))
        : h("table", { class: "rows", id: "slots" }, h("thead", {}, h("tr", {}, ["slot", "version", "state"].map((name) => h("th", {}, app.t(`update.${name}`))))),
          h("tbody", {}, look.slots.map(row))));
    draw();
  }
  draw();
  load();
  return { unmount: orders.stop };
}
