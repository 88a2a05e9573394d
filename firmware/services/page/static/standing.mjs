// What the slow parts say, as the faults that stand: one told coups ago, or before this page was
// opened, is as true now. As tools/technician/selftest/slow.py judges them.

// [[code, detail, that in the page's language]] of `parts`, as the server says them: null is a part
// that does not answer. `translated`: of app.
export function standing(parts, translated) {
  const found = [];
  const { level, clock, fram, journal, line, displays } = parts;
  if (level === null) found.push(["L11", null]);
  if (clock === null) found.push(["T11", null]);
  else if (clock?.trusted === false) found.push(["T10", null]);
  if (fram && fram !== "answers") found.push(["S12", fram, translated(parts, "fram")]); // null: there is none
  if (journal?.trouble) found.push(["S10", journal.trouble, translated(journal, "trouble")]);
  if (line?.lost) found.push(["B10", line.port]);
  for (const { address, heard_ms: heard, faults = [] } of displays ?? []) {
    const codes = new Set(heard === null ? ["B11"] : faults);
    for (const code of codes) found.push([code, String(address)]);
  }
  return found;
}
