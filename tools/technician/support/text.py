"""What is in a bundle, for who reads it on a laptop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from firmware.lib.language import N_, Message, listed
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
    yield Message(
        "Wheel {wheel}, board {board}, packed {made}",
        wheel=told["wheel"],
        board=told["board"],
        made=told["made"],
    )
    yield Message(
        "  program   {program}, firmware {firmware_hash}",
        program=versions.get("program"),
        firmware_hash=versions.get("firmware_hash"),
    )
    yield Message(
        "  machine   {machine}, {system}, kernel {kernel}",
        machine=machine,
        system=versions.get("system"),
        kernel=versions.get("kernel"),
    )
    status = told["status"]
    standing = listed(
        Message("{} {}", Message(key), value) for key, value in list(status.items())[:4]
    )
    yield Message(
        "  status    {standing}", standing=standing or Message("no controller was running")
    )
    what = Message(str(journal.get("what") or journal.get("why") or N_("not in the bundle")))
    match journal.get("intact"):
        case True:
            yield Message("  journal   intact: {what}", what=what)
        case False:
            yield Message("  journal   NOT INTACT: {what}", what=what)
        case _:
            yield Message("  journal   not verified: {what}", what=what)
    yield Message("  coups     {names}", names=", ".join(told["coups"]) or Message("none recorded"))
    found = Message("none found") if "doctor.json" in bundle.files else Message("not looked for")
    yield Message("  problems  {count}", count=len(told["problems"]) or found)
    for each in told["problems"]:
        yield Message(
            "    {code}  {grade:<7} {what}",
            code=each.get("code"),
            grade=Message(str(each.get("grade", ""))),
            what=Message(str(each.get("what"))),
        )
    missing = told["missing"] if isinstance(told["missing"], dict) else {}
    for part, why in missing.items():
        yield Message("  without {part}: {why}", part=part, why=Message(str(why)))
    for name in told["unsearched"] if isinstance(told["unsearched"], list) else []:
        yield Message(
            "  not searched for the secret in {name}: whoever packed it may not read that",
            name=name,
        )
    yield ""
    for each in told["files"]:
        yield f"  {each['bytes']:>9}  {each['name']}"
