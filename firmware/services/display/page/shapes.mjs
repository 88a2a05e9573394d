// What is drawn: the two rings of the rotor, and a shape for each colour.

const NS = "http://www.w3.org/2000/svg";
const CHEVRONS = 30; // at a turn in 48 s, one passes every 1.6 s: nothing flickers

// Told apart without colours, and from afar.
const SHAPES = {
  red: ["polygon", { points: "10,0 20,10 10,20 0,10" }],
  black: ["circle", { cx: 10, cy: 10, r: 9 }],
  green: ["polygon", { points: "10,1 20,19 0,19" }],
  yellow: ["rect", { x: 2, y: 2, width: 16, height: 16 }],
  white: ["circle", { cx: 10, cy: 10, r: 7.5, fill: "none", "stroke-width": 4 }],
};

export function svg(name, attributes, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function shape(colour) {
  const [name, attributes] = SHAPES[colour];
  return svg("svg", { class: "shape", viewBox: "0 0 20 20", "aria-hidden": "true" }, svg(name, attributes));
}

// Counter-clockwise the outer ring, clockwise the inner: they alternate as the rotor does.
export function rings() {
  const rosette = svg("g", { class: "rosette" });
  rosette.append(...Array.from({ length: 9 }, (_, at) =>
    svg("ellipse", { cx: 100, cy: 100, rx: 68, ry: 22, transform: `rotate(${at * 20} 100 100)` })));
  rosette.append(svg("circle", { cx: 100, cy: 100, r: 72 }), svg("circle", { cx: 100, cy: 100, r: 12 }));
  return svg("svg", { viewBox: "0 0 200 200", "aria-hidden": "true" }, ring("ccw", 95, 1), ring("cw", 85, -1), rosette);
}

function ring(name, radius, turns) {
  const group = svg("g", { class: `ring ${name}` }, svg("circle", { cx: 100, cy: 100, r: radius }));
  for (let at = 0; at < CHEVRONS; at += 1) {
    const tip = 3 * turns; // seen from above, counter-clockwise is to the left at the top
    group.append(svg("path", {
      d: `M${100 + tip} ${100 - radius - 3.2} L${100 - tip} ${100 - radius} L${100 + tip} ${100 - radius + 3.2}`,
      transform: `rotate(${(360 * at) / CHEVRONS} 100 100)`,
    }));
  }
  return group;
}

// A bar of two parts, in hundredths; what is between them belongs to neither.
export function bar(one, other) {
  return svg("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "ground", x: 0, y: 0, width: 100, height: 4 }),
    svg("rect", { class: "one", x: 0, y: 0, width: one, height: 4 }),
    svg("rect", { class: "other", x: 100 - other, y: 0, width: other, height: 4 }));
}
