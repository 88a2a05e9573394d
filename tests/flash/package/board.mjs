// A MicroPython board for tests: the interpreter of tools/micropython/package.json with its REPL on
// a terminal, as a board has it on its serial port.
//
//     node board.mjs MODULE.mjs TTY [--dies-after N]     N: bytes heard, then it says nothing more

import { createReadStream, openSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, tty, , limit] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(module));
const handle = openSync(tty, "r+");
const FORCED_EXIT = 0x100; // Ctrl-D: a soft reset, after which the REPL begins again
let heard = 0;

function say(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}

const mp = await loadMicroPython({
  heapsize: 4 * 1024 * 1024,
  linebuffer: false,
  stdout: (bytes) => say(Buffer.from(bytes)),
});
mp.replInit();

// Raw paste reads ahead of the REPL, which this port cannot: it answers, as old boards do, that it
// has none ("R", 0), and mpremote goes on without.
const RAW_PASTE = "\x05A\x01";
let asked = "";

function hear(byte) {
  asked += String.fromCharCode(byte);
  if (asked === RAW_PASTE) {
    asked = "";
    say(Buffer.from("R\0"));
    return;
  }
  if (RAW_PASTE.startsWith(asked)) return;
  const held = asked;
  asked = "";
  for (const each of held) {
    if (mp.replProcessChar(each.charCodeAt(0)) & FORCED_EXIT) {
      say(Buffer.from("MPY: soft reboot\r\n")); // what a port's own main prints
      mp.replInit();
    }
  }
}

createReadStream(null, { fd: handle }).on("data", (data) => {
  for (const byte of data) {
    heard += 1;
    if (limit !== undefined && heard > Number(limit)) return;
    hear(byte);
  }
});
console.log("ready");
