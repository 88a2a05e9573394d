// Runs a script on the MicroPython of package.json, with a folder of this machine as its own.
//
//     node run.mjs FOLDER SCRIPT.py [ARGUMENT ...]
//
// The files of FOLDER are copied to the interpreter's file system, whose root is on its path; SCRIPT
// and file names among the arguments are relative to it. Standard output is the script's. Exit
// status: what the script gave to sys.exit, 1 after an exception (its traceback on standard error).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const HEAP_BYTES = 8 * 1024 * 1024; // a small board has less; here it is not memory that is tried

const [folder, script, ...args] = process.argv.slice(2);
if (script === undefined) {
  console.error("usage: node run.mjs FOLDER SCRIPT.py [ARGUMENT ...]");
  process.exit(2);
}

const out = [];
const mp = await loadMicroPython({
  heapsize: HEAP_BYTES,
  linebuffer: false,
  stdout: (bytes) => out.push(Buffer.from(bytes)),
});

function copy(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), `${to}/${entry.name}`];
    if (entry.isDirectory()) {
      mp.FS.mkdir(target);
      copy(source, target);
    } else {
      mp.FS.writeFile(target, readFileSync(source));
    }
  }
}

mp.FS.mkdir("/stage");
copy(folder, "/stage");
mp.FS.chdir("/stage");

const quoted = JSON.stringify([script, ...args]);
let status = 0;
try {
  mp.runPython(`
import sys
sys.path.insert(0, "/stage")
sys.argv[:] = ${quoted}
`);
  // As a file of its own, so that a traceback names it and its lines.
  mp.runPython(`
with open(${JSON.stringify(script)}) as _file:
    _code = compile(_file.read(), ${JSON.stringify(script)}, "exec")
_status = 0
try:
    exec(_code, {"__name__": "__main__"})
except SystemExit as _exit:
    _status = _exit.args[0] if _exit.args else 0
`);
  status = mp.globals.get("_status") ?? 0;
} catch (error) {
  console.error(String(error.message ?? error).trimEnd());
  status = 1;
}
process.stdout.write(Buffer.concat(out), () => process.exit(status));
