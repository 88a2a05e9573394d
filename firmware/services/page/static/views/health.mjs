// Is this wheel fair and sound? What the watch over it has judged, in words and drawings.

import { acknowledge } from "../acknowledge.mjs";
import { h, put } from "../dom.mjs";
import { coupOf, key, odds, ring, rose, scaleOf, table } from "../health_charts.mjs";
import { ask } from "../link.mjs";

const FAMILIES = ["numbers", "gain", "drops", "signature", "loose", "slowing", "sensors", "motor"];
const FAIRNESS = FAMILIES.slice(0, 4);
const WATCHED = 10; // to 1: from there on evidence is worth watching
const NAMED = ["pocket", "dead", "gain", "loose"]; // kinds of notice whose place is a number

export function mount(root, app) {
  const t = (name, values) => app.t(`health.${name}`, values);
  const area = h("div", { class: "health stack" }, h("p", { class: "aside", id: "reading", role: "status" }, t("reading")));
  root.append(area);
  let mounted = true;
  let told = null;
  let chosen = null; // act
  const drawings = []; // what is as wide as there is room

  const percent = (share, digits = 1) => `${app.number(100 * share, digits)}\u00a0%`;
  const signed = (share, digits = 1) => `${share < 0 ? "−" : "+"}${percent(Math.abs(share), digits)}`;
  const power = (value) => `10${[...String(Math.floor(Math.log10(value)))].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
  const size = (value) => (value >= 1e6 ? power(value) : value >= 10 ? app.number(value) : value >= 0.1 ? app.number(value, 1) : value >= 0.01 ? app.number(value, 2) : `< ${app.number(0.01, 2)}`);
  const oddsOf = (value) => t("to_one", { odds: size(value) });
  const toOne = (value) => h("span", { class: "nowrap" }, oddsOf(value));
  const day = (utc) => new Date(utc).toLocaleDateString(app.locale, { dateStyle: "medium" });

  // --- words ----------------------------------------------------------------------------------
  const what = (notice) => (app.notices[notice.kind] ?? notice.kind).replace("{}", () => notice.place);
  function stream(name) {
    const [, of, which] = /^([a-z_]+?)(\d*)$/.exec(name);
    return t(`stream_${of}`, { which });
  }
  const done = (act) => app.work[act]?.[0] ?? (act === "calibration" ? t("act_calibration") : act);
  const begun = (text) => text.charAt(0).toLocaleUpperCase(app.language) + text.slice(1);
  // What still stands: the last of each stream that has been told and was not begun anew since.
  const standing = () => told.streams.filter((row) => row.told)
    .map((row) => told.notices.findLast((notice) => notice.stream === row.stream)).filter((notice) => notice !== undefined);

  // What would have been seen by now, whatever the verdict; null: nothing yet.
  function seenAlready() {
    const { seen_by: { numbers: pocket }, seen_sector: sector, neighbours: width } = told;
    return pocket === null || sector === null ? null : t("seen_already", { pocket: percent(pocket), sector: percent(sector), width });
  }

  // --- the verdict ----------------------------------------------------------------------------
  const remarks = () => told.remarks.map((remark) => h("span", { class: "block", lang: app.tongue(remark, "text") }, app.told(remark, "text")));
  const again = () => h("p", { class: "row read-again" }, h("span", { class: "aside" }, told.age_s < 60 ? t("age_now") : t("age", { minutes: Math.round(told.age_s / 60) }), told.verified === false ? ` ${t("unverified")}` : ""),
    h("button", { type: "button", class: "quiet", id: "anew", onclick: () => load(true) }, t("anew")));
  function verdict() {
    const notices = standing();
    const noticedOf = told.streams.filter((row) => row.told).map((row) => row.family); // told once
    const watched = told.streams.filter((row) => row.odds >= WATCHED && !noticedOf.includes(row.family));
    const said = [];
    if (told.remarks.length) said.push(["warn", remarks()]);
    else if (notices.length) said.push(["warn", notices.length === 1 ? t("noticed", { what: what(notices[0]) }) : t("noticed_more", { n: notices.length })]);
    else if (!told.coups) said.push(["aside", t("few")]);
    else said.push(["well", t("well")]);
    if (watched.length) said.push(["watched", t("watching", { what: watched.map((row) => `${stream(row.stream)} (${oddsOf(row.odds)})`).join(", ") })]);
    const counts = { coups: app.number(told.coups), void: app.number(told.void ?? 0), before: app.number(told.not_judged) };
    const since = told.ended.findLast((each) => each.epochs.some((epoch) => epoch.stream === "numbers"));
    return h("section", { class: "card verdict-card", id: "verdict" },
      ...said.map(([look, text], k) => h("p", { class: `${k ? "" : "verdict-line "}${look}` }, k ? text : h("b", {}, text))),
      told.remarks.length ? acknowledge(app, told.remarks[0].code) : null,
      notices.length ? h("ul", { class: "standing" }, notices.map(noticed)) : null,
      h("p", { class: "aside" }, t(told.not_judged ? "coups_before" : "coups", counts), " ",
        since ? t("since", { what: done(since.act), when: when(since) }) : null),
      seenAlready() ? h("p", { class: "aside" }, seenAlready()) : null,
      h("p", { class: "aside small" }, t("promise")),
      again());
  }
  const when = (each) => (each.utc ? day(each.utc) : t("coup", { coup: app.number(coupOf(each)) }));
  const noticed = (notice) => {
    const { code } = notice;
    return h("li", { "data-kind": notice.kind }, h("b", { class: "code mono" }, code), h("span", {}, h("b", {}, begun(`${what(notice)}. `)),
      app.fault({ code, text: "", remedy: "" }, "…")[1], " ", h("span", { class: "aside" }, t("at_coup", { coup: app.number(coupOf(notice)) })),
      notice.acknowledged ? h("span", { class: "aside block" }, t("acknowledged", notice.acknowledged)) : acknowledge(app, code)));
  };

  // --- numbers --------------------------------------------------------------------------------
  const shares = (numbers) => h("details", {}, h("summary", {}, t("as_table")), table(["number", "count", "share", "band"].map((name) => t(name)),
    numbers.map((each) => ({ cells: [String(each.number), app.number(each.count), signed(each.more), `${signed(each.least)} … ${signed(each.most)}`] })), "shares"));
  function numbers() {
    const { numbers: found } = told;
    const card = h("section", { class: "card", id: "numbers" }, h("h2", {}, t("numbers")));
    if (!found.some((each) => each.count)) return put(card, ...card.children, h("p", { class: "aside" }, t("numbers_none"))) ?? card;
    const read = h("p", { class: "reading", "aria-live": "polite" }, t("number_choose"));
    const place = (number) => found.findIndex((each) => each.number === number);
    const named = standing().filter((notice) => NAMED.includes(notice.kind) || notice.kind === "sector");
    const scale = scaleOf(found);
    const element = ring(found, app.wheel.colours, t("numbers"), {
      scale, marked: named.filter((notice) => notice.kind !== "sector").map((notice) => place(notice.place)),
      middles: named.filter((notice) => notice.kind === "sector").map((notice) => place(notice.place)),
      read: (each) => { read.textContent = t("number_read", { number: each.number, count: app.number(each.count), share: signed(each.more), low: signed(each.least), high: signed(each.most) }); },
    });
    card.append(element, read, ...named.map((notice) => h("p", { class: "named" }, t("named", { what: what(notice) }), notice.kind === "sector" ? ` ${t("named_middle")}` : "")),
      h("p", { class: "aside small" }, t("numbers_why", { scale: percent(scale, 0) })), shares(found));
    return card;
  }

  // --- drops ----------------------------------------------------------------------------------
  function drops() {
    const { drops: found } = told;
    const card = h("section", { class: "card", id: "drops" }, h("h2", {}, t("drops")));
    const ways = found === null ? [] : ["ccw", "cw"].filter((way) => found[way].seen.some((count) => count));
    if (!ways.length) { card.append(h("p", { class: "aside" }, t("drops_none"))); return card; }
    const sides = standing().filter((notice) => ["tilt", "flaw"].includes(notice.kind))
      .map((notice) => ({ degrees: notice.place, name: t(notice.kind === "tilt" ? "low_side" : "flaw", { degrees: notice.place }) }));
    const name = (gap) => t("gap_of", { from: gap, to: (gap + 1) % found.beams_deg.length });
    const total = (way, which) => found[way][which].reduce((all, count) => all + count, 0) || 1;
    card.append(h("div", { class: "roses" }, ways.map((way) => h("figure", {}, h("figcaption", {}, t(`drops_${way}`)),
      rose(found[way], found.beams_deg, t(`drops_${way}`), { percent: (share) => percent(share, 1), sides })))),
    ...sides.map((side) => h("p", { class: "named" }, `↗ ${side.name}`)), h("p", { class: "aside small" }, t("drops_why")),
    h("details", {}, h("summary", {}, t("as_table")), ...ways.map((way) => [h("h3", {}, t(`drops_${way}`)), table([t("gap"), t("seen"), t("foretold")],
      found.beams_deg.map((_, k) => ({ cells: [name(k), ...["seen", "foretold"].map((which) => `${app.number(found[way][which][k])} (${percent(found[way][which][k] / total(way, which))})`)] })), "gaps")]).flat()));
    return card;
  }

  // --- evidence over time ---------------------------------------------------------------------
  function time() {
    const { timeline, acts } = told;
    const card = h("section", { class: "card", id: "time" }, h("h2", {}, t("odds_time")));
    if (timeline.length < 2) { card.append(h("p", { class: "aside" }, t("odds_none"))); return card; }
    const families = FAMILIES.filter((family) => timeline.some((each) => each.parts[family] > 0));
    const host = h("div", { class: "odds" });
    const compared = h("div", { id: "compared", "aria-live": "polite" });
    const list = h("ul", { class: "acts" }, acts.map((act) => h("li", {}, h("button", { type: "button", class: "quiet", "aria-pressed": String(act === chosen), onclick: () => choose(act) },
      `${when(act)} · ${done(act.act)}`))));
    const draw = () => {
      if (host.clientWidth) put(host, odds(timeline, families, { width: host.clientWidth, acts, notices: told.notices, chosen, choose, number: (value) => app.number(value), label: t("odds_time"),
        say: { told: t("told_line"), act: (act) => `${done(act.act)}, ${when(act)}`, notice: what } }));
    };
    function choose(act) {
      chosen = act === chosen ? null : act;
      [...list.children].forEach((item, k) => item.firstChild.setAttribute("aria-pressed", String(acts[k] === chosen)));
      put(compared, chosen === null ? null : beforeAndAfter(chosen));
      draw();
    }
    drawings.push(draw);
    card.append(host, h("ul", { class: "legend" }, families.map((family) => h("li", {}, key(family), t(`family_${family}`)))),
      h("p", { class: "aside small" }, t("odds_why")), h("h3", {}, t("acts")),
      acts.length ? list : h("p", { class: "aside" }, t("acts_none")), acts.length ? h("p", { class: "aside small" }, t("acts_choose")) : null, compared);
    return card;
  }

  // What an act has ended beside what came after, until another ended that, or now.
  function beforeAndAfter(act) {
    const head = h("h3", {}, t("compare", { act: begun(done(act.act)), when: when(act) }));
    const ended = told.ended.find((each) => each.coup === act.coup);
    const later = told.ended.filter((each) => each.coup > act.coup);
    const of = (each, name) => each.epochs.find((epoch) => epoch.stream === name);
    const rows = (ended?.epochs ?? []).map((before) => {
      const next = later.find((each) => of(each, before.stream));
      return { before, next, after: next ? of(next, before.stream) : told.streams.find((row) => row.stream === before.stream) };
    }).filter((row) => row.after);
    if (!rows.length) return [head, h("p", { class: "aside" }, t("compare_none"))];
    const until = (next) => (next ? t("after_until", { act: done(next.act), when: when(next) }) : t("after"));
    const side = (each) => [toOne(each.most), each.told ? h("b", { class: "badge watched" }, t("is_told")) : null,
      h("small", { class: "aside block" }, t("of_coups", { coups: app.number(each.coups) }))];
    return [head, rings(rows.find((row) => row.before.stream === "numbers"), until),
      table([t("what"), t("before"), until(rows[0].next)], rows.map((row) => ({ "data-stream": row.before.stream, cells: [stream(row.before.stream), side(row.before), side(row.after)] })), "beside"),
      h("p", { class: "aside small" }, t("beside_why"))];
  }

  // The counts of all numbers, if the act has ended them.
  function rings(row, until) {
    if (row === undefined || !row.before.coups) return null;
    const sides = [[t("before"), row.before.numbers], [until(row.next), row.next ? row.after.numbers : told.numbers]];
    const scale = Math.max(...sides.map(([, numbers]) => scaleOf(numbers)));
    return h("div", { class: "roses" }, sides.map(([title, numbers]) => h("figure", {}, h("figcaption", {}, title),
      ring(numbers, app.wheel.colours, `${t("numbers")}, ${title}`, { scale }))));
  }

  // --- what is judged -------------------------------------------------------------------------
  function seen(name) {
    const lean = name === "drops" ? told.drops?.seen_by : null;
    if (Number.isFinite(lean)) return t("seen_lean", { lean: app.number(lean, 2) });
    return Number.isFinite(told.seen_by[name]) ? t("seen_pocket", { more: percent(told.seen_by[name], 0) }) : "";
  }
  function judged() {
    const heads = ["what", "n_coups", "odds", "told_at", "seen_now"].map((name) => t(name));
    const of = (fair) => told.streams.filter((row) => FAIRNESS.includes(row.family) === fair).map((row) => ({
      "data-stream": row.stream, cells: [stream(row.stream), app.number(row.coups),
        [toOne(row.odds), row.told || row.odds >= row.line ? h("b", { class: "badge watched" }, t("is_told")) : row.odds >= WATCHED ? h("span", { class: "badge watched" }, t("is_watched")) : null],
        toOne(row.line), seen(row.stream)],
    }));
    return h("section", { class: "card", id: "judged" }, h("h2", {}, t("judged")), h("h3", {}, t("fairness")), table(heads, of(true), "judged"),
      h("h3", {}, t("soundness")), table(heads.slice(0, 4), of(false).map((row) => ({ ...row, cells: row.cells.slice(0, 4) })), "judged"),
      h("h3", {}, t("seen_when")), h("ul", { class: "when" },
        told.seen_when.map((each) => h("li", {}, t(`seen_after_${each.what}`, { width: told.neighbours, coups: app.number(each.coups),
          more: each.what === "lean" ? app.number(each.more, 1) : percent(each.more, 0) })))),
      h("p", { class: "aside small" }, t("seen_why")));
  }

  // --- reading --------------------------------------------------------------------------------
  function draw() {
    drawings.length = 0;
    // Of a journal that is not intact nothing is judged.
    if (!told.numbers) { put(area, h("section", { class: "card", id: "verdict" }, h("p", { class: "verdict-line warn" }, h("b", {}, remarks())), again())); return; }
    put(area, verdict(), h("div", { class: "health-pair" }, numbers(), drops()), time(), judged());
    for (const each of drawings) each();
  }

  async function load(anew = false) {
    const wait = (text) => put(area, h("section", { class: "card", id: "reading", role: "status" }, h("p", { class: "busy" }, h("span", { class: "spinner", "aria-hidden": "true" }), text)));
    if (anew) wait(t("reading"));
    let found = await app.try(() => ask(`/api/health${anew ? "?anew=1" : ""}`));
    while (mounted && found?.reading_s !== undefined) {
      wait(t("reading_s", { s: app.number(found.reading_s) }));
      found = await app.try(() => ask("/api/health"));
    }
    if (!mounted) return;
    if (found === null) put(area, h("p", { class: "card warn" }, t("unread")));
    else if (found.told === null) put(area, h("p", { class: "card aside" }, t("none")));
    else {
      told = { ...found.told, ...found.told.charts, age_s: found.age_s };
      chosen = null;
      draw();
    }
  }
  const watch = new ResizeObserver(() => { for (const each of drawings) each(); });
  watch.observe(area);
  load();
  return { unmount() { mounted = false; watch.disconnect(); } };
}
