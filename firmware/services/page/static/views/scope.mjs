// The oscilloscope: every sensor, with trigger, freeze, zoom, cursors, export.

import { h, put } from "../dom.mjs";
import { Traces, draw, span, LEFT } from "../trace.mjs";

const FRAME_MS = 50; // 20 frames a second
const WINDOWS = [5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8];
const TAP = 6; // pixels: a finger that moves less has tapped
const BEFORE = 0.25; // of the window lies before the trigger

export function mount(root, app) {
  let traces = new Traces(app.wheel?.lines ?? []);
  let heard = traces; // what is drawn, or while that is frozen what another controller says
  let offset_ms = null; // between the controller's clock and this page's
  let at = 6;
  let window_us = WINDOWS[at];
  let from_us = 0;
  let frozen = false;
  let trigger_us = null;
  let armed_us = 0; // it looks for triggers from here on
  let cursors = [null, null];
  let next = 0;

  const canvas = h("canvas", { class: "traces", tabindex: 0, role: "img", "aria-label": app.t("scope.traces"), id: "traces" });
  const state = h("p", { class: "scope-state", role: "status", id: "scope-state" });
  const readout = h("dl", { class: "readout" });
  const line = h("select", { id: "trigger-line" }, h("option", { value: "-1" }, app.t("scope.trigger_off")),
    traces.names.map((name, each) => h("option", { value: String(each) }, name)));
  const edge = h("select", { id: "trigger-edge" }, ["rise", "fall", "both"].map((each) => h("option", { value: each }, app.t(`scope.${each}`))));
  const mode = h("select", { id: "trigger-mode" }, ["auto", "normal", "single"].map((each) => h("option", { value: each }, app.t(`scope.mode_${each}`))));
  const freeze = h("button", { type: "button", id: "freeze", "aria-keyshortcuts": "Space", onclick: () => hold(!frozen) });
  const width = h("output", { class: "mono", id: "window" });
  for (const select of [line, edge, mode]) select.addEventListener("change", arm);
  root.append(h("section", { class: "card scope" },
    h("div", { class: "toolbar" },
      freeze,
      h("span", { class: "zoom" },
        h("button", { type: "button", class: "quiet", "aria-label": app.t("scope.zoom_out"), id: "zoom-out", onclick: () => zoom(1) }, "−"),
        width,
        h("button", { type: "button", class: "quiet", "aria-label": app.t("scope.zoom_in"), id: "zoom-in", onclick: () => zoom(-1) }, "+")),
      h("label", {}, app.t("scope.trigger"), line), h("label", {}, h("span", { class: "sr" }, app.t("scope.trigger")), edge),
      h("label", {}, app.t("scope.mode"), mode),
      h("button", { type: "button", class: "quiet", id: "clear-cursors", onclick: () => { cursors = [null, null]; next = 0; } }, app.t("scope.clear_cursors")),
      h("a", { class: "button quiet", id: "export", download: "", href: "/api/scope.vcd", onclick: link }, app.t("scope.export"))),
    canvas,
    h("div", { class: "scope-foot" }, state, readout),
    h("p", { class: "aside" }, app.t("scope.hint"))));

  let held_at_us = null; // where the time axis has its zero while it is frozen
  function hold(is) {
    frozen = is;
    if (!is) thaw();
    if (!is && mode.value === "single") arm();
  }

  function arm() {
    trigger_us = null;
    frozen = false;
    thaw();
    armed_us = traces.now_us;
  }

  function zoom(by, middle = 0.5) {
    const now = Math.max(0, Math.min(WINDOWS.length - 1, at + by));
    const held = from_us + window_us * middle;
    at = now;
    window_us = WINDOWS[at];
    from_us = held - window_us * middle;
  }

  function link(event) {
    const from = Math.max(0, Math.round(from_us));
    event.currentTarget.href = `/api/scope.vcd?from_us=${from}&to_us=${Math.round(Math.max(from, Math.min(from_us + window_us, traces.now_us)))}`;
  }

  // --- hands --------------------------------------------------------------------------------------
  const fingers = new Map();
  let moved = 0;
  let apart = 0;
  const ms_per_pixel = () => window_us / Math.max(canvas.clientWidth - LEFT, 1);
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event.offsetX);
    moved = 0;
    apart = distance();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const by = event.offsetX - fingers.get(event.pointerId);
    fingers.set(event.pointerId, event.offsetX);
    moved += Math.abs(by);
    if (fingers.size === 1 && moved > TAP) {
      frozen = true;
      from_us -= by * ms_per_pixel();
    } else if (fingers.size === 2) {
      const now = distance();
      if (now > apart * 1.4) { zoom(-1); apart = now; }
      if (now < apart / 1.4) { zoom(1); apart = now; }
    }
  });
  const lift = (event) => {
    if (fingers.delete(event.pointerId) && moved <= TAP && event.type === "pointerup" && event.offsetX > LEFT) {
      cursors[next] = from_us + (event.offsetX - LEFT) * ms_per_pixel();
      next = 1 - next;
    }
  };
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, lift);
  const distance = () => { const [one, other] = [...fingers.values()]; return Math.abs((other ?? one) - one) || 1; };
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.sign(event.deltaY), Math.max(0, (event.offsetX - LEFT) / Math.max(canvas.clientWidth - LEFT, 1)));
  }, { passive: false });
  const KEYS = {
    " ": () => hold(!frozen), "+": () => zoom(-1), "=": () => zoom(-1), "-": () => zoom(1),
    ArrowLeft: (fine) => move(-1, fine), ArrowRight: (fine) => move(1, fine),
    c: () => { cursors[0] = from_us + window_us / 2; }, v: () => { cursors[1] = from_us + window_us / 2; },
  };
  function move(way, fine) {
    frozen = true;
    from_us += (way * window_us) / (fine ? 200 : 10);
  }
  const keys = (event) => {
    if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.matches("button, a, summary")) return; // it presses that
    if (document.querySelector("dialog[open]") || !KEYS[event.key]) return;
    KEYS[event.key](event.shiftKey);
    event.preventDefault();
  };
  addEventListener("keydown", keys);

  // --- what is drawn ------------------------------------------------------------------------------
  function follow() {
    const now_us = offset_ms === null ? traces.now_us : Math.min((performance.now() - offset_ms) * 1000, traces.now_us + 3e5);
    if (frozen) {
      held_at_us ??= from_us + window_us;
      return "frozen";
    }
    held_at_us = null;
    const wanted = Number(line.value);
    if (wanted < 0) {
      trigger_us = null;
      from_us = now_us - window_us;
      return "free";
    }
    // The next trigger is taken once the window after the last one is full.
    const full = trigger_us === null || traces.now_us >= trigger_us + window_us * (1 - BEFORE);
    if (full) {
      const found = traces.trigger(wanted, edge.value, trigger_us === null ? armed_us : trigger_us + window_us * (1 - BEFORE));
      if (found !== null) trigger_us = found;
      else if (mode.value === "auto" && (trigger_us === null || traces.now_us > trigger_us + 2 * window_us + 5e5)) {
        trigger_us = null;
        armed_us = traces.now_us - window_us;
        from_us = now_us - window_us;
        return "waiting";
      }
      if (trigger_us === null) return "waiting";
    }
    from_us = trigger_us - window_us * BEFORE;
    if (mode.value === "single" && traces.now_us >= trigger_us + window_us * (1 - BEFORE)) frozen = true;
    return "triggered";
  }

  let colours = {};
  function palette() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    colours = { ground: of("--card"), line: of("--line"), text: of("--text"), aside: of("--aside"), gold: of("--gold"), trace: of("--accent"), fill: of("--trace-fill"), held: of("--held"), a: of("--info"), b: of("--bad") };
  }
  palette();
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", palette);

  let rate = [0, performance.now()];
  let edges_s = 0;
  const format = (value, digits) => app.number(value, digits);
  function frame() {
    if (document.hidden) return;
    const now = follow();
    draw(canvas, traces, { from_us, window_us, trigger_us, zero_us: held_at_us ?? from_us + window_us, line: Number(line.value), cursors, colours, held_us: traces.held_us, held: app.t("scope.held"), format });
    if (performance.now() - rate[1] > 1000) {
      edges_s = Math.round(((traces.count - rate[0]) * 1000) / (performance.now() - rate[1]));
      rate = [traces.count, performance.now()];
    }
    const count = traces.count ? `${edges_s} ${app.t("scope.edges_s")}` : app.missing(app.lines ?? undefined, app.t("scope.none"));
    const text = [app.t(`scope.${now}`), count, traces.held_us !== null ? app.t("scope.held") : null, traces.lost ? app.t("scope.lost", { n: traces.lost }) : null].filter(Boolean).join(" · ");
    if (state.textContent !== text) state.textContent = text;
    state.dataset.state = now;
    freeze.textContent = app.t(frozen ? "scope.run" : "scope.freeze");
    freeze.setAttribute("aria-pressed", String(frozen));
    width.textContent = span(window_us, format, true);
    const zero = trigger_us ?? 0;
    const rows = cursors.map((t_us, each) => (t_us === null ? null : [app.t(each ? "scope.cursor_b" : "scope.cursor_a"), span(t_us - zero, format)])).filter(Boolean);
    if (cursors[0] !== null && cursors[1] !== null) {
      const apart_us = Math.abs(cursors[1] - cursors[0]);
      rows.push([app.t("scope.delta"), `${span(apart_us, format)}${apart_us ? ` · ${app.number(1e6 / apart_us, 2)} Hz` : ""}`]);
    }
    const said = JSON.stringify(rows);
    if (readout.dataset.said !== said) {
      readout.dataset.said = said;
      put(readout, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", { class: "mono" }, value))));
    }
  }

  let away = true; // the controller was gone: what another says does not join
  function begin(levels, t_us) {
    heard = new Traces(app.lines?.lines ?? heard.names);
    heard.begin(levels, t_us);
    [away, offset_ms] = [false, null];
    if (!frozen) thaw();
  }
  function thaw() {
    if (heard === traces) return;
    traces = heard;
    trigger_us = null;
    armed_us = traces.now_us;
    rate = [0, performance.now()];
  }
  const takes = {
    // Somebody's end may open the line anew: what is looked at stays.
    lines(data) {
      if (away || data.lines.join() !== heard.names.join()) begin(data.levels, data.t_us ?? null); // the controller says no time with its first answer
      else heard.join(data.levels);
    },
    edges(data, ms) {
      if (data.t_us < heard.now_us) begin(heard.anew ?? heard.names.map(() => -1), null);
      const found = ms - data.t_us / 1000;
      offset_ms = offset_ms === null ? found : Math.min(offset_ms + 0.05, found);
      heard.take(data, frozen ? from_us : Infinity);
    },
    status(data) { away ||= data.status === null; },
    theme: palette,
  };
  const off = app.on((name, data, ms) => takes[name]?.(data, ms));
  if (app.lines) takes.lines(app.lines);
  const clock = setInterval(frame, FRAME_MS);
  frame();
  return { unmount() { off(); clearInterval(clock); removeEventListener("keydown", keys); system.removeEventListener("change", palette); } };
}
