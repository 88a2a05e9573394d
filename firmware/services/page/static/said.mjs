// What a program has said in English, in another language: from the templates of its catalogue (firmware/services/page/translation.py).

import words from "./words.mjs";

const between = (text) => text.split("{}");
const whole = (text) => text.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&");
const compiled = (pairs) => Object.entries(pairs)
  .sort(([one], [other]) => other.replaceAll("{}", "").length - one.replaceAll("{}", "").length)
  .map(([english, said]) => [new RegExp(`^${between(english).map(whole).join("(.*?)")}$`, "s"), said]);
const templates = {}; // by language, once it was asked for
const point = (language) => new Intl.NumberFormat(language).format(0.5)[1];
const number = (text, language) => (/^[+-]?\d+\.\d+$/.test(text) ? text.replace(".", point(language)) : text);

function translated(text, language) {
  templates[language] ??= compiled(words[language].templates);
  for (const [pattern, said] of templates[language]) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const filled = match.slice(1).map((each) => translated(each, language) ?? number(each, language));
    return said.replace(/\{(\d+)\}/g, (_, place) => filled[place]);
  }
  return null;
}

export const known = (text, language) => translated(text, language) ?? text;
// A note and a reason are people's own words.
export const acted = (what, detail, language) => (["note", "service on", "service off"].includes(what) ? detail : known(detail, language));
