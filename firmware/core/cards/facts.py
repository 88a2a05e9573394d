"""What a card table is told and what it answers, as records.

In and out as firmware/core/facts.py, of which these serve here too. In: Tick, Recorded, VoidAsked,
ConfirmAsked, ClearAsked, EmployeePresent, Trouble, TroubleEnded. Out: Record, Fault, FaultEnded.

A card is a whole number 0..51 of rules/cards/deck.py. A place is where next_card sends a card:
"s3", "s3.2" (its second hand), "d", "d*" (the hole card), "P", "B" (rules/cards/round.py); here
also BURN.
Times are microseconds of the one monotonic clock. Money is whole cents.
"""

from firmware.core.cards import readers
from firmware.shims.typed import Any, NamedTuple, Sequence

# How a card was read.
SHOE: str = readers.SHOE
BARCODE: str = readers.BARCODE
PEOPLE: str = readers.PEOPLE

# A place of no round: the card is put away, face down.
BURN = "burn"

# What may be wrong with a shoe.
JAM = "jam"
SILENT = "silent"  # it does not answer
LYING = "lying"  # what it says contradicts itself: a broken frame, a number that goes back
SHOE_TROUBLES = (JAM, SILENT, LYING)

# The croupier's keyboard (CARDS section 5), in French on its caps.
KEY_START = "start"
KEY_NO_MORE_BETS = "no_more_bets"  # RIEN NE VA PLUS; also ends the time for insurance
KEY_CONFIRM = "confirm"
KEY_VOID = "void"
KEY_BURN = "burn"
KEY_EXPOSED = "exposed"  # the card that nobody asked for was seen by players
KEY_CUT = "cut"  # the cut card came
KEY_TURNED = "turned"  # the hole card lies face up
KEY_CARD = "card"  # CARTE
KEY_STAND = "stand"  # RESTE; with a seat's key before, while insurance is offered: none
KEY_DOUBLE = "double"
KEY_PAIR = "pair"  # PAIRE: splits
KEY_INSURANCE = "insurance"  # ASSURANCE, after the seat's key
SEAT_KEYS = ("seat_1", "seat_2", "seat_3", "seat_4", "seat_5", "seat_6", "seat_7")
KEYS = (
    KEY_START,
    KEY_NO_MORE_BETS,
    KEY_CONFIRM,
    KEY_VOID,
    KEY_BURN,
    KEY_EXPOSED,
    KEY_CUT,
    KEY_TURNED,
    KEY_CARD,
    KEY_STAND,
    KEY_DOUBLE,
    KEY_PAIR,
    KEY_INSURANCE,
) + SEAT_KEYS

# The two key switches, as the lines of a wheel (firmware/core/coup/manual.py).
SWITCH_CROUPIER = "key_croupier"
SWITCH_MANAGEMENT = "key_management"
SWITCHES = (SWITCH_CROUPIER, SWITCH_MANAGEMENT)

# Who decided, beside a terminal, which is named by its number.
BY_KEYS = "keys"
BY_TIME = "time"

# --- in -----------------------------------------------------------------------------------------
# A card came out of the shoe, whole. n: the reader's number of it, one more than of the card before
# since its boot; card: None where it cannot be read; ident: what tells it from its likes, "" where
# it has none; SET-NUMBER where its set is marked ("S17-0345"); how: SHOE, BARCODE or PEOPLE.
CardRead = NamedTuple(
    "CardRead", [("at_us", int), ("n", int), ("card", "int | None"), ("ident", str), ("how", str)]
)
# A card went back into the shoe, or what was typed is taken back. n: its number, if it was the last
# one out, or one of these two; how: who numbered it, as in its CardRead.
NEVER_OUT = 0
UNKNOWN = -1  # it was out, and nobody can say which it is
CardPulledBack = NamedTuple("CardPulledBack", [("at_us", int), ("n", int), ("how", str)])
CutCardSeen = NamedTuple("CutCardSeen", [("at_us", int)])
ShoeEmpty = NamedTuple("ShoeEmpty", [("at_us", int)])
# what: of SHOE_TROUBLES; detail: what its sentence is filled with.
ShoeTrouble = NamedTuple("ShoeTrouble", [("at_us", int), ("what", str), ("detail", str)])
ShoeTroubleEnded = NamedTuple("ShoeTroubleEnded", [("at_us", int), ("what", str)])
# The shoe at the table says what it is. boot: another as it starts anew, and n begins with 1 again;
# n: of the last card that came out before the CardRead to come, told to a controller that is no
# more, too.
ShoeLoaded = NamedTuple(
    "ShoeLoaded",
    [
        ("at_us", int),
        ("model", str),
        ("serial", str),
        ("decks", int),
        ("boot", int),
        ("is_authenticated", bool),  # each of its frames has the MAC of the shoe's key
        ("n", int),
    ],
)
# What was still in a shoe, counted as it was unloaded. counts: 52 numbers, by card.
ShoeCounted = NamedTuple("ShoeCounted", [("at_us", int), ("counts", "Sequence[int]")])
# Two people say that the count of the shoe is right, or that its cards were changed.
CountConfirmed = NamedTuple(
    "CountConfirmed", [("at_us", int), ("who", str), ("manager", str), ("why", str)]
)
# key: of KEYS, pressed alone and let go (drivers/croupier_keyboard.py).
KeyPressed = NamedTuple("KeyPressed", [("at_us", int), ("key", str)])
# switch: of SWITCHES; on: turned, or turned back.
KeySwitched = NamedTuple("KeySwitched", [("at_us", int), ("switch", str), ("on", bool)])
# What lies on the cloth before the cards, all of it: each StakesLaid replaces the one before.
# stakes: dicts {"player", "seat", "bet", "cents"[, "follow", "funds_cents"]}.
StakesLaid = NamedTuple("StakesLaid", [("at_us", int), ("stakes", "Sequence[dict[str, Any]]")])
# Players at terminals have laid or taken back something: the book knows what.
StakesChanged = NamedTuple("StakesChanged", [("at_us", int)])
# do: "hit", "stand", "double", "split", "insure", "no_insurance"; cents: where less than the whole
# is added, else None; seen: how many cards of the round who decided had been told of (Guide), None:
# all there are; by: the terminal's number as text, or BY_KEYS.
DecisionMade = NamedTuple(
    "DecisionMade",
    [
        ("at_us", int),
        ("seat", int),
        ("hand", int),
        ("do", str),
        ("cents", "int | None"),
        ("seen", "int | None"),
        ("by", str),
    ],
)
# Two people enter the card that could not be read (as art. 67-5; firmware/core/coup/manual.py).
CardEntered = NamedTuple(
    "CardEntered", [("at_us", int), ("card", int), ("who", str), ("manager", str), ("why", str)]
)
# Two people have an exposed card burned, and the round go on.
BurnAsked = NamedTuple("BurnAsked", [("at_us", int), ("who", str), ("manager", str), ("why", str)])
# The croupier reads the round again from its first card: one was drawn and not read.
RescanAsked = NamedTuple("RescanAsked", [("at_us", int), ("who", str)])
# A round that has ended is to stand otherwise. cards: those of the round, in order; None makes it
# void; decisions: {"seat", "hand", "do"[, "cents"]} in order, None: as they are recorded.
RoundCorrectionAsked = NamedTuple(
    "RoundCorrectionAsked",
    [
        ("at_us", int),
        ("round", int),
        ("cards", "Sequence[int] | None"),
        ("decisions", "Sequence[dict[str, Any]] | None"),
        ("who", str),
        ("manager", str),
        ("why", str),
    ],
)
# A member of the management knows of the Gold Jack: it may be paid.
Acknowledged = NamedTuple("Acknowledged", [("at_us", int), ("manager", str)])

# --- out: facts -----------------------------------------------------------------------------------
RoundStarted = NamedTuple("RoundStarted", [("at_us", int), ("round", int)])
BetsClosed = NamedTuple(
    "BetsClosed", [("at_us", int), ("round", int), ("count", int), ("total_cents", int)]
)
# A card is accepted for a place: `k`-th of its round. The hole card's is None until HoleTurned.
CardDealt = NamedTuple(
    "CardDealt",
    [("at_us", int), ("round", int), ("k", int), ("to", str), ("card", "int | None")],
)
HoleTurned = NamedTuple("HoleTurned", [("at_us", int), ("round", int), ("k", int), ("card", int)])
# With an ace up: whether the hole card makes a Black Jack, and nothing more.
HoleChecked = NamedTuple("HoleChecked", [("at_us", int), ("round", int), ("is_black_jack", bool)])
# A decision counts; `n`-th of its round; seen: so many cards lay before it; cents: as they were
# said, of a double or an insurance that may be less than the whole.
Engaged = NamedTuple(
    "Engaged",
    [
        ("at_us", int),
        ("round", int),
        ("n", int),
        ("seat", int),
        ("hand", int),
        ("do", str),
        ("by", str),
        ("seen", int),
        ("cents", "int | None"),
    ],
)
# A durable end. payments: rules.cards.round.CardPayment in the order of payment; held: those of
# them that wait for the management (Gold Jack), as indices.
RoundResult = NamedTuple(
    "RoundResult",
    [
        ("at_us", int),
        ("round", int),
        ("seq", int),
        ("outcome", "dict[str, Any]"),
        ("seal", str),  # of the cards, 64 hexadecimal digits: firmware/stakes/card_seal.py
        ("verified", bool),  # no card of it was entered by people
        ("payments", "Sequence[Any]"),
        ("held", "Sequence[int]"),
    ],
)
# What waited for the management is paid.
HeldPaid = NamedTuple(
    "HeldPaid", [("at_us", int), ("round", int), ("manager", str), ("payments", "Sequence[Any]")]
)
# Everything of the round goes back. returned: (player, bet, seat, hand, cents).
RoundVoid = NamedTuple(
    "RoundVoid",
    [
        ("at_us", int),
        ("round", int),
        ("seq", int),
        ("reason", str),
        ("returned", "Sequence[tuple[str, str, int, int, int]]"),
    ],
)
# What stands for a round from now on: an outcome with its payments, or a void's reason; the other
# is None. `corrects`: the seq of what stood before.
RoundCorrection = NamedTuple(
    "RoundCorrection",
    [
        ("at_us", int),
        ("round", int),
        ("seq", int),
        ("corrects", int),
        ("outcome", "dict[str, Any] | None"),
        ("reason", "str | None"),
        ("payments", "Sequence[Any]"),
        ("held", "Sequence[int]"),
        ("cards", "Sequence[int]"),  # as the round stands now, in the order of the deal
        ("decisions", "Sequence[Any]"),  # seat, hand, what, cents or None
    ],
)

# --- out: orders, for the loop --------------------------------------------------------------------
# Whether a card may leave the shoe: a brake where it has one, else a lamp.
Release = NamedTuple("Release", [("is_on", bool)])
# For the croupier's screen: what is due, one of the codes below; args: (name, value) pairs; seen:
# cards of the round that are accepted, for DecisionMade; until_us: when time is up, or None. With
# each code, once the cut card came: last, True: the round is the last of its shoe.
Guide = NamedTuple(
    "Guide",
    [
        ("at_us", int),
        ("code", str),
        ("args", "Sequence[tuple[str, Any]]"),
        ("seen", int),
        ("until_us", "int | None"),
    ],
)
# What stands there of a card that people type and that does not count yet. rank and suit: a letter
# of rules/cards/deck.py, or "" while it is not typed.
CardTyped = NamedTuple("CardTyped", [("at_us", int), ("rank", str), ("suit", str)])
# The codes of a Guide.
LOAD = "load"  # put a shoe at the table, press START
COUNT = "count"  # count what is left in the shoe, or have two people confirm it
BURNING = "burning"  # burned, of: so many of so many; by_key, True: BURN says that one is
BETS = "bets"  # seats: those with a stake
# to: where the next card goes; then: the one after it, or None; points: the dealer's, while he
# draws.
DEAL = "deal"
LATE = "late"  # as DEAL, which has been awaited for long
# seats: those still to answer; seat: the one whose key was pressed, if one was; at_terminals: those
# that answer at a terminal, if some do.
INSURE = "insure"
DECIDE = "decide"  # seat, hand, points, choices; at_terminal, True: it decides there
TURN = "turn"  # turn the hole card up, press TURNED
GOLD_JACK_POSSIBLE = "gold_jack_possible"  # to be announced at once
GOLD_JACK = "gold_jack"  # payments: (seat, player, won_cents) that wait for the management
CONFIRM = "confirm"  # press CONFIRM; points: the dealer's, at black jack
RECORDING = "recording"  # the round's end is being recorded
HELD = "held"  # why: SHOE_TROUBLES or of hold.py; to: the place due, or None; failures; ways
NEXT = "next"  # press START
BURN_ALL = "burn_all"  # reason: the round is void; its cards are burned, then as NEXT
LOCKED = "locked"  # out of play until cleared
# What ends a hold.
AGAIN = "again"  # the same card once more over the reader
ENTER = "enter"  # the croupier and the management enter the card
PUT_AWAY = "put_away"  # BURN: nobody has seen it
SHOW = "show"  # EXPOSED: players have seen it
BURN_BY_TWO = "burn_by_two"  # the croupier and the management have it burned
ON = "on"  # CONFIRM: the cloth lies as the screen says
RESCAN = "rescan"
MAKE_VOID = "void"
WAYS = (AGAIN, ENTER, PUT_AWAY, SHOW, BURN_BY_TWO, ON, RESCAN, MAKE_VOID)

# What the displays may show from now on. hands: (place, cards) in the order of the deal, the
# dealer's last; a card there is 0..51, BACK or DASH. points: (place, "7/17"). turn: the place whose
# decision or card is awaited, or None. outcome and reason: None unless durable; the hands are the
# outcome's then. events: (one of EVENTS, place), of side bets that lie there alone. is_last: the
# round is the last of its shoe. first: the first round of that shoe; 0: none has begun.
BACK = -1  # the hole card
DASH = -2  # a card that is held
# What falls beside the hands: a seat's first two cards are a Perfect Pair, it is insured; the
# dealer's cards may make or make a Super-Jack; a Dragon Bonus wins, by so many points.
INSURED = "insured"
PAIRS = ("pair_perfect", "pair_colour", "pair_mixed")
SUPER_JACKS = ("super_black", "super_silver", "super_gold")
DRAGON_NATURAL = "dragon_natural"
DRAGONS = ("dragon_4", "dragon_5", "dragon_6", "dragon_7", "dragon_8", "dragon_9")
EVENTS = (GOLD_JACK_POSSIBLE, INSURED) + PAIRS + SUPER_JACKS + (DRAGON_NATURAL,) + DRAGONS
CardView = NamedTuple(
    "CardView",
    [
        ("state", str),
        ("round", int),
        ("seq", int),
        ("hands", "Sequence[tuple[str, Sequence[int]]]"),
        ("points", "Sequence[tuple[str, str]]"),
        ("turn", "str | None"),
        ("outcome", "dict[str, Any] | None"),
        ("reason", "str | None"),
        ("events", "Sequence[tuple[str, str]]"),
        ("is_last", bool),
        ("first", int),
    ],
)
