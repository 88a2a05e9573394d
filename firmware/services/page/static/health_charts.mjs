// The drawings of the wheel's health: the ring of its numbers, roses of drops, evidence over time.

import { h, s } from "./dom.mjs";
import { at, sector } from "./wheel.mjs";

const EVEN = 108; // radius of the even share
const REACH = 58; // from there to the least or the most that is drawn
const NEAR = 4; // compartments to each side of the middle of a named sector
const ROSE = 165; // radius of the largest sector
const LEAST = -4; // of the evidence drawn, in powers of ten of the line
const MOST = 1;

const circle = (name, r) => s("circle", { class: name, cx: 200, cy: 200, r });

// The coup of a line of the record: of a journal its number, of a file the line.
export const coupOf = (each) => each.coup_number ?? each.coup;

// How far the largest band lies from even: 5, 10, 20 or 50 %, or all.
export function scaleOf(numbers) {
  const far = Math.max(...numbers.map(({ least, most }) => Math.max(-least, most)));
  return [0.05, 0.1, 0.2, 0.5].find((each) => far <= each) ?? 1;
}

// `numbers`: {number, count, more, least, most} in the order of the ring, how much more often than an
// even one each came, and its band; `marked`: compartments of notices; `middles`: of sectors'; `read`:
// is told which one is touched.
export function ring(numbers, colours, label, { scale, marked = [], middles = [], read = () => {} }) {
  const n = numbers.length;
  const radius = (more) => EVEN + Math.max(-1, Math.min(1, more / scale)) * REACH;
  const angle = (k) => 0.25 - k / n; // the first at the top, then clockwise, as in the wheel
  const piece = (k, wide, from, to) => sector(angle(k) - wide / n, angle(k) + wide / n, Math.min(from, to), Math.max(from, to));
  const element = s("svg", { viewBox: "0 0 400 400", class: "health-ring", role: "img", "aria-label": label },
    circle("grid", EVEN - REACH), circle("grid", EVEN + REACH));
  numbers.forEach((each, k) => {
    const named = marked.includes(k) ? " named" : "";
    element.append(s("g", { class: `bar-of${named}`, "data-number": each.number, onclick: () => read(each), onpointerenter: () => read(each) },
      s("path", { class: "reach", d: piece(k, 0.5, EVEN - REACH, 199) }),
      s("path", { class: "band", d: piece(k, 0.44, radius(each.least), radius(each.most)) }),
      s("path", { class: "bar-itself", d: piece(k, 0.24, EVEN, radius(each.more)) }),
      s("path", { class: `pocket ${colours[k] ?? "black"}`, d: piece(k, 0.5, 172, 194) }),
      s("text", { class: "digits", transform: `translate(${at(angle(k), 183).replace(" ", ",")}) rotate(${(90 - angle(k) * 360).toFixed(2)})` }, String(each.number))));
  });
  element.append(circle("even", EVEN));
  for (const k of middles) element.append(s("path", { class: "favoured", d: sector(angle(k + NEAR) - 0.5 / n, angle(k - NEAR) + 0.5 / n, 195, 199) }));
  return element;
}

// `drops`: {seen, foretold}, how many of each gap, the first begins at the first beam; `sides`:
// {degrees, name} of what a notice names. Areas are shares: a radius goes by the root.
export function rose(drops, beams, label, { percent, sides = [] }) {
  const turns = beams.map((degrees) => degrees / 360);
  const ends = turns.map((begin, gap) => (gap + 1 < turns.length ? turns[gap + 1] : turns[0] + 1));
  const wide = turns.map((begin, gap) => ends[gap] - begin);
  const sum = (counts) => counts.reduce((all, count) => all + count, 0) || 1;
  const [seen, foretold] = [drops.seen, drops.foretold].map((counts) => counts.map((count) => count / sum(counts)));
  const density = (shares) => shares.map((share, gap) => Math.sqrt(share / wide[gap]));
  const [seenFar, foretoldFar] = [density(seen), density(foretold)];
  const unit = ROSE / Math.max(...seenFar, ...foretoldFar, 1.2);
  const reach = beams.length > 4 ? 104 : 66; // where there is room for letters
  const element = s("svg", { viewBox: "0 0 400 400", class: "health-rose", role: "img", "aria-label": label }, circle("grid", unit));
  turns.forEach((_, k) => element.append(s("path", { class: "seen", "data-gap": k, d: sector(turns[k], ends[k], 0.01, Math.max(seenFar[k] * unit, 0.02)) })));
  const line = turns.map((_, k) => {
    const r = foretoldFar[k] * unit;
    return `${k ? "L" : "M"}${at(turns[k], r)}A${r} ${r} 0 ${wide[k] > 0.5 ? 1 : 0} 0 ${at(ends[k], r)}`;
  }).join("");
  element.append(s("path", { class: "foretold", d: `${line}Z` }));
  turns.forEach((turn, k) => {
    const [cx, cy] = at(turn, 182).split(" ");
    const [x, y] = at((turn + ends[k]) / 2, reach).split(" ");
    element.append(s("path", { class: "grid", d: `M200 200L${at(turn, 182)}` }), s("circle", { class: "beam", cx, cy, r: 6 }),
      s("text", { class: "share", x, y: Number(y) - 8 }, percent(seen[k])), s("text", { class: "share small", x, y: Number(y) + 10 }, percent(foretold[k])));
  });
  for (const { degrees, name } of sides) {
    const turn = degrees / 360;
    element.append(s("g", { class: "side", role: "img", "aria-label": name },
      s("path", { class: "shaft", d: `M${at(turn, 112)}L${at(turn, 176)}` }),
      s("path", { class: "head", d: `M${at(turn, 198)}L${at(turn + 0.022, 172)}L${at(turn - 0.022, 172)}Z` })));
  }
  return element;
}

// `samples`: {coup, parts: {family: its odds, as a part of those at which it is told}}; `acts` and
// `notices`: {coup}; `width`: in pixels, so that letters are as large as elsewhere.
export function odds(samples, families, { width, acts, notices, chosen, choose, say, number, label }) {
  const height = width < 560 ? 250 : 300;
  const [left, right, top, bottom] = [68, 14, 26, 30];
  const last = coupOf(samples.at(-1));
  const x = (coup) => left + (Math.min(coup, last) / last) * (width - left - right);
  const y = (power) => top + ((MOST - Math.max(LEAST, Math.min(MOST, power))) / (MOST - LEAST)) * (height - top - bottom);
  const made = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "health-odds", role: "group", "aria-label": label });
  for (let power = LEAST; power <= MOST; power += 1) {
    made.append(s("path", { class: power === 0 ? "told" : "grid", d: `M${left} ${y(power)}H${width - right}` }));
    if (power <= 0) made.append(s("text", { class: power === 0 ? "tick told" : "tick", x: left - 8, y: y(power), "text-anchor": "end" }, power === 0 ? say.told : `1/${number(10 ** -power)}`));
  }
  const step = stepOf(last, width < 560 ? 3 : 6);
  for (let coup = 0; coup <= last; coup += step) {
    made.append(s("text", { class: "tick", x: x(coup), y: height - 10, "text-anchor": coup === 0 ? "start" : x(coup) > width - 40 ? "end" : "middle" }, number(coup)));
  }
  for (const family of families) {
    const points = samples.filter((each) => each.parts[family] > 0);
    const d = points.map((each, k) => `${k ? "L" : "M"}${x(coupOf(each)).toFixed(1)} ${y(Math.log10(each.parts[family])).toFixed(1)}`).join("");
    made.append(s("path", { class: `curve curve-${family}`, "data-family": family, d }));
  }
  acts.forEach((act, k) => {
    const is = act === chosen ? " chosen" : "";
    made.append(s("g", { class: `act-mark${is}`, "data-act": k, onclick: () => choose(act) },
      s("path", { class: "hit", d: `M${x(coupOf(act)) - 9} 0H${x(coupOf(act)) + 9}V${height - bottom}H${x(coupOf(act)) - 9}Z` }),
      s("path", { class: "upright", d: `M${x(coupOf(act))} ${top - 6}V${height - bottom}` }),
      s("path", { class: "mark", d: `M${x(coupOf(act))} ${top - 2}l-7 -13h14Z` }), s("title", {}, say.act(act))));
  });
  for (const notice of notices) {
    made.append(s("path", { class: "notice-mark", d: `M${x(coupOf(notice))} ${y(0) - 9}l8 9l-8 9l-8 -9Z` }, s("title", {}, say.notice(notice))));
  }
  return made;
}

export const key = (family) => s("svg", { viewBox: "0 0 28 10", class: "curve-key", "aria-hidden": "true" }, s("path", { class: `curve curve-${family}`, d: "M1 5H27" }));

// 1, 2 or 5 of something, so that there are so many steps at most.
function stepOf(last, most) {
  const ten = 10 ** Math.floor(Math.log10(last / most) || 0);
  return [1, 2, 5, 10].map((each) => Math.max(1, each * ten)).find((each) => last / each <= most) ?? last;
}

// A table whose rows are cards where there is no room for columns.
export const table = (heads, rows, name = "") => h("table", { class: `rows cards ${name}` },
  h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
  h("tbody", {}, rows.map(({ cells, ...attributes }) => h("tr", attributes, cells.map((cell, k) => h(k ? "td" : "th", { "data-head": heads[k], scope: k ? null : "row", class: cell === "" || cell?.length === 0 ? "blank" : null }, cell))))));
