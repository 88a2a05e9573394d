"""The croupier's keyboard: what each key means where the round stands (CARDS section 5)."""

from firmware.core.cards import facts, hold, rescan, states
from firmware.core.cards.reasons import BY_CROUPIER
from firmware.core.house import CROUPIER
from firmware.shims.typed import TYPE_CHECKING
from rules.cards import due as dues

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable

# A key that is let go so soon after time or a terminal decided was meant for the hand before.
MEANT_US = 1_000_000
TAPPED_US = 300_000  # and one so soon after a key: nobody has seen who is next, and pressed for it
_AT_TERMINAL = "seat {} decides at its terminal."
_DECISIONS = (
    (facts.KEY_CARD, "hit"),
    (facts.KEY_STAND, "stand"),
    (facts.KEY_DOUBLE, "double"),
    (facts.KEY_PAIR, "split"),
)


def press(table: "CardTable", key: str) -> None:
    """Does what the key says; where it says nothing, emits why not."""
    assert key in facts.KEYS, key
    why_not = _press(table, key)
    if why_not is not None:
        table.refuse(why_not)


def _press(table: "CardTable", key: str) -> str | None:
    if table.closing:
        return "the end of the round is being recorded."
    if key == facts.KEY_START:
        return start(table)
    if key == facts.KEY_CUT:
        if table.state in (states.NO_SHOE, states.FAULT):
            return "no shoe is in play."
        table.shoe.cut()
        return None
    if key == facts.KEY_BURN and table.shoe.is_burning:
        return table.shoe.burn_unseen()
    if not table.open:
        return "no round is open."
    if key == facts.KEY_VOID:
        table.void(BY_CROUPIER, who=CROUPIER)
        return None
    if key == facts.KEY_CONFIRM:
        return confirm(table, CROUPIER)
    if key == facts.KEY_BURN:
        if table.hold is not None and table.hold.why == hold.EXPOSED:
            return table.people.propose_burn()
        return hold.put_away(table)
    if key == facts.KEY_EXPOSED:
        return hold.expose(table)
    if key == facts.KEY_NO_MORE_BETS:
        return _no_more_bets(table)
    if key == facts.KEY_TURNED:
        if table.state != states.DEALER or table.play.due.kind != dues.TURN:
            return "no hole card is to be turned now."
        table.turn()
        return None
    return _decide(table, key)


def start(table: "CardTable") -> str | None:
    """Begins a shoe, or the next round. Returns why not, or None."""
    if table.state not in (states.NO_SHOE, states.CONFIRMED, states.VOID):
        return "it has no meaning in state " + table.state + "."
    if table.waits():
        return "the management has not acknowledged the Gold Jack."
    if table.correcting:
        return "a correction is being recorded."
    if table.state == states.NO_SHOE:
        return table.shoe.start()
    if not table.shoe.count.is_trusted:
        return "two people confirm the count of the shoe first, or it is changed."
    table.begin_round()
    return None


def confirm(table: "CardTable", who: str) -> str | None:
    """Makes the result official, or ends a hold. Returns why not, or None."""
    if table.state == states.HOLD:
        if rescan.is_on(table):
            rescan.finish(table)
            return None
        return hold.on(table)
    if table.state != states.DONE:
        return "there is nothing to confirm in state " + table.state + "."
    table.confirm(who)
    return None


def _no_more_bets(table: "CardTable") -> str | None:
    if table.state == states.INSURANCE:
        if not [seat for seat in table.play.due.choices if not table.is_held(seat)]:
            return "who is asked for insurance answers at a terminal."
        table.insure_none(facts.BY_KEYS)
        return None
    if table.state != states.BETS_OPEN:
        return "no stakes are open."
    return table.close_bets(by_key=True)


def _decide(table: "CardTable", key: str) -> str | None:
    """Takes a decision by keys, for who has no terminal; before the call, where chips lie."""
    if table.state == states.BETS_OPEN and key in facts.SEAT_KEYS:
        return table.lay_chips(facts.SEAT_KEYS.index(key) + 1)
    if table.state == states.INSURANCE:
        if key in facts.SEAT_KEYS:
            seat = facts.SEAT_KEYS.index(key) + 1
            is_held = table.is_held(seat)
            table.choose_seat(None if is_held else seat)
            return _AT_TERMINAL.format(seat) if is_held else None
        if table.insuring_seat is None:
            return "press the seat's key first."
        if key in (facts.KEY_INSURANCE, facts.KEY_STAND):
            seat = table.insuring_seat
            table.choose_seat(None)
            do = "insure" if key == facts.KEY_INSURANCE else "no_insurance"
            table.refuse_by(table.decide(seat, 1, do, cents=None, by=facts.BY_KEYS))
            return None
    if table.state != states.PLAYING or table.play.due.kind != dues.DECISION:
        return "nobody decides now."
    due = table.play.due
    for own, do in _DECISIONS:
        if own == key:
            if table.is_held(due.seat):
                return _AT_TERMINAL.format(due.seat)
            if not _is_meant(table, due):
                return "a decision was just made: press it for the hand that is next."
            table.refuse_by(table.decide(due.seat, due.hand, do, cents=None, by=facts.BY_KEYS))
            return None
    if key in facts.SEAT_KEYS and facts.SEAT_KEYS.index(key) + 1 == due.seat:
        return None
    return f"seat {due.seat} decides now: card, stand, double or pair."


def _is_meant(table: "CardTable", due: "dues.Due") -> bool:
    """Returns whether a key now is for the hand that is due, and not for what was decided last."""
    if table.decided_us is None or table.keyed == (due.seat, due.hand):
        return True
    soon_us = MEANT_US if table.keyed is None else TAPPED_US
    return bool(table.at_us - table.decided_us >= soon_us)
