// What the oscilloscope knows: the changes of each line, and how they are drawn on its canvas.

const KEPT_US = 180e6; // as far back as it can be moved
export const ROW = 40;
export const LEFT = 92;
const TOP = 26;

export class Traces {
  constructor(names) {
    this.names = names;
    this.changes = names.map(() => []); // [t_us, level] in their order
    this.now_us = 0; // the last that was heard
    this.held_us = null; // since when edges are held back
    this.anew = null; // levels after the line was away, until edges are told
    this.lost = 0;
    this.count = 0;
  }

  begin(levels, t_us) {
    levels.forEach((level, line) => { this.changes[line] = [[t_us ?? 0, level]]; });
    this.now_us = t_us ?? 0;
    this.sure_us = this.now_us; // up to there nothing is held back
    this.begin_us = t_us; // nothing is known of before; null: until the first frame says its time
  }

  // The line was away, and is there again: in between every line is in doubt.
  join(levels) { this.anew = levels; }

  // `keep_us`: what is looked at begins there.
  take(data, keep_us = Infinity) {
    this.begin_us = Math.min(this.begin_us ?? data.t_us, data.edges[0]?.[0] ?? data.t_us); // held back ones are older
    if (this.anew && !data.held) {
      const known_us = Math.max(this.sure_us, data.edges[0]?.[0] ?? data.t_us);
      this.anew.forEach((level, line) => this.changes[line].push([this.sure_us, -1], [known_us, level]));
      this.anew = null;
    }
    for (const [t_us, line, level] of data.edges) this.changes[line]?.push([t_us, level]);
    this.count += data.edges.length;
    this.lost += data.lost;
    this.now_us = data.t_us;
    if (data.held) this.held_us ??= Math.max(this.sure_us, this.begin_us);
    else [this.held_us, this.sure_us] = [null, data.t_us];
    const old = Math.min(data.t_us - KEPT_US, keep_us);
    for (const found of this.changes) {
      let gone = 0;
      while (gone + 1 < found.length && found[gone + 1][0] < old) gone += 1;
      if (gone > 200) found.splice(0, gone);
    }
  }

  // The index of the last change at or before a time; -1: none.
  before(line, t_us) {
    const found = this.changes[line];
    let low = 0;
    let high = found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (found[middle][0] <= t_us) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  level(line, t_us) {
    const at = this.before(line, t_us);
    return at < 0 ? null : this.changes[line][at][1];
  }

  // The next change of a line after a time that is such an edge, or null.
  trigger(line, edge, after_us) {
    const found = this.changes[line];
    for (let at = Math.max(this.before(line, after_us) + 1, 1); at < found.length; at += 1) {
      const level = found[at][1];
      if (edge === "both" || (edge === "rise" ? level === 1 : level === 0)) return found[at][0];
    }
    return null;
  }
}

// A step of the time axis: some eight to a screen, 1, 2 or 5 of something.
function step_us(window_us) {
  const rough = window_us / 8;
  const ten = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= rough);
}

// A time with its unit, as precise as it is long; `whole`: as short as it can be said.
export function span(us, format, whole = false) {
  const size = Math.abs(us);
  if (whole && size >= 1e6) return `${format(us / 1e6, us % 1e6 ? 1 : 0)} s`;
  if (whole && size >= 1000) return `${format(us / 1000, us % 1000 ? 1 : 0)} ms`;
  if (us === 0) return "0";
  if (size < 1000) return `${format(us, 0)} µs`;
  if (size < 1e6) return `${format(us / 1000, size < 1e4 ? 2 : size < 1e5 ? 1 : 0)} ms`;
  return `${format(us / 1e6, size < 1e7 ? 3 : 2)} s`;
}

// `view`: {from_us, window_us, trigger_us, line, cursors, colours, held, format}
export function draw(canvas, traces, view) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = TOP + traces.names.length * ROW + 10;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d");
  const { colours } = view;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, width, height);
  const to_us = view.from_us + view.window_us;
  const scale = (width - LEFT) / view.window_us;
  const x = (t_us) => LEFT + (t_us - view.from_us) * scale;
  grid(pen, view, x, { width, height, to_us });
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, 0, width - LEFT, height);
  pen.clip();
  traces.names.forEach((_, line) => wave(pen, traces, view, line, x, to_us, scale));
  pen.restore();
  labels(pen, traces, view);
  marks(pen, view, x, height, width);
}

function grid(pen, view, x, { width, height, to_us }) {
  const { colours } = view;
  const each = step_us(view.window_us);
  const zero = view.trigger_us ?? view.zero_us;
  pen.font = "12px ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace";
  pen.textBaseline = "middle";
  for (let tick = Math.ceil((view.from_us - zero) / each); zero + tick * each <= to_us; tick += 1) {
    const at = Math.round(x(zero + tick * each)) + 0.5;
    if (at < LEFT) continue;
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(at, TOP - 6);
    pen.lineTo(at, height);
    pen.stroke();
    pen.fillStyle = colours.aside;
    pen.textAlign = at > width - 40 ? "right" : "center";
    if (at - LEFT > 14) pen.fillText(span(tick * each, view.format, true), at, 10);
  }
  if (view.held_us !== null && view.held_us < to_us) {
    const from = Math.max(x(view.held_us), LEFT);
    pen.fillStyle = colours.held;
    pen.fillRect(from, TOP - 6, width - from, height);
    pen.fillStyle = colours.aside;
    pen.textAlign = "left";
    if (width - from > 160) pen.fillText(view.held, from + 10, height - 22);
  }
}

function wave(pen, traces, view, line, x, to_us, scale) {
  const { colours } = view;
  const top = TOP + line * ROW + 8;
  const bottom = top + ROW - 16;
  const y = (level) => (level === 1 ? top : level === 0 ? bottom : (top + bottom) / 2);
  const found = traces.changes[line];
  const begin_us = Math.max(view.from_us, traces.begin_us ?? Infinity);
  let at = traces.before(line, begin_us);
  let t_us = at < 0 ? found[0]?.[0] ?? to_us : begin_us;
  let level = at < 0 ? found[0]?.[1] ?? 0 : found[at][1];
  const end_us = Math.min(to_us, view.held_us ?? traces.now_us);
  if (begin_us >= end_us) return;
  pen.strokeStyle = line === view.line ? colours.gold : colours.trace;
  pen.fillStyle = colours.fill;
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.moveTo(x(t_us), y(level));
  let busy = null; // from where on changes are closer than a pixel
  for (at = at < 0 ? 1 : at + 1; at < found.length && found[at][0] <= end_us; at += 1) {
    const [next_us, next] = found[at];
    const from = x(t_us);
    const to = x(next_us);
    if (to - from < 0.8) busy ??= from;
    else {
      if (busy !== null) pen.rect(busy, top, Math.max(from - busy, 0.8), bottom - top);
      busy = null;
      pen.moveTo(from, y(level));
      pen.lineTo(to, y(level));
      pen.lineTo(to, y(next));
      if (level === 1) pen.fillRect(from, top, to - from, bottom - top);
    }
    [t_us, level] = [next_us, next];
  }
  if (busy !== null) pen.rect(busy, top, Math.max(x(t_us) - busy, 0.8), bottom - top);
  if (t_us < end_us) {
    pen.moveTo(x(t_us), y(level));
    pen.lineTo(x(end_us), y(level));
    if (level === 1) pen.fillRect(x(t_us), top, (end_us - t_us) * scale, bottom - top);
  }
  pen.stroke();
}

function labels(pen, traces, view) {
  const { colours } = view;
  pen.textAlign = "left";
  pen.font = "13px ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace";
  traces.names.forEach((name, line) => {
    const middle = TOP + line * ROW + ROW / 2;
    pen.fillStyle = line === view.line ? colours.gold : colours.text;
    pen.fillText(name, 10, middle);
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(0, TOP + (line + 1) * ROW + 0.5);
    pen.lineTo(LEFT + 1e4, TOP + (line + 1) * ROW + 0.5);
    pen.stroke();
  });
}

function marks(pen, view, x, height, width) {
  const { colours } = view;
  const upright = (t_us, colour, name) => {
    const at = Math.round(x(t_us)) + 0.5;
    if (at < LEFT || at > width) return;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.setLineDash(name === "T" ? [] : [5, 4]);
    pen.beginPath();
    pen.moveTo(at, TOP - 6);
    pen.lineTo(at, height);
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = colour;
    pen.fillRect(at - 8, TOP - 8, 16, 15);
    pen.fillStyle = colours.ground;
    pen.textAlign = "center";
    pen.font = "bold 11px sans-serif";
    pen.fillText(name, at, TOP);
  };
  if (view.trigger_us !== null) upright(view.trigger_us, colours.gold, "T");
  view.cursors.forEach((t_us, at) => { if (t_us !== null) upright(t_us, at ? colours.b : colours.a, at ? "B" : "A"); });
}
