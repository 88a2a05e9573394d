// The page's link to its server: one stream that tells, and questions that are answered.

const SILENT_MS = 1500; // three beats may be lost
const ANEW_MS = 3000; // a stream that is silent for so long is opened again

let token = "page"; // of the login; a page that nobody logged in at says just this
let language = () => "en"; // of the page, as app.language
let unheard = () => ""; // what is said where nobody answers
export const speak = (inLanguage, ofSilence) => { language = inLanguage; unheard = ofSilence; };
export const setToken = (given) => { token = given ?? "page"; };

export class Refused extends Error {
  constructor(error) {
    const said = (key) => error.translations?.[language()]?.[key] ?? error[key];
    super([error.code === "unheard" ? unheard() : null, said("text"), said("remedy")].filter(Boolean).join(" "));
    this.code = error.code;
  }
}

async function answered(response) {
  const told = await response.json().catch(() => null);
  if (told === null) throw new Refused({ code: "unheard", text: `(HTTP ${response.status})` });
  if (told.error) throw new Refused(told.error);
  return told;
}

async function fetched(path, options) {
  try {
    return await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
  } catch {
    throw new Refused({ code: "unheard" });
  }
}

export const ask = async (path) => answered(await fetched(path, {}));

const post = (path, body) => fetched(path, {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Cylindre-Token": token },
  body: JSON.stringify(body),
});

async function again(doing) {
  try {
    return await doing();
  } catch (error) {
    if (error.code !== "crossed") throw error;
    setToken((await ask("/api/me")).token); // another tab of this browser logged in or out
    return doing();
  }
}

export const send = (path, body = {}) => again(async () => answered(await post(path, body)));

// A file that is made for whoever asks: {name, blob}.
export const take = (path) => again(async () => {
  const response = await post(path, {});
  if (!response.ok) return answered(response);
  const blob = await response.blob().catch(() => { throw new Refused({ code: "unheard" }); }); // it broke off
  return { name: /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "file", blob };
});

// A file, with how much of it has gone: fetch does not tell.
export function upload(path, file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("X-Cylindre-Token", token);
    request.upload.onprogress = (event) => progress(event.loaded / Math.max(event.total, 1));
    request.onload = () => {
      let told = null;
      try { told = JSON.parse(request.responseText); } catch { /* said below */ }
      if (told === null) reject(new Refused({ code: "unheard", text: `(HTTP ${request.status})` }));
      else if (told.error) reject(new Refused(told.error));
      else resolve(told);
    };
    request.onerror = () => reject(new Refused({ code: "unheard" }));
    request.send(file);
  });
}

// The stream. `told(name, data, at_ms)` is called for each event, `silent(is)` when it falls silent.
export class Stream {
  constructor(told, silent) {
    this.told = told;
    this.silent = silent;
    this.edges = false;
    this.isSilent = false;
    this.open();
    setInterval(() => this.look(), 250);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.look(); });
  }

  want(edges) {
    if (edges !== this.edges) {
      this.edges = edges;
      this.open();
    }
  }

  open() {
    this.source?.close();
    const source = new EventSource(this.edges ? "/events?edges=1" : "/events");
    this.source = source;
    this.heard = performance.now();
    for (const name of ["hello", "status", "fact", "edges", "lines", "estimate", "me", "job", "crowded"]) {
      source.addEventListener(name, (event) => {
        if (source !== this.source) return;
        this.heard = performance.now();
        if (this.isSilent) this.say(false);
        this.told(name, JSON.parse(event.data), this.heard);
      });
    }
  }

  look() {
    const silence = performance.now() - this.heard;
    if (silence > SILENT_MS && !this.isSilent) this.say(true);
    if (silence > ANEW_MS) this.open();
  }

  say(is) {
    this.isSilent = is;
    this.silent(is);
  }
}
