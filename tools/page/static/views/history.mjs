// How the wheel has done: the lead of its calls, rest to number, voids.

import { h, put } from "../dom.mjs";
import { ask } from "../link.mjs";

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
    const host = h("div", { class: "plot", role: "img", "aria-label": `${title}: ${aside}` });
    area.append(h("section", { class: "card chart" }, h("div", { class: "chart-head" }, h("h2", {}, title), h("b", { class: "mono" }, aside)), h("p", { class: "aside" }, why), host));
    const axis = { stroke: colour("--aside"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 }, font: "12px system-ui, sans-serif" };
    const voids = coups.map((coup) => coup.reason !== null);
    plots.push(new Plot({
      width: host.clientWidth || 600, height: 190,
      scales: { x: { time: false }, y: { range: (_, low, high) => [Math.min(0, low), Math.max(high * 1.1, 1)] } },
      legend: { show: false },
      cursor: { y: false, points: { size: 8 } },
      axes: [{ ...axis, size: 30, values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? `#${tick}` : "")) }, { ...axis, size: 46, values: (_, ticks) => ticks.map((tick) => app.number(tick, tick % 1 ? 1 : 0)) }],
      series: [{}, {
        stroke: colour(kind === "void" ? "--bad" : "--accent"), width: 1.6, fill: kind === "void" ? colour("--bad-fill") : undefined,
        spanGaps: true, points: { show: ys.length < 120, size: 5, fill: colour("--card") },
      }],
      hooks: { drawClear: [(plot) => {
        const pen = plot.ctx;
        pen.save();
        pen.fillStyle = colour("--bad");
        pen.globalAlpha = 0.45;
        voids.forEach((is, at) => {
          if (is && kind !== "void") pen.fillRect(plot.valToPos(coups[at].coup, "x", true) - 1.5, plot.bbox.top, 3, plot.bbox.height);
        });
        pen.restore();
      }] },
    }, [coups.map((coup) => coup.coup), ys], host));
  }

  function draw() {
    for (const plot of plots.splice(0)) plot.destroy();
    put(area);
    if (!coups.length) { put(area, h("p", { class: "aside" }, app.t("shell.nothing"))); return; }
    const said = (name, value) => (value === null ? "–" : app.t(name, { value: app.number(value, 2) }));
    const leads = coups.map((coup) => coup.lead_s);
    const known = leads.filter((each) => each !== null);
    chart(app.t("history.lead"), app.t("history.lead_why"), `${said("history.median", median(leads))} · ${said("history.least", known.length ? Math.min(...known) : null)}`, leads);
    const rests = coups.map((coup) => coup.rest_s);
    chart(app.t("history.rest"), app.t("history.rest_why"), said("history.median", median(rests)), rests);
    const voids = coups.filter((coup) => coup.reason !== null);
    const share = coups.map((_, at) => {
      const some = coups.slice(Math.max(0, at - BEHIND + 1), at + 1);
      return (100 * some.filter((coup) => coup.reason !== null).length) / some.length;
    });
    chart(app.t("history.voids"), app.t("history.voids_why"), app.t("history.of", { n: voids.length, of: coups.length }), share, "void");
    const reasons = new Map();
    for (const coup of voids) reasons.set(coup.reason, (reasons.get(coup.reason) ?? 0) + 1);
    if (reasons.size) {
      area.append(h("section", { class: "card" }, h("h2", {}, app.t("history.reasons")),
        h("ul", { class: "bars" }, [...reasons].sort((one, other) => other[1] - one[1]).map(([reason, count]) => h("li", {},
          h("span", {}, app.t(`reasons.${reason}`)), h("meter", { min: 0, max: voids.length, value: count }), h("b", { class: "mono" }, String(count)))))));
    }
  }

  const watch = new ResizeObserver(() => { for (const plot of plots) plot.setSize({ width: plot.root.parentElement.clientWidth || 600, height: 190 }); });
  watch.observe(area);
  let mounted = true;
  async function load() {
    const [found, made] = await Promise.all([app.try(() => ask("/api/history?n=300")), import("/vendor/uPlot.esm.js")]);
    if (!mounted || found === null) return;
    Plot = made.default;
    coups = found.coups;
    draw();
  }
  const off = app.on((name, data) => { if (name === "theme" && Plot) draw(); if (name === "fact" && ["result", "void"].includes(data.event)) load(); });
  load();
  return { unmount() { mounted = false; off(); watch.disconnect(); for (const plot of plots) plot.destroy(); } };
}
