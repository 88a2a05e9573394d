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
from firmware.lib.language import N_, Message, listed
from firmware.stakes.seal import BrokenSeal, goes_on, payments
from firmware.store.reader import Sealed, sealed
from firmware.store.rows import JournalError
from firmware.text.money import Difference, difference_words, money, payment_words, place
from rules import announce
from rules.cards.stakes import Refusal as CardRefusal
from rules.limits import WORD_MAX, Table, WrongInput, open_table, quoted
from rules.settle import (
    Payment,
    Refusal,
    Total,
    accept,
    colour_of,
    in_order_of_work,
    settle,
    totals,
)

INPUT_MAX = 64 * 2**20  # bytes: some half a million stakes; more is not one coup
_REQUIRED = ("rules", "minimum_cents", "number", "stakes")
_KEYS = (*_REQUIRED, "compartment", "maximum_multiples", "table_minimum_cents")
VOID = ("coup nul : les mises sont rendues", "void: the stakes come back")
_THROWN_AGAIN = (
    "coup nul, art. 37-1 : les mises restent pour la bille lancée de nouveau",
    "void, art. 37-1: the stakes lie for the ball that is thrown again",
)


class Settled(NamedTuple):
    """One coup settled: `announcement` in French and English, payments, refusals.

    `unverified`: the colour is that of a compartment in an order that nobody has verified.
    `differences`: of a corrected coup, each player whom the correction concerns; `is_decided`: it
    has a number, and is not void.
    """

    announcement: tuple[str, str]
    payments: list[Payment]
    refused: list[Refusal]
    game: dict[str, Any]
    unverified: bool = False
    differences: tuple[Difference, ...] = ()
    is_decided: bool = True


def load_rules(name: str, layout: Path | None, exit_code: int = FAILED) -> dict[str, Any]:
    """The game called `name`, with an establishment's layout. Raises Failure.

    `exit_code` of the Failure for an unknown name; a layout that cannot be used is CONFIGURATION.
    """
    games = rules.NAMES
    if name not in games:
        raise Failure(
            exit_code,
            Message(
                "There is no game {quoted}; {meant}",
                quoted=quoted(name),
                meant=_meant(name, games),
            ),
        )
    game = rules.load(name)
    if layout is None:
        return game
    if name in rules.CARD_GAMES:
        raise Failure(exit_code, N_("A game of cards has no layout."))
    try:
        return rules.load(name, load(layout, game["apparatus"], own_handles=True))
    except LayoutError as error:
        raise Failure(CONFIGURATION, listed(error.sentences, "\n")) from error


def read(file: BinaryIO, name: str) -> dict[str, Any]:
    """The object in a JSON file called `name`: a coup, or a round of cards. Raises Failure."""
    data = file.read(INPUT_MAX + 1)
    if len(data) > INPUT_MAX:
        raise Failure(
            FAILED,
            Message(
                "{name}: longer than {input_max} bytes, so not the stakes of a coup.",
                name=name,
                input_max=INPUT_MAX,
            ),
        )
    return parse(data, name)


def parse(data: bytes, name: str) -> dict[str, Any]:
    """The JSON object that `data` is, and that says its rules. Raises Failure."""
    try:
        found = json.loads(
            data, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_float
        )
    except json.JSONDecodeError as error:
        where = f"{name}:{error.lineno}"
        raise Failure(
            FAILED,
            Message("{where}: this is not JSON: {lower}.", where=where, lower=_lower(error.msg)),
        ) from error
    except UnicodeDecodeError as error:
        raise Failure(
            FAILED, Message("{name}: this is not UTF-8 text. Save it as UTF-8.", name=name)
        ) from error
    except _Doubtful as error:
        raise Failure(FAILED, f"{name}: {error}") from error
    except (RecursionError, ValueError) as error:  # nested too deep; a number of too many digits
        raise Failure(
            FAILED, Message("{name}: this is not JSON of stakes: a value is too long.", name=name)
        ) from error
    if not isinstance(found, dict):
        raise Failure(
            FAILED,
            Message("{name}: give one object with {names}.", name=name, names="rules, stakes ..."),
        )
    if not isinstance(found.get("rules", ""), str):
        raise Failure(
            FAILED,
            Message(
                "{name}: rules must be a text, one of {names}.",
                name=name,
                names=", ".join(rules.NAMES),
            ),
        )
    return found


def check_keys(found: dict[str, Any], known: Sequence[str], name: str) -> None:
    """Raises Failure for a key of the input that is not `known`."""
    for key in found:
        if key not in known:
            raise Failure(
                FAILED,
                Message(
                    "{name}: there is no key {quoted}; {meant}",
                    name=name,
                    quoted=quoted(key),
                    meant=_meant(key, known),
                ),
            )


def _check_coup(found: dict[str, Any], name: str) -> None:
    check_keys(found, _KEYS, name)
    for key in _REQUIRED:
        if key not in found:
            raise Failure(FAILED, Message("{name}: {key} is missing.", name=name, key=key))
    if not isinstance(found["stakes"], list):
        raise Failure(FAILED, Message("{name}: stakes must be a list of stakes.", name=name))


def settled(coup: dict[str, Any], layout: Path | None, name: str) -> Settled:
    """Settles a coup that `read` read. Raises Failure where it cannot be settled at all."""
    if "rules" in coup:
        load_rules(coup["rules"], None)
    _check_coup(coup, name)
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
    return Settled(said, payments, refused, game, unverified)


def json_lines(result: Settled, *, with_totals: bool = False) -> Iterator[str]:
    """An object a payment, then one a refused stake (contracts/commands.md).

    `with_totals`: then one a player and one of the table.
    """
    for payment in result.payments:
        yield json.dumps(payment._asdict())
    for refusal in result.refused:
        told = {"refused": refusal.stake, "rule": refusal.rule, "why": refusal.why}
        yield json.dumps(told)
    for total in totals(result.payments) if with_totals else ():
        by_transfer = _by_transfer(result.game, total)
        yield json.dumps({"total": total._asdict() | {"by_transfer": by_transfer}})
    for each in result.differences if with_totals else ():
        yield json.dumps({"difference": each._asdict() | {"cents": each.cents}})


def text_lines(result: Settled) -> Iterator[str]:
    """The announcement; what is collected, then what is paid; the totals; what is refused."""
    yield result.announcement[0]
    for payment in in_order_of_work(result.payments):
        paid = payment_words(payment.stake_cents, payment.won_cents)
        yield Message("{}: {}, {}", payment.player, place(payment.bet, payment.on), paid)
    for total in totals(result.payments) if result.payments else ():
        yield total_words(total)
        yield from by_transfer_words(result.game, total)
    for each in result.differences:
        yield difference_words(each)
    for refusal in result.refused:
        yield refusal_words(refusal)


def refusal_words(refusal: Refusal | CardRefusal) -> str:
    """That a stake is refused, and why."""
    return Message(
        "refused: {stake}: {why} ({rule})",
        stake=json.dumps(refusal.stake),
        why=Message(refusal.why),
        rule=Message(refusal.rule),
    )


def total_words(total: Total) -> str:
    """The total of a player, or of the table."""
    who = Message("table") if total.player is None else total.player
    cents = total.staked_cents, total.lost_cents, total.won_cents, total.returned_cents
    return Message("{} in all: staked {}, lost {}, won {}, returned {}", who, *map(money, cents))


def by_transfer_words(game: dict[str, Any], total: Total) -> Iterator[str]:
    """That the house may pay a player by cheque or transfer, if so."""
    if _by_transfer(game, total):
        over = money(game["by_transfer_over_cents"])
        yield Message("{} is paid more than {}: by cheque or transfer.", total.player, over)


def _by_transfer(game: dict[str, Any], total: Total) -> bool:
    """Whether the house may pay it by cheque or transfer (seeds 000: « Pour tous les paiements
    dépassant 10 000 euros »)."""
    over_cents = game["by_transfer_over_cents"]
    return over_cents is not None and total.player is not None and total.won_cents > over_cents


def _table(game: dict[str, Any], coup: dict[str, Any]) -> Table:
    multiples, floor = coup.get("maximum_multiples"), coup.get("table_minimum_cents")
    return open_table(game, coup["minimum_cents"], multiples, floor)


def _meant(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word[:WORD_MAX], known, n=1)
    return (
        Message('did you mean "{near}"?', near=near[0])
        if near
        else Message("known: {names}.", names=", ".join(known))
    )


class _Doubtful(Exception):
    """JSON that says two things, or a number that is none."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Doubtful(
                    Message("the key {quoted} stands twice in one object.", quoted=quoted(key))
                )
            seen.add(key)
    return found


def _no_number(name: str) -> Any:
    raise _Doubtful(Message("{name} is no number.", name=name))


def _float(text: str) -> float:
    # A stake that has one is refused and told again: what JSON cannot hold must not get so far.
    found = float(text)
    if math.isinf(found):
        raise _Doubtful(Message("a number is too large."))
    return found


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def settled_coup(journal: Path, coup: int) -> Settled:
    """What the terminals' stakes of a coup were paid. Raises Failure.

    The journal is only read, and may be in use.
    """
    try:
        found = sealed(journal, coup)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    except (KeyError, TypeError) as error:  # an index that names a row of another kind
        raise damaged(journal) from error
    if found.stakes is None:
        raise unstaked(journal, coup)
    if not found.ends:
        raise Failure(
            FAILED,
            Message(
                "{journal}: coup {coup} has not ended: nothing is paid yet.",
                journal=journal,
                coup=coup,
            ),
        )
    return settled_again(journal, found)


def unstaked(journal: Path, coup: int) -> Failure:
    """Returns that there is nothing to settle."""
    text = Message("{journal}: no stakes were sealed for coup {coup}.", journal=journal, coup=coup)
    return Failure(FAILED, text)


def damaged(journal: Path) -> Failure:
    """Returns that rows of the journal contradict each other."""
    text = Message("{journal} is damaged. See where with cylindre journal verify.", journal=journal)
    return Failure(FAILED, text)


def settled_again(journal: Path, coup: Sealed) -> Settled:
    """What the stakes of a coup that has ended were paid. Raises Failure."""
    record, ends = coup
    if ends[0].get("stakes") != record["seal"]:
        # Of a controller that knew of no stakes: they took no part in it, and went back.
        ends = ({"coup": record["coup"], "stakes": record["seal"]},)
    try:
        found, *before = [payments(record, end) for end in ends[:-3:-1]]
    except BrokenSeal as error:
        raise Failure(
            FAILED,
            Message(
                "{journal}, coup {coup}: {sentence} Keep it for inspection.",
                journal=journal,
                coup=record["coup"],
                sentence=Message(error.sentence),
            ),
        ) from error
    game = rules.load(record["rules"])
    if goes_on(record, ends[0]):  # whatever a correction says: they are settled where they went
        return Settled(_THROWN_AGAIN, [], [], game, is_decided=False)
    differences = tuple(_differences(before[0], found)) if before else ()
    number = ends[-1].get("number")
    if number is None:
        return Settled(VOID, found, [], game, differences=differences, is_decided=False)
    said = announce.announcement(game, number, ends[-1]["colour"])
    return Settled(said, found, [], game, differences=differences)


def _differences(paid: list[Payment], due: list[Payment]) -> Iterator[Difference]:
    """Player by player, those whom a correction concerns. The stakes are the same."""
    was = {total.player: total.returned_cents for total in totals(paid)}
    for total in totals(due):
        if total.player is not None and total.returned_cents != was[total.player]:
            yield Difference(total.player, was[total.player], total.returned_cents)
