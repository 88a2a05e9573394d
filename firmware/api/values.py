"""What each value from outside must be to be believed.

A check takes a value and the wheel's highest number, gives what is believed, or raises Refused.
"""

import unicodedata
from typing import Any, NamedTuple

from firmware.bus.mac import KEY_SIZE
from firmware.bus.messages import ADDRESS_MAX
from firmware.core.coup.maintenance import SPEEDS_UTURN_S, TURN_MAX_US
from firmware.core.facts import CCW, CW, UNKNOWN
from firmware.core.health.codes import ACKNOWLEDGED
from firmware.lib.language import Message
from firmware.stakes.accounts import ACCOUNTS_MAX, JUDGED
from firmware.store.acts import CROUPIER_MAX, SERVICE_ACTS
from rules.cards import deck
from rules.cards.due import DECISIONS
from rules.limits import CENTS_MAX, WrongInput

WORD_MAX = 64  # no name and no PIN is longer (firmware/keys/people.py)
WHY_MAX = 200
DETAIL_MAX = 400
RECEIPT_MAX = 600  # firmware/store/receipts.py makes some 300
DEVICE_MAX = 400  # what firmware/keys/device_tokens.py makes takes 327
COUP_MAX = 2**32 - 1  # as in firmware/bus/record.py
CARDS_MAX = 120  # of one round: more than seven seats with four hands each ever take
DECISIONS_MAX = 120
PLACE_MAX = 14  # seats of the largest card table, and more hands than any seat has
COLOURS = ("red", "black", "green", "yellow", "white")
# What an act may be about: with a detail, and of the wheel itself, where it need not have one.
DETAILED_ACTS = ("selftest", "calibration", "config", "update", "flash", "support", "note")
ACTS = (*DETAILED_ACTS, *(act.what for act in SERVICE_ACTS))
_UTURN_S_RPM = 1_000_000 / 60


class Refused(Exception):
    """A request that is not carried out: a code for programs, a text and a remedy for people."""

    def __init__(self, code: str, text: str, remedy: str, told: str | None = None) -> None:
        """`told`: whom a wrong PIN was given for, which is to be told as fault P12."""
        super().__init__(text)
        self.error = {"code": code, "text": text, "remedy": remedy}
        self.told = told


class Claim(NamedTuple):
    """Who says to be whom. Its PIN is for the check alone, and is not printed."""

    name: str
    pin: str

    def __repr__(self) -> str:
        return f"Claim({self.name!r})"


def number(value: Any, number_max: int) -> int:
    """Returns a number of the wheel."""
    if type(value) is not int or not 0 <= value <= number_max:
        raise Refused(
            "no_such_number",
            Message("This wheel has no such number."),
            Message("Send a whole number from 0 to {number_max}.", number_max=number_max),
        )
    return value


def number_or_void(value: Any, number_max: int) -> int | None:
    """Returns a number, or None for a void."""
    return None if value is None else number(value, number_max)


def coup(value: Any, _: int) -> int:
    """Returns the number of a coup."""
    if type(value) is not int or not 0 < value <= COUP_MAX:
        raise _wrong("coup", Message("the number of a coup"))
    return value


def round_number(value: Any, _: int) -> int:
    """Returns the number of a round of cards."""
    if type(value) is not int or not 0 < value <= COUP_MAX:
        raise _wrong("round", Message("the number of a round"))
    return value


def card(value: Any, _: int) -> int:
    """Returns a card of a text, "TH" for the ten of hearts."""
    try:
        return deck.card_of(value)
    except WrongInput:
        raise _wrong("card", Message('a card, as "TH" for the ten of hearts')) from None


def key(value: Any, _: int) -> str:
    """Returns the name of a key; which there are, firmware/core/cards/facts.py says."""
    return _text("key", value, WORD_MAX)


def cards_or_void(value: Any, number_max: int) -> tuple[int, ...] | None:
    """Returns the cards of a round in their order, or None for a void."""
    if value is None:
        return None
    if not isinstance(value, list) or not 0 < len(value) <= CARDS_MAX:
        raise _wrong("cards", Message("a list of 1 to {most} cards, or null", most=CARDS_MAX))
    return tuple(card(each, number_max) for each in value)


def decisions(value: Any, _: int) -> tuple[dict[str, Any], ...]:
    """Returns what was decided in a round, in its order; the rules judge whether it may be."""
    wants = Message(
        "a list of at most {most} objects with seat, hand and do, perhaps with cents",
        most=DECISIONS_MAX,
    )
    if not isinstance(value, list) or len(value) > DECISIONS_MAX:
        raise _wrong("decisions", wants)
    if not all(_is_decision(each) for each in value):
        raise _wrong("decisions", wants)
    return tuple(value)


def _is_decision(value: Any) -> bool:
    if not isinstance(value, dict) or set(value) - {"cents"} != {"seat", "hand", "do"}:
        return False
    places = [value["seat"], value["hand"]]
    return (
        all(type(place) is int and 0 < place <= PLACE_MAX for place in places)
        and value["do"] in DECISIONS
        and (
            "cents" not in value
            or (type(value["cents"]) is int and 0 < value["cents"] <= CENTS_MAX)
        )
    )


def colour(value: Any, _: int) -> str | None:
    """Returns a colour of a compartment, or None."""
    if value is not None and value not in COLOURS:
        raise _wrong("colour", Message("one of {names}", names=", ".join(COLOURS)))
    found: str | None = value
    return found


def why(value: Any, _: int) -> str:
    """Returns a reason in words."""
    return _text("why", value, WHY_MAX)


def present(value: Any, _: int) -> bool:
    """Returns whether somebody is there."""
    if type(value) is not bool:
        raise _wrong("present", Message("true or false"))
    return value


def terminal(value: Any, _: int) -> int:
    """Returns the address of a terminal."""
    if type(value) is not int or not 0 < value <= ADDRESS_MAX:
        raise _wrong("terminal", Message("an address from 1 to {most}", most=ADDRESS_MAX))
    return value


def account(value: Any, _: int) -> int:
    """Returns the number of a player's account."""
    if type(value) is not int or not 0 < value <= ACCOUNTS_MAX:
        raise _wrong("account", Message("the number of an account"))
    return value


def cents(value: Any, _: int) -> int:
    """Returns an amount of money."""
    if type(value) is not int or not 0 < value <= CENTS_MAX:
        raise _wrong("cents", Message("whole cents from 1 to {cents_max}", cents_max=CENTS_MAX))
    return value


def player(value: Any, _: int) -> str:
    """Returns the name of a player."""
    return _text("player", value, WORD_MAX)


def secret(value: Any, _: int) -> bytes:
    """Returns what a player's PIN or card makes (firmware/keys/players.py)."""
    try:
        found = bytes.fromhex(value)
    except (TypeError, ValueError):
        found = b""
    if len(found) != KEY_SIZE:
        raise _wrong("secret", Message("{count} bytes in hexadecimal", count=KEY_SIZE))
    return found


def ref(value: Any, _: int) -> str:
    """Returns what a client calls its request."""
    return _text("ref", value, WORD_MAX)


def receipt_number(value: Any, _: int) -> int:
    """Returns the number of a receipt."""
    if type(value) is not int or not 0 < value <= COUP_MAX:
        raise _wrong("receipt", Message("the number of a receipt"))
    return value


def receipt(value: Any, _: int) -> str:
    """Returns a receipt in base64; what it says the core judges."""
    return _text("receipt", value, RECEIPT_MAX)


def judgement(value: Any, _: int) -> str:
    """Returns what a member of the management decides of an account (art. 20-3 c)."""
    if value not in JUDGED:
        raise _wrong("what", Message("one of {names}", names=", ".join(JUDGED)))
    found: str = value
    return found


def session(value: Any, _: int) -> str:
    """Returns the token of a session."""
    return _text("session", value, WORD_MAX)


def on(value: Any, _: int) -> bool:
    """Returns true or false: on or off."""
    if type(value) is not bool:
        raise _wrong("on", Message("true or false"))
    return value


def way(value: Any, _: int) -> int:
    """Returns CCW, CW, or UNKNOWN for null."""
    ways = {"ccw": CCW, "cw": CW, None: UNKNOWN}
    if not (value is None or isinstance(value, str)) or value not in ways:
        raise _wrong("way", Message('"ccw", "cw" or null'))
    return int(ways[value])


def speed(value: Any, _: int) -> int:
    """Turns a minute as micro-turns a second."""
    low, high = (round(limit / _UTURN_S_RPM) for limit in SPEEDS_UTURN_S)
    if type(value) not in (int, float) or not low <= value <= high:
        raise _wrong("rpm", Message("turns a minute from {low} to {high}", low=low, high=high))
    return int(min(max(round(value * _UTURN_S_RPM), SPEEDS_UTURN_S[0]), SPEEDS_UTURN_S[1]))


def for_us(value: Any, _: int) -> int:
    """Returns seconds as microseconds."""
    most_s = TURN_MAX_US // 1_000_000
    if type(value) not in (int, float) or not 1 <= value <= most_s:
        raise _wrong("for_s", Message("seconds from 1 to {most_s}", most_s=most_s))
    found: int = round(value * 1_000_000)
    return found


def what(value: Any, _: int) -> str:
    """Returns what an act is about."""
    if value not in ACTS:
        raise _wrong("what", Message("one of {names}", names=", ".join(ACTS)))
    return str(value)


def acknowledged(value: Any, _: int) -> str:
    """Returns the code of a fault that a supervisor may acknowledge."""
    if value not in ACKNOWLEDGED:
        raise _wrong("code", Message("one of {names}", names=", ".join(ACKNOWLEDGED)))
    return str(value)


def croupier(value: Any, _: int) -> int:
    """Returns a croupier's number on the house's own list; 0: it is not said who throws."""
    if type(value) is not int or not 0 <= value <= CROUPIER_MAX:
        raise _wrong("croupier", Message("a whole number from 0 to {}", CROUPIER_MAX))
    return value


def detail(value: Any, _: int) -> str:
    """Returns what was done, in words."""
    return _text("detail", value, DETAIL_MAX)


def sha256(value: Any, _: int) -> str:
    """Returns a hash in hexadecimal."""
    if not isinstance(value, str) or len(value) != 64 or not set(value) <= set("0123456789abcdef"):
        raise _wrong("sha256", Message("64 hexadecimal digits"))
    return value


def claim(key: str, value: Any) -> Claim:
    """Returns somebody who signs: {"name": ..., "pin": ...}."""
    if not isinstance(value, dict) or set(value) != {"name", "pin"}:
        raise _wrong(key, Message('{"name": ..., "pin": ...}'))
    # One form for one name, whichever way a keyboard makes its accents.
    name = unicodedata.normalize("NFC", _text(key, value["name"], WORD_MAX))
    return Claim(name, _text(key, value["pin"], WORD_MAX))


def person(value: Any, _: int) -> Claim:
    """Returns who logs in."""
    return claim("person", value)


def device(value: Any, _: int) -> str:
    """Returns what a browser keeps of having known a PIN; "" for one that keeps nothing."""
    if not isinstance(value, str) or len(value) > DEVICE_MAX or not value.isascii():
        raise _wrong("device", Message("what the last login gave, or an empty text"))
    return value


def calibration(value: Any, _: int) -> dict[str, Any]:
    """Values of a calibration; firmware/store/calibration.py judges them."""
    if not isinstance(value, dict):
        raise _wrong("values", Message("an object"))
    return value


def _text(key: str, value: Any, length_max: int) -> str:
    text = value.strip() if isinstance(value, str) else ""
    if not 0 < len(text) <= length_max or not text.isprintable():
        raise _wrong(
            key, Message("a text of 1 to {length_max} printable characters", length_max=length_max)
        )
    return text


def _wrong(key: str, wants: str) -> Refused:
    return Refused(
        "wrong_value",
        Message('"{key}" is not as it must be.', key=key),
        Message("Send {wants}.", wants=wants),
    )
