// The wheel as it turns, where the coup stands, and, for a supervisor, the wheel out of play.

import { h, tile, put } from "../dom.mjs";
import { ask, send } from "../link.mjs";
import { Clock, Encoder } from "../encoder.mjs";
import { Picture } from "../wheel.mjs";
import { factLine } from "../tell.mjs";

const CALLED = ["NO_MORE_BETS", "BALL_DROPPED", "DETECTED"]; // nothing of the coup predicts any more
const WAY = { ccw: 1, cw: -1 };

export function mount(root, app) {
  const wheel = app.wheel;
  if (wheel === null) { root.append(h("p", {}, app.t("shell.gone_why"))); return {}; }
  const picture = new Picture(wheel, app.t("live.picture"));
  const encoder = wheel.geometry.encoder_cycles ? new Encoder(wheel.lines, wheel.geometry.encoder_cycles) : null;
  const clock = new Clock();
  let levels = wheel.lines.map(() => 0);
  let free = false; // edges come as they are
  let dead = 0; // angle of a rotor whose place is not told
  let coups; // undefined: not read yet; null: they cannot be read

  const headline = h("p", { class: "headline" });
  const headlineToo = h("p", { class: "aside" });
  const number = h("div", { class: "big-number" });
  const facts = h("dl", { class: "facts" });
  const last = h("ol", { class: "tiles" });
  const happened = h("ol", { class: "happened" });
  const call = h("section", { class: "card call" });
  const service = h("section", { class: "card service" });
  const caption = h("p", { class: "aside caption" });
  // First how it stands, and what takes it out of play: seen without scrolling, on any screen.
  root.append(h("div", { class: "live" },
    h("div", { class: "column first" },
      h("section", { class: "card now" }, h("div", { class: "now-text" }, headline, headlineToo), number),
      service),
    h("section", { class: "card wheel-card" }, picture.element, caption,
      wheel.verified ? null : h("p", { class: "warn" }, app.t("live.unverified"))),
    h("div", { class: "column" },
      h("section", { class: "card" }, facts),
      call,
      h("section", { class: "card" }, h("h2", {}, app.t("live.last")), last),
      h("section", { class: "card" }, h("h2", {}, app.t("live.happened")), happened))));

  async function loadCoups() {
    const found = await ask("/api/coups?n=14").catch(() => null);
    coups = found?.coups ?? coups ?? null;
    drawLast();
    drawNow();
    drawHappened();
  }

  function drawLast() {
    put(last, ...(coups ?? []).map((coup) => h("li", { title: `${app.t("live.coup", { coup: coup.coup })}` },
      tile(coup.number, coup.colour), h("span", { class: "sr" }, coup.number === null ? app.t("states.VOID") : `${coup.number} ${app.t(`colours.${coup.colour}`)}`))));
    if (!coups?.length) put(last, h("li", { class: "aside" }, app.missing(coups, app.t("coups.none"))));
  }

  function drawNow() {
    const status = app.status;
    const state = status === null || app.silent ? "GONE" : status.state ?? "BETS_OPEN";
    const said = app.has(`states.${state}`) ? app.t(`states.${state}`) : state;
    headline.textContent = said.charAt(0).toUpperCase() + said.slice(1).toLowerCase();
    const more = status?.reason && app.has(`reasons.${status.reason}`) ? app.t(`reasons.${status.reason}`)
      : app.has(`more.${state}`) ? app.t(`more.${state}`) : app.has(`states.${state}_more`) ? app.t(`states.${state}_more`) : "";
    headlineToo.textContent = more;
    const found = status?.number ?? null;
    const coup = coups?.find((each) => each.coup === status?.coup);
    const at = found === null ? -1 : wheel.layout.indexOf(found);
    put(number, found === null ? h("span", { class: "dash" }, "–") : tile(found, coup?.colour ?? wheel.colours[at]));
    const compartment = found === null ? null : coup?.compartment ?? (wheel.layout.filter((each) => each === found).length === 1 ? at : null);
    picture.rest(state === "CONFIRMED" ? compartment : null);
    const exact = CALLED.includes(state);
    const way = status?.rotor ?? "unknown";
    const rpm = status?.rotor_rpm ?? null;
    put(facts, ...[
      wheel.apparatus === "boule" ? null : [app.t("live.direction"), h("b", {}, { ccw: "↺ ", cw: "↻ " }[way] ?? "", app.t(`ways.${way}`)), ""],
      wheel.apparatus === "boule" ? null : [app.t("live.speed"), h("b", { id: "rpm" }, rpm === null ? "–" : `${app.number(rpm, exact ? 1 : 0)} ${app.t("live.rpm")}`), app.t(exact ? "live.speed_exact" : "live.speed_held")],
      [app.t("live.ball"), h("b", {}, status?.ball ? `${{ ccw: "↺ ", cw: "↻ " }[status.ball]}${app.t(`ways.${status.ball}`)}` : "–"), ""],
    ].filter(Boolean).map(([name, value, aside]) => h("div", {}, h("dt", {}, name), h("dd", {}, value, aside ? h("small", { class: "aside" }, aside) : null))));
    drawService(state, rpm);
  }

  function drawCall() {
    const said = (app.status?.coup ?? 0) > (app.estimate?.coup ?? 0) ? null : app.estimate; // its end may have been missed
    call.hidden = wheel.apparatus !== "roulette" || app.me === null;
    if (call.hidden) return;
    const seconds = (us) => app.t("live.after_call", { s: app.number(us / 1e6, 2) });
    const rows = [];
    if (said) {
      if (said.drop_us !== undefined) rows.push([app.t("live.call_drop"), seconds(said.drop_us - said.t_us)]);
      const dropped = app.facts.findLast((fact) => fact.event === "ball_dropped" && fact.coup === said.coup);
      if (dropped) rows.push([app.t("live.call_dropped"), seconds(dropped.t_us - said.t_us)]);
      if (said.call_speed_uturn_s && said.drop_speed_uturn_s) {
        rows.push([app.t("live.call_margin"), `${app.number((said.call_speed_uturn_s - said.drop_speed_uturn_s) / 1e6, 3)} ${app.t("live.turns_s")}`]);
      }
      if (said.speed_uturn_s) rows.push([app.t("live.call_speed"), `${app.number(said.speed_uturn_s / 1e6, 3)} ${app.t("live.turns_s")}`]);
    }
    put(call, h("h2", {}, app.t("live.call")),
      rows.length ? h("dl", { class: "facts", id: "estimate" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, value)))))
        : h("p", { class: "aside", id: "call-wait" }, app.t(called() ? "live.call_missed" : "live.call_wait")));
  }

  const called = () => CALLED.includes(app.status?.state);

  // When a fact was: as this page heard it, or counted from one whose time the journal has.
  let since_ms = null; // the controller's zero, of the day
  function when(fact) {
    if (fact.heard_ms !== undefined) return fact.heard_ms;
    return since_ms === null ? null : since_ms + fact.t_us / 1000;
  }

  function drawHappened() {
    const known = app.facts.filter((fact) => fact.event !== "first");
    for (const fact of known) {
      const utc = coups?.find((coup) => coup.coup === fact.coup && ["result", "void"].includes(fact.event))?.utc;
      if (fact.heard_ms !== undefined) since_ms = fact.heard_ms - fact.t_us / 1000;
      else if (utc !== undefined && since_ms === null) since_ms = Date.parse(utc) - fact.t_us / 1000;
    }
    put(happened, ...known.slice(-12).reverse().map((fact) => factLine(app, fact, when(fact))));
    if (!known.length) put(happened, h("li", { class: "aside none" }, app.missing(app.status === null ? undefined : known, app.t("live.none_happened"))));
  }

  // --- out of play --------------------------------------------------------------------------------
  let drawn = "";
  let wasOut = null;
  function drawService(state, rpm) {
    service.hidden = app.me === null;
    if (service.hidden) return;
    const holder = app.service?.who ?? null;
    const own = holder === null || holder === app.me.name;
    const out = state === "SERVICE";
    let why = null; // that the wheel cannot be taken out, or turned
    if (state === "GONE") why = app.t("shell.no_wheel");
    else if (app.me.role !== "supervisor") why = app.t("shell.supervisor_only");
    else if (state === "FAULT") why = app.t("shell.locked");
    else if (!out && app.status?.open) why = app.t("shell.coup_open");
    else if (out && !own) why = app.t("shell.held_by", { who: holder });
    const signature = JSON.stringify([state === "GONE", out, why, holder, app.language]);
    if (signature === drawn) return;
    drawn = signature;
    const focused = service.contains(document.activeElement) ? document.activeElement.id : null;
    const typed = out === wasOut ? service.querySelector("#why")?.value ?? "" : ""; // a reason that was given is another's
    wasOut = out;
    const reason = h("input", { id: "why", value: typed, maxlength: 200, required: true, placeholder: app.t("live.service_example"), disabled: why !== null && !out });
    const take = out && !own && app.me.role === "supervisor";
    put(service, h("div", { class: "service-head" }, h("h2", {}, app.t("live.service")),
      h("p", { class: `outcome-badge ${out ? "not-tested" : ""}`, id: "play-state" }, app.t(state === "GONE" ? "states.GONE" : out ? "states.SERVICE" : "live.in_play"))),
      h("form", { class: "row", id: "service-form", onsubmit: async (event) => {
        event.preventDefault();
        await app.try(() => send("/api/service", { on: take || !out, why: reason.value, take }));
      } },
      h("p", { class: "field grow" }, h("label", { for: "why" }, app.t("live.service_why")), reason),
      h("button", { type: "submit", id: "take-out", disabled: why !== null && !take, "aria-describedby": "service-why" },
        take ? app.t("live.take_over", { who: holder }) : app.t(out ? "live.put_back" : "live.take_out"))),
      out && wheel.driven ? turning(why !== null) : null,
      h("p", { class: "aside", id: "service-why", role: "status" }, why ?? (out ? app.t("live.counts") : "")));
    if (focused) document.getElementById(focused)?.focus();
  }

  function turning(disabled) {
    const speed = h("input", { type: "number", id: "turn-rpm", min: 5, max: 28, value: "20", required: true, disabled });
    const lasts = h("input", { type: "number", id: "turn-for", min: 1, max: 120, value: "20", required: true, disabled });
    const turn = (way) => app.try(() => send("/api/turn", way === null ? { way } : { way, rpm: Number(speed.value), for_s: Number(lasts.value) }));
    return h("div", { class: "row turning" },
      h("p", { class: "field" }, h("label", { for: "turn-rpm" }, `${app.t("live.turn_speed")} (${app.t("live.rpm")})`), speed),
      h("p", { class: "field" }, h("label", { for: "turn-for" }, `${app.t("live.turn_for")} (s)`), lasts),
      h("button", { type: "button", id: "turn-ccw", disabled, "aria-label": app.t("ways.ccw"), onclick: () => turn("ccw") }, "↺"),
      h("button", { type: "button", id: "turn-cw", disabled, "aria-label": app.t("ways.cw"), onclick: () => turn("cw") }, "↻"),
      h("button", { type: "button", class: "quiet", disabled, onclick: () => turn(null) }, app.t("live.let_run")));
  }

  // --- what comes ---------------------------------------------------------------------------------
  const takes = {
    lines(data) {
      levels = [...data.levels];
      encoder?.preset(data.levels);
      picture.light(levels);
    },
    edges(data, ms) {
      clock.hear(data.t_us, ms);
      free = !data.held;
      for (const [t_us, line, level] of data.edges) {
        levels[line] = level;
        encoder?.edge(t_us, line, level);
      }
      picture.light(levels);
    },
    status() {
      drawNow();
      const stands = `${called()} ${app.status?.coup}`;
      if (stands !== waits) { waits = stands; drawCall(); }
    },
    silent() { drawNow(); },
    estimate() { drawCall(); },
    fact(data) {
      drawHappened();
      if (data.event === "coup_started" || data.event === "ball_dropped") drawCall();
      if (["result", "void", "correction"].includes(data.event)) loadCoups();
    },
  };
  let waits = "";
  const off = app.on((name, data, ms) => takes[name]?.(data, ms));

  // The rotor turns between the messages: from the encoder where its edges come, else as told.
  let before = performance.now();
  let frame = requestAnimationFrame(function draw(now) {
    const lasted_s = Math.min((now - before) / 1000, 0.2);
    before = now;
    const placed = free && encoder !== null && encoder.placed && clock.known && !app.silent;
    if (wheel.apparatus !== "boule") {
      if (placed) dead = encoder.at(clock.now_us());
      else dead += ((app.status?.rotor_rpm ?? 0) / 60) * lasted_s * (WAY[app.status?.rotor] ?? 0) * (app.silent ? 0 : 1);
      picture.turn(dead, placed);
    } else picture.turn(0, true);
    const said = wheel.apparatus === "boule" ? "live.dish" : placed ? "live.placed" : app.me === null ? "live.not_placed_login" : "live.not_placed";
    if (caption.dataset.said !== said) { caption.dataset.said = said; caption.textContent = app.t(said); }
    frame = requestAnimationFrame(draw);
  });

  if (app.lines) takes.lines(app.lines);
  drawNow();
  drawCall();
  drawHappened();
  drawLast();
  loadCoups();
  return { unmount() { off(); cancelAnimationFrame(frame); } };
}
