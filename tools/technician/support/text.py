"""What is in a bundle, for who reads it on a laptop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tools.technician.support.bundle import Bundle


def summary(bundle: Bundle) -> dict[str, Any]:
    """The heads of everything, for programs."""
    manifest = bundle.manifest
    doctor = _of(bundle, "doctor.json", list)
    verify = _of(bundle, "journal/verify.json", dict)
    versions = _of(bundle, "versions.json", dict)
    versions.pop("packages", None)
    return {
        **{key: manifest.get(key) for key in ("made", "wheel", "board", "missing")},
        "unsearched": manifest.get("unsearched") or [],
        "versions": versions,
        "status": _of(bundle, "status.json", dict),
        "problems": [each for each in doctor if isinstance(each, dict) and "code" in each],
        "journal": verify,
        "coups": sorted({name.split("/")[1] for name in bundle.files if name.startswith("coups/")}),
        "files": [{"name": name, "bytes": len(bundle.files[name])} for name in bundle.files],
    }


def _of(bundle: Bundle, name: str, kind: type) -> Any:
    """A JSON file of the bundle; empty if it is not there, or of another form."""
    try:
        found = json.loads(bundle.files[name])
    except (KeyError, ValueError, RecursionError):
        return kind()
    return found if isinstance(found, kind) else kind()


def lines(bundle: Bundle) -> Iterator[str]:
    """The same for people."""
    told = summary(bundle)
    versions, journal = told["versions"], told["journal"]
    machine = versions.get("machine") or versions.get("processor")
    yield f"Wheel {told['wheel']}, board {told['board']}, packed {told['made']}"
    yield f"  program   {versions.get('program')}, firmware {versions.get('firmware_hash')}"
    yield f"  machine   {machine}, {versions.get('system')}, kernel {versions.get('kernel')}"
    status = told["status"]
    standing = ", ".join(f"{key} {value}" for key, value in list(status.items())[:4])
    yield f"  status    {standing or 'no controller was running'}"
    intact = {True: "intact: ", False: "NOT INTACT: "}.get(journal.get("intact"), "not verified: ")
    yield f"  journal   {intact}{journal.get('what') or journal.get('why') or 'not in the bundle'}"
    yield f"  coups     {', '.join(told['coups']) or 'none recorded'}"
    found = "none found" if "doctor.json" in bundle.files else "not looked for"
    yield f"  problems  {len(told['problems']) or found}"
    for each in told["problems"]:
        yield f"    {each.get('code')}  {each.get('grade', ''):<7} {each.get('what')}"
    missing = told["missing"] if isinstance(told["missing"], dict) else {}
    for part, why in missing.items():
        yield f"  without {part}: {why}"
    for name in told["unsearched"] if isinstance(told["unsearched"], list) else []:
        yield f"  not searched for the secret in {name}: whoever packed it may not read that"
    yield ""
    for each in told["files"]:
        yield f"  {each['bytes']:>9}  {each['name']}"
