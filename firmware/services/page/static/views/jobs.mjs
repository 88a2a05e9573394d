// A job of the wheel as a dialog with whoever stands there: its steps, its questions, its end.

import { copyable } from "../copy.mjs";
import { h, icon, put } from "../dom.mjs";
import { ask, send } from "../link.mjs";

const MINUTES_FROM_S = 90; // a shorter time is said in tens of seconds

export function mountJob(root, app, what, form) {
  const { told, tongue } = app;
  const steps = h("ol", { class: "steps" });
  const parts = h("tbody");
  const table = h("table", { class: "rows measures", hidden: true }, h("thead", {}, h("tr", {},
    (what === "selftest" ? ["part", "measured", "limits", "outcome"] : ["part", "measured", "drawing", "uncertain"]).map((name) => h("th", {}, app.t(`jobs.${name}`))))), parts);
  const question = h("section", { class: "card question", hidden: true, role: "alertdialog", "aria-labelledby": "question-text" });
  const begin = h("section", { class: "card begin" });
  const course = h("section", { class: "card", hidden: true }, table, steps);
  const outcome = h("section", { class: "card outcome", hidden: true, role: "status" });
  const at = h("p", { id: "progress" });
  const bar = h("progress", { "aria-labelledby": "progress" });
  root.append(h("p", { class: "aside lead" }, app.t(`jobs.${what}_why`)), outcome, begin, question,
    course);
  let job = null;
  let progress = null; // the last that was told
  let since_ms = 0; // when that was

  const running = () => job !== null && job.state === "running";
  const own = () => job !== null && job.who === app.me?.name;

  let drawn = "";
  function drawBegin() {
    let why = null;
    if (app.status === null) why = app.t("shell.no_wheel");
    else if (app.me?.role !== "supervisor") why = app.t("shell.supervisor_only");
    else if (running() && (!own() || job.what !== what)) why = app.t("jobs.busy", { who: job.who });
    // What somebody has chosen stays, as long as nothing else is to be said.
    const signature = JSON.stringify([why, running(), job?.what, job?.who]);
    if (signature === drawn) return;
    drawn = signature;
    if (running() && job.what === what) {
      put(begin, h("p", { class: "busy" }, h("span", { class: "spinner", "aria-hidden": "true" }), app.t("jobs.running", { who: job.who })), at, bar,
        app.me?.role === "supervisor" ? h("button", { type: "button", class: "bad", id: "stop", onclick: () => app.try(() => send("/api/job/stop")) }, app.t("jobs.stop")) : null);
      return;
    }
    const fields = form(why !== null);
    put(begin, h("p", { class: "warn" }, icon("faults"), app.t("jobs.moves")),
      h("form", { class: "row", onsubmit: async (event) => {
        event.preventDefault();
        const found = await app.try(() => send("/api/job", { what, options: fields.options() }));
        if (found) take(found.job);
      } }, ...fields.elements, h("button", { type: "submit", id: "begin", disabled: why !== null }, app.t("jobs.begin"))),
      why === null ? null : h("p", { class: "aside" }, why));
  }

  // Where it is, and how long it still takes: that stands still once a step takes longer.
  function drawProgress() {
    at.hidden = bar.hidden = progress === null;
    if (progress === null) return;
    const left_s = progress.left_s - Math.min((performance.now() - since_ms) / 1000, progress.now_s);
    const [unit, n] = left_s >= MINUTES_FROM_S ? ["min", Math.ceil(left_s / 60)] : ["s", Math.max(1, Math.ceil(left_s / 10)) * 10];
    put(at, `${app.t("jobs.step", { n: progress.number, of: progress.of })} · ${app.t(`jobs.left_${unit}`, { n })}`);
    bar.max = progress.of;
    bar.value = progress.number - 1;
  }

  function take(found) {
    job = found;
    progress = null;
    put(steps);
    put(parts);
    table.hidden = true;
    course.hidden = true;
    outcome.hidden = true;
    if (job !== null && job.what === what) job.steps.forEach(add);
    since_ms = performance.now() - (job?.step_age_s ?? 0) * 1000;
    drawProgress();
    drawBegin();
    drawQuestion();
  }

  const limits = (step) => (step.low === null || step.low === undefined ? "–"
    : step.low === step.high ? `${app.number(step.low, digits(step.low))} ${told(step, "unit") ?? ""}` : `${app.number(step.low, digits(step.low))} … ${app.number(step.high, digits(step.high))} ${told(step, "unit") ?? ""}`);
  const value = (step) => (step.value === null ? "–" : `${app.number(step.value, digits(step.value))} ${told(step, "unit") ?? ""}`);
  const digits = (value) => (Number.isInteger(value) ? 0 : 2);

  // What of the steps failed, and what to do about it.
  function failed() {
    const lines = new Map();
    for (const step of job.steps) {
      if (step.kind === "failed") lines.set(step, []);
      if (step.kind !== "part" || step.outcome !== "failed") continue;
      const first = [...lines.keys()].find((other) => other.remedy === step.remedy) ?? step;
      lines.set(first, [...lines.get(first) ?? [], step]);
    }
    if (lines.size === 0) return null;
    return h("ul", { class: "failed-steps", id: "failed-steps" }, [...lines].map(([first, parts]) => h("li", {},
      parts.map((step) => h("p", {}, h("b", {}, told(step, "part")), ` ${value(step)} (${limits(step)})`, step.tries > 1 ? `, ${app.t("jobs.tried", { n: step.tries })}` : "")),
      ["remedy", "text"].filter((key) => first[key]).map((key) => h("p", { lang: tongue(first, key) }, told(first, key))))));
  }

  function add(step) {
    course.hidden = false;
    if (step.kind === "step") {
      progress = step;
      since_ms = performance.now();
      drawProgress();
      return;
    }
    if (step.kind === "part") {
      table.hidden = false;
      parts.append(h("tr", { class: `${step.outcome.replace(" ", "-")} ${step.group === app.sought ? "sought" : ""}` },
        h("td", {}, h("span", { class: "aside" }, `${told(step, "group")} `), told(step, "part"), step.note ? h("small", { class: "aside block", lang: tongue(step, "note") }, told(step, "note")) : null,
          step.tries > 1 ? h("small", { class: "aside block" }, app.t("jobs.tried", { n: step.tries })) : null),
        h("td", { class: "mono" }, value(step)),
        h("td", { class: "mono aside", title: told(step, "why") ?? "" }, limits(step)),
        h("td", {}, h("span", { class: `outcome-badge ${step.outcome.replace(" ", "-")}` }, app.t(`jobs.${step.outcome}`)))));
    } else if (step.kind === "value") {
      table.hidden = false;
      parts.append(h("tr", {}, h("td", {}, told(step, "name"), step.wrong ? h("small", { class: "bad block", lang: tongue(step, "wrong") }, told(step, "wrong")) : null),
        h("td", { class: "mono" }, told(step, "measured")), h("td", { class: "mono aside" }, told(step, "drawing")), h("td", { class: "mono" }, `± ${step.uncertain}`)));
    } else if (step.kind === "signed") {
      outcome.hidden = false;
      outcome.className = "card outcome passed";
      put(outcome, h("p", { class: "verdict", id: "signed" }, app.t("jobs.signed")), failed(), h("p", { class: "aside" }, "SHA-256 ", copyable(app, h("code", {}, step.sha256), step.sha256, "SHA-256")));
    } else if (step.kind === "end" || step.kind === "summary") end(step);
    else steps.append(h("li", { class: step.kind }, h("span", { lang: tongue(step, "text") }, told(step, "text"))));
  }

  function end(step) {
    if (step.kind === "summary") {
      outcome.hidden = false;
      outcome.className = `card outcome ${step.outcome}`;
      put(outcome, h("p", { class: "verdict" }, app.t(`jobs.${step.outcome}`)),
        h("p", {}, ["passed", "failed", "not_tested", "not_fitted"].filter((name) => step[name]).map((name) => `${step[name]} ${app.t(`jobs.${name.replace("_", " ")}`)}`).join(" · ")), failed(),
        h("a", { class: "button", href: "/api/job/certificate.html", download: "", id: "certificate" }, app.t("jobs.certificate")));
      return;
    }
    job.state = step.state;
    if (step.text) {
      outcome.hidden = false;
      outcome.className = `card outcome ${step.state}`;
      put(outcome, h("p", { class: "verdict" }, app.t(`jobs.${step.state}`)), h("p", { class: "lines", lang: tongue(step, "text") }, told(step, "text")),
        what === "selftest" && failed()); // of a calibration the text says it
    }
    progress = null;
    drawProgress();
    drawBegin();
  }

  function drawQuestion() {
    const step = running() && job.what === what && own() && job.asked !== null ? job.steps[job.asked] : null;
    question.hidden = step === null || step === undefined;
    if (question.hidden) return;
    const answer = async (given) => {
      // What is answered is not asked any more, though the next step may take minutes to come; and
      // perhaps it has come before this answer's own answer.
      if (await app.try(() => send("/api/job/answer", { n: step.n, ...given })) && job?.steps[job.asked] === step) {
        job.asked = null;
        drawQuestion();
      }
    };
    // The second click of two was meant for the question before.
    const button = (id, given, name, kind = null) => h("button", { type: "button", class: kind, id, onclick: (event) => event.detail < 2 && answer({ yes: given }) }, app.t(`jobs.${name}`));
    const yes = button("answer-yes", true, step.again ? "again" : "yes");
    put(question, h("p", { id: "question-text", lang: tongue(step, "text") }, h("b", {}, told(step, "text"))),
      h("div", { class: "actions" }, button("answer-no", false, step.again ? "go_on" : "skip", "quiet"), yes));
    yes.focus();
  }

  async function load() {
    const found = await app.try(() => ask("/api/job"));
    if (found !== null) take(found.job);
  }
  const off = app.on((name, data) => {
    if (name === "status") { drawBegin(); return; }
    if (name !== "job") return;
    if (job === null || data.step.n === 0 || data.step.n > job.steps.length) { load(); return; }
    if (data.step.n < job.steps.length) return;
    job.steps.push(data.step);
    job.asked = data.asked;
    job.state = data.state;
    if (job.what === what) add(data.step);
    drawQuestion();
    if (data.state === "running") return;
    drawBegin();
    outcome.scrollIntoView(); // what failed is seen first
  });
  // Enter that is held down since the question before is no answer to this one.
  question.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
  const ticking = setInterval(drawProgress, 1000);
  drawProgress();
  drawBegin();
  load();
  return { unmount() { off(); clearInterval(ticking); } };
}
