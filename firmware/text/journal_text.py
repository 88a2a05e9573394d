"""What a journal says, in sentences for people: its rows one by one, and one coup explained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware.bus import record
from firmware.core.coup.manual import CROUPIERS_KEY, MANAGEMENTS_KEY
from firmware.core.facts import CCW, CW
from firmware.core.house import AUTO, CROUPIER
from firmware.store import source_hash
from firmware.text import call_text
from firmware.text.event_text import act_words
from firmware.text.journal_coup import Correction, Coup, Entry

_WAYS = {CCW: "counter-clockwise", CW: "clockwise"}
_CONFIRMERS = {AUTO: "automatically", CROUPIER: "by the croupier's button"}
_KEYS = {CROUPIERS_KEY: "the croupier's key", MANAGEMENTS_KEY: "the management's key"}
_QUALITIES = dict(record.QUALITIES)
# Those whose code alone would mislead.
_REASONS = {
    "croupier": "declared at the table",
    "encoder": "the encoder failed",
    "timeout": "no number in time",
}
_TURN = 1_000_000


# --- one row --------------------------------------------------------------------------------------
def row_line(entry: Entry) -> str:
    """A row in words: number, time, what it records."""
    row, body = entry
    return shown(f"{row.n:>7}  {row.utc}  {_row_words(row.kind, body)}")


def shown(line: str) -> str:
    """A line for a terminal, whatever somebody has written into the file."""
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def _row_words(kind: str, body: Any) -> str:
    of = f"coup {body['coup']}: " if "coup" in body else ""
    if kind in (record.RESULT, record.VOID):
        return f"{of}{outcome(body)}, seq {body['seq']}"
    if kind == record.CORRECTION:
        place = f"seq {body['seq']} in the place of {body['corrects']}"
        return f"{of}corrected to {outcome(body)}, {place}"
    if kind == record.EPOCH:
        return f"epoch {body['epoch']} of the wheel {body['wheel']} begins"
    if kind == record.ROTATION:
        since = f"seq {body.get('seq', 0)} of epoch {body['epoch']}"
        return f"another key signs what comes after {since}: {body['next_key'][:16]}..."
    if kind == record.CHECKPOINT:
        return "checkpoint"
    return of + _plain_words(kind, body)


def _plain_words(kind: str, body: Any) -> str:
    if kind == "begun":
        return "begun"
    if kind == "actuation":
        return f"rotor {_way(body.get('rotor'))}, by {body.get('by')}"
    if kind == "stakes":
        return f"{body.get('count')} stakes of {body.get('total_cents')} cents sealed"
    if kind == "evidence":
        return "what explains it"
    if kind == "employee":
        comes = "comes to" if body.get("present") else "leaves"
        return f"{body.get('who')} {comes} the table"
    if kind == "act":
        return act_words(body)
    if kind == "cleared":
        return f"cleared by {body.get('who')}"
    if kind == source_hash.KIND:
        return f"firmware {body.get('firmware')}, sources of list {body.get('list')}"
    if kind == "learned":
        return "what the wheel has learned of its drops"
    return kind.replace("_", " ")


def outcome(body: Any) -> str:
    """A number with its colour, or void with its reason."""
    if body.get("number") is None:
        reason = str(body.get("reason"))
        return f"void ({_REASONS.get(reason, reason.replace('_', ' '))})"
    return f"{body['number']} {body['colour']}"


# --- one coup -------------------------------------------------------------------------------------
def explained(coup: Coup) -> Iterator[str]:
    """Why the coup ended as it did, in the order of what happened."""
    return map(shown, _sentences(coup))


def _sentences(coup: Coup) -> Iterator[str]:
    body, said = coup.end.body, coup.evidence
    yield f"Coup {body['coup']}: {outcome(coup.stands)}{_corrected(coup)}"
    yield from _recorded(coup.end, coup.lists)
    if not said:
        yield "Nothing was kept that explains it."
    elif "at_us" not in said:
        yield "A restart of the controller interrupted it: what was seen before is not known."
    if "at_us" in said:
        yield "Times are seconds since the coup began."
    for _, lines in sorted(_happened(coup), key=lambda happening: happening[0]):
        yield from lines
    for correction in coup.corrections:
        yield from _correction(correction)


def _happened(coup: Coup) -> Iterator[tuple[int, list[str]]]:
    """What happened in the coup: when, and how that is told."""
    body, said = coup.end.body, coup.evidence
    end_us = said.get("at_us", 0)
    if body.get("rotor"):
        at = _at(said, "rotor_us", "{}: ")
        words = f"{at}the rotor turns {_way(body['rotor'])}{_due(body['rotor'], said)}."
        yield said.get("rotor_us", 0), [words]
    if said.get("flung_us") is not None:
        yield said["flung_us"], [f"{_s(said['flung_us'])}: the plate is set in motion."]
    if body.get("ball"):
        at = _at(said, "ball_us", "{}: ")
        yield said.get("ball_us", 0), [f"{at}the ball runs {_way(body['ball'])} in the track."]
    if "call" in said:
        sealed = [entry.body for entry in coup.entries if entry.row.kind == "stakes"]
        yield said["call"]["at_us"], [*_call(said["call"]), *map(_sealed, sealed)]
    if "drop" in said:
        yield said["drop"]["at_us"], list(_drop(said))
    for at_us, code, detail in said.get("faults", ()):
        when = "" if at_us is None else f"{_s(at_us)}: "
        more = f": {detail.rstrip('.')}" if detail else ""
        yield at_us or 0, [f"{when}fault {code} is told{more}."]
    yield end_us, list(_number(body, said))


def _due(rotor: int, said: Any) -> str:
    """Which way it should have turned, and why."""
    due = said.get("rotor_due")
    if not due:
        return ""
    why = "as the motor was told" if said.get("driven") else f"after {_way(-due)} the time before"
    return f", {why}" if due == rotor else f"; it should have turned {_way(due)}, {why}"


def _sealed(body: Any) -> str:
    return f"  {_plain_words('stakes', body)}: {body.get('seal')}."


def _corrected(coup: Coup) -> str:
    if not coup.corrections:
        return "."
    return f" now; first recorded as {outcome(coup.end.body)}."


def _recorded(entry: Entry, lists: dict[str, int]) -> Iterator[str]:
    row, body = entry
    quality = _QUALITIES.get(body["quality"], "of unknown quality")
    yield f"Recorded {row.utc} (clock {quality}) as seq {body['seq']} of epoch {body['epoch']}."
    layout = "" if body["layout_verified"] else ", with an UNVERIFIED layout"
    number = lists.get(body["firmware"], 1)
    yield (
        f"Rules {body['rules']} ({body['rules_hash']}{layout}), firmware {body['firmware']}"
        f" (sources of list {number})."
    )
    digest, kid = record.digest(row.body).hex(), record.kid(row.body)
    signed = "no key" if kid is None else f"the key {kid.hex()}"
    where = f"The record is row {row.n}, {len(row.body)} bytes, digest {digest}"
    yield f"{where}, and names {signed}; that it signed, journal verify says."


def _call(call: Any) -> Iterator[str]:
    yield f"{_s(call['at_us'])}: rien ne va plus; {call_text.why_called(call)}."
    if call.get("press_us", call["at_us"]) != call["at_us"]:
        yield f"  The button was pressed at {_s(call['press_us'])}."
    if "throw_us" in call:
        wait = f", the house waits {_s(call['after_us'])}" if call.get("after_us") else ""
        yield f"  The first beam saw the ball at {_s(call['throw_us'])}{wait}."
    for reason in call_text.reasons(call):
        yield f"  {reason}"


def _drop(said: Any) -> Iterator[str]:
    drop, call = said["drop"], said.get("call")
    how = call_text.how_dropped(drop)
    late = ""
    if call is not None:
        late = f", {_s(drop['at_us'] - call['at_us'])} {call_text.since(call)}"
    yield f"{_s(drop['at_us'])}: the ball is known to have left the track{late}; {how}."


def _number(body: Any, said: Any) -> Iterator[str]:
    at = _at(said, "at_us", "{}: ")
    if "manual" in body:
        yield f"{at}{outcome(body)} is entered by hand{_people(said, body)}."
    elif body.get("number") is None:
        who = said.get("who")
        yield f"{at}{outcome(body)}{'' if who is None else f', {_confirmer(who)}'}."
    else:
        yield f"{at}{outcome(body)} is confirmed {_confirmer(said.get('who'))}."
        yield from _votes(body, said)
    if "call" not in said and "at_us" in said:
        yield "  There had been no call."
    if "beams" in said:
        beams = ", ".join(f"beam {at} {seen} times" for at, seen in enumerate(said["beams"]))
        yield f"  The beams prove {_turns(said['turns_uturn'])} turns in the track: {beams}."
    if said.get("slips"):
        yield f"  The zero mark had corrected {said['slips']} steps of the encoder."
    yield from _sights("  Seen elsewhere, and no vote:", said.get("against"))
    for cup, since_us in said.get("cups", ()):
        yield f"  Cup {cup} has been dark since {_s(since_us)}."


def _confirmer(who: Any) -> str:
    return "by somebody" if who is None else _CONFIRMERS.get(who, f"by {who}")


def _votes(body: Any, said: Any) -> Iterator[str]:
    if "held_us" in body:
        yield (
            f"  Cup {body['compartment']}, that of {outcome(body)}, alone had held the ball for"
            f" {_s(body['held_us'])}."
        )
    if "votes" not in body:
        return
    limit = f" (the limit is {_degrees(said['limit_uturn'])})" if "limit_uturn" in said else ""
    yield from _sights(
        f"  {body['votes']} votes of {body.get('sensors')} sensors name compartment"
        f" {body['compartment']}, that of {outcome(body)}, the worst"
        f" {_degrees(body['residual_uturn'])} off its middle{limit}:",
        said.get("votes"),
    )
    if said.get("dead") is not None:
        yield f"  Sensor {said['dead']} is dead: it saw nothing where the others saw the ball."


def _sights(title: str, sights: Any) -> Iterator[str]:
    if not sights:
        return
    yield title
    for sensor, compartment, residual, at_us in sights:
        off = f"{residual * 360 / _TURN:+.2f} degrees"
        yield f"    {_s(at_us)} sensor {sensor}: compartment {compartment}, {off}"


def _correction(correction: Correction) -> Iterator[str]:
    entry, said = correction
    row, body = entry
    yield (
        f"{row.utc}: seq {body['seq']} corrects seq {body['corrects']} to"
        f" {outcome(body)}{_people(said or {}, body)}."
    )
    yield f"  That record is row {row.n}, digest {record.digest(row.body).hex()}."


def _people(said: Any, body: Any) -> str:
    """Who did it and why; in the record names are cut, in the evidence they are whole."""
    croupier, manager = body["manual"]
    croupier, manager = said.get("who", croupier), said.get("manager", manager)
    why = f": {said['why']}" if said.get("why") else ""
    asked = said.get("undetected")
    after = f" after {asked.replace('_', ' ')}" if asked else ""
    croupier, manager = _KEYS.get(croupier, croupier), _KEYS.get(manager, manager)
    return f"{after} by {croupier}, in the presence of {manager}{why.rstrip('.')}"


def _at(said: Any, key: str, words: str) -> str:
    """`words` with the time called `key`, or nothing."""
    return "" if said.get(key) is None else words.format(_s(said[key]))


def _way(rotor: Any) -> str:
    return _WAYS.get(rotor, "in an unknown direction")


def _s(at_us: int) -> str:
    return f"{at_us / _TURN:.3f} s"


def _turns(uturn: int) -> str:
    return f"{uturn / _TURN:.3f}"


def _degrees(uturn: int) -> str:
    return f"{uturn * 360 / _TURN:.2f} degrees"
