// Elements, made without markup: nothing that came from outside can become one.

const SVG = "http://www.w3.org/2000/svg";

const there = (child) => child !== null && child !== undefined && child !== false;

// Puts these in the place of what an element holds; null stands for nothing.
export const put = (element, ...children) => element.replaceChildren(...children.flat(2).filter(there));

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") made[name] = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(2).filter(there));
  return made;
}

export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const s = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

// Strokes of 24 by 24: one a view, and what is pressed.
const ICONS = {
  live: "M12 3a9 9 0 1 0 9 9M12 8a4 4 0 1 0 4 4M12 12h.01M17 4.5l3.5 3",
  scope: "M3 12h3v-5h4v10h4v-7h3v2h4",
  coups: "M4 6h16M4 12h16M4 18h10",
  history: "M4 19V5M4 19h16M7 15l4-5 3 3 5-7",
  faults: "M12 4 2.5 20h19L12 4ZM12 10v4M12 17h.01",
  upkeep: "M14.5 6.5a4 4 0 0 0-5 5L4 17l3 3 5.5-5.5a4 4 0 0 0 5-5L15 12l-3-3 2.5-2.5Z",
  health: "M3 13h4l2-6 4 11 3-8 1.5 3H21",
  selftest: "M4 12l5 5L20 6",
  calibrate: "M12 3v4M12 17v4M3 12h4M17 12h4M12 12h.01M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z",
  parts: "M4 5h16v10H4zM9 19h6M12 15v4",
  config: "M5 7h14M5 12h14M5 17h14M9 5v4M15 10v4M8 15v4",
  update: "M12 4v11M7 10l5 5 5-5M5 20h14",
  log: "M6 3h12v18H6zM9 8h6M9 12h6M9 16h4",
  about: "M12 11v6M12 7h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  menu: "M4 7h16M4 12h16M4 17h16",
  theme: "M12 3a9 9 0 1 0 0 18V3Z",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 21c1-5 4-6 8-6s7 1 8 6",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  close: "M6 6l12 12M18 6L6 18",
  language: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c-5 5-5 13 0 18 5-5 5-13 0-18Z",
  login: "M13 4h6v16h-6M4 12h10M10 8l4 4-4 4",
  logout: "M11 4H5v16h6M10 12h10M16 8l4 4-4 4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  go: "M5 12h14M13 6l6 6-6 6",
};

export const icon = (name) => s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
  s("path", { d: ICONS[name] ?? ICONS.about }));

// A dialog that traps the focus, closes with Escape, and is gone once closed.
export function dialog(title, build, { onclose = () => {} } = {}) {
  const body = h("div", { class: "dialog-body" });
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const made = h("dialog", { "aria-labelledby": id },
    h("h2", { id }, title), body);
  made.addEventListener("close", () => { made.remove(); onclose(); });
  made.addEventListener("click", (event) => { if (event.target === made) made.close(); });
  document.body.append(made);
  body.append(...build(made).flat());
  made.showModal();
  return made;
}

// Hands a file to whoever looks, as a download.
export function save(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // long after the browser has taken it
}

// A number tile, as the table display has it: colour, and the letter for whoever cannot tell colours.
export function tile(number, colour, letter = "") {
  if (number === null || number === undefined) return h("span", { class: "tile nul", "aria-hidden": "true" }, "×");
  return h("span", { class: `tile ${colour}` }, String(number), letter ? h("i", {}, letter) : null);
}
