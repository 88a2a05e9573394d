// The stream of scenes from the bridge, for any number of pages of one browser: a browser has six
// connections to one server, and more pages than that would wait for ever.
//
// Whatever is heard was said after the stream was asked for. So the sender's own clock bounds how
// old it is: what has passed here since the question, less what has passed there from the answer's
// beginning until the scene last stood. A stream that is held back, by whom- or whatever, is silent.

// As the bus: then nobody knows what the controller says. A page (link.mjs) has its own, for who
// imports this begins a stream.
const SILENT_MS = 1000;
const AGAIN_MS = 1000; // between two attempts to be heard
const LOOK_MS = 100;
const GONE_MS = 10_000; // a page that has not asked for so long is closed, or sleeps

const pages = new Map(); // port: what it asked last, and when
let source = null;
let askedAt = -Infinity; // of this clock, ms
let beganAt = null; // of the sender's clock, ms
let freshUntil = -Infinity;
let build = null; // which page the bridge serves
let scene = null;
let crowded = false;

// Tells one page, through a MessagePort, all that is heard from now on.
export function join(port) {
  port.onmessage = ({ data }) => {
    const known = pages.has(port);
    pages.set(port, { asked: data, at: performance.now() });
    if (!known) tell(port, { scene, crowded });
  };
  port.start();
  if (pages.size === 0) look();
}

// `asked` is the page's own clock when it asked last: so it knows how old this can be at most.
function tell(port, news) {
  const age = SILENT_MS - (freshUntil - performance.now());
  port.postMessage({ ...news, asked: pages.get(port).asked, age });
}

function tellAll(news) {
  for (const [port, { at }] of pages) {
    if (performance.now() - at > GONE_MS) pages.delete(port);
    else tell(port, news);
  }
}

function ask() {
  leave();
  askedAt = performance.now();
  beganAt = null;
  scene = null; // nothing of another stream stands once this one is heard
  source = new EventSource(new URL("events", import.meta.url));
  source.addEventListener("hello", (event) => hear(event, (told) => {
    const reload = build !== null && build !== told.build;
    build = told.build;
    tellAll({ scene, reload });
    if (reload && self.SharedWorkerGlobalScope) self.close(); // the pages start it anew
  }));
  source.addEventListener("scene", (event) => hear(event, (told) => {
    scene = told.scene;
    crowded = false;
    tellAll({ scene });
  }));
  source.addEventListener("beat", (event) => hear(event, () => tellAll({})));
  source.addEventListener("crowded", () => {
    leave();
    scene = null;
    crowded = true;
    tellAll({ crowded });
  });
  source.onerror = leave; // asked again from `look`, so that askedAt is always known
}

function leave() {
  if (source !== null) source.close();
  source = null;
}

// What is too old by now keeps nothing fresh, and `look` soon asks for another stream.
function hear(event, take) {
  const told = JSON.parse(event.data);
  const now = performance.now();
  beganAt ??= told.t_ms;
  const age = now - askedAt - (told.t_ms - beganAt);
  freshUntil = now - age + SILENT_MS;
  take(told);
}

function look() {
  const now = performance.now();
  const waitsSince = source === null ? askedAt : Math.max(askedAt, freshUntil);
  if (now - waitsSince >= AGAIN_MS) ask();
}

setInterval(look, LOOK_MS);
