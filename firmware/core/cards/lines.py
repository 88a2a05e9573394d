"""The JSON object of each fact of a card table, and of the croupier's guide: pairs, in their order.

Cards are texts, "TH". The hole card is in none of them before HoleTurned: no fact has it.
"""

from firmware.core.cards import facts
from firmware.shims.typed import Any, Sequence
from rules.cards import deck

CORRECTION = "round_correction"
# fmt: off
_FACTS = (
    (facts.RoundStarted, "round_started", ("round",)),
    (facts.BetsClosed, "bets_closed", ("round", "count", "total_cents")),
    (facts.CardDealt, "card_dealt", ("round", "k", "to", "card")),
    (facts.HoleTurned, "hole_turned", ("round", "k", "card")),
    (facts.HoleChecked, "hole_checked", ("round", "is_black_jack")),
    (facts.Engaged, "engaged", ("round", "n", "seat", "hand", "do", "by", "seen", "cents")),
    (facts.RoundResult, "round_result", ("round", "seq", "outcome", "seal", "verified", "payments",
                                         "held")),
    (facts.HeldPaid, "held_paid", ("round", "manager", "payments")),
    (facts.RoundVoid, "round_void", ("round", "seq", "reason", "returned")),
    (facts.RoundCorrection, CORRECTION, ("round", "seq", "corrects", "outcome", "reason",
                                                 "payments", "held", "cards", "decisions")),
)
# fmt: on
GUIDE = "guide"
TYPED = "card_typed"
VIEW = "card_view"
# Of a CardView, in the place of a card.
_COVERED = {facts.BACK: "back", facts.DASH: "dash"}

_PAYMENT = ("player", "bet", "seat", "hand", "stake_cents", "won_cents", "returned_cents")
_RETURNED = ("player", "bet", "seat", "hand", "cents")
_DECISION = ("seat", "hand", "do", "cents")
_HELD = ("seat", "player", "won_cents")  # of the guide's GOLD_JACK


# Any: a record of facts.py.
def card_line(fact: Any) -> "list[tuple[str, Any]] | None":
    """Returns the object of a fact; None for any other record."""
    for kind, name, keys in _FACTS:
        if isinstance(fact, kind):
            pairs: list[tuple[str, Any]] = [("t_us", fact.at_us), ("event", name)]
            for key in keys:
                pairs.append((key, _value(key, getattr(fact, key))))
            return pairs
    return None


def guide_line(fact: Any) -> "list[tuple[str, Any]] | None":
    """Returns the object of what stands on the croupier's screen, a Guide or a card that is being
    typed, which is his alone; None for any other record.
    """
    if isinstance(fact, facts.CardTyped):
        typed = [("rank", fact.rank), ("suit", fact.suit)]
        return [("t_us", fact.at_us), ("event", TYPED)] + typed
    if not isinstance(fact, facts.Guide):
        return None
    pairs: list[tuple[str, Any]] = [("t_us", fact.at_us), ("event", GUIDE), ("code", fact.code)]
    for key, value in fact.args:
        if key == "payments":
            value = _objects(_HELD, value)
        pairs.append((key, list(value) if isinstance(value, tuple) else value))
    return pairs + [("seen", fact.seen), ("until_us", fact.until_us)]


def view_line(fact: Any) -> "list[tuple[str, Any]] | None":
    """Returns the object of a CardView, without a time of its own; None for any other record."""
    if not isinstance(fact, facts.CardView):
        return None
    hands = [[to, [_COVERED.get(card) or deck.text_of(card) for card in cards]]
             for to, cards in fact.hands]  # fmt: skip
    points = [[to, text] for to, text in fact.points]
    return [
        ("event", VIEW),
        ("state", fact.state),
        ("round", fact.round),
        ("seq", fact.seq),
        ("hands", hands),
        ("points", points),
        ("turn", fact.turn),
        ("outcome", fact.outcome),
        ("reason", fact.reason),
    ]


def _value(key: str, value: Any) -> Any:
    if key == "card":
        return None if value is None else deck.text_of(value)
    if key == "cards":
        return [deck.text_of(card) for card in value]
    if key == "payments":
        return _objects(_PAYMENT, value)
    if key == "decisions":
        return _objects(_DECISION, value)
    if key == "returned":
        return _objects(_RETURNED, value)
    return list(value) if isinstance(value, tuple) else value


def _objects(keys: "Sequence[str]", rows: "Sequence[Any]") -> "list[dict[str, Any]]":
    return [{keys[at]: row[at] for at in range(len(keys))} for row in rows]
