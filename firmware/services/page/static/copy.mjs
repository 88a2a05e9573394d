// What somebody would read out over the telephone, with a button that copies it.

import { h, icon } from "./dom.mjs";

const SAID_MS = 4000;

// `shown`: the element that has it; `named`: what it is.
export function copyable(app, shown, text, named) {
  const said = h("span", { class: "copied", role: "status" });
  const label = app.t("shell.copy", { what: named });
  let clock = 0;
  async function copy() {
    said.textContent = ""; // what is said again is changed again, and so read aloud
    clearTimeout(clock);
    const done = await written(text, button);
    said.textContent = app.t(done ? "shell.copied" : "shell.not_copied");
    clock = setTimeout(() => { said.textContent = ""; }, SAID_MS);
  }
  const button = h("button", { type: "button", class: "quiet copy", "aria-label": label, title: label, onclick: copy }, icon("copy"));
  return h("span", { class: "copyable" }, shown, button, said);
}

async function written(text, button) {
  try {
    await navigator.clipboard.writeText(text); // whoever pressed a button is asked for no permission
    return true;
  } catch {
    return byCommand(text, button); // a browser that has no such clipboard, or keeps it
  }
}

function byCommand(text, button) {
  const field = h("textarea", { class: "sr", tabindex: -1, readonly: true });
  field.value = text;
  button.after(field); // and not at the end of the page: outside of a dialog nothing takes the focus
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  button.focus();
  return done;
}
