// What a page hears of the stream, and how long that may stand.

const SILENT_MS = 1000; // as the bus: then nobody knows what the controller says
const LOOK_MS = 100;

// Asks again and again, so that what comes bounds its own age: it was said after the question
// that it answers. What has waited somewhere, in a page that slept or on the way, is not heard.
export async function listen({ onScene, onSilence, onCrowded, onReload }) {
  const port = await open();
  let freshUntil = -Infinity;
  let listenUntil = performance.now() + SILENT_MS; // nobody is silent before he was listened for
  let scene = null; // the newest, shown or not

  port.onmessage = ({ data }) => {
    if (data.reload) onReload();
    if (data.crowded) onCrowded();
    if ("scene" in data) scene = data.scene;
    if (scene !== null) listenUntil = -Infinity;
    freshUntil = data.asked - data.age + SILENT_MS;
    if (scene !== null && performance.now() < freshUntil) onScene(scene);
  };

  function look() {
    const now = performance.now();
    if (now >= listenUntil && (scene === null || now >= freshUntil)) onSilence();
    port.postMessage(now);
  }

  look();
  setInterval(look, LOOK_MS);
}

async function open() {
  if (globalThis.SharedWorker) {
    const { port } = new SharedWorker("worker.mjs", { type: "module", name: "stream" });
    return port;
  }
  const { port1, port2 } = new MessageChannel();
  const { join } = await import("./stream.mjs");
  join(port2);
  return port1;
}
