// What a program has said in English, in French: from the templates of the catalogue (firmware/services/page/translation.py).

import words from "./words.mjs";

const between = (text) => text.split("{}");
const whole = (text) => text.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&");
const compiled = (pairs) => Object.entries(pairs)
  .sort(([one], [other]) => other.replaceAll("{}", "").length - one.replaceAll("{}", "").length)
  .map(([english, french]) => [new RegExp(`^${between(english).map(whole).join("(.*?)")}$`, "s"), french]);
const TEMPLATES = compiled(words.french_said);
const comma = (text) => (/^[+-]?\d+\.\d+$/.test(text) ? text.replace(".", ",") : text);

function french(text) {
  for (const [pattern, said] of TEMPLATES) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const filled = match.slice(1).map((each) => french(each) ?? comma(each));
    return said.replace(/\{(\d+)\}/g, (_, place) => filled[place]);
  }
  return null;
}

export const known = (text, language) => (language === 0 ? french(text) ?? text : text);
// A note and a reason are people's own words.
export const acted = (what, detail, language) => (["note", "service on", "service off"].includes(what) ? detail : known(detail, language));
