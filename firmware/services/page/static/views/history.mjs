// How the wheel has done: the lead of its calls, rest to number, voids.

import { h, put } from "../dom.mjs";
import { ask } from "../link.mjs";

const PLOT = { height: 200 };
const BEHIND = 20; // coups of which the share of voids is taken

function median(values) {
  const sorted = values.filter((value) => value !== null).sort((one, other) => one - other);
  return sorted.length ? sorted[Math.floor(sorted.length / 2)] : null;
}

export function mount(root, app) {
  if (!document.querySelector("link[href='/vendor/uPlot.min.css']")) {
    document.head.append(h("link", { rel: "stylesheet", href: "/vendor/uPlot.min.css" }));
  }
  const plots = [];
  const area = h("div", { class: "charts" }, h("p", { class: "aside" }, app.t("shell.loading")));
  root.append(area);
  let Plot = null;
  let coups = [];

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  function chart(title, why, aside, ys, kind) {
    const host = h("div", { class: "plot", role: "img", tabindex: 0, "aria-label": `${title}: ${aside}`, onkeydown: step });
    const summary = h("b", { class: "mono" }, aside);
    const legend = h("p", { class: "aside" }, why, ". ", kind === "void" || !coups.some((coup) => coup.reason !== null) ? null : h("span", { class: "void-key" }, app.t("history.bars")));
    const read = h("p", { class: "aside reading", "aria-live": "polite" }, app.t("history.hover"));
    area.append(h("section", { class: "card chart" }, h("div", { class: "chart-head" }, h("h2", {}, title), summary), legend, host, read));
    // What stands under the finger: the coup, when it was, its value.
    function point(plot) {
      const { idx } = plot.cursor;
      const coup = coups[idx];
      const value = coup ? plot.data[1][idx] : null;
      read.textContent = !coup ? app.t("history.hover") : [`#${coup.coup}`, app.time(coup.utc),
        value === null ? (coup.reason ? app.t(`reasons.${coup.reason}`) : app.t("history.unknown")) : kind === "void" ? `${app.number(value, 0)} %` : `${app.number(value, 2)} s`].join(" · ");
    }
    // With the arrow keys one coup after the other, of those that are seen.
    function step(event) {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const { plot } = plots.find((each) => each.host === host);
      const { min, max } = plot.scales.x;
      const seen = coups.map(({ coup }, at) => (coup >= min && coup <= max ? at : -1)).filter((at) => at >= 0);
      if (way === undefined || !seen.length) return;
      event.preventDefault();
      const from = seen.indexOf(plot.cursor.idx);
      const next = seen[from < 0 ? seen.length - 1 : Math.max(0, Math.min(seen.length - 1, from + way))];
      plot.setCursor({ left: plot.valToPos(coups[next].coup, "x"), top: 1 });
    }
    // A whole coup has its number, and below it the time it ended; of a step below one nothing.
    const below = (_, ticks) => ticks.map((tick) => {
      const coup = coups.find((each) => each.coup === tick);
      return !Number.isInteger(tick) ? "" : coup ? `#${tick}\n${new Date(coup.utc).toLocaleTimeString(app.locale, { hour: "2-digit", minute: "2-digit" })}` : `#${tick}`;
    });
    const beside = (_, ticks, axis, space, step) => ticks.map((tick) => app.number(tick, [0, 1, 2].find((digits) => (step * 10 ** digits) % 1 < 1e-6) ?? 2)); // 0.25 and not 0.3
    const axis = { stroke: colour("--aside"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 }, font: "12px system-ui, sans-serif" };
    plots.push({ host, summary, plot: new Plot({
      width: host.clientWidth || 600, ...PLOT,
      scales: { x: { time: false }, y: { range: (_, low, high) => [Math.min(0, low), Math.max(high * 1.1, 1)] } },
      legend: { show: false },
      cursor: { y: false, points: { size: 8 } },
      axes: [{ ...axis, size: 46, space: 64, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500], values: below }, { ...axis, size: 52, values: beside }],
      series: [{}, {
        stroke: colour(kind === "void" ? "--bad" : "--accent"), width: 1.6, fill: kind === "void" ? colour("--bad-fill") : undefined,
        spanGaps: true, points: { show: ys.length < 120, size: 5, fill: colour("--card") },
      }],
      hooks: { setCursor: [point], drawClear: [(plot) => {
        const pen = plot.ctx;
        pen.save();
        pen.fillStyle = colour("--bad");
        pen.globalAlpha = 0.45;
        const { min, max } = plot.scales.x;
        for (const { coup, reason } of coups) {
          if (reason === null || kind === "void" || coup < min || coup > max) continue;
          pen.fillRect(plot.valToPos(coup, "x", true) - 1.5, plot.bbox.top, 3, plot.bbox.height);
        }
        pen.restore();
      }] },
    }, [coups.map((coup) => coup.coup), ys], host) });
  }

  // Title, what it is, its summary, its values, its kind.
  function curves() {
    const said = (name, value) => (value === null ? "–" : app.t(name, { value: app.number(value, 2) }));
    // What the calls reached: the median and the least, each with its coup.
    const spread = (name) => {
      const known = coups.filter((coup) => coup[name] !== null).sort((one, other) => one[name] - other[name]);
      const one = (how, coup) => `${said(how, coup[name])} (#${coup.coup})`;
      return known.length ? `${one("history.median", known[(known.length - 1) >> 1])} · ${one("history.least", known[0])}` : "–";
    };
    const reached = `${app.t("history.track")} ${spread("track_s")} · ${app.t("history.drop")} ${spread("lead_s")}`;
    const rests = coups.map((coup) => coup.rest_s);
    const voids = coups.filter((coup) => coup.reason !== null);
    const share = coups.map((_, at) => {
      const some = coups.slice(Math.max(0, at - BEHIND + 1), at + 1);
      return (100 * some.filter((coup) => coup.reason !== null).length) / some.length;
    });
    return [
      [app.t("history.lead"), app.t("history.lead_why"), reached, coups.map((coup) => coup.lead_s), "lead"],
      [app.t("history.rest"), app.t("history.rest_why"), said("history.median", median(rests)), rests, "rest"],
      [app.t("history.voids"), app.t("history.voids_why"), app.t("history.of", { n: voids.length, of: coups.length }), share, "void"],
    ];
  }

  const why = h("section", { class: "card" });
  function draw() {
    for (const { plot } of plots.splice(0)) plot.destroy();
    put(area);
    if (!coups.length) { put(area, h("p", { class: "aside" }, app.t("coups.none"))); return; }
    for (const curve of curves()) chart(...curve);
    area.append(why);
    reasons();
  }

  function reasons() {
    const counted = new Map();
    for (const { reason } of coups) if (reason !== null) counted.set(reason, (counted.get(reason) ?? 0) + 1);
    const most = Math.max(...counted.values());
    why.hidden = !counted.size;
    put(why, h("h2", {}, app.t("history.reasons")),
      h("ul", { class: "bars" }, [...counted].sort((one, other) => other[1] - one[1]).map(([reason, count]) => h("li", {},
        h("span", {}, app.t(`reasons.${reason}`)), h("meter", { min: 0, max: most, value: count }), h("b", { class: "mono" }, String(count))))));
  }

  // One coup more: what somebody looks at closely stays as it is.
  function renew(before) {
    const [first, last] = [before[0].coup, before.at(-1).coup];
    curves().forEach(([title, , summary, values], at) => {
      const { plot, host, summary: text } = plots[at];
      const { min, max } = plot.scales.x;
      const zoomed = min > first || max < last;
      text.textContent = summary;
      host.setAttribute("aria-label", `${title}: ${summary}`);
      plot.setData([coups.map((coup) => coup.coup), values], !zoomed);
      if (zoomed) plot.setScale("x", { min, max });
    });
    reasons();
  }

  const watch = new ResizeObserver(() => { for (const { plot, host } of plots) plot.setSize({ width: host.clientWidth || 600, ...PLOT }); });
  watch.observe(area);
  let mounted = true;
  async function load() {
    const [found, made] = await Promise.all([app.try(() => ask("/api/history?n=300")), import("/vendor/uPlot.esm.js")]);
    if (!mounted) return;
    if (found === null) { if (!plots.length) put(area, h("p", { class: "card warn" }, app.t("shell.unread"))); return; }
    Plot = made.default;
    const before = coups;
    coups = found.coups;
    if (plots.length && coups.length) renew(before);
    else draw();
  }
  const theme = () => { if (Plot) draw(); };
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", theme);
  const off = app.on((name, data) => { if (name === "theme") theme(); if (name === "fact" && ["result", "void"].includes(data.event)) load(); });
  load();
  return { unmount() { mounted = false; off(); system.removeEventListener("change", theme); watch.disconnect(); for (const { plot } of plots) plot.destroy(); } };
}
