"""What the displays and the croupier's screen are told of a card table, whenever it changes.

All of it follows from the table as it stands; the hole card is in none of it before it is turned.
"""

from firmware.core.cards import facts, hold, states, terminals
from firmware.core.cards.house import BETS, CARD, DECISION, INSURANCE
from firmware.core.cards.play import HOLE, may_be_gold
from firmware.shims.typed import TYPE_CHECKING, Any, Sequence
from firmware.stakes import card_round
from rules.cards import deck
from rules.cards import due as dues

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable

_TIMERS = (
    (facts.BETS, BETS),
    (facts.DEAL, CARD),
    (facts.TURN, CARD),
    (facts.DECIDE, DECISION),
    (facts.INSURE, INSURANCE),
)


class Shown:
    """What was told last: nothing is told twice."""

    def __init__(self) -> None:
        """Nothing was told."""
        self._view: Any = None
        self._guide: Any = None
        self._release: Any = None

    def tell_changes(self, table: "CardTable") -> None:
        """Emits what has changed."""
        seen = view(table)
        if seen != self._view:
            self._view = seen
            table.emit(seen)
        code, args, until_us = guide(table)
        seen_cards = 0 if table.play is None else table.play.seen
        terminals.show_asked(table, until_us)
        said = (code, args, seen_cards, until_us)
        if said != self._guide:
            self._guide = said
            table.emit(facts.Guide(table.at_us, *said))
        release = may_leave(table)
        if release != self._release:
            self._release = release
            table.emit(facts.Release(release))


def may_leave(table: "CardTable") -> bool:
    """Returns whether a card may leave the shoe."""
    if table.shoe.is_burning:
        return True
    on_the_way = table.state in (states.DEALING, states.PLAYING, states.DEALER)
    return bool(on_the_way and table.playing() and table.play.due.kind == dues.CARD)


def view(table: "CardTable") -> facts.CardView:
    """Returns what the displays may show now."""
    hands, events = _lying(table)
    outcome = reason = turn = None
    if table.hold is not None and table.play is not None:
        held_to = table.play.due.to
        if table.play.due.kind == dues.CARD:
            hands = [
                (to, cards + ((facts.DASH,) if _is(to, held_to) else ())) for to, cards in hands
            ]
    elif table.playing() and table.play is not None:
        turn = _turn(table.play.due)
    if table.last is not None and not table.open:
        outcome, reason = table.last.end.get("outcome"), table.last.end.get("reason")
    is_last = bool(table.playing() and table.shoe.count.is_over)
    told = (tuple(hands), _points(table, hands), turn, outcome, reason, events, is_last)
    first = table.shoe.count.first
    return facts.CardView(table.state, table.round, table.seq, *(told + (first,)))


def _lying(table: "CardTable") -> Any:
    """Returns the hands that lie there, and what falls beside them.

    Of a round that has its result they are the result's own, corrected and after a restart too.
    """
    last = table.last
    if last is not None and not table.open and last.end.get("outcome") is not None:
        is_as_played = table.play is not None and "corrects" not in last.end
        return _hands_of(last.end["outcome"]), tuple(table.play.events()) if is_as_played else ()
    if table.play is None:
        return [], ()
    hands = [(place, tuple(cards)) for place, cards in table.play.hands()]
    return hands, tuple(table.play.events())


def _hands_of(outcome: "dict[str, Any]") -> "list[tuple[str, tuple[int, ...]]]":
    if "dealer" not in outcome:
        return [("P", _cards(outcome["player_cards"])), ("B", _cards(outcome["banker_cards"]))]
    hands = [(_place(one["seat"], one["hand"]), _cards(one["cards"])) for one in outcome["hands"]]
    return hands + [("d", _cards(outcome["dealer"]["cards"]))]


def _cards(texts: "Sequence[str]") -> "tuple[int, ...]":
    return tuple([deck.card_of(text) for text in texts])


def _points(table: "CardTable", hands: Any) -> "tuple[tuple[str, str], ...]":
    """Returns the points of each place that has open cards."""
    blackjack = table.limits.rules["family"] == "blackjack"
    found = []
    for place, cards in hands:
        open_cards = [card for card in cards if card >= 0]
        if open_cards:
            found.append((place, deck.points_text(open_cards, blackjack)))
    return tuple(found)


def _is(place: str, due_to: str) -> bool:
    return place == ("d" if due_to == HOLE else due_to)


def _turn(due: Any) -> str | None:
    if due.kind == dues.CARD:
        return "d" if due.to == HOLE else str(due.to)
    if due.kind == dues.DECISION:
        return _place(due.seat, due.hand)
    return "d" if due.kind == dues.TURN else None


def _place(seat: int, hand: int) -> str:
    return "s" + str(seat) + ("" if hand == 1 else "." + str(hand))


def guide(table: "CardTable") -> "tuple[str, tuple[tuple[str, Any], ...], int | None]":
    """Returns what is due for the croupier: code, arguments, until when (us) or None."""
    code, args = _due(table)
    if table.playing() and table.shoe.count.is_over:
        args = args + (("last", True),)
    for timed, timer in _TIMERS:
        if timed == code:
            return code, args, table.timers.at_us(timer)
    return code, args, None


def _due(table: "CardTable") -> "tuple[str, tuple[tuple[str, Any], ...]]":
    if table.state == states.FAULT:
        return facts.LOCKED, ()
    if table.closing:
        return facts.RECORDING, ()
    if table.waits():
        return _gold_jack(table)
    if table.state == states.NO_SHOE:
        return _shoe_due(table)
    if table.state == states.HOLD:
        held, play = table.hold, table.play
        to = None if play is None or play.due.kind != dues.CARD else play.due.to
        said = (("why", held.why), ("to", to), ("failures", held.failures))
        return facts.HELD, said + (("ways", hold.ways(table)),)
    if table.state == states.BETS_OPEN:
        seats = sorted({stake["seat"] for stake in table.stakes_laid() if stake.get("seat")})
        return facts.BETS, (("seats", tuple(seats)),)
    if not table.open:
        return _between(table)
    return _round_due(table)


def _shoe_due(table: "CardTable") -> "tuple[str, tuple[tuple[str, Any], ...]]":
    shoe = table.shoe
    if shoe.is_burning:
        said: tuple[tuple[str, Any], ...] = (("burned", shoe.burned), ("of", table.house.burned))
        if table.house.reader == facts.PEOPLE:
            said = said + (("by_key", True),)
        return facts.BURNING, said
    return (facts.COUNT if shoe.count.must_count else facts.LOAD), ()


def _gold_jack(table: "CardTable") -> "tuple[str, tuple[tuple[str, Any], ...]]":
    last = table.last
    payments = card_round.payments(last.stakes, last.cards, last.engagements, last.end)
    held = [payments[at] for at in last.end["held"]]
    said = [(payment.seat, payment.player, payment.won_cents) for payment in held]
    return facts.GOLD_JACK, (("payments", tuple(said)),)


def _between(table: "CardTable") -> "tuple[str, tuple[tuple[str, Any], ...]]":
    if not table.shoe.count.is_trusted:
        return facts.COUNT, ()
    if table.state == states.VOID:
        return facts.BURN_ALL, (("reason", table.last.end.get("reason")),)
    return facts.NEXT, ()


def _round_due(table: "CardTable") -> "tuple[str, tuple[tuple[str, Any], ...]]":
    play, due = table.play, table.play.due
    if due.kind == dues.CARD:
        code = facts.LATE if table.is_late else facts.DEAL
        return code, (("to", due.to), ("then", play.then())) + _dealers_points(table)
    if due.kind == dues.TURN:
        return facts.TURN, ()
    if due.kind == dues.INSURANCE:
        asked: tuple[tuple[str, Any], ...] = (("seats", due.choices),)
        if table.insuring_seat is not None:
            asked = asked + (("seat", table.insuring_seat),)
        held = tuple([seat for seat in due.choices if table.is_held(seat)])
        if held:
            asked = asked + (("at_terminals", held),)
        return facts.INSURE, asked
    if due.kind == dues.DECISION:
        points = dict(play.points())[_place(due.seat, due.hand)]
        said: tuple[tuple[str, Any], ...] = (("seat", due.seat), ("hand", due.hand))
        said = said + (("points", points), ("choices", due.choices))
        return facts.DECIDE, said + ((("at_terminal", True),) if table.is_held(due.seat) else ())
    return facts.CONFIRM, _dealers_points(table)


def _dealers_points(table: "CardTable") -> "tuple[tuple[str, Any], ...]":
    """Returns the dealer's points once all hands are played: what he draws or stays on."""
    points = dict(table.play.points()).get("d")
    if points is None or table.state not in (states.DEALER, states.DONE):
        return ()
    return (("points", points),)


def announce_gold_jack(table: "CardTable", card: int) -> None:
    """Emits that a Gold Jack may come, if the dealer's first card says so.

    Seeds 000, Super-Jack: "le donneur annonce aussitôt la possibilité d'un gold-jack".
    """
    sides = table.limits.side_bets
    told = table.limits.rules.get("told_before_paid", ())
    is_offered = [bet for bet in told if sides is None or bet in sides]
    if is_offered and may_be_gold(card):
        table.emit(facts.Guide(table.at_us, facts.GOLD_JACK_POSSIBLE, (), table.play.seen, None))
