"""Stakes and an outcome as a person or a program hands them in: read, settled, told.

The form is fixed in contracts/commands.md. What is malformed is a Failure with one sentence before
anything is printed; a stake that the regulation refuses is an answer.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import rules
from firmware.config.layout_file import LayoutError, load
from firmware.lib.errors import CONFIGURATION, FAILED, Failure
from firmware.stakes.seal import BrokenSeal, payments
from firmware.store.reader import sealed
from firmware.store.rows import JournalError
from firmware.text.money import payment_words, place
from rules import announce
from rules.limits import WORD_MAX, Table, WrongInput, open_table, quoted
from rules.settle import Payment, Refusal, accept, colour_of, settle

INPUT_MAX = 64 * 2**20  # bytes: some half a million stakes; more is not one coup
_REQUIRED = ("rules", "minimum_cents", "number", "stakes")
_KEYS = (*_REQUIRED, "compartment", "maximum_multiples", "table_minimum_cents")


class Settled(NamedTuple):
    """One coup settled: `announcement` in French and English, payments, refusals.

    `unverified`: the colour is that of a compartment in an order that nobody has verified.
    """

    announcement: tuple[str, str]
    payments: list[Payment]
    refused: list[Refusal]
    unverified: bool = False


def load_rules(name: str, layout: Path | None, exit_code: int = FAILED) -> dict[str, Any]:
    """The game called `name`, with an establishment's layout. Raises Failure.

    `exit_code` of the Failure for an unknown name; a layout that cannot be used is CONFIGURATION.
    """
    if name not in rules.NAMES:
        raise Failure(exit_code, f"There is no game {quoted(name)}; {_meant(name, rules.NAMES)}")
    game = rules.load(name)
    if layout is None:
        return game
    try:
        return rules.load(name, load(layout, game["apparatus"]))
    except LayoutError as error:
        raise Failure(CONFIGURATION, "\n".join(error.sentences)) from error


def read(file: BinaryIO, name: str) -> dict[str, Any]:
    """The object in a JSON file called `name`, its keys checked. Raises Failure."""
    data = file.read(INPUT_MAX + 1)
    if len(data) > INPUT_MAX:
        raise Failure(
            FAILED, f"{name}: longer than {INPUT_MAX} bytes, so not the stakes of a coup."
        )
    try:
        found = json.loads(
            data, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_float
        )
    except json.JSONDecodeError as error:
        where = f"{name}:{error.lineno}"
        raise Failure(FAILED, f"{where}: this is not JSON: {_lower(error.msg)}.") from error
    except UnicodeDecodeError as error:
        raise Failure(FAILED, f"{name}: this is not UTF-8 text. Save it as UTF-8.") from error
    except _Doubtful as error:
        raise Failure(FAILED, f"{name}: {error}") from error
    except (RecursionError, ValueError) as error:  # nested too deep; a number of too many digits
        raise Failure(
            FAILED, f"{name}: this is not JSON of stakes: a value is too long."
        ) from error
    if not isinstance(found, dict):
        raise Failure(FAILED, f"{name}: give one object with {', '.join(_REQUIRED)}.")
    for key in found:
        if key not in _KEYS:
            raise Failure(FAILED, f"{name}: there is no key {quoted(key)}; {_meant(key, _KEYS)}")
    for key in _REQUIRED:
        if key not in found:
            raise Failure(FAILED, f"{name}: {key} is missing.")
    if not isinstance(found["rules"], str):
        raise Failure(FAILED, f"{name}: rules must be a text, one of {', '.join(rules.NAMES)}.")
    if not isinstance(found["stakes"], list):
        raise Failure(FAILED, f"{name}: stakes must be a list of stakes.")
    return found


def settled(coup: dict[str, Any], layout: Path | None, name: str) -> Settled:
    """Settles what `read` read. Raises Failure where it cannot be settled at all."""
    game = load_rules(coup["rules"], layout)
    number, compartment = coup["number"], coup.get("compartment")
    try:
        table = _table(game, coup)
        colour = colour_of(game, number, compartment)
        accepted, refused = accept(table, coup["stakes"])
        payments = settle(table, accepted, number, compartment)
    except WrongInput as error:
        raise Failure(FAILED, f"{name}: {error.sentence}") from error
    by_number_alone = colour_of(game, number, None)
    unverified = not game["layout_verified"] and colour != by_number_alone
    said = announce.announcement(game, number, colour)
    return Settled(said, payments, refused, unverified)


def json_lines(result: Settled) -> Iterator[str]:
    """An object a payment, then one a refused stake (contracts/commands.md)."""
    for payment in result.payments:
        yield json.dumps(payment._asdict())
    for refusal in result.refused:
        told = {"refused": refusal.stake, "rule": refusal.rule, "why": refusal.why}
        yield json.dumps(told)


def text_lines(result: Settled) -> Iterator[str]:
    """The announcement, a sentence a payment, a sentence a refused stake."""
    yield result.announcement[0]
    for payment in result.payments:
        paid = payment_words(payment.stake_cents, payment.won_cents)
        yield f"{payment.player}: {place(payment.bet, payment.on)}, {paid}"
    for refusal in result.refused:
        yield f"refused: {json.dumps(refusal.stake)}: {refusal.why} ({refusal.rule})"


def _table(game: dict[str, Any], coup: dict[str, Any]) -> Table:
    multiples, floor = coup.get("maximum_multiples"), coup.get("table_minimum_cents")
    return open_table(game, coup["minimum_cents"], multiples, floor)


def _meant(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word[:WORD_MAX], known, n=1)
    return f'did you mean "{near[0]}"?' if near else f"known: {', '.join(known)}."


class _Doubtful(Exception):
    """JSON that says two things, or a number that is none."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Doubtful(f"the key {quoted(key)} stands twice in one object.")
        found[key] = value
    return found


def _no_number(name: str) -> Any:
    raise _Doubtful(f"{name} is no number.")


def _float(text: str) -> float:
    # A stake that has one is refused and told again: what JSON cannot hold must not get so far.
    found = float(text)
    if math.isinf(found):
        raise _Doubtful("a number is too large.")
    return found


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def settled_coup(journal: Path, coup: int) -> Settled:
    """What the terminals' stakes of a coup were paid. Raises Failure.

    The journal is only read, and may be in use.
    """
    try:
        record, end = sealed(journal, coup)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    except (KeyError, TypeError) as error:  # an index that names a row of another kind
        text = f"{journal} is damaged. See where with cylindre journal verify."
        raise Failure(FAILED, text) from error
    if record is None:
        raise Failure(FAILED, f"{journal}: no stakes were sealed for coup {coup}.")
    if end is None:
        raise Failure(FAILED, f"{journal}: coup {coup} has not ended: nothing is paid yet.")
    try:
        found = payments(record, end)
    except BrokenSeal as error:
        raise Failure(FAILED, f"{journal}: {error.sentence} Keep it for inspection.") from error
    if end.get("number") is None:
        said = ("coup nul : les mises sont rendues", "void: the stakes come back")
    else:
        said = announce.announcement(rules.load(record["rules"]), end["number"], end["colour"])
    return Settled(said, found, [])
