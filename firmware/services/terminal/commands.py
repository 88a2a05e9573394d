"""What a player types at a terminal, or a script says for him: one order a line.

    rouge 500              a stake: the bet, the numbers it lies on, whole cents
    cheval 1 2 500
    back 3                 takes stake 3 back
    repeat                 lays the stakes of his last coup again, each asked anew
    clear                  takes back all that lies, the last laid first
    on 7 4711              signs on with account 7 and its PIN; off leaves the seat
    main 500               at a card table: a stake at this seat, or at that one: main 3 500
    hit, stand, split, no  what is to be decided now: a card, none, two hands, no insurance
    double, insure         the whole, or so much: double 500
    insert 5000            puts a note of so many cents into the simulated acceptor
    card 7 4711 | pull     puts the card of account 7 into its reader, pulls it out
    help | quit

In a script each may wait for the table: `at BETS_OPEN: rouge 500`, `at coup 2 NO_MORE_BETS: quit`,
`at SETTLED: quit` (payments were heard since the line before), `at DUE: stand` (something is to be
decided at this seat). A line that begins with # is none.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus.messages import STATES
from firmware.bus.terminal import ACCOUNT_MAX, CENTS_MAX
from firmware.bus.terminal_messages import (
    BETS,
    CARD_BETS,
    DECISIONS,
    SignOff,
    SignOn,
    Stake,
    TakeBack,
)
from firmware.keys.players import secret_of
from firmware.lib.errors import FAILED, Failure, of_file
from firmware.lib.language import N_, Message, listed
from firmware.lib.named_file import read_named
from firmware.stakes.terminal_book import account_key

HELP = "help"
QUIT = "quit"
REPEAT = "repeat"
CLEAR = "clear"
PULL = "pull"
SETTLED = "SETTLED"
DUE = "DUE"
SCRIPT_MAX = 1_000_000  # bytes
LINE_MAX = 200  # characters: nobody types more, and an answer stays on one line
# Of cards no others are laid at a seat.
_NOT_HERE = ("behind", "insurance", "insurance_behind")
_BETS = (*(name for _, name in BETS), *(name for _, name in CARD_BETS if name not in _NOT_HERE))
_DECISIONS = {name: name for _, name in DECISIONS} | {"no": "no_insurance"}
_PART = ("double", "insure")  # of which there may be less than the whole
_ALONE = (REPEAT, CLEAR, PULL, "off", HELP, QUIT)  # words of orders that say all
_WORDS = (*_BETS, *_DECISIONS, "back", "on", "insert", "card", *_ALONE)
_STATES = (*(name for _, name in STATES), SETTLED, DUE)
_AT = re.compile(r"at\s+(?:coup\s+(\d+)\s+)?([A-Za-z_]+)\s*:\s*(.*)")
ORDERS = (
    N_("rouge 500 · plein 17 500 · cheval 1 2 500: the bet, its numbers, whole cents"),
    Message("bets: {names}", names=" ".join(_BETS)),
    N_("main 500: a stake at this seat · hit, stand, double, split, insure, no_insurance"),
    N_("repeat: lay the stakes of your last coup again · clear: take back all that lies"),
    N_("back 3: take stake 3 back · on ACCOUNT PIN, off: take or leave the seat · quit"),
    N_("insert 5000: put money in · card ACCOUNT NUMBER, pull: put a card in, pull it out"),
)


class WrongOrder(Exception):
    """An order that is none: the text says why."""


class Insert(NamedTuple):
    """A note is put into the acceptor."""

    cents: int


class Card(NamedTuple):
    """A card is put into the reader."""

    account: int
    secret: str


class Decision(NamedTuple):
    """What is to be decided is decided so. `cents`: of a double or an insurance; 0: the whole."""

    do: str
    cents: int


class Order(NamedTuple):
    """What to do (an ask of terminal_messages.py, Insert, Card, Decision, or REPEAT, CLEAR, PULL,
    HELP, QUIT), and when; None: at once."""

    do: Any
    state: str | None = None
    coup: int | None = None


def parse(line: str) -> Order | None:
    """Returns the order on a line; None for an empty one. Raises WrongOrder."""
    text = line.strip()
    if not text or text.startswith("#"):
        return None
    if len(text) > LINE_MAX:
        raise WrongOrder(Message("an order has {most} characters at most", most=LINE_MAX))
    if text.split()[0] != "at":
        return Order(_ask(text))
    found = _AT.fullmatch(text)
    if found is None:
        raise WrongOrder(Message("write: at STATE: ORDER, or: at coup 2 STATE: ORDER"))
    coup, state, rest = found.groups()
    if state not in _STATES:
        raise WrongOrder(
            Message('there is no state "{state}"', state=state) + _meant(state, _STATES)
        )
    return Order(_ask(rest), state, None if coup is None else int(coup))


def read_script(path: Path) -> list[Order]:
    """Returns the orders of a script. Raises Failure naming every line that is none."""
    try:
        lines = read_named(path, SCRIPT_MAX, own_handles=True).decode().splitlines()
    except OSError as error:
        raise of_file(path, error) from error
    except UnicodeDecodeError as error:
        raise Failure(
            FAILED, Message("{path}: this is not UTF-8 text. Save it as UTF-8.", path=path)
        ) from error
    orders, mistakes = [], []
    for number, line in enumerate(lines, 1):
        try:
            order = parse(line)
        except WrongOrder as error:
            mistakes.append(Message("{}:{}: {}.", path, number, str(error)))
        else:
            if order is not None:
                orders.append(order)
    if mistakes:
        raise Failure(FAILED, listed(mistakes, "\n"))
    return orders


def _ask(text: str) -> Any:
    words = text.split()
    word = words[0].lower() if words else ""
    if word in _ALONE:
        if len(words) > 1:
            raise WrongOrder(Message('"{word}" stands alone', word=word))
        return SignOff() if word == "off" else word
    if word in ("on", "card"):
        if len(words) != 3:
            example = Message("{word} 7 4711", word=word)
            raise WrongOrder(
                Message("write an account and its PIN or card: {example}", example=example)
            )
        account = _account(words[1])
        return sign_on(account, words[2]) if word == "on" else Card(account, words[2])
    if word in _DECISIONS:
        return _decision(word, words[1:])
    if word == "insert":
        if len(words) != 2:
            raise WrongOrder(Message("write how much, in whole cents: {word} 500", word=word))
        return Insert(_cents(words[1]))
    if word == "back":
        if len(words) != 2 or not words[1].isascii() or not words[1].isdigit():
            raise WrongOrder(Message("write which stake comes back, by its number: back 3"))
        return TakeBack(int(words[1]))
    if word not in _BETS:
        raise WrongOrder(Message('there is no order "{word}"', word=word) + _meant(word, _WORDS))
    if len(words) < 2:
        raise WrongOrder(Message("write how much, in whole cents: {word} 500", word=word))
    numbers = [_number(given) for given in words[1:-1]]
    return Stake(0, word, _cents(words[-1]), tuple(sorted(numbers)))


def _decision(word: str, given: list[str]) -> Decision:
    if len(given) > (1 if word in _PART else 0):
        raise WrongOrder(Message('"{word}" stands alone', word=word))
    return Decision(_DECISIONS[word], _cents(given[0]) if given else 0)


def check_account(account: int, word: str) -> None:
    """Raises WrongOrder for a number that no account has, given as that word."""
    if not 0 < account <= ACCOUNT_MAX:
        raise WrongOrder(Message('there is no account "{word}"', word=word))


def sign_on(account: int, secret: str) -> SignOn:
    """Returns what signs on with a PIN or card. Raises WrongOrder."""
    try:
        return SignOn(account, account_key(secret_of(secret), account))
    except ValueError as error:
        raise WrongOrder(error.args[0]) from None


def _account(word: str) -> int:
    account = int(word) if re.fullmatch(r"[0-9]{1,10}", word) else 0
    check_account(account, word)
    return account


def _cents(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,12}", word) or not 0 < int(word) <= CENTS_MAX:
        raise WrongOrder(
            Message(
                'an amount is whole cents, as 500, from 1 to {most}, not "{word}"',
                most=CENTS_MAX,
                word=word,
            )
        )
    return int(word)


def _number(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", word):
        raise WrongOrder(Message('a number on the cloth is written as 17, not "{word}"', word=word))
    return int(word)


def _meant(word: str, known: tuple[str, ...]) -> Message:
    near = difflib.get_close_matches(word, known, n=1)
    return (
        Message(': did you mean "{word}"?', word=near[0]) if near else Message("; help lists them")
    )
