"""How a round of cards ends: a result or a void, durable first and told after."""

from firmware.core.cards import correction, facts, hold, states, terminals
from firmware.core.cards.restart_state import Ended
from firmware.shims.typed import TYPE_CHECKING, Any
from firmware.stakes import card_kinds, card_round, card_seal
from firmware.stakes.accounts import ENTRIES

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable


def confirm(table: "CardTable", who: str) -> None:
    """Makes the result of the open round official."""
    play = table.play
    count = table.shoe.count
    if table.shoe.is_rebooted:
        table.shoe.doubt()  # nobody has looked since
    body: dict[str, Any] = {
        "outcome": play.round.outcome(),
        "rules": table.limits.rules["name"],
        "decks": table.limits.decks,
        "count": play.seen,
        "seal": card_seal.cards_seal(table.round, count.hello.serial, play.cards),
        "stakes": play.seal,
        "verified": not [row for row in play.cards if row["how"] == facts.PEOPLE],
        "authenticated": count.hello.is_authenticated,
        "held": play.held(),
        "who": who,
    }
    entered = [row["manual"] for row in play.cards if "manual" in row]
    if entered:
        body["manual"] = entered[-1]
    _close(table, card_kinds.RESULT, body)


def void(table: "CardTable", reason: str, who: str | None) -> None:
    """Voids the open round: everything of it is returned, what was settled already too."""
    body: dict[str, Any] = {"reason": reason}
    if who is not None:
        body["who"] = who
    table.start_closing()
    hold.give_up(table)
    _close(table, card_kinds.VOID, body)
    if table.play is not None and table.play.is_hole_down:
        table.record_card(table.play.hole())  # nobody plays on: for the count


def _close(table: "CardTable", kind: str, body: "dict[str, Any]") -> None:
    table.start_closing()
    body["round"] = table.round
    body["seq"] = table.seq + 1
    body["shoe"] = table.shoe.count.hello.serial
    body["n"], body["drawn"] = table.shoe.count.n, table.shoe.count.drawn
    body["trusted"] = table.shoe.count.is_trusted
    table.record(kind, body, waits=True)


def durable(table: "CardTable", kind: str, body: "dict[str, Any]") -> None:
    """Tells what waited for its record, which is durable now."""
    if kind in ENTRIES:
        terminals.entered(table, kind, body)
    elif kind == card_kinds.CORRECTION:
        correction.durable(table, body)
    elif kind == card_kinds.PAID:
        _paid(table, body["manager"])
    elif kind == card_kinds.RESULT:
        _take_end(table, kind, body)
        table.enter(states.RESULT_RECORDED)
        said = (body["outcome"], body["seal"], body["verified"])
        paid = (table.play.round.payments(), body["held"])
        table.emit(facts.RoundResult(table.at_us, table.round, table.seq, *said, *paid))
        table.go_out()
    else:
        returned = _returned(table)
        _take_end(table, kind, body)
        table.enter(states.VOIDED)
        told = (table.seq, body["reason"], returned)
        table.emit(facts.RoundVoid(table.at_us, table.round, *told))
        table.go_out()


def _take_end(table: "CardTable", kind: str, body: "dict[str, Any]") -> None:
    stakes, cards, engagements = table.rows()
    table.take_end(Ended(stakes, cards, engagements, body, bool(body.get("held"))))
    if table.book is not None:
        table.book.add_row(kind, body)


def _returned(table: "CardTable") -> "list[tuple[Any, str, Any, Any, int]]":
    """Returns all that lay in the round that is void; before the call, what would have taken part.

    Each (player, bet, seat, hand, cents).
    """
    if table.rows()[0] is not None:
        return card_round.laid(_round_of(table))
    hand = 1 if table.limits.rules["family"] == "blackjack" else None
    return [
        (stake["player"], stake["bet"], stake.get("seat"), hand, stake["cents"])
        for stake in table.stakes_laid()
    ]


def _round_of(table: "CardTable") -> Any:
    """Returns the round that has ended; one that a restart interrupted is told from its rows."""
    if table.play is not None:
        return table.play.round
    return card_round.replay(*table.rows())


def _paid(table: "CardTable", manager: str) -> None:
    """Pays what waited for the management."""
    table.note_paying(paying=False)
    if not table.waits():
        return
    if table.book is not None:
        table.book.add_row(card_kinds.PAID, {"round": table.round, "manager": manager})
    last = table.last
    payments = card_round.payments(last.stakes, last.cards, last.engagements, last.end)
    held = [payments[at] for at in last.end["held"]]
    table.replace_last(Ended(last.stakes, last.cards, last.engagements, last.end, False))
    table.emit(facts.HeldPaid(table.at_us, table.round, manager, held))
    table.end_shoe()
