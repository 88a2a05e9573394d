"""Corrections: a disputed result is corrected by a new record of two people, never changed.

A correction counts in `seq` with results and voids. What players at terminals have is put right by
the stakes book, as far back as it can (core/book.py); beyond that `cylindre settle --journal` says
the differences, and people pay them.
"""

from firmware.core import facts
from firmware.core.coup import manual, states
from firmware.core.coup.restart_state import LastOutcome
from firmware.shims.typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firmware.core.coup.table import Table


KIND = "correction"  # of its record
# Of a coup that is made void: the regulations' reasons are for what was seen in time.
REASON = "croupier"


def refusal(table: "Table", asked: facts.CorrectionAsked) -> str | None:
    """Returns why that coup may not be corrected so now, as a sentence; None if it may."""
    if table.closing:
        return "the end of the coup is being recorded."
    if table.seq != table.last_seq_given:
        return "another correction is being recorded."
    if table.open and asked.coup == table.coup:
        return f"coup {asked.coup} has not ended: enter its number, or declare it void."
    if not 0 < asked.coup <= _ended(table):
        return f"there is no coup {asked.coup} to correct."
    if stands(table, asked.coup) is None:
        return f"coup {asked.coup} lies before this journal's last new beginning."
    if asked.number is not None:
        why_not = manual.unlike(table.rules, asked.number, asked.colour)
        if why_not is not None:
            return why_not
    if table.last_outcome is not None and asked.coup == table.coup and _same(table, asked):
        return f"that is what stands for coup {asked.coup} already."
    return None


def ask(table: "Table", asked: facts.CorrectionAsked) -> None:
    """Has a correction that `refusal` has judged recorded, to be told once it is."""
    body: dict[str, Any] = {"coup": asked.coup, "corrects": stands(table, asked.coup)}
    if asked.number is None:
        body["reason"] = REASON
    else:
        compartment, colour = manual.place(table.rules, asked.number, asked.colour)
        body["number"] = asked.number
        body["compartment"] = compartment
        body["colour"] = colour
    body["manual"] = [asked.who, asked.manager]
    body["seq"] = table.next_seq()
    said: dict[str, Any] = {"coup": asked.coup, "seq": body["seq"]}
    for key in ("who", "manager", "why"):
        said[key] = getattr(asked, key)
    table.record("evidence", said, None)
    table.record(KIND, body, body)


def durable(table: "Table", at_us: int, body: dict[str, Any]) -> None:
    """Emits a correction that is recorded, and what its coup shows if that still is shown."""
    table.note_correction(body["coup"], body["seq"])
    what = [body.get(key) for key in ("number", "compartment", "colour", "reason")]
    seq, corrects = body["seq"], body["corrects"]
    table.emit(facts.Correction(at_us, body["coup"], seq, corrects, *what))
    if table.last_outcome is not None and body["coup"] == table.coup:
        number, _, colour, reason = what
        table.replace_outcome(LastOutcome(seq, number, colour, reason))
        happened = states.VOID_CORRECTED if number is None else states.NUMBER_CORRECTED
        if states.after(table.state, happened) is not None:  # a lock may have come meanwhile
            table.enter(happened, at_us)
    table.tell_view()


def stands(table: "Table", number: int) -> int | None:
    """Returns the seq of what stands for a coup that has ended; None if out of reach.

    Coups end one after the other, so between their ends lie corrections alone: seq is counted
    back from the last.
    """
    of_it = [seq for corrected, seq in table.corrections if corrected == number]
    if of_it:
        return of_it[-1]
    found = table.seq - (_ended(table) - number)
    for _, seq in reversed(table.corrections):
        if seq < found:
            break
        found -= 1
    return found if found > 0 else None


def _ended(table: "Table") -> int:
    """The last coup that has ended."""
    ended: int = table.coup - 1 if table.open else table.coup
    return ended


def _same(table: "Table", asked: facts.CorrectionAsked) -> bool:
    if asked.number is None:
        return table.last_outcome.number is None
    _, colour = manual.place(table.rules, asked.number, asked.colour)
    return (asked.number, colour) == (table.last_outcome.number, table.last_outcome.colour)
