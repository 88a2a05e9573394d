// What a program has said in English, in French: as firmware/services/page/french.py, from pairs of sentences.

import words from "./words.mjs";

const between = (text) => text.split("{}");
const whole = (text) => text.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&");
const compiled = (pairs) => Object.entries(pairs)
  .sort(([one], [other]) => other.replaceAll("{}", "").length - one.replaceAll("{}", "").length)
  .map(([english, french]) => [new RegExp(`^${between(english).map(whole).join("(.*?)")}$`, "s"), french]);
const REFUSALS = compiled(words.french_said.refusals);
const ACTS = compiled(words.french_said.acts);
const DETAILS = compiled(words.french_said.details);
const comma = (text) => (/^[+-]?\d+\.\d+$/.test(text) ? text.replace(".", ",") : text);

function french(table, text) {
  for (const [pattern, said] of table) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const filled = match.slice(1);
    return said.replaceAll("{}", () => { const each = filled.shift(); return french(table, each) ?? comma(each); });
  }
  return null;
}

const known = (table, text, language) => (language === 0 ? french(table, text) ?? text : text);
export const refused = (text, language) => known(REFUSALS, text, language);
export const detailed = (text, language) => known(DETAILS, text, language);
// A note and a reason are people's own words.
export const acted = (what, detail, language) => (["note", "service on", "service off"].includes(what) ? detail : known(ACTS, detail, language));
