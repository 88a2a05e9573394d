"""What a card table does with its terminals: who decides, whose money, who of the house is there.

The stakes themselves the book takes (firmware/stakes/card_book.py), which bus and table share.
"""

from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.shims.typed import TYPE_CHECKING, Any
from firmware.stakes.accounts import CLOSING
from firmware.stakes.answers import YES, Answer
from firmware.stakes.card_book import Asked
from rules.cards import due as dues

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable

_NO_TERMINALS = "this table has no terminals."


def employee(table: "CardTable", who: str, *, present: bool) -> None:
    """Takes that one of the house comes or leaves (Luxembourg art. 20-1)."""
    why_not = table.book.employee(who, present)
    if why_not is not None:
        table.refuse(why_not)
        return
    table.record("employee", {"who": who, "present": present})
    table.emit(core_facts.Employees(table.at_us, table.book.employees()))


def unseat(table: "CardTable", event: "core_facts.UnseatAsked") -> None:
    """Signs off whoever sits at a terminal; emits why not."""
    done: Any = _NO_TERMINALS
    if table.book is not None:
        done = table.book.unseat(event.terminal, event.why)
    if isinstance(done, str):
        table.refuse(done)
        return
    body = {"round": table.round, "who": event.who, "why": event.why}
    body.update(done)
    table.record("unseated", body)


def enter_money(table: "CardTable", event: "core_facts.EntryAsked") -> None:
    """Has an entry of the players' accounts recorded; emits why not."""
    made: Any = _NO_TERMINALS
    if table.book is not None:
        if event.what == CLOSING and (table.open or table.correcting):
            made = "a round, or a correction, is not ended: the day is closed between two rounds."
        else:
            made = table.book.entry(event.what, event.given)
    if isinstance(made, str):
        table.refuse(made)
        return
    kind, body = made
    table.record(kind, body, waits=True, then={"body": body, "ref": event.given.get("ref")})


def entered(table: "CardTable", kind: str, then: "dict[str, Any]") -> None:
    """Takes that such an entry is durable."""
    table.book.entered(kind, then["body"])
    table.emit(core_facts.Entered(table.at_us, kind, then["body"], then["ref"]))


def answer(table: "CardTable", by: str, why_not: "tuple[str, str] | None") -> bool:
    """Tells a terminal what became of its decision; returns whether one made it."""
    if table.book is None or by in (facts.BY_KEYS, facts.BY_TIME):
        return False
    for terminal in table.book.terminals:
        if str(terminal) == by:
            said = YES if why_not is None else Answer(False, why_not[0], why_not[1])
            table.book.answer_decision(terminal, said)
            return True
    return False


def why_short(
    table: "CardTable", seat: int, do: str, cents: "int | None"
) -> "tuple[str, str] | None":
    """Returns why the account that has the hand of a seat cannot lay what a decision costs, article
    and sentence; None where it can, or no account has it.
    """
    if table.book is None:
        return None
    cost = table.play.round.costs(seat).get(do)
    if cost is None:
        return None
    short = table.book.why_short(seat, cost[1] if type(cents) is not int else cents)
    return None if short is None else (short.rule, short.why)


def show_asked(table: "CardTable", until_us: "int | None") -> None:
    """Tells the book of whom a decision is due. `until_us`: when it is none."""
    if table.book is not None:
        table.book.show_asked([] if not _waits(table) else _asked(table, until_us))


def _waits(table: "CardTable") -> bool:
    return table.state in (states.PLAYING, states.INSURANCE) and table.playing()


def _asked(table: "CardTable", until_us: "int | None") -> "list[Asked]":
    play, due = table.play, table.play.due
    if due.kind == dues.DECISION:
        hands = [(due.seat, due.hand, due.choices)]
    elif due.kind == dues.INSURANCE:
        both = (dues.INSURE, dues.NO_INSURANCE)
        hands = [(seat, 1, both) for seat in due.choices]
    else:
        return []
    points = dict(play.points())
    found = []
    for seat, hand, choices in hands:
        costs = play.round.costs(seat)
        said = [(do,) + costs[do] for do in choices if do in costs]
        place = "s" + str(seat) + ("" if hand == 1 else "." + str(hand))
        seen = (play.seen, until_us, points[place])
        found.append(Asked(due.kind, seat, hand, choices, said, *seen))
    return found
