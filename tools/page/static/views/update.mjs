// The version that runs, and another.

import { h, put } from "../dom.mjs";
import { ask, upload } from "../link.mjs";
import { ordersList } from "./orders.mjs";

export function mount(root, app) {
  const orders = ordersList(app);
  const slots = h("section", { class: "card" });
  const file = h("input", { type: "file", id: "bundle", accept: ".raucb" });
  const bar = h("progress", { max: 1, value: 0, hidden: true });
  const said = h("p", { class: "aside", role: "status" });
  const install = h("button", { type: "submit", id: "install" }, app.t("update.install"));
  const why = app.me?.role === "supervisor" ? "" : app.t("shell.supervisor_only");
  said.textContent = why;
  root.append(slots, h("section", { class: "card" }, h("h2", {}, app.t("update.install")), h("p", { class: "aside" }, app.t("update.why")),
    h("form", { class: "row", onsubmit: send }, h("p", { class: "field grow" }, h("label", { for: "bundle" }, app.t("update.bundle")), file), install), bar, said), orders.element);

  async function send(event) {
    event.preventDefault();
    if (!file.files.length) { said.textContent = app.t("update.choose"); return; }
    install.disabled = true;
    bar.hidden = false;
    const found = await app.try(() => upload("/api/update", file.files[0], (share) => {
      bar.value = share;
      said.textContent = app.t("update.sending", { percent: Math.floor(share * 100) });
    }), app.t("update.sent"));
    bar.hidden = true;
    said.textContent = found ? `SHA-256 ${found.sha256}` : "";
    orders.load();
    drawInstall();
  }

  let there = false;
  const drawInstall = () => { install.disabled = why !== "" || !there; };
  async function load() {
    const found = await app.try(() => ask("/api/update"));
    there = Boolean(found?.rauc);
    put(slots, h("h2", {}, app.t("update.slots")),
      h("dl", { class: "facts" }, h("div", {}, h("dt", {}, app.t("update.version")), h("dd", {}, h("b", { class: "mono" }, app.wheel?.version ?? "")))),
      there ? h("pre", { lang: "en" }, found.lines.join("\n")) : h("p", { class: "warn", id: "no-rauc" }, app.t("update.no_rauc")));
    drawInstall();
  }
  drawInstall();
  load();
  return { unmount: orders.stop };
}
