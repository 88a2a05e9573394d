"""The entries of the fault catalogue in words: for `cylindre hil faults` and docs/hil.md."""

from __future__ import annotations

from typing import Any

from tools.hil.faults.entry import APPARATUS, EITHER, NUMBER, PLACES, VOID, Expect, Fault, Parameter

_OUTCOMES = {NUMBER: "the coup keeps its number", EITHER: "right or void"}


def expectation(expect: Expect) -> str:
    """What must follow, and by when."""
    outcome = _OUTCOMES.get(expect.outcome, "the coup is void")
    if expect.next_outcome != EITHER:
        outcome += f", the next {'void' if expect.next_outcome == VOID else 'keeps its number'}"
    if expect.never:
        outcome += f"; never {' or '.join(expect.never)}"
    if not expect.codes:
        return outcome
    limits = []
    if expect.by_s is not None:
        limits.append(f"within {expect.by_s:g} s")
    if expect.by_coups is not None:
        coups = ("that coup", "the next coup", "the 2nd coup after it", "the 3rd coup after it")
        later = expect.by_coups
        end = coups[later] if later < len(coups) else f"the {later}th coup after it"
        limits.append(f"by the end of {end}")
    return f"{' or '.join(expect.codes)} {' or '.join(limits)}; {outcome}".replace(" ;", ";")


def parameter(each: Parameter) -> str:
    """What it may be."""
    if each.kind == "number":
        values = f"{each.values[0]:g} to {each.values[1]:g}"
    else:
        values = ", ".join(str(value) for value in each.values)
    return f"{each.name}: {values}"


def fault_line(fault: Fault) -> str:
    """In one line."""
    return f"{fault.name:<24} {fault.layer:<8} {fault.title}"


def fault_text(fault: Fault) -> str:
    """All of it."""
    rows = [
        ("layer", fault.layer),
        ("expected", expectation(fault.expect)),
        ("apparatus", ", ".join(fault.apparatus)),
        ("places", ", ".join(fault.places)),
        ("moments", ", ".join(fault.moments)),
        (
            "lasts",
            "to the end" if fault.lasts_s is None else "{:g} to {:g} s".format(*fault.lasts_s),
        ),
        *(("parameter", parameter(each)) for each in fault.parameters),
        *(("requirement", each) for each in fault.requires),
    ]
    lines = [f"  {what:<12} {text}" for what, text in rows]
    return "\n".join([f"{fault.name}: {fault.title}", *lines])


def fault_json(fault: Fault) -> dict[str, Any]:
    """All of it, for programs."""
    told = {key: value for key, value in fault._asdict().items() if key != "make"}
    told["expect"] = fault.expect._asdict()
    told["parameters"] = [each._asdict() for each in fault.parameters]
    return told


def where(fault: Fault) -> str:
    """At which apparatus and places, where that is not all."""
    parts = []
    if fault.apparatus != APPARATUS:
        parts.append(", ".join(fault.apparatus))
    if fault.by_hand is not None:
        parts.append("turned by hand" if fault.by_hand else "driven")
    if fault.places != PLACES:
        parts.append("at " + ", ".join(fault.places))
    return "; ".join(parts)
