// The wheel, drawn from above. Angles counter-clockwise from the right, as in the boards.

import { s } from "./dom.mjs";

const POINT = (angle, radius) => [200 + radius * Math.cos(angle * 2 * Math.PI), 200 - radius * Math.sin(angle * 2 * Math.PI)];
export const at = (angle, radius) => POINT(angle, radius).map((each) => each.toFixed(2)).join(" ");

// A piece of a ring round 200, 200; angles in turns, `from` below `to`.
export function sector(from, to, inner, outer) {
  const large = to - from > 0.5 ? 1 : 0;
  return `M${at(from, outer)}A${outer} ${outer} 0 ${large} 0 ${at(to, outer)}L${at(to, inner)}A${inner} ${inner} 0 ${large} 1 ${at(from, inner)}Z`;
}

export class Picture {
  constructor(wheel, label) {
    this.wheel = wheel;
    this.dish = wheel.apparatus === "boule";
    const n = wheel.layout.length;
    this.rotor = s("g", { class: "rotor" });
    for (let k = 0; k < n; k += 1) {
      const angle = -k / n;
      this.rotor.append(
        s("path", { class: `pocket ${wheel.colours[k]}`, d: sector(angle - 0.5 / n, angle + 0.5 / n, 112, 134) }),
        s("path", { class: "cup", d: sector(angle - 0.5 / n, angle + 0.5 / n, 86, 112), "data-cup": k }),
        s("text", { class: "digits", transform: `translate(${at(angle, 123).replace(" ", ",")}) rotate(${(90 - angle * 360).toFixed(2)})` }, String(wheel.layout[k])),
      );
    }
    this.rotor.append(
      s("circle", { class: "cone", cx: 200, cy: 200, r: 86 }),
      ...[0, 1, 2, 3].map((arm) => s("path", { class: "arm", d: `M${at(arm / 4, 16)}L${at(arm / 4, 52)}` })),
      ...[0, 1, 2, 3].map((arm) => s("circle", { class: "knob", cx: POINT(arm / 4, 54)[0], cy: POINT(arm / 4, 54)[1], r: 5 })),
      s("circle", { class: "turret", cx: 200, cy: 200, r: 17 }),
      s("path", { class: "zero", d: `M${at(0, 84)}L${at(0.013, 73)}L${at(-0.013, 73)}Z` }),
    );
    this.ball = s("circle", { class: "ball", r: 6.4, visibility: "hidden" });
    this.lamps = [];
    const lamp = (name, degrees, radius, kind) => {
      const [cx, cy] = POINT(degrees / 360, radius);
      const made = s("circle", { class: `sensor ${kind}`, cx, cy, r: 5 });
      const [x, y] = POINT(degrees / 360, radius + (kind === "rim" ? 15 : -0));
      this.lamps.push([wheel.lines.indexOf(name), made]);
      return kind === "rim" ? [made, s("text", { class: "sensor-name", x, y }, name.replace(/\D+/, ""))] : [made];
    };
    const { rim_deg: rim = [], pocket_deg: pocket = [] } = wheel.geometry;
    this.element = s("svg", { viewBox: "0 0 400 400", class: "wheel", role: "img", "aria-label": label },
      s("circle", { class: "bowl", cx: 200, cy: 200, r: 196 }),
      s("circle", { class: "track", cx: 200, cy: 200, r: 168 }),
      s("circle", { class: "apron", cx: 200, cy: 200, r: 152 }),
      ...Array.from({ length: 8 }, (_, k) => s("path", { class: "deflector", d: `M${at((k + 0.5) / 8, k % 2 ? 139 : 141)}L${at((k + 0.5) / 8, k % 2 ? 149 : 147)}` })),
      s("circle", { class: "seat", cx: 200, cy: 200, r: 136 }),
      this.rotor,
      ...rim.flatMap((degrees, k) => lamp(`rim${k}`, degrees, 176, "rim")),
      ...pocket.flatMap((degrees, k) => lamp(`pocket${k}`, degrees, 99, "ring")),
      this.ball);
    this.cups = wheel.lines.map((name) => (/^cup\d+$/.test(name) ? Number(name.slice(3)) : null));
  }

  // `angle`: of the rotor, in turns. `placed`: it is where it is drawn; else only turns as told.
  turn(angle, placed) {
    this.rotor.setAttribute("transform", `rotate(${(-angle * 360).toFixed(2)} 200 200)`);
    this.element.classList.toggle("unplaced", !placed && !this.dish);
    this.angle = angle;
    this.lay();
  }

  // The ball at rest in a compartment; null: it is not known to be in any.
  rest(compartment) {
    this.resting = compartment;
    this.lay();
  }

  lay() {
    const known = this.resting !== null && this.resting !== undefined;
    this.ball.setAttribute("visibility", known && !this.element.classList.contains("unplaced") ? "visible" : "hidden");
    if (!known) return;
    const [cx, cy] = POINT((this.dish ? 0 : this.angle ?? 0) - this.resting / this.wheel.layout.length, 99);
    this.ball.setAttribute("cx", cx.toFixed(2));
    this.ball.setAttribute("cy", cy.toFixed(2));
  }

  // How the sensors stand: 1 is dark.
  light(levels) {
    for (const [line, lamp] of this.lamps) lamp.classList.toggle("dark", levels[line] === 1);
    this.cups.forEach((cup, line) => {
      if (cup !== null) this.rotor.querySelector(`[data-cup="${cup}"]`)?.classList.toggle("dark", levels[line] === 1);
    });
  }
}
