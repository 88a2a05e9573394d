"""What a player types at a terminal, or a script says for him: one order a line.

    rouge 500              a stake: the bet, the numbers it lies on, whole cents
    cheval 1 2 500
    back 3                 takes stake 3 back
    on anna | off          signs on, leaves the seat
    help | quit

In a script each may wait for the table: `at BETS_OPEN: rouge 500`, `at coup 2 NO_MORE_BETS: quit`,
`at SETTLED: quit` (payments were heard since the line before). A line that begins with # is none.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus.messages import STATES
from firmware.bus.terminal import CENTS_MAX
from firmware.bus.terminal_messages import BETS, SignOff, SignOn, Stake, TakeBack
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import Message
from firmware.lib.named_file import read_named

HELP = "help"
QUIT = "quit"
SETTLED = "SETTLED"
SCRIPT_MAX = 1_000_000  # bytes
LINE_MAX = 200  # characters: nobody types more, and an answer stays on one line
_BETS = tuple(name for _, name in BETS)
_WORDS = (*_BETS, "back", "on", "off", HELP, QUIT)
_STATES = (*(name for _, name in STATES), SETTLED)
_AT = re.compile(r"at\s+(?:coup\s+(\d+)\s+)?([A-Za-z_]+)\s*:\s*(.*)")
ORDERS = (
    "rouge 500 · plein 17 500 · cheval 1 2 500: the bet, its numbers, whole cents",
    f"bets: {' '.join(_BETS)}",
    "back 3: take stake 3 back · on NAME, off: take or leave the seat · quit",
)


class WrongOrder(Exception):
    """An order that is none: the text says why."""


class Order(NamedTuple):
    """What to do (an ask of terminal_messages.py, HELP or QUIT), and when; None: at once."""

    do: Any
    state: str | None = None
    coup: int | None = None


def parse(line: str) -> Order | None:
    """Returns the order on a line; None for an empty one. Raises WrongOrder."""
    text = line.strip()
    if not text or text.startswith("#"):
        return None
    if len(text) > LINE_MAX:
        raise WrongOrder(f"an order has {LINE_MAX} characters at most")
    if text.split()[0] != "at":
        return Order(_ask(text))
    found = _AT.fullmatch(text)
    if found is None:
        raise WrongOrder("write: at STATE: ORDER, or: at coup 2 STATE: ORDER")
    coup, state, rest = found.groups()
    if state not in _STATES:
        raise WrongOrder(f'there is no state "{state}"{_meant(state, _STATES)}')
    return Order(_ask(rest), state, None if coup is None else int(coup))


def read_script(path: Path) -> list[Order]:
    """Returns the orders of a script. Raises Failure naming every line that is none."""
    try:
        lines = read_named(path, SCRIPT_MAX, own_handles=True).decode().splitlines()
    except OSError as error:
        raise Failure(FAILED, Message("{}: {}.", path, cause(error))) from error
    except UnicodeDecodeError as error:
        raise Failure(FAILED, f"{path}: this is not UTF-8 text. Save it as UTF-8.") from error
    orders, mistakes = [], []
    for number, line in enumerate(lines, 1):
        try:
            order = parse(line)
        except WrongOrder as error:
            mistakes.append(f"{path}:{number}: {error}.")
        else:
            if order is not None:
                orders.append(order)
    if mistakes:
        raise Failure(FAILED, "\n".join(mistakes))
    return orders


def _ask(text: str) -> Any:
    words = text.split()
    word = words[0].lower() if words else ""
    if word in (HELP, QUIT, "off"):
        if len(words) > 1:
            raise WrongOrder(f'"{word}" stands alone')
        return SignOff() if word == "off" else word
    if word == "on":
        if len(words) < 2:
            raise WrongOrder("write who signs on: on anna")
        return SignOn(" ".join(words[1:]))
    if word == "back":
        if len(words) != 2 or not words[1].isascii() or not words[1].isdigit():
            raise WrongOrder("write which stake comes back, by its number: back 3")
        return TakeBack(int(words[1]))
    if word not in _BETS:
        raise WrongOrder(f'there is no order "{word}"{_meant(word, _WORDS)}')
    if len(words) < 2:
        raise WrongOrder(f"write how much, in whole cents: {word} 500")
    numbers = [_number(given) for given in words[1:-1]]
    return Stake(0, word, _cents(words[-1]), tuple(sorted(numbers)))


def _cents(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,12}", word) or not 0 < int(word) <= CENTS_MAX:
        raise WrongOrder(f'an amount is whole cents, as 500, from 1 to {CENTS_MAX}, not "{word}"')
    return int(word)


def _number(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", word):
        raise WrongOrder(f'a number on the cloth is written as 17, not "{word}"')
    return int(word)


def _meant(word: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f': did you mean "{near[0]}"?' if near else "; help lists them"
