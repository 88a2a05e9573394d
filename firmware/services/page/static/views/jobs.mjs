// A job of the wheel as a dialog with whoever stands there: its steps, its questions, its end.

import { h, icon, put } from "../dom.mjs";
import { ask, send } from "../link.mjs";

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
  root.append(h("p", { class: "aside lead" }, app.t(`jobs.${what}_why`)), begin, question, outcome,
    course);
  let job = null;

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
      put(begin, h("p", { class: "busy" }, h("span", { class: "spinner", "aria-hidden": "true" }), app.t("jobs.running", { who: job.who })),
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

  function take(found) {
    job = found;
    put(steps);
    put(parts);
    table.hidden = true;
    course.hidden = true;
    outcome.hidden = true;
    if (job !== null && job.what === what) job.steps.forEach(add);
    drawBegin();
    drawQuestion();
  }

  const limits = (step) => (step.low === null || step.low === undefined ? "–"
    : step.low === step.high ? `${app.number(step.low, digits(step.low))} ${told(step, "unit") ?? ""}` : `${app.number(step.low, digits(step.low))} … ${app.number(step.high, digits(step.high))} ${told(step, "unit") ?? ""}`);
  const digits = (value) => (Number.isInteger(value) ? 0 : 2);

  function add(step) {
    course.hidden = false;
    if (step.kind === "part") {
      table.hidden = false;
      parts.append(h("tr", { class: step.outcome.replace(" ", "-") },
        h("td", {}, h("span", { class: "aside" }, `${told(step, "group")} `), told(step, "part"), step.note ? h("small", { class: "aside block", lang: tongue(step, "note") }, told(step, "note")) : null),
        h("td", { class: "mono" }, step.value === null ? "–" : `${app.number(step.value, digits(step.value))} ${told(step, "unit") ?? ""}`),
        h("td", { class: "mono aside", title: told(step, "why") ?? "" }, limits(step)),
        h("td", {}, h("span", { class: `outcome-badge ${step.outcome.replace(" ", "-")}` }, app.t(`jobs.${step.outcome}`)))));
    } else if (step.kind === "value") {
      table.hidden = false;
      parts.append(h("tr", {}, h("td", {}, told(step, "name"), step.wrong ? h("small", { class: "bad block", lang: tongue(step, "wrong") }, told(step, "wrong")) : null),
        h("td", { class: "mono" }, told(step, "measured")), h("td", { class: "mono aside" }, told(step, "drawing")), h("td", { class: "mono" }, `± ${step.uncertain}`)));
    } else if (step.kind === "signed") {
      outcome.hidden = false;
      outcome.className = "card outcome passed";
      put(outcome, h("p", { class: "verdict", id: "signed" }, app.t("jobs.signed")), h("p", { class: "aside" }, "SHA-256 ", h("code", {}, step.sha256)));
    } else if (step.kind === "end" || step.kind === "summary") end(step);
    else steps.append(h("li", { class: step.kind }, h("span", { lang: tongue(step, "text") }, told(step, "text"))));
  }

  function end(step) {
    if (step.kind === "summary") {
      outcome.hidden = false;
      outcome.className = `card outcome ${step.outcome}`;
      put(outcome, h("p", { class: "verdict" }, app.t(`jobs.${step.outcome}`)),
        h("p", {}, ["passed", "failed", "not_tested", "not_fitted"].filter((name) => step[name]).map((name) => `${step[name]} ${app.t(`jobs.${name.replace("_", " ")}`)}`).join(" · ")),
        h("a", { class: "button", href: "/api/job/certificate.html", download: "", id: "certificate" }, app.t("jobs.certificate")));
      return;
    }
    job.state = step.state;
    if (step.text) {
      outcome.hidden = false;
      outcome.className = `card outcome ${step.state}`;
      put(outcome, h("p", { class: "verdict" }, app.t(`jobs.${step.state}`)), h("p", { lang: tongue(step, "text") }, told(step, "text")));
    }
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
    const yes = h("button", { type: "button", id: "answer-yes", onclick: () => answer({ yes: true }) }, app.t("jobs.yes"));
    put(question, h("p", { id: "question-text", lang: tongue(step, "text") }, h("b", {}, told(step, "text"))),
      h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", id: "answer-no", onclick: () => answer({ yes: false }) }, app.t("jobs.skip")), yes));
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
    if (data.state !== "running") drawBegin();
  });
  drawBegin();
  load();
  return { unmount: off };
}
