"""A round that is held, because a card or the shoe is not as it should be, and what ends that.

CARDS section 2, line by line: nothing here guesses a card. What is on the cloth is read again, or
two people say it, or the round is void. A hole card that cannot be read voids it: nobody types one.
"""

from firmware.core.cards import facts, states
from firmware.core.cards.play import HOLE
from firmware.core.cards.reasons import HOLE_UNREADABLE, MISDEALT
from firmware.core.cards.shoe_count import TOO_OFTEN
from firmware.shims.typed import TYPE_CHECKING, Any
from firmware.stakes import card_kinds
from rules.cards import deck
from rules.cards import due as dues

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable

# Why a round is held, beside facts.SHOE_TROUBLES.
UNREAD = "unread"
EARLY = "card_early"  # before the call
EXTRA = "card_extra"  # none was due
EXPOSED = "card_exposed"  # and players have seen it
BACK = "card_back"  # one that counts went back into the shoe
MISSED = "card_missed"  # the reader's numbers say that one went by
REBOOT = "reboot"  # the reader began anew
RESCAN = "rescan"

FAILURES_MAX = 3  # then people enter the card
EXTRAS_MAX = 3  # in one round (Live 2.7.5); more and it is void
REACTS_US = 300_000  # nobody sees what is on the screen, and pulls a card, in less
# Nobody knows how many cards came out meanwhile.
_UNCOUNTED = (REBOOT,) + facts.SHOE_TROUBLES


class Hold:
    """What is held, and how far people have come."""

    def __init__(self, why: str, origin: str) -> None:
        """`origin`: the state that the round was held in."""
        self.why = why
        self.origin = origin
        self.failures = 0  # readings that failed
        self.failed_us = 0  # when the last one did
        self.is_back = False  # and that card is in the shoe again
        # Cards that came out and are none of the round's yet; None: nobody knows how many.
        self.missing: int | None = 0
        self.cards: list[Any] = []  # the facts.CardRead of cards too many, or read again


# Any: a Hold.
def hold_round(table: "CardTable", why: str) -> Any:
    """Holds the open round. One that is held already is held for this from now on."""
    if table.state != states.HOLD:
        table.take_hold(Hold(why, table.state))
        table.enter(states.HELD)
    table.hold.why = why
    if why in _UNCOUNTED:
        table.hold.missing = None
    table.record(card_kinds.HELD, {"round": table.round, "why": why, "to": _due_to(table)})
    table.fault("K10", why.replace("_", " "))
    return table.hold


def _due_to(table: "CardTable") -> str | None:
    """Returns where the card goes that is due, if one is."""
    if table.play is None or table.play.due.kind != dues.CARD:
        return None
    return str(table.play.due.to)


def resume(table: "CardTable") -> None:
    """Ends the hold: the round goes on."""
    table.record(card_kinds.HELD, {"round": table.round, "why": None, "to": None})
    _go_back(table)


def _go_back(table: "CardTable") -> None:
    """Goes back to where the round was held."""
    if table.shoe.unsure is not None:
        hold_round(table, table.shoe.unsure)
        return
    origin = table.hold.origin
    table.take_hold(None)
    if origin == states.BETS_OPEN:
        table.enter(states.STAKES_DUE)
        table.wait_for_stakes()
    else:
        table.go_on()


def ways(table: "CardTable") -> "tuple[str, ...]":
    """Returns what ends the hold, of facts.WAYS."""
    held = table.hold
    found: tuple[str, ...] = ()
    if held.why in facts.SHOE_TROUBLES and held.why not in table.shoe.troubles:
        found = (facts.ON,)
    if may_enter(table):
        found = found + (facts.ENTER,)
    elif held.why == table.shoe.unsure and not table.play.engagements:
        found = found + (facts.RESCAN,)
    elif held.why in (UNREAD, BACK):
        found = (facts.AGAIN,)
    elif held.why in (EARLY, EXTRA) and _extras(table) <= EXTRAS_MAX:
        found = (facts.PUT_AWAY, facts.SHOW)
    elif held.why == EXPOSED and _extras(table) <= EXTRAS_MAX:
        found = (facts.BURN_BY_TWO,)
    elif held.why == MISSED and table.play is not None:
        found = (facts.RESCAN,)
    elif held.why in (REBOOT, RESCAN):
        found = (facts.ON, facts.RESCAN)
    return found + (facts.MAKE_VOID,)


def give_up(table: "CardTable") -> None:
    """Counts what is out of the shoe, as the round it is held in becomes void."""
    held = table.hold
    if table.shoe.is_rebooted:
        table.shoe.doubt()
    if held is None:
        return
    if held.why == UNREAD:
        table.shoe.count_lost(0 if held.is_back else 1, table.shoe.count.n)
        if held.failures > 1:
            table.shoe.doubt()  # was it one card, each time?
    elif held.why in (MISSED, REBOOT, RESCAN) or held.why in facts.SHOE_TROUBLES:
        table.shoe.doubt()
    else:
        for read in held.cards:
            table.shoe.burn(read, {})
        if held.why == BACK:
            table.shoe.gone_back()


def card(table: "CardTable", read: "facts.CardRead", lost: int) -> None:
    """Takes a card that came out while a round is open. lost: so many went by unread before it."""
    play = table.play
    if table.state == states.HOLD:
        _again(table, read, lost)
    elif play is None:
        table.shoe.count_lost(lost, read.n - 1)
        hold_round(table, EARLY).cards.append(read)
    elif lost:
        _miss(table, lost)
    elif _is_of_round(table, read):
        pass  # pushed and pulled: read twice, it is one card
    elif play.due.kind != dues.CARD:
        hold_round(table, EXTRA).cards.append(read)
    elif read.card is None:
        _unread(table)
    else:
        _deal(table, read)


def _miss(table: "CardTable", lost: int) -> None:
    """Takes that cards went by before this one: it is none of the round's either, yet."""
    held = table.hold
    more = lost + 1
    if held is not None and held.why == UNREAD and not held.is_back:
        more += 1
    elif held is not None:
        more += len(held.cards)
        held.cards = []
    held = hold_round(table, MISSED)
    if table.shoe.is_inexact:
        held.missing = None
    elif held.missing is not None:
        held.missing += more


def _unread(table: "CardTable") -> None:
    held = hold_round(table, UNREAD)
    held.failures += 1
    held.failed_us, held.is_back = table.at_us, False
    if held.failures >= FAILURES_MAX and table.play.due.to == HOLE:
        table.void(HOLE_UNREADABLE)


def _deal(table: "CardTable", read: "facts.CardRead") -> None:
    """Deals a card that is due, if it is one of the shoe's."""
    if read.how == facts.PEOPLE and table.play.due.to == HOLE:
        table.refuse("nobody types in the hole card: it is read, or the round is void.")
        return
    card = read.card
    assert card is not None
    why = table.shoe.count.why_foreign(card, read.ident)
    if why is not None:
        table.shoe.foreign(read, why)
        return
    _let_go(table)
    table.accept(card, ident=read.ident, how=read.how, n=read.n, by=None)


def _let_go(table: "CardTable") -> None:
    """Takes that nothing holds the round, unless what the shoe told late is still to be seen."""
    if table.shoe.unsure is None:
        table.take_hold(None)


def _again(table: "CardTable", read: "facts.CardRead", lost: int) -> None:
    """Takes a card that came while the round is held."""
    held = table.hold
    if read.how != facts.PEOPLE and held.why in (facts.SILENT, facts.LYING):
        table.shoe.unsure = held.why
    if read.how == facts.PEOPLE and facts.ENTER in ways(table):
        table.people.propose_card(read.card)
    elif lost or held.why in (MISSED, REBOOT) or _is_another(table, read):
        _miss(table, lost)
    elif held.why == UNREAD and may_enter(table):
        table.refuse("three readings failed: the croupier and the management enter the card.")
    elif held.why == BACK:
        _return(table, read)
    elif held.why in (EARLY, EXTRA, EXPOSED):
        if not _is_of_round(table, read):
            held.cards.append(read)
    elif _is_of_round(table, read):
        pass
    elif table.play.due.kind != dues.CARD:
        hold_round(table, EXTRA).cards.append(read)
    elif read.card is None:
        _unread(table)
    else:
        _deal(table, read)


def _is_another(table: "CardTable", read: "facts.CardRead") -> bool:
    """Returns whether this card was on its way as the one before it could not be read."""
    held = table.hold
    is_soon = table.at_us - held.failed_us < REACTS_US
    return bool(held.why == UNREAD and read.how == facts.SHOE and is_soon)


def _return(table: "CardTable", read: "facts.CardRead") -> None:
    """Takes the card that went back, which has to be the next one again."""
    row = table.play.cards[-1]
    if read.card is None or (deck.text_of(read.card), read.ident) != (row["card"], row["id"]):
        table.hold.cards.append(read)
        table.void(MISDEALT)
    else:
        table.play.last_n = read.n
        resume(table)


def _is_of_round(table: "CardTable", read: "facts.CardRead") -> bool:
    """Returns whether this very card has come in this round already."""
    rows = [] if table.play is None else table.play.cards
    known = [row["id"] for row in rows]
    if table.hold is not None:
        known.extend([other.ident for other in table.hold.cards])
    return bool(read.ident) and read.ident in known


def pulled_back(table: "CardTable", n: int) -> None:
    """Takes that a card went back while a round is open."""
    held, play = table.hold, table.play
    if n == facts.UNKNOWN:
        table.shoe.gone_back()
    elif _was_too_many(table, n):
        table.note_too_many()  # whoever drew it may have seen it
    elif play is not None and n == play.last_n and (held is None or held.why != RESCAN):
        hold_round(table, BACK)
    elif held is not None and held.why == UNREAD and n == table.shoe.count.n:
        held.is_back = True
        table.fault("K18", "")
    else:
        table.shoe.gone_back()


def _was_too_many(table: "CardTable", n: int) -> bool:
    """Takes that the last card that was one too many is none. Returns whether it was that card."""
    held = table.hold
    if held is None or held.why not in (EARLY, EXTRA) or not held.cards or held.cards[-1].n != n:
        return False
    is_void = _extras(table) > EXTRAS_MAX
    held.cards.pop()
    if is_void:
        return False
    if not held.cards:
        resume(table)
    return True


def take_back(table: "CardTable", n: int) -> None:
    """Takes back what was typed, until the next card or decision."""
    play = table.play
    if _was_too_many(table, n):
        return
    if play is None or not n or play.last_n != n:
        table.refuse("no card is to be taken back.")
        return
    if play.decided_last or table.state == states.HOLD:
        table.refuse("a card is taken back before the next decision, and not now.")
        return
    row = play.take_back()
    table.shoe.count.put_back(deck.card_of(row["card"]), row["id"])
    table.record(card_kinds.CARD_BACK, {"round": table.round, "k": row["k"]})
    table.take_hold(Hold(BACK, table.state))
    table.enter(states.HELD)
    _go_back(table)


# --- what people do ---------------------------------------------------------------------------


def may_enter(table: "CardTable") -> bool:
    """Returns whether two people may enter the card that is due."""
    held, play = table.hold, table.play
    if held is None or play is None or play.due.kind != dues.CARD or play.due.to == HOLE:
        return False
    if held.why == UNREAD:
        return bool(held.failures >= FAILURES_MAX and not held.is_back)
    # Once it tells late what came, the card that people look at may be the one that it told.
    return held.why in table.shoe.troubles and table.shoe.unsure is None


def enter_card(table: "CardTable", entered: "facts.CardEntered") -> str | None:
    """Takes the card that two people say. Returns why not, or None."""
    if not may_enter(table):
        if table.hold is not None and table.hold.why == UNREAD:
            return "the card is pulled over the reader again first, or the round is void."
        return "no card waits to be entered."
    if table.shoe.count.why_foreign(entered.card, "") == TOO_OFTEN:
        return f"{deck.text_of(entered.card)} has come as often as the decks have it."
    n = table.shoe.count.n  # as it was read, and could not be: by that it may go back
    if table.hold.why in facts.SHOE_TROUBLES:
        table.shoe.entered.append(entered.card)
        n = 0
    _let_go(table)
    by = {"manual": [entered.who, entered.manager], "why": entered.why}
    table.accept(entered.card, ident="", how=facts.PEOPLE, n=n, by=by)
    return None


def expose(table: "CardTable") -> str | None:
    """Takes that players have seen the card too many. Returns why not, or None."""
    held = table.hold
    if held is None or facts.SHOW not in ways(table):
        return "no card too many is held."
    if table.limits.rules["family"] == "baccarat":
        _burn(table, {"exposed": True})  # it changes nobody's play there
    else:
        hold_round(table, EXPOSED)
    return None


def put_away(table: "CardTable") -> str | None:
    """Burns a card too many that nobody has seen. Returns why not, or None."""
    if table.hold is None or facts.PUT_AWAY not in ways(table):
        return "no card is to be burned by the croupier alone."
    _burn(table, {})
    return None


def burn_by_two(table: "CardTable", who: str, manager: str, why: str) -> str | None:
    """Burns an exposed card, as two people decide. Returns why not, or None."""
    if table.hold is None or facts.BURN_BY_TWO not in ways(table):
        return "no exposed card waits to be burned."
    _burn(table, {"exposed": True, "manual": [who, manager], "why": why})
    return None


def _burn(table: "CardTable", said: "dict[str, Any]") -> None:
    held = table.hold
    for read in held.cards:
        table.shoe.burn(read, said)
        if not table.playing():
            return  # it was a foreign one
        table.note_too_many()
    held.cards = []
    resume(table)


def _extras(table: "CardTable") -> int:
    count: int = table.too_many + len(table.hold.cards)
    return count


def on(table: "CardTable") -> str | None:
    """Takes that the cloth lies as the screen says. Returns why not, or None."""
    if facts.ON not in ways(table):
        return "what holds the round is not over."
    table.shoe.is_rebooted, table.shoe.unsure = False, None
    resume(table)
    return None
