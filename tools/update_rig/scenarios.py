"""The cases of the suite: what may happen to an update, and what has to come of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib.partitions import SLOTS
from tools.update_rig import card as cards
from tools.update_rig.cases import (
    BEGIN,
    HANG,
    NEW,
    OLD,
    SETTLE,
    STATUS,
    Bench,
    answer,
    expect,
    install,
    is_whole,
    runs,
    start,
    starts_next,
)

_A, _B = SLOTS
_FAILS = ["settle", "self-test=false"]
# Bundle, and what the technician is told: one sentence saying what is wrong, one what to do.
REFUSED = (
    ("foreign", "signed by somebody this wheel does not know"),
    ("expired", "certificate that had expired"),
    ("torn", "no whole bundle"),
    ("end-torn", "no whole bundle"),
    ("empty", "no whole bundle"),
    ("text", "no whole bundle"),
    ("altered", "damaged or forged"),
    ("timeless", "damaged or forged"),
    ("board", "for the board boule_ref, and this is roulette_ref"),
    ("path", "its image for rootfs is '../../../../etc/passwd'"),
    ("class", "half a slot"),
    ("hook", "it brings programs to run"),
)
# Known first when RAUC opens the bundle, or while it writes: one sentence too, and what runs stays.
DAMAGED = ("damaged", "first-block", "tree", "root-hash", "tree-size")


def installs(bench: Bench, card: Path) -> list[str]:
    """Installed, tried once, kept; the slot before stays good."""
    first = start(card, SETTLE, install(bench, "new"))
    second = start(card, SETTLE, STATUS)
    third = start(card, SETTLE)
    look = answer(runs(second)[0])
    kinds = [slot["state"] for slot in look.get("slots", [])]
    wrong = [] if kinds == ["good", "good"] else [f"the slots are {kinds}"]
    return [
        *expect(first, "A", OLD), *_ended(first, 0), *expect(second, "B", NEW), *wrong,
        *expect(third, "B", NEW), *is_whole(bench, card, _B, NEW), *is_whole(bench, card, _A, OLD),
    ]  # fmt: skip


def refuses(bench: Bench, card: Path) -> list[str]:
    """Each bad bundle with its sentence, and nothing written."""
    before = _slots(card)
    ran = start(card, SETTLE, *(install(bench, name) for name, _ in REFUSED), STATUS)
    wrong = expect(ran, "A", OLD)
    if _slots(card) != before:
        wrong.append("a slot is not as it was, to the byte")
    for (name, sentence), told in zip(REFUSED, runs(ran), strict=False):
        wrong += _refused(name, sentence, told)
    never = [slot["state"] for slot in answer(runs(ran)[-1]).get("slots", [])]
    if never != ["good", "unknown"]:
        wrong.append(f"after {len(REFUSED)} bad bundles the slots are {never}")
    return [*wrong, *([] if starts_next(card) == "A" else ["slot A does not start next"])]


def refuses_in_1970(bench: Bench, card: Path) -> list[str]:
    """A foreign and an expired certificate are that in 1970, too; a good one is taken and kept."""
    clock = ["clock", "3600"]
    names = ("foreign", "expired", "new")
    first = start(card, clock, SETTLE, *(install(bench, name) for name in names))
    second = start(card, clock, SETTLE)
    told = runs(first)
    wrong = [] if told[-1]["at"] < 86_400 else ["it was not 1970"]
    wrong += _refused("foreign", REFUSED[0][1], told[0]) + _refused(
        "expired", REFUSED[1][1], told[1]
    )
    return [*wrong, *_ended(first, 0), *expect(second, "B", NEW), *is_whole(bench, card, _B, NEW)]


def damaged_inside(bench: Bench, card: Path) -> list[str]:
    """A bundle whose inside is wrong is found while it is opened or written; a good one goes in."""
    first = start(card, SETTLE, *(install(bench, name) for name in DAMAGED))
    wrong = is_whole(bench, card, _A, OLD)
    for name, told in zip(DAMAGED, runs(first), strict=False):
        wrong += _refused(name, "The bundle is damaged", told)
    second = start(card, SETTLE, install(bench, "new"))
    third = start(card, SETTLE)
    return [
        *wrong, *expect(second, "A", OLD),
        *_ended(second, 0), *expect(third, "B", NEW), *is_whole(bench, card, _B, NEW),
    ]  # fmt: skip


def refuses_older(bench: Bench, card: Path) -> list[str]:
    """Not older than what was ever kept: not after going back, not past our own check either."""
    by_hand = ["run", "rauc", "install", bench.bundle("between")]
    first = start(card, SETTLE, install(bench, "new"))
    second = start(
        card, SETTLE, install(bench, "between"), by_hand, ["run", "cylindre", "update", "rollback"]
    )
    third = start(card, SETTLE, install(bench, "between"), by_hand, install(bench, "new"))
    fourth = start(card, SETTLE)
    wrong = []
    for ran in (second, third):
        wrong += _refused("between", f"older than {NEW}", runs(ran)[0])
        # RAUC's own command does not repeat why: its service's log does.
        if runs(ran)[1]["status"] == 0 or "Pre-install handler error" not in _said(runs(ran)[1]):
            wrong.append(f"rauc install itself: {_said(runs(ran)[1])}")
    return [
        *wrong, *_ended(first, 0), *expect(second, "B", NEW), *_ended(second, 0),
        *expect(third, "A", OLD), *_ended(third, 0), *expect(fourth, "B", NEW),
        *is_whole(bench, card, _B, NEW),
    ]  # fmt: skip


def fails_its_test(bench: Bench, card: Path) -> list[str]:
    """A slot that does not prove itself is left, and says why; an old one does not come by that."""
    first = start(card, SETTLE, install(bench, "new"))
    second = start(card, _FAILS)
    third = start(card, SETTLE, STATUS, ["run", "cylindre", "update", "rollback"])
    slots = answer(runs(third)[0]).get("slots", [{}, {}])
    wrong = [] if slots[1].get("state") == "failed" else [f"slot B is {slots[1]}"]
    if "self-test" not in str(slots[1].get("why")):
        wrong.append(f"it does not say why: {slots[1]}")
    wrong += _refused("rollback", "nothing that has proved itself", runs(third)[1])
    return [
        *wrong, *_ended(first, 0), *expect(second, "B", NEW, kept=False), *expect(third, "A", OLD)
    ]  # fmt: skip


def never_settles(bench: Bench, card: Path) -> list[str]:
    """A slot that hangs before it has decided, and is reset, had its one start."""
    first = start(card, SETTLE, install(bench, "new"))
    second = start(card, BEGIN, HANG, reset_s=1.0)
    third = start(card, SETTLE, STATUS)
    fourth = start(card, SETTLE)
    kinds = [slot["state"] for slot in answer(runs(third)[0]).get("slots", [])]
    wrong = [] if kinds == ["good", "failed"] else [f"the slots are {kinds}"]
    if second.slot is not _B:
        wrong.append("the new slot was not tried")
    return [*wrong, *_ended(first, 0), *expect(third, "A", OLD), *expect(fourth, "A", OLD)]


def goes_back(bench: Bench, card: Path) -> list[str]:
    """Rollback tries the slot before, once, and keeps it; and forward again the same way."""
    back = ["run", "cylindre", "update", "rollback", "--json"]
    start(card, SETTLE, install(bench, "new"))
    second = start(card, SETTLE, back)
    third = start(card, SETTLE, back)
    fourth = start(card, SETTLE)
    return [
        *_ended(second, 0), *expect(third, "A", OLD), *_ended(third, 0), *expect(fourth, "B", NEW)
    ]  # fmt: skip


def cut_while_it_goes_back(bench: Bench, card: Path) -> list[str]:
    """A rollback that lost its power, or failed its check, can be asked for again."""
    back = ["run", "cylindre", "update", "rollback", "--json"]
    start(card, SETTLE, install(bench, "new"))
    asked = [start(card, SETTLE, back)]
    cut = start(card, BEGIN, HANG, reset_s=1.0)
    asked.append(start(card, SETTLE, STATUS, back))
    failed = start(card, _FAILS)
    asked.append(start(card, SETTLE, STATUS, back))
    wrong = [] if cut.slot is _A else ["the slot before was not tried"]
    for ran, why in zip(asked[1:], ("lost its power", "self-test"), strict=True):
        was = answer(runs(ran)[0]).get("slots", [{}])[0]
        if was.get("state") != "good" or why not in str(was.get("why")):
            wrong.append(f"slot A is {was}")
    for ran in asked:
        wrong += [*expect(ran, "B", NEW), *_ended(ran, 0)]
    return [*wrong, *expect(failed, "A", OLD, kept=False), *expect(start(card, SETTLE), "A", OLD)]


def tells_why(bench: Bench, card: Path) -> list[str]:
    """Why the wheel itself refuses what RAUC asks is told, which RAUC does not hand on."""
    blocked = "/data/update/state.json.part"
    first = start(
        card, SETTLE, ["run", "mkdir", blocked], install(bench, "new"), ["run", "rmdir", blocked],
        install(bench, "new"),
    )  # fmt: skip
    return [
        *_refused("refused by us", "state.json cannot be written: is a directory", runs(first)[1]),
        *_ended(first, 0), *expect(start(card, SETTLE), "B", NEW),
    ]  # fmt: skip


def two_at_once(bench: Bench, card: Path) -> list[str]:
    """Whichever of the two comes second is told; the other's is done."""
    one = f"cylindre update install {bench.bundle('new')}"
    both = f"{one} & {one}; echo $? >/run/codes; wait $!; echo $? >>/run/codes"
    ran = start(card, SETTLE, ["run", "sh", "-c", both], ["run", "cat", "/run/codes"])
    second = start(card, SETTLE)
    if ended := _ended(ran, 0):
        return ended
    said, codes = runs(ran)
    wrong = [] if sorted(codes["out"].split()) == ["0", "1"] else [f"{said} {codes}"]
    if "Somebody else is updating" not in said["err"]:
        wrong.append(f"it was not said: {said['err']}")
    return [*wrong, *expect(second, "B", NEW)]


def real_wheel(bench: Bench, card: Path) -> list[str]:
    """What a wheel's unit runs: kept where controller and display answer, left where none runs."""
    decide = ["run", "cylindre", "update", "settle", "--json", "--restart", "true", "--limit"]
    start(card, SETTLE, install(bench, "new"))
    alive = card.with_suffix(".alive")
    cards.copy(card, alive)
    kept = start(alive, ["wheel"], [*decide, "40"])
    left = start(card, [*decide, "0"])
    wrong = [
        f"kept should be {right}: {_said(runs(ran)[0])}"
        for ran, right in ((kept, True), (left, False))
        if answer(runs(ran)[0]).get("kept") is not right
    ]
    return [*wrong, *expect(start(alive, SETTLE), "B", NEW), *expect(start(card, SETTLE), "A", OLD)]


class Scenario(NamedTuple):
    """A case of the suite, and the requirements that it shows (tools/docs/evidence)."""

    name: str
    play: Callable[[Bench, Path], list[str]]
    requires: tuple[str, ...] = ()


_SIGNED, _NO_ROLLBACK = ("EN-5.3-9",), ("EN-5.3-2",)
SCENARIOS = (
    Scenario("installed, tried, kept", installs),
    Scenario("bad bundles", refuses, _SIGNED),
    Scenario("clock at 1970", refuses_in_1970, _SIGNED),
    Scenario("damaged inside", damaged_inside, _SIGNED),
    Scenario("older version", refuses_older, _NO_ROLLBACK),
    Scenario("self-test fails", fails_its_test),
    Scenario("hangs, reset", never_settles),
    Scenario("rollback", goes_back),
    Scenario("rollback, cut off", cut_while_it_goes_back),
    Scenario("refused by us", tells_why),
    Scenario("two at once", two_at_once),
    Scenario("a real controller", real_wheel),
)


def _slots(card: Path) -> list[str]:
    """The hashes of all four partitions."""
    return [cards.digest(card, part) for slot in SLOTS for part in (slot.root, slot.boot)]


def _ended(ran: Any, status: int) -> list[str]:
    last = runs(ran)[-1] if runs(ran) else {"status": None, "err": "nothing was run"}
    return [] if last["status"] == status else [f"ended with {last['status']}: {_said(last)}"]


def _refused(name: str, sentence: str, told: dict[str, Any]) -> list[str]:
    if told["status"] != 1 or not re.search(re.escape(sentence), told["err"]):
        return [f"{name}: ended with {told['status']}: {_said(told)}"]
    return [f"{name}: {told['err']}"] if "Traceback" in told["err"] else []


def _said(told: dict[str, Any]) -> str:
    return " ".join(f"{told.get('out', '')} {told['err']}".split())[-600:]
