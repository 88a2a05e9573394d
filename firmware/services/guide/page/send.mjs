// What the page asks of its program. Nobody else has the token.

import token from "./token.mjs";
import words from "./words.mjs";

// Returns null once it is done; else why it is not, by the code of a language.
export async function send(what, body) {
  try {
    const answer = await fetch(what, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Cylindre-Token": token },
      body: JSON.stringify(body),
    });
    return (await answer.json()).say ?? null;
  } catch {
    return Object.fromEntries(Object.entries(words).map(([one, { labels }]) => [one, labels.failed]));
  }
}
