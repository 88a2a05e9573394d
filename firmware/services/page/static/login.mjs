// Logging in, and the first access that a button of the wheel proves.

import { copyable } from "./copy.mjs";
import { h, dialog, put } from "./dom.mjs";
import { send } from "./link.mjs";

export function field(label, attributes) {
  const id = `field-${attributes.name}`;
  return h("p", { class: "field" }, h("label", { for: id }, label),
    h("input", { id, required: true, autocapitalize: "none", spellcheck: "false", maxlength: 64, ...attributes }));
}

const said = (form, name) => form.elements[name].value;
// As the wheel keeps it: a tablet's keyboard adds a space, and makes accents in its own way.
const named = (form) => said(form, "name").trim().normalize("NFC");

export function logIn(app, arrived) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  app.entitle(app.t("login.title"));
  dialog(app.t("login.at", { wheel: app.name }), (made) => {
    const form = h("form", { method: "dialog", id: "login-form",
      async onsubmit(event) {
        event.preventDefault();
        const button = form.querySelector("button[type=submit]");
        button.disabled = true;
        wrong.textContent = "";
        try {
          const me = await send("/api/login", { name: named(form), pin: said(form, "pin") });
          made.close();
          arrived(me);
        } catch (error) {
          wrong.textContent = error.message;
          form.elements.pin.select();
        }
        button.disabled = false;
      } },
    field(app.t("login.name"), { name: "name", autocomplete: "username", autofocus: true }),
    field(app.t("login.pin"), { name: "pin", type: "password", autocomplete: "current-password" }),
    wrong,
    h("div", { class: "actions" },
      h("button", { type: "button", class: "quiet", onclick: () => { made.close(); first(app, arrived); }, id: "first" }, app.t("login.first")),
      h("button", { type: "button", class: "quiet", onclick: () => made.close() }, app.t("shell.cancel")),
      h("button", { type: "submit" }, app.t("login.enter"))));
    return [form, h("p", { class: "aside fingerprint" }, h("span", {}, app.t("login.fingerprint")),
      copyable(app, h("code", {}, app.wheel?.fingerprint ?? ""), app.wheel?.fingerprint ?? "", app.t("login.fingerprint")), h("span", {}, app.t("login.compare")))];
  }, { onclose: app.entitleView });
}

function first(app, arrived) {
  let off = () => {};
  app.entitle(app.t("login.first"));
  dialog(app.t("login.first_at", { wheel: app.name }), (made) => {
    const wrong = h("p", { class: "wrong", role: "alert" });
    const form = h("form", { method: "dialog", id: "first-form",
      async onsubmit(event) {
        event.preventDefault();
        wrong.textContent = "";
        const person = { name: named(form), pin: said(form, "pin") };
        if (person.pin !== said(form, "again")) { wrong.textContent = app.t("login.differ"); return; }
        try {
          const asked = await send("/api/first", person);
          off = press(app, made, asked, person, arrived);
        } catch (error) {
          wrong.textContent = error.message;
        }
      } },
    h("p", {}, app.t("login.first_why")),
    field(app.t("login.name"), { name: "name", autocomplete: "username", maxlength: 40, autofocus: true }),
    field(app.t("login.pin"), { name: "pin", type: "password", minlength: 6, autocomplete: "new-password" }),
    field(app.t("login.pin_again"), { name: "again", type: "password", minlength: 6, autocomplete: "new-password" }),
    wrong,
    h("div", { class: "actions" },
      h("button", { type: "button", class: "quiet", onclick: () => made.close() }, app.t("shell.cancel")),
      h("button", { type: "submit" }, app.t("login.first_begin"))));
    return [form];
  }, { onclose: () => { off(); app.entitleView(); } });
}

// What to press, and how long there is; the wheel's answer comes by the stream.
function press(app, made, asked, person, arrived) {
  const button = app.has(`login.${asked.button}`) ? app.t(`login.${asked.button}`) : asked.button;
  const why = h("p", { class: "aside" });
  const body = made.querySelector(".dialog-body");
  const wrong = h("p", { class: "wrong", role: "alert" });
  put(body,
    h("div", { class: "press", id: "press" }, h("div", { class: "pushbutton", "aria-hidden": "true" }),
      h("p", { role: "status" }, h("b", {}, app.t("login.press", { button, presses: asked.presses, pause: asked.pause_s }))), why, wrong),
    h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => made.close() }, app.t("shell.close"))));
  const end = performance.now() + asked.within_s * 1000;
  const count = () => { why.textContent = app.t("login.press_why", { left: Math.max(0, Math.ceil((end - performance.now()) / 1000)) }); };
  count();
  const clock = setInterval(count, 500);
  const off = app.on(async (name, fact) => {
    if (name !== "fact" || fact.event !== "first" || fact.name !== person.name) return;
    clearInterval(clock);
    if (!fact.ok) { wrong.textContent = app.told(fact, "why") || app.t("login.first_late"); return; }
    made.close();
    app.note(app.t("login.first_ok", { name: person.name }), "good");
    const me = await app.try(() => send("/api/login", person));
    if (me) arrived(me);
  });
  return () => { clearInterval(clock); off(); };
}
