"""What lies on a card table as a display shows it: hands, points, whose turn, how it ended.

Cards are those of the message, and a back or a dash where it has one. How a round ended is what
its signed record says; what the message says of a hand's end stands only where both have the same
cards.
"""

from typing import Any, NamedTuple

from firmware.bus.card_messages import BANKER, DASH, DEALER, PLAYER, Cards
from firmware.bus.messages import BACCARAT
from firmware.bus.record import Record
from firmware.services.display.roads import Roads
from rules.cards import deck, drawing

_MOST = 21

# `cards` None: a dash for all of them. `points`: "7/17", None where a card of it is a dash.
# `end`: of card_messages.ENDS; `events`: of card_messages.EVENTS.
Hand = NamedTuple(
    "Hand",
    [
        ("place", str),
        ("cards", tuple[int, ...] | None),
        ("points", str | None),
        ("has_turn", bool),
        ("end", str | None),
        ("events", tuple[str, ...]),
    ],
)
# How a round ended, as it is signed. `winner`, `player`, `banker`: of baccarat. `dealer`: his
# points. `said`: a key of display_words.RESULTS.
Result = NamedTuple(
    "Result",
    [
        ("said", str),
        ("winner", str | None),
        ("player", int | None),
        ("banker", int | None),
        ("dealer", int | None),
        ("by_hand", bool),
    ],
)
# `hands`: the dealer's last; empty where nothing lies there, or nobody tells of it.
# `result` None: a dash. `void`: why the round is void, as it is signed. `has_more`: not all that
# lies there is here. `is_simulated`: shoe and players are. `roads` None: not known.
Cloth = NamedTuple(
    "Cloth",
    [
        ("hands", tuple[Hand, ...]),
        ("result", Result | None),
        ("void", str | None),
        ("is_last", bool),
        ("has_more", bool),
        ("is_simulated", bool),
        ("roads", Roads | None),
    ],
)
# What a receiver knows of a card table, but for its state.
Told = NamedTuple(
    "Told",
    [
        ("cards", Cards | None),
        ("end", Record | None),
        ("ends", tuple[tuple[int, Record], ...]),
        ("first", int | None),
    ],
)
NOTHING = Told(None, None, (), None)


def lay(game: str, told: Told, roads: Roads | None, *, is_open: bool) -> Cloth:
    """Returns the cloth. `is_open` False: the table waits for players, and shows no cards."""
    cards, end = told.cards, told.end
    result = None if end is None or end.cards is None else _result(end)
    is_simulated = cards is not None and cards.is_simulated
    if not is_open:
        return Cloth((), None, None, False, False, is_simulated, roads)
    void = None if end is None else end.reason
    is_last, has_more = (cards.is_last, cards.has_more) if cards is not None else (False, False)
    if result is not None and not _agrees(game, cards, end):
        # The record is signed, and the message is not: what it says of other cards is dark.
        return Cloth(_of_record(game, end), result, void, is_last, False, is_simulated, roads)
    hands = () if cards is None else _hands(game, cards, is_ended=result is not None)
    return Cloth(hands, result, void, is_last, has_more, is_simulated, roads)


def _hands(game: str, cards: Cards, *, is_ended: bool) -> tuple[Hand, ...]:
    return tuple(
        Hand(
            place,
            faces,
            _best(points_of(game, faces)) if is_ended else points_of(game, faces),
            place == cards.turn,
            end if is_ended else None,
            tuple(event for event, at in cards.events if at == place),
        )
        for place, end, faces in cards.hands
    )


def points_of(game: str, faces: tuple[int, ...] | None) -> str | None:
    """Returns the points of the cards that lie open; None where one is a dash, or none is open."""
    if faces is None or DASH in faces:
        return None
    seen = [card for card in faces if card >= 0]
    return deck.points_text(seen, game != BACCARAT) if seen else None


def _best(points: str | None) -> str | None:
    """Returns what counts of "9/19" once the round is over."""
    return None if points is None else points.rsplit("/", 1)[-1]


def _agrees(game: str, cards: Cards | None, end: Any) -> bool:
    """Returns whether the message has the cards of the record."""
    if cards is None:
        return False
    lying = {place: faces for place, _, faces in cards.hands}
    return all(lying.get(hand.place) == hand.cards for hand in _of_record(game, end))


def _of_record(game: str, end: Any) -> tuple[Hand, ...]:
    """Returns the hands that a record has: baccarat's, or the dealer's."""
    found = list(end.cards)
    hands = [(DEALER, found)]
    if game == BACCARAT:
        sides = drawing.hands_of(found)
        assert sides is not None  # the record was refused else
        hands = [(PLAYER, sides[0]), (BANKER, sides[1])]
    return tuple(
        Hand(place, tuple(faces), _best(points_of(game, tuple(faces))), False, None, ())
        for place, faces in hands
    )


def _result(end: Any) -> Result:
    by_hand = end.manual is not None
    if end.winner is not None:
        said = end.winner
        return Result(said, said, end.player_points, end.banker_points, None, by_hand)
    points = end.dealer_points
    said = "dealer_points"
    if points > _MOST:
        said = "dealer_bust"
    elif points == _MOST and len(end.cards) == 2:
        said = "dealer_black_jack"
    return Result(said, None, None, None, points, by_hand)
