"""What lies on a card table, as the displays are told it: the words, the fields, the bytes.

A message answers challenges as a notice does (message_bytes.py). It says what lies there now and
nothing of what was or comes: a display that missed one is told all of it by the next. The hole card
is a back in it until it is turned.
"""

import struct

from firmware.bus import messages
from firmware.bus.message_bytes import answering, kind
from firmware.bus.messages import VERSION_FIELD
from firmware.shims.typed import Any, NamedTuple, Sequence
from rules.cards import deck

# Cards that are none of the 52, as in facts.CardView: the hole card, and one that is held.
BACK, DASH = -1, -2
_BACK_BYTE, _DASH_BYTE = 0xFE, 0xFF
_NOT_TOLD = 0xFF  # in the place of how many cards a hand has: a dash for all of them
LAST, MORE, SIMULATED = 1, 2, 4  # flags
HANDS_OF_SEAT_MAX = 15

DEALER, PLAYER, BANKER = "d", "P", "B"
_PLACES = ((1, DEALER), (2, PLAYER), (3, BANKER))
# fmt: off
# How a hand ended, once the record of the round is durable (rules/cards/blackjack_payments.py).
ENDS: "tuple[tuple[int, str | None], ...]" = (
    (0, None), (1, "wins"), (2, "loses"), (3, "equal"), (4, "black_jack"), (5, "bust"),
    (6, "lost_to_black_jack"),
)
# What falls beside the hands (facts.EVENTS of firmware/core/cards).
EVENTS = (
    (1, "gold_jack_possible"), (2, "insured"), (3, "pair_perfect"), (4, "pair_colour"),
    (5, "pair_mixed"), (6, "super_black"), (7, "super_silver"), (8, "super_gold"),
    (9, "dragon_natural"), (10, "dragon_4"), (11, "dragon_5"), (12, "dragon_6"), (13, "dragon_7"),
    (14, "dragon_8"), (15, "dragon_9"),
)
CARDS_FIELDS = (
    VERSION_FIELD,
    ("kind", "B", f"{messages.CARDS}; who does not know it passes it over"),
    ("session", "Q", "random, new at each start of the controller"),
    ("counter", "I", "one more with each of these messages of a session"),
    ("round", "I", "whose cards these are: they are lit while the heartbeat says that coup"),
    ("first", "I", "the first round of the shoe: the roads begin with it; 0: none has begun"),
    ("flags", "B", f"sum: {LAST} the round is the last of its shoe, {MORE} hands or side bets lie"
                   f" there that had no room here, {SIMULATED} shoe and players are simulated"),
    ("turn", "B", "the place whose card or decision is awaited; 0: none"),
    ("hands", "B", "how many"),
    ("events", "B", "how many"),
)
HAND_FIELDS = (
    ("place", "B", "16 * seat + hand, each from 1; 1 the dealer, 2 the player's side, 3 the"
                   " banker's"),
    ("ends", "B", "how it ended, see there; 0 until the round's record is durable"),
    ("cards", "B", f"how many; 0x{_NOT_TOLD:02X}: they had no room here, a dash for all of them"),
)
EVENT_FIELDS = (("event", "B", "see side bets"), ("place", "B", "of a hand"))
# fmt: on
CARDS_MAX = 300  # bytes of it, before the answers; seven seats of four hands of three are 200
CARDS_LEAST = 48  # a round of baccarat whole: a line tells no less, or no cards at all
CARDS_FORMAT = messages.codes(CARDS_FIELDS)
CARDS_SIZE = struct.calcsize(CARDS_FORMAT)
HAND_SIZE = len(HAND_FIELDS)
EVENT_SIZE = len(EVENT_FIELDS)

_PLACE_CODES = {name: code for code, name in _PLACES}
_PLACE_NAMES = dict(_PLACES)
_END_CODES = {name: code for code, name in ENDS}
_END_NAMES = dict(ENDS)
_EVENT_CODES = {name: code for code, name in EVENTS}
_EVENT_NAMES = dict(EVENTS)

# hands: (place, how it ended or None, its cards or None for a dash), in the order of the deal, the
# dealer's last; events: (event, place); turn: a place or None; has_more: not all of it is here.
Cards = NamedTuple(
    "Cards",
    [
        ("round", int),
        ("first", int),
        ("is_last", bool),
        ("has_more", bool),
        ("is_simulated", bool),
        ("turn", "str | None"),
        ("hands", "tuple[tuple[str, str | None, tuple[int, ...] | None], ...]"),
        ("events", "tuple[tuple[str, str], ...]"),
    ],
)


# Any: a facts.CardView, which is the core's.
def of_view(view: Any, *, is_simulated: bool = False) -> Cards:
    """Returns what the displays are told of a card table's view."""
    ends = _ends(view.outcome)
    hands = [(place, ends.get(place), tuple(cards)) for place, cards in view.hands]
    events = tuple([(event, place) for event, place in view.events])
    told = (view.round, view.first, view.is_last, False, is_simulated)
    return Cards(*(told + (view.turn, tuple(hands), events)))


def _ends(outcome: Any) -> "dict[str, str]":
    if outcome is None:
        return {}
    if "winner" in outcome:
        if outcome["winner"] == "tie":
            return {PLAYER: "equal", BANKER: "equal"}
        has_player = outcome["winner"] == "player"
        sides = (PLAYER, BANKER) if has_player else (BANKER, PLAYER)
        return {sides[0]: "wins", sides[1]: "loses"}
    found = {}
    for hand in outcome["hands"]:
        number = "" if hand["hand"] == 1 else "." + str(hand["hand"])
        found["s" + str(hand["seat"]) + number] = hand["result"]
    return found


def cards_bytes(session: int, counter: int, cards: Cards, size: int = CARDS_MAX) -> bytes:
    """Returns what some displays are told, without the answers, in `size` bytes at most.

    The dealer's cards go first, then those of the hands in their order, each whole or not at all.
    """
    room = size - CARDS_SIZE
    hands = [hand for hand in cards.hands if _code_of(hand[0])]
    kept = hands[-1:] + hands[:-1]  # the dealer, or the banker's side, before the others
    kept = kept[: room // HAND_SIZE]
    room -= HAND_SIZE * len(kept)
    events = [event for event in cards.events if _code_of(event[1])][: room // EVENT_SIZE]
    room -= EVENT_SIZE * len(events)
    told = []
    for place, end, faces in kept:
        is_told = faces is not None and len(faces) <= min(room, _NOT_TOLD - 1)
        faces = faces if is_told else None
        room -= len(faces or ())
        head = bytes([_code_of(place), _END_CODES[end], _NOT_TOLD if faces is None else len(faces)])
        told.append(head + bytes([_byte_of(card) for card in faces or ()]))
    flags = (LAST if cards.is_last else 0) | (SIMULATED if cards.is_simulated else 0)
    turn = 0 if cards.turn is None else _code_of(cards.turn)
    has_more = len(kept) + len(events) < len(cards.hands) + len(cards.events)
    if cards.has_more or has_more or (cards.turn is not None and not turn):
        flags |= MORE
    head = struct.pack(
        CARDS_FORMAT,
        messages.VERSION,
        messages.CARDS,
        session,
        counter,
        cards.round,
        cards.first,
        flags,
        turn,
        len(kept),
        len(events),
    )
    said = [bytes([_EVENT_CODES[event], _code_of(place)]) for event, place in events]
    return head + b"".join(told[1:] + told[:1]) + b"".join(said)


def open_cards(
    payload: bytes, address: int, key: bytes, challenges: "Sequence[bytes]"
) -> "tuple[int, int, Cards, int] | None":
    """Returns session, counter and cards of a message, and the place of the challenge that it
    answers, as `open_heartbeat`; None too for what contradicts itself.
    """
    if kind(payload) != messages.CARDS or len(payload) < CARDS_SIZE:
        return None
    size = _size_of(payload)
    if not size:
        return None
    place = answering(payload, size, address, key, challenges)
    cards = None if place is None else _cards_of(payload[:size])
    if place is None or cards is None:
        return None
    session, counter = struct.unpack(CARDS_FORMAT, payload[:CARDS_SIZE])[2:4]
    return session, counter, cards, place


def fits(cards: Cards, game: str) -> bool:
    """Returns whether these are hands of that game."""
    for place, _, _ in cards.hands:
        if (place in (PLAYER, BANKER)) != (game == messages.BACCARAT):
            return False
    return game in (messages.BACCARAT, messages.BLACKJACK)


def _code_of(place: str) -> int:
    """Returns the byte of a place; 0 for one that has none."""
    if place in _PLACE_CODES:
        return _PLACE_CODES[place]
    seat, _, hand = place[1:].partition(".")
    number = int(hand) if hand else 1
    return 16 * int(seat) + number if number <= HANDS_OF_SEAT_MAX else 0


def _place_of(code: int) -> "str | None":
    if code in _PLACE_NAMES:
        return _PLACE_NAMES[code]
    seat, hand = code >> 4, code & 15
    if not 1 <= seat <= 7 or not hand:
        return None
    return "s" + str(seat) + ("" if hand == 1 else "." + str(hand))


def _byte_of(card: int) -> int:
    return {BACK: _BACK_BYTE, DASH: _DASH_BYTE}.get(card, card)


def _card_of(byte: int) -> int:
    return {_BACK_BYTE: BACK, _DASH_BYTE: DASH}.get(byte, byte)


def _size_of(payload: bytes) -> int:
    """Returns how long the message is before its answers; 0 if it ends before that."""
    at = CARDS_SIZE
    for _ in range(payload[CARDS_SIZE - 2]):
        if at + HAND_SIZE > len(payload):
            return 0
        count = payload[at + HAND_SIZE - 1]
        at += HAND_SIZE + (0 if count == _NOT_TOLD else count)
    at += EVENT_SIZE * payload[CARDS_SIZE - 1]
    return at if at <= min(CARDS_MAX, len(payload)) else 0


def _cards_of(told: bytes) -> "Cards | None":
    """Returns what was told, its code checked; None where it contradicts itself."""
    round_, first, flags, turn, hands, events = struct.unpack(CARDS_FORMAT, told[:CARDS_SIZE])[4:]
    if flags & ~(LAST | MORE | SIMULATED) or first > round_ or (turn and _place_of(turn) is None):
        return None
    found: list[Any] = []
    places = []
    at = CARDS_SIZE
    for _ in range(hands):
        place, end, count = _place_of(told[at]), told[at + 1], told[at + 2]
        at += HAND_SIZE
        size = 0 if count == _NOT_TOLD else count
        faces = tuple([_card_of(byte) for byte in told[at : at + size]])
        at += size
        if (
            place is None
            or place in places
            or end not in _END_NAMES
            or not _are_faces(faces, place)
        ):
            return None
        places.append(place)
        found.append((place, _END_NAMES[end], None if count == _NOT_TOLD else faces))
    said = []
    for _ in range(events):
        event, where = _EVENT_NAMES.get(told[at]), _place_of(told[at + 1])
        at += EVENT_SIZE
        if event is None or where is None:
            return None
        said.append((event, where))
    return Cards(
        round_,
        first,
        bool(flags & LAST),
        bool(flags & MORE),
        bool(flags & SIMULATED),
        _place_of(turn) if turn else None,
        tuple(found),
        tuple(said),
    )


def _are_faces(faces: "tuple[int, ...]", place: str) -> bool:
    """Returns whether a hand may have these: a back is the dealer's second card alone."""
    for at in range(len(faces)):
        if faces[at] >= deck.CARDS or (faces[at] == BACK and (place != DEALER or at != 1)):
            return False
    return True
