"""What a journal says, in sentences for people: its rows one by one, and one coup explained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware.bus import record
from firmware.bus.messages import is_card_game
from firmware.core import faults
from firmware.core.coup.manual import CROUPIERS_KEY, MANAGEMENTS_KEY
from firmware.core.facts import CCW, CW
from firmware.core.house import AUTO, CROUPIER
from firmware.lib.language import N_, Message, listed
from firmware.stakes.accounts import ENTRIES
from firmware.store import source_hash
from firmware.store.rows import FRAM
from firmware.text import call_text, card_rows
from firmware.text.event_text import act_words, fault_ended_words
from firmware.text.journal_coup import Correction, Coup, Entry
from firmware.text.money import entry_words
from rules.limits import WrongInput

_WAYS = {CCW: Message("counter-clockwise"), CW: Message("clockwise")}
_CONFIRMERS = {AUTO: Message("automatically"), CROUPIER: Message("by the croupier's button")}
_KEYS = {
    CROUPIERS_KEY: Message("the croupier's key"),
    MANAGEMENTS_KEY: Message("the management's key"),
}
_QUALITIES = dict(record.QUALITIES)
# Those whose code alone would mislead.
_REASONS = {
    "croupier": Message("declared at the table"),
    "encoder": Message("the encoder failed"),
    "timeout": Message("no number in time"),
}
_WINNERS = {
    "player": Message("the player wins"),
    "banker": Message("the banker wins"),
    "tie": Message("a tie"),
}
_TURN = 1_000_000


# --- one row --------------------------------------------------------------------------------------
def row_line(entry: Entry) -> str:
    """Puts a row into words: number, time, what it records."""
    row, body = entry
    words = _row_words(row.kind, body)
    return shown(Message("{n:>7}  {utc}  {words}", n=row.n, utc=row.utc, words=words))


def shown(line: str) -> str:
    """Makes a line fit for a terminal, whatever somebody has written into the file."""
    if isinstance(line, Message) and line.values:
        return Message(line.template, **{name: _shown(each) for name, each in line.values.items()})
    if isinstance(line, Message) and line.isprintable():
        return line
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def _shown(value: Any) -> Any:
    return value if isinstance(value, int | float) else shown(str(value))


def _row_words(kind: str, body: Any) -> str:
    of = ""
    if "coup" in body and not _is_of_cards(body):
        of = Message("coup {coup}: ", coup=body["coup"])
    elif "coup" in body or (kind in card_rows.KINDS and body.get("round")):
        of = Message("round {coup}: ", coup=body.get("coup") or body["round"])
    if kind in (record.RESULT, record.VOID):
        return Message("{of}{outcome}, seq {seq}", of=of, outcome=outcome(body), seq=body["seq"])
    if kind == record.CORRECTION:
        return Message(
            "{of}corrected to {outcome}, seq {seq} in the place of {corrects}",
            seq=body["seq"],
            corrects=body["corrects"],
            of=of,
            outcome=outcome(body),
        )
    if kind == record.EPOCH:
        return Message(
            "epoch {epoch} of the wheel {wheel} begins", epoch=body["epoch"], wheel=body["wheel"]
        )
    if kind == record.ROTATION:
        return Message(
            "another key signs what comes after seq {seq} of epoch {epoch}: {next_key}...",
            seq=body.get("seq", 0),
            epoch=body["epoch"],
            next_key=body["next_key"][:16],
        )
    if kind == record.CHECKPOINT:
        return Message("checkpoint")
    return Message("{}{}", of, _plain_words(kind, body))


def _plain_words(kind: str, body: Any) -> str:
    if kind == "begun":
        return Message("begun")
    if kind == "actuation":
        way, by = _way(body.get("rotor")), body.get("by")
        if by == "command":
            return Message("rotor {way}, by command", way=way)
        if by == "encoder":
            return Message("rotor {way}, set in motion by hand", way=way)
        return Message("rotor {way}, by {by}", way=way, by=Message(str(by)))
    if kind == "stakes":
        return Message(
            "{count} stakes of {total_cents} cents sealed",
            count=body.get("count"),
            total_cents=body.get("total_cents"),
        )
    if kind in card_rows.KINDS:
        return _of_card_table(kind, body)
    if kind == "evidence":
        return Message("what explains it")
    if kind == "employee":
        if body.get("present"):
            return Message("{who} comes to the table", who=body.get("who"))
        return Message("{who} leaves the table", who=body.get("who"))
    if kind == "unseated":
        return Message(
            "{who} signs {player} off at terminal {terminal}, {cents} cents given back: {why}",
            who=body.get("who"),
            player=body.get("player"),
            terminal=body.get("terminal"),
            cents=body.get("given_back_cents"),
            why=body.get("why"),
        )
    if kind in ENTRIES:
        try:
            return entry_words(kind, body)
        except (KeyError, TypeError):  # whatever somebody has written into the file
            return Message(kind)
    if kind == "act":
        return act_words(body)
    if kind == FRAM:
        return Message("goes on without the FRAM: {why}", why=Message(str(body.get("why"))))
    if kind == "opening":
        return Message("the table opens: minimum {cents} cents", cents=body.get("minimum_cents"))
    if kind == "cleared":
        return Message("cleared by {who}", who=body.get("who"))
    if kind == source_hash.KIND:
        return Message(
            "firmware {firmware}, sources of list {list}",
            firmware=body.get("firmware"),
            list=body.get("list"),
        )
    if kind == "health":
        return _health_words(body)
    if kind == "learned":
        return Message("what the wheel has learned of its drops")
    return Message(kind.replace("_", " "))


def _of_card_table(kind: str, body: Any) -> str:
    try:
        return card_rows.row_words(kind, body)
    except (KeyError, TypeError, ValueError, AttributeError, WrongInput):
        return Message(kind.replace("_", " "))  # whatever somebody has written into the file


def _health_words(body: Any) -> str:
    """Puts into words what firmware/health/watcher.py has recorded."""
    coup = body.get("coup")
    if "act" in body:
        return Message("coup {coup}: health is judged anew: {act}", coup=coup, act=body["act"])
    fault = _fault(str(body.get("code")), str(body.get("detail")))
    return Message("coup {coup}: {fault}", coup=coup, fault=fault)


def outcome(body: Any) -> str:
    """Returns a number with its colour, what a round of cards came to, or void with its reason."""
    if "cards" in body:
        return _dealt(body)
    if body.get("number") is None:
        reason = str(body.get("reason"))
        why = _REASONS.get(reason, Message(reason.replace("_", " ")))
        return Message("void ({why})", why=why)
    return Message("{} {}", body["number"], Message(str(body["colour"])))


def _is_of_cards(body: Any) -> bool:
    """Returns whether a record is of a card table: nothing there has a number."""
    return is_card_game(str(body.get("game")))


def _dealt(body: Any) -> str:
    """Returns what a round of cards came to, and the cards that its record has."""
    cards = " ".join(body["cards"])
    if "winner" not in body:
        return Message("dealer {points} ({cards})", points=body["dealer_points"], cards=cards)
    return Message(
        "{winner}: player {player}, banker {banker} ({cards})",
        winner=_WINNERS.get(body["winner"], body["winner"]),
        player=body["player_points"],
        banker=body["banker_points"],
        cards=cards,
    )


# --- one coup -------------------------------------------------------------------------------------
def explained(coup: Coup) -> Iterator[str]:
    """Says why the coup ended as it did, in the order of what happened."""
    return map(shown, _sentences(coup))


def _sentences(coup: Coup) -> Iterator[str]:
    body, said = coup.end.body, coup.evidence
    if _is_of_cards(body):
        yield from _round(coup)
        return
    yield Message(
        "Coup {coup}: {outcome}{corrected}",
        coup=body["coup"],
        outcome=outcome(coup.stands),
        corrected=_corrected(coup),
    )
    yield from recorded(coup.end, coup.lists)
    if not said:
        yield Message("Nothing was kept that explains it.")
    elif "at_us" not in said:
        yield Message(
            "A restart of the controller interrupted it: what was seen before is not known."
        )
    if "at_us" in said:
        yield Message("Times are seconds since the coup began.")
    for _, lines in sorted(_happened(coup), key=lambda happening: happening[0]):
        yield from lines
    for correction in coup.corrections:
        yield from _correction(correction)


def _round(coup: Coup) -> Iterator[str]:
    """What the record of a round of cards says, its rows and what corrected it."""
    body = coup.end.body
    yield Message(
        "Round {coup}: {outcome}{corrected}",
        coup=body["coup"],
        outcome=outcome(coup.stands),
        corrected=_corrected(coup),
    )
    yield from recorded(coup.end, coup.lists)
    if "cards" in body:
        shoe = Message("authenticated") if body["authenticated"] else Message("UNAUTHENTICATED")
        yield Message(
            "The seal of its cards is {seal}; a shoe of {decks} decks, {shoe}.",
            seal=body["seal"],
            decks=body["decks"],
            shoe=shoe,
        )
        if not body["verified"]:
            people = _people({}, body) if "manual" in body else ""
            yield Message("A card of it is entered by hand{people}.", people=people)
    for entry in coup.entries[:-1]:
        yield row_line(entry)
    for correction in coup.corrections:
        yield from _correction(correction)


def _happened(coup: Coup) -> Iterator[tuple[int, list[str]]]:
    """What happened in the coup: when, and how that is told."""
    body, said = coup.end.body, coup.evidence
    end_us = said.get("at_us", 0)
    if body.get("rotor"):
        at = _at(said, "rotor_us")
        words = Message(
            "{at}the rotor turns {way}{due}.",
            at=at,
            way=_way(body["rotor"]),
            due=_due(body["rotor"], said),
        )
        yield said.get("rotor_us", 0), [words]
    if said.get("flung_us") is not None:
        yield (
            said["flung_us"],
            [Message("{s}: the plate is set in motion.", s=_s(said["flung_us"]))],
        )
    if body.get("ball"):
        at = _at(said, "ball_us")
        yield (
            said.get("ball_us", 0),
            [Message("{at}the ball runs {way} in the track.", at=at, way=_way(body["ball"]))],
        )
    if "call" in said:
        sealed = [entry.body for entry in coup.entries if entry.row.kind == "stakes"]
        yield said["call"]["at_us"], [*_call(said["call"]), *map(_sealed, sealed)]
    if "drop" in said:
        yield said["drop"]["at_us"], list(_drop(said))
    for at_us, code, detail in said.get("faults", ()):
        when = "" if at_us is None else Message("{}: ", _s(at_us))
        yield at_us or 0, [Message("{}{}", when, _fault(code, detail))]
    for at_us, code, detail in said.get("ended", ()):
        when = "" if at_us is None else Message("{}: ", _s(at_us))
        yield at_us or 0, [Message("{}{}", when, _fault_ended(code, detail))]
    yield end_us, list(_number(body, said))


def _fault(code: str, detail: str) -> str:
    """Returns what was wrong, as it was told then; its remedy was for then."""
    text = next((kind.text for kind in faults.FAULTS if kind.code == code), None)
    if text is None:  # of another program than this one
        more = Message(": {detail}", detail=Message(detail.rstrip("."))) if detail else ""
        return Message(
            "fault {code}, which this program does not know{more}.", code=code, more=more
        )
    what = Message(text, Message(detail)) if "{}" in text else Message(text)
    return Message("fault {code}: {what}", code=code, what=what)


def _fault_ended(code: str, detail: str) -> str:
    """Returns that it has ended, as it was told then."""
    told = faults.end(code, detail)
    if told is None:  # of another program than this one
        return Message("fault {code} has ended: {detail}.", code=code, detail=detail)
    return fault_ended_words(told)


def _due(rotor: int, said: Any) -> str:
    """Which way it should have turned, and why."""
    due = said.get("rotor_due")
    if not due:
        return ""
    why = (
        Message("as the motor was told")
        if said.get("driven")
        else Message("after {way} the time before", way=_way(-due))
    )
    if due == rotor:
        return Message(", {why}", why=why)
    return Message("; it should have turned {way}, {why}", way=_way(due), why=why)


def _sealed(body: Any) -> str:
    return Message("  {}: {}.", _plain_words("stakes", body), body.get("seal"))


def _corrected(coup: Coup) -> str:
    if not coup.corrections:
        return "."
    return Message(" now; first recorded as {outcome}.", outcome=outcome(coup.end.body))


def recorded(entry: Entry, lists: dict[str, int]) -> Iterator[str]:
    """Says where and when a signed record was made; that it is, journal verify says."""
    row, body = entry
    quality = Message(_QUALITIES.get(body["quality"], N_("of unknown quality")))
    yield Message(
        "Recorded {utc} (clock {quality}) as seq {seq} of epoch {epoch}.",
        utc=row.utc,
        quality=quality,
        seq=body["seq"],
        epoch=body["epoch"],
    )
    layout = "" if body.get("layout_verified", True) else Message(", with an UNVERIFIED layout")
    number = lists.get(body["firmware"], 1)
    yield (
        Message(
            "Rules {rules} ({rules_hash}{layout}), firmware {firmware} (sources of list {number}).",
            rules=body["rules"],
            rules_hash=body["rules_hash"],
            layout=layout,
            firmware=body["firmware"],
            number=number,
        )
    )
    digest, kid = record.digest(row.body).hex(), record.kid(row.body)
    signed = Message("no key") if kid is None else Message("the key {kid}", kid=kid.hex())
    yield Message(
        "The record is row {n}, {count} bytes, digest {digest}, and names {signed};"
        " that it signed, journal verify says.",
        n=row.n,
        count=len(row.body),
        digest=digest,
        signed=signed,
    )


def _call(call: Any) -> Iterator[str]:
    yield Message(
        "{s}: rien ne va plus; {why_called}.",
        s=_s(call["at_us"]),
        why_called=call_text.why_called(call),
    )
    if call.get("press_us", call["at_us"]) != call["at_us"]:
        yield Message("  The button was pressed at {s}.", s=_s(call["press_us"]))
    if "throw_us" in call:
        wait = (
            Message(", the house waits {s}", s=_s(call["after_us"])) if call.get("after_us") else ""
        )
        yield Message(
            "  The first beam saw the ball at {s}{wait}.", s=_s(call["throw_us"]), wait=wait
        )
    for reason in call_text.reasons(call):
        yield Message("  {}", reason)


def _drop(said: Any) -> Iterator[str]:
    drop, call = said["drop"], said.get("call")
    how = call_text.how_dropped(drop)
    late = ""
    if call is not None:
        after = _s(drop["at_us"] - call["at_us"])
        late = Message(", {} {}", after, call_text.since(call))
    yield Message(
        "{s}: the ball is known to have left the track{late}; {how}.",
        s=_s(drop["at_us"]),
        late=late,
        how=how,
    )
    if "gap" in said:
        yield from _gap(said["gap"], len(said["beams"]), said.get("gaps_ppm"))


def _gap(gap: int, beams: int, gaps_ppm: Any) -> Iterator[str]:
    """Between which beams the ball left, and how likely that was by its motion at the call."""
    place = Message(
        "  It left between beams {beam} and {next_beam}", beam=gap, next_beam=(gap + 1) % beams
    )
    if gaps_ppm is None:
        yield Message("{place}.", place=place)
    else:
        chance = gaps_ppm[gap] / 10_000
        yield Message(
            "{place}; its motion at the call gave that gap {chance:.1f} %.",
            place=place,
            chance=chance,
        )


def _number(body: Any, said: Any) -> Iterator[str]:
    at = _at(said, "at_us")
    if "manual" in body:
        yield Message(
            "{at}{outcome} is entered by hand{people}.",
            at=at,
            outcome=outcome(body),
            people=_people(said, body),
        )
    elif body.get("number") is None:
        who = said.get("who")
        confirmer = "" if who is None else Message(", {}", _confirmer(who))
        yield Message("{}{}{}.", at, outcome(body), confirmer)
    else:
        yield Message(
            "{at}{outcome} is confirmed {confirmer}.",
            at=at,
            outcome=outcome(body),
            confirmer=_confirmer(said.get("who")),
        )
        yield from _votes(body, said)
    if "call" not in said and "at_us" in said:
        yield Message("  There had been no call.")
    if "beams" in said:
        beams = listed(
            Message("beam {at} {seen} times", at=at, seen=seen)
            for at, seen in enumerate(said["beams"])
        )
        yield Message(
            "  The beams prove {turns} turns in the track: {beams}.",
            turns=_turns(said["turns_uturn"]),
            beams=beams,
        )
    if said.get("slips"):
        yield Message(
            "  The zero mark had corrected {slips} steps of the encoder.", slips=said["slips"]
        )
    yield from _sights(Message("  Seen elsewhere, and no vote:"), said.get("against"))
    for cup, since_us in said.get("cups", ()):
        yield Message("  Cup {cup} has been dark since {s}.", cup=cup, s=_s(since_us))


def _confirmer(who: Any) -> str:
    return (
        Message("by somebody")
        if who is None
        else _CONFIRMERS.get(who, Message("by {who}", who=who))
    )


def _votes(body: Any, said: Any) -> Iterator[str]:
    if "held_us" in body:
        yield (
            Message(
                "  Cup {compartment}, that of {outcome}, alone had held the ball for {s}.",
                compartment=body["compartment"],
                outcome=outcome(body),
                s=_s(body["held_us"]),
            )
        )
    if "votes" not in body:
        return
    limit = (
        Message(" (the limit is {degrees})", degrees=_degrees(said["limit_uturn"]))
        if "limit_uturn" in said
        else ""
    )
    yield from _sights(
        Message(
            "  {votes} votes of {sensors} sensors name compartment {compartment}, that of"
            " {outcome}, the worst {degrees} off its middle{limit}:",
            votes=body["votes"],
            sensors=body.get("sensors"),
            compartment=body["compartment"],
            outcome=outcome(body),
            degrees=_degrees(body["residual_uturn"]),
            limit=limit,
        ),
        said.get("votes"),
    )
    if said.get("dead") is not None:
        yield Message(
            "  Sensor {dead} is dead: it saw nothing where the others saw the ball.",
            dead=said["dead"],
        )


def _sights(title: str, sights: Any) -> Iterator[str]:
    if not sights:
        return
    yield title
    for sensor, compartment, residual, at_us in sights:
        yield Message(
            "    {s} sensor {sensor}: compartment {compartment}, {residual:+.2f} degrees",
            residual=residual * 360 / _TURN,
            s=_s(at_us),
            sensor=sensor,
            compartment=compartment,
        )


def _correction(correction: Correction) -> Iterator[str]:
    entry, said = correction
    row, body = entry
    yield (
        Message(
            "{utc}: seq {seq} corrects seq {corrects} to {outcome}{people}.",
            utc=row.utc,
            seq=body["seq"],
            corrects=body["corrects"],
            outcome=outcome(body),
            people=_people(said or {}, body),
        )
    )
    yield Message(
        "  That record is row {n}, digest {digest}.", n=row.n, digest=record.digest(row.body).hex()
    )


def _people(said: Any, body: Any) -> str:
    """Who did it and why; in the record names are cut, in the evidence they are whole."""
    croupier, manager = body["manual"]
    croupier, manager = said.get("who", croupier), said.get("manager", manager)
    why = f": {said['why']}" if said.get("why") else ""
    asked = said.get("undetected")
    after = Message(" after {asked}", asked=Message(asked.replace("_", " "))) if asked else ""
    croupier, manager = _KEYS.get(croupier, croupier), _KEYS.get(manager, manager)
    return Message(
        "{after} by {croupier}, in the presence of {manager}{why}",
        after=after,
        croupier=croupier,
        manager=manager,
        why=why.rstrip("."),
    )


def _at(said: Any, key: str) -> str:
    """The time called `key`, to stand before what happened then; or nothing."""
    return "" if said.get(key) is None else Message("{}: ", _s(said[key]))


def _way(rotor: Any) -> str:
    return _WAYS.get(rotor, Message("in an unknown direction"))


def _s(at_us: int) -> str:
    return f"{at_us / _TURN:.3f} s"


def _turns(uturn: int) -> str:
    return f"{uturn / _TURN:.3f}"


def _degrees(uturn: int) -> str:
    return Message("{angle:.2f} degrees", angle=uturn * 360 / _TURN)
