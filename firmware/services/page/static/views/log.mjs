// The journal's rows, a note of one's own, and all that support needs in one file.

import { h, put, save } from "../dom.mjs";
import { ask, send, take } from "../link.mjs";
import { values } from "../tell.mjs";

export function mount(root, app) {
  const rows = h("tbody");
  const older = h("button", { type: "button", class: "quiet", onclick: () => load(true) }, app.t("shell.older"));
  const acts = h("input", { type: "checkbox", id: "acts", onchange: () => draw() });
  const note = h("input", { id: "note", maxlength: 400, required: true, placeholder: app.t("log.note_example") });
  const verdict = h("p", { class: "aside", role: "status", id: "verdict" });
  const verify = h("button", { type: "button", class: "quiet", id: "verify", onclick: check }, app.t("log.verify"));
  const packed = h("p", { class: "aside", role: "status", id: "packed" });
  const support = h("button", { type: "button", id: "support", onclick: pack }, app.t("log.support_pack"));
  root.append(
    h("section", { class: "card" }, h("form", { class: "row", onsubmit: write },
      h("p", { class: "field grow" }, h("label", { for: "note" }, app.t("log.note")), note), h("button", { type: "submit" }, app.t("log.write")))),
    h("section", { class: "card" }, h("h2", {}, app.t("log.support")), h("p", { class: "aside" }, app.t("log.support_why")),
      h("div", { class: "row" }, support, packed)),
    h("section", { class: "card" }, h("div", { class: "toolbar" }, h("label", { class: "check" }, acts, app.t("log.acts")), verify, verdict),
      h("table", { class: "rows log" }, rows), older));
  let found; // undefined: not read yet; null: it cannot be read

  async function write(event) {
    event.preventDefault();
    if (await app.try(() => send("/api/act", { what: "note", detail: note.value }), app.t("log.written"))) { note.value = ""; setTimeout(load, 600); }
  }

  async function pack() {
    support.disabled = true;
    packed.textContent = app.t("log.packing");
    const found = await app.try(() => take("/api/support"), app.t("log.packed"));
    if (found !== null) save(found.name, found.blob);
    packed.textContent = found === null ? "" : found.name;
    support.disabled = false;
  }

  async function check() {
    verify.disabled = true;
    verdict.textContent = app.t("log.verifying");
    const told = await app.try(() => ask("/api/verify"));
    verdict.textContent = told === null ? "" : told.intact ? app.t("log.intact", { what: told.what }) : told.why;
    verdict.className = told?.intact ? "good" : "bad";
    verify.disabled = false;
  }

  function draw() {
    const shown = (found ?? []).filter((row) => !acts.checked || row.kind === "act");
    put(rows, ...shown.map((row) => h("tr", { class: `kind-${row.kind}` },
      h("td", { class: "mono aside" }, String(row.n)), h("td", { class: "aside nowrap", title: app.time(row.utc) }, app.hour(row.utc)),
      h("td", {}, app.has(`log.${row.kind}`) ? app.t(`log.${row.kind}`, values(app, row.said)) : row.kind))));
    const none = found?.length ? app.t("log.none_acts", { n: found.length }) : app.t("log.none");
    if (!shown.length) put(rows, h("tr", {}, h("td", { class: "aside" }, app.missing(found, none))));
  }

  async function load(more = false) {
    const before = more === true && found?.length ? `&before=${found.at(-1).n}` : "";
    const told = await app.try(() => ask(`/api/log?n=100${before}`));
    if (told === null) { found ??= null; draw(); return; }
    found = more === true ? [...found, ...told.rows] : told.rows;
    older.hidden = told.rows.length < 100;
    draw();
  }
  const off = app.on((name, fact) => { if (name === "fact" && ["result", "void", "act"].includes(fact.event)) setTimeout(load, 600); });
  older.hidden = true;
  draw();
  load();
  return { unmount: off };
}
