"""A round of cards as a person or a program hands it in: read, played through, settled, told.

The form is fixed in contracts/commands.md (Card games). A round that cannot be is one sentence with
the rule that says so, and nothing of it is settled.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import rules
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.store import reader
from firmware.store.rows import JournalError
from firmware.text import journal_round
from firmware.text.card_words import outcome_lines
from firmware.text.money import Difference, difference_words
from firmware.text.round_text import differences, payment_line
from rules.cards.due import CardPayment
from rules.cards.errors import FORM, CardsError
from rules.cards.round import play
from rules.cards.stakes import CardTable, Refusal, accept, open_table
from rules.limits import quoted
from rules.settle import totals
from tools.journal import settling

LINE_MAX = 2**20  # bytes of one round: seven seats and 140 followers have less than 20 000
_to_json = json.JSONEncoder(check_circular=False).encode
_LIMITS = ("minimum_cents", "maximum_multiple")
_KEYS = ("rules", "decks", "house", "stakes", "cards", "decisions", *_LIMITS)


class SpoiltRound(CardsError):
    """A stake that cannot be taken, and so the round: `sentence` is a clause, without its point."""


class SettledRound(NamedTuple):
    """A round settled; `answer`: as contracts/commands.md has it, None where no cards were given
    and the limits alone were judged. `taken`: how many stakes were; `game`: the rules;
    `differences`: of a corrected round, each player whom the correction concerns."""

    answer: dict[str, Any] | None
    payments: list[CardPayment]
    game: dict[str, Any]
    refused: list[Refusal]
    taken: int
    differences: tuple[Difference, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Tells whether the round has a result, and is not void."""
        return self.answer is not None and self.answer["outcome"] is not None


def is_round(found: dict[str, Any]) -> bool:
    """Whether the input is of a card game."""
    return found.get("rules") in rules.CARD_GAMES


def settled_round(found: dict[str, Any]) -> SettledRound:
    """Settles the round in an object of the contract. Raises CardsError where it cannot be.

    Stakes outside given limits are refused one by one, and the others settled; any other stake that
    cannot be taken spoils the round.
    """
    for key in found:
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            why = f"there is no key {quoted(key)} in a round of cards, which has {known}."
            raise CardsError(FORM, why)
    for key in ("stakes", "cards", "decisions"):
        if not isinstance(found.get(key, []), list):
            raise CardsError(FORM, f"{key} must be a list.")
    if "stakes" not in found:
        raise CardsError(FORM, "stakes is missing.")
    has_limits = found.get("minimum_cents") is not None
    if "cards" not in found and not has_limits:
        raise CardsError(FORM, "cards is missing.")
    table = _table(found)
    accepted, refused = accept(table, found["stakes"])
    if "cards" not in found:
        return SettledRound(None, [], table.rules, refused, len(accepted))
    for refusal in refused:
        if not (has_limits and refusal.of_limits):
            raise SpoiltRound(refusal.rule, refusal.why)
    round_ = play(table, accepted, found["cards"], found.get("decisions", []))
    payments = round_.payments()
    answer: dict[str, Any] = {
        "outcome": round_.outcome(),
        "to": round_.places,
        "payments": _objects(payments),
    }
    return SettledRound(answer, payments, table.rules, refused, len(accepted))


def check_ended(journal: Path, number: int) -> None:
    """Raises Failure for a round that is open: nothing of it is paid."""
    try:
        is_open = reader.last_round(journal) == number
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    if is_open:
        text = Message(
            "{journal}: round {round} has not ended: nothing is paid yet.",
            journal=journal,
            round=number,
        )
        raise Failure(FAILED, text)


def of_journal(journal: Path, number: int) -> SettledRound | None:
    """Settles a round again from its rows in a journal; None: no card table's journal has it.

    Of a corrected round the answer has `differences` too, of a void one its `reason`. Raises
    Failure where the rows are not those that were sealed, or nothing was staked.
    """
    found = journal_round.find(journal, number)
    if found is None:
        return None
    stands = found.stands
    if stands.stakes is None:
        raise settling.unstaked(journal, number)
    body, paid = stands.entry.body, stands.payments
    answer: dict[str, Any] = {
        "outcome": body.get("outcome"),
        "to": [row["to"] for row in stands.cards],
        "payments": _objects(paid),
    }
    if body.get("reason") is not None:
        answer["reason"] = body["reason"]
    owed = () if len(found.ends) < 2 else tuple(differences(found.ends[-2].payments, paid))
    if owed:
        answer["differences"] = [each._asdict() | {"cents": each.cents} for each in owed]
    game = rules.load(stands.stakes["rules"])
    return SettledRound(answer, paid, game, [], len(stands.stakes["stakes"]), owed)


def _objects(payments: list[CardPayment]) -> list[dict[str, Any]]:
    return [
        {
            "player": player,
            "bet": bet,
            "seat": seat,
            "hand": hand,
            "stake_cents": stake_cents,
            "won_cents": won_cents,
            "returned_cents": returned_cents,
        }
        for player, bet, seat, hand, stake_cents, won_cents, returned_cents in payments
    ]


def _table(found: dict[str, Any]) -> CardTable:
    """The table that a round names. Those of plain choices are kept: lines name the same ones."""
    house: Any = {} if found.get("house") is None else found["house"]
    decks, minimum, multiple = (found.get(key) for key in ("decks", *_LIMITS))
    plain = (decks, minimum, multiple, *(house.values() if isinstance(house, dict) else ([],)))
    if not all(map(_is_plain, plain)):
        return open_table(rules.load(found["rules"]), decks, house, minimum, multiple)
    # 1 and true are equal to Python, and not to us.
    types = "".join(type(value).__name__[0] for value in plain)
    return _kept_table(found["rules"], decks, minimum, multiple, types, tuple(house.items()))


def _is_plain(value: Any) -> bool:
    return type(value) in (str, int, bool, type(None))


@functools.lru_cache(maxsize=256)
def _kept_table(
    name: str,
    decks: int | None,
    minimum: int | None,
    multiple: int | None,
    _types: str,
    house: tuple[tuple[str, Any], ...],
) -> CardTable:
    return open_table(rules.load(name), decks, dict(house), minimum, multiple)


def json_lines(result: SettledRound) -> Iterator[str]:
    """The answer, then an object a refused stake."""
    if result.answer is not None:
        yield json.dumps(result.answer)
    for refusal in result.refused:
        yield json.dumps(_refused(refusal))


def _refused(refusal: Refusal) -> dict[str, Any]:
    return {"refused": refusal.stake, "rule": refusal.rule, "why": refusal.why}


def answers(file: BinaryIO) -> Iterator[tuple[str, bool]]:
    """For each line of `file`, a round: its answer as JSON, and whether all of it was settled.

    An answer is that of the contract, with `refused` where stakes were; or `error` and `rule`.
    """
    number = 0
    while line := file.readline(LINE_MAX + 1):
        number += 1
        try:
            if len(line) > LINE_MAX:
                while line and not line.endswith(b"\n"):
                    line = file.readline(LINE_MAX + 1)
                raise CardsError(FORM, f"a line has {LINE_MAX} bytes at most.")
            answer, is_whole = _answer(line, f"line {number}")
            yield _to_json(answer), is_whole
        except SpoiltRound as error:
            yield _error(error.rule, error.sentence + "."), False
        except CardsError as error:
            yield _error(error.rule, error.sentence), False
        except Failure as error:
            yield _error(FORM, str(error.sentence)), False
        except RecursionError:  # a value that can be read and not told again
            yield _error(FORM, f"line {number}: a value is too long."), False


def _answer(line: bytes, name: str) -> tuple[dict[str, Any], bool]:
    found = settling.parse(line, name)
    if not is_round(found):
        games = ", ".join(rules.CARD_GAMES)
        raise CardsError(FORM, f"a line is a round of one of {games}: its rules say which.")
    result = settled_round(found)
    answer: dict[str, Any] = {"accepted": result.taken} if result.answer is None else result.answer
    if result.refused:
        answer["refused"] = [_refused(refusal) for refusal in result.refused]
    return answer, not result.refused


def _error(rule: str, sentence: str) -> str:
    return json.dumps({"error": sentence, "rule": rule})


def refusal_of(error: CardsError, name: str) -> Failure:
    """The Failure of a round that cannot be settled: its sentence, with the article."""
    said, rule = Message(error.sentence), Message(error.rule)
    if isinstance(error, SpoiltRound):
        text = Message("{name}: {why}. ({rule})", name=name, why=said, rule=rule)
    else:
        text = Message("{name}: {sentence} ({rule})", name=name, sentence=said, rule=rule)
    return Failure(FAILED, text)


def text_lines(result: SettledRound) -> Iterator[str]:
    """What came, what is collected and paid in its order, the totals, what is refused."""
    if result.answer is None:
        yield Message("stakes within the limits: {n}", n=result.taken)
    else:
        yield from _announced(result.answer)
    for payment in result.payments:
        yield payment_line(payment)
    for refusal in result.refused:
        yield settling.refusal_words(refusal)
    for total in totals(result.payments) if result.payments else ():
        yield settling.total_words(total)
        yield from settling.by_transfer_words(result.game, total)
    for each in result.differences:
        yield difference_words(each)


def _announced(answer: dict[str, Any]) -> Iterator[str]:
    """What came; of a round in a journal perhaps that it is void."""
    if answer["outcome"] is not None:
        yield from outcome_lines(answer["outcome"])
    else:
        yield settling.VOID[0]
