"""The largest round of a card table: everybody hears it, and nobody is hung up on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service_bench import Caller

import rules
from firmware.api import answers
from firmware.api.card_lines import card_line
from firmware.api.card_screen import OUT_MAX, ROUND_MAX
from firmware.api.server import Service
from firmware.client.line import READ_MAX, Line
from firmware.core.cards import facts
from firmware.stakes.accounts import PLAYER_MAX
from firmware.stakes.answers import FOLLOWERS_MAX
from rules.cards import due
from rules.cards.deck import card_of
from rules.cards.round import next_card, open_round
from rules.cards.stakes import accept, open_table
from tools.sim.card_players import SEATS

# Letters that JSON writes in six characters each.
NAMES = [f"{n:02x}".translate({ord(c): chr(0xE0 + int(c, 16)) for c in "0123456789abcdef"})
         for n in range(FOLLOWERS_MAX + SEATS)]  # fmt: skip


def largest_payments() -> list[Any]:
    """Of a round with all followers behind each of seven insured pairs, each of them split."""
    names = [name + "é" * (PLAYER_MAX // 2 - len(name)) for name in NAMES]
    assert {len(name.encode()) for name in names} == {PLAYER_MAX}
    limits = open_table(rules.load("blackjack_live"), minimum_cents=1000)
    seats = range(1, SEATS + 1)
    stakes = [
        {"player": names[seat - 1], "seat": seat, "bet": "main", "cents": 100_000} for seat in seats
    ]
    for name in names[SEATS:]:
        for seat in seats:
            place = {"player": name, "seat": seat, "bet": "behind", "follow": "double"}
            stakes.append(place | {"cents": 100_000})
    accepted, refused = accept(limits, stakes)
    assert not refused
    round_: Any = open_round(limits, accepted)
    cards = [*("8S",) * SEATS, "AD", *("8S",) * SEATS, "9C", *("TH", "TC") * SEATS]
    rich = dict.fromkeys(names, 10**9)
    taken = 0
    while (now := next_card(round_)).kind != due.DONE:
        if now.kind == due.CARD:
            suit = "SHDC"[taken // 7 % 4]
            round_.deal(card_of(cards[taken][0] + suit))
            taken += 1
        elif now.kind == due.CHECK:
            round_.check()
        elif now.kind == due.TURN:
            round_.turn()
        elif now.kind == due.INSURANCE:
            for seat in seats:
                round_.decide(seat, 1, due.INSURE, None, rich)
        else:
            do = due.SPLIT if due.SPLIT in now.choices else due.STAND
            round_.decide(now.seat, now.hand, do, None, rich)
    found: list[Any] = round_.payments()
    # Each follower has an insurance and two hands behind each seat, as the seat itself.
    assert len(found) == (FOLLOWERS_MAX + 1) * SEATS * 3
    return found


@pytest.fixture(scope="module")
def payments() -> list[Any]:
    return largest_payments()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Service]:
    found = Service(tmp_path, number_max=36, game="blackjack")
    yield found
    found.close()


def result(payments: list[Any]) -> facts.RoundResult:
    return facts.RoundResult(2**40, 99_999, 10**8, {"dealer": {"points": "20"}}, "f" * 64, True,
                             payments, ())  # fmt: skip


def test_there_is_room_for_what_stands_and_one_round_more(payments: list[Any]) -> None:
    line = len(answers.line(dict(card_line(result(payments)) or ())))
    # A correction stands instead of what it corrects; events of a round are short.
    assert OUT_MAX >= 2 * line + ROUND_MAX * 300
    assert READ_MAX >= line + ROUND_MAX * 300


def test_everybody_hears_the_largest_round(
    tmp_path: Path, table: Service, payments: list[Any]
) -> None:
    """Also who never asked for the guide, and reads nothing while it is told."""
    with contextlib.ExitStack() as stack:
        callers = [stack.enter_context(contextlib.closing(Caller(tmp_path))) for _ in range(3)]
        for caller in callers:
            assert caller.ask(do="status")["ok"]
        table.take_fact(result(payments))
        table.take_fact(result(payments))
        for caller in callers:
            for _ in range(2):
                told = caller.hear()
                assert told is not None
                assert len(told["payments"]) == len(payments)
        assert callers[0].ask(do="status")["status"]["clients_dropped"] == 0


def test_who_begins_to_follow_is_told_how_a_round_ended_once(
    tmp_path: Path, table: Service, payments: list[Any]
) -> None:
    table.take_fact(facts.RoundStarted(1, 99_999))
    table.take_fact(result(payments))
    outcome = {"dealer": {"points": "20"}}
    for n in range(3):
        told = (outcome, None, payments, (), range(52), [(7, 4, "double", 10**8)] * 60)
        table.take_fact(facts.RoundCorrection(3, 99_999, 10**8 + n, 10**8, *told))
        table.take_fact(facts.HeldPaid(4, 99_999, "weber", payments[:7]))
    heard: list[Any] = []

    async def follow() -> dict[str, Any]:
        line = Line(tmp_path, heard.append)
        running = asyncio.create_task(line.run())
        while not line.is_open:
            await asyncio.sleep(0)
        answer = await line.ask({"do": "guide"})
        running.cancel()
        return answer

    events = asyncio.run(follow())["events"]
    assert [each["event"] for each in events] == ["round_correction", "held_paid", "round_started"]
    assert events[0]["seq"] == 10**8 + 2
    assert len(events[0]["payments"]) == len(payments)
