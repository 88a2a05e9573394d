"""What players with accounts are told of a round, against how it stood then.

A round stands otherwise when what waited for the management is paid, and when two people correct
it. Whoever that concerns is told once; again after a restart that has no round open, of the round
that ended last. Nobody is told anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from firmware.core.cards import facts
from tools.hil.verdict import Broken
from tools.virtual.card_seats import PaymentNotice
from tools.virtual.card_table import Restarted, RoundTruth

if TYPE_CHECKING:
    from tools.hil.cards.money import Purses, Version
    from tools.hil.cards.oracle import CardLog

HEARD = "heard"
HEARS_US = 2_000_000  # who stakes has heard by then what he was to hear
# Of which stake an insurance is (seeds 003, s. 2.9.2: followers are insured with the seat).
_STAKE_OF = {"insurance": "main", "insurance_behind": "behind"}


def judge(purses: Purses, log: CardLog) -> Iterator[Broken]:
    """Each notice is of how its round stood, once each; and none is missing."""
    assert log.seats is not None
    truths = {truth.number: truth for truth in log.truths}
    heard: dict[tuple[str, int], int] = {}  # by player and version: when
    for notice in log.seats.notices:
        name, number = purses.names.get(notice.account, ""), notice.told.coup
        yield from _numbered(notice, name, truths[number])
        told = [tuple(one)[1:] for one in notice.told.paid]
        found = [
            at
            for at in _standing(purses.versions, notice, name)
            if _says(purses.versions[at], name, told, is_void=notice.told.outcome is None)
        ]
        if not found:
            yield Broken(HEARD, number, f"{name} was told {told} of round {number}")
        elif all((name, at) in heard for at in found):
            yield Broken(HEARD, number, f"{name} was told of round {number} twice")
        else:
            at = next(each for each in reversed(found) if (name, each) not in heard)
            heard[name, at] = notice.at_us
    yield from _unheard(purses.versions, heard, log, truths)


def _standing(versions: Sequence[Version], notice: PaymentNotice, name: str) -> list[int]:
    """How that round stood as he was told, by what concerned him: of what changed in the same
    moment also how it stood before.
    """
    own = [
        at
        for at, each in enumerate(versions)
        if each.round == notice.told.coup and each.at_us <= notice.at_us and name in each.anew
    ]
    before = [at for at in own if versions[at].at_us < notice.at_us]
    return [*before[-1:], *(at for at in own if versions[at].at_us == notice.at_us)]


def _says(version: Version, name: str, told: list[tuple[Any, ...]], *, is_void: bool) -> bool:
    if version.paid is not None:
        return not is_void and told == version.paid[name]
    back = sum(cents for *_, cents, _ in told)
    return is_void and back == version.laid[name] and not any(won for *_, won in told)


def _numbered(notice: PaymentNotice, name: str, truth: RoundTruth) -> Iterator[Broken]:
    """Each payment has the number of its stake, where that was laid."""
    for one in notice.told.paid:
        bet = _STAKE_OF.get(one.bet, one.bet)
        due = {
            stake["id"] if stake["terminal"] == notice.terminal else 0
            for stake in truth.stakes
            if (stake["player"], stake["bet"], stake.get("seat") or 0) == (name, bet, one.seat)
        }
        if one.id not in due:
            text = f"{name} was told {one} of round {truth.number}; its number is one of {due}"
            yield Broken(HEARD, truth.number, text)


def _unheard(
    versions: Sequence[Version],
    heard: dict[tuple[str, int], int],
    log: CardLog,
    truths: dict[int, RoundTruth],
) -> Iterator[Broken]:
    """Who stakes again has heard how his last rounds stand, if no restart came before."""
    restarts = [fact.at_us for fact in log.told if type(fact) is Restarted]
    called: dict[str, list[int]] = {}  # by player: when rounds with stakes of his were called
    for fact in log.told:
        if type(fact) is facts.BetsClosed:
            for name in {one["player"] for one in truths[fact.round].stakes if "account" in one}:
                called.setdefault(name, []).append(fact.at_us)
    for at, version in enumerate(versions):
        later = [each.at_us for each in versions[at + 1 :] if each.round == version.round]
        ends_us = min([each for each in [*restarts, *later] if each > version.at_us], default=None)
        for name in version.anew:
            # One call more, where nothing but his own terminal's death kept it from him.
            stakes = [each for each in called.get(name, ()) if each > version.at_us]
            by_us = stakes[1] + HEARS_US if len(stakes) > 1 else None
            if by_us is None or (ends_us is not None and by_us >= ends_us):
                continue
            if heard.get((name, at), by_us + 1) > by_us:
                text = f"{name} was not told how round {version.round} stands"
                yield Broken(HEARD, version.round, text)
