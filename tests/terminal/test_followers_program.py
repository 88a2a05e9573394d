"""`cylindre followers`: lines of JSON in and out, over a line that takes no time."""

import json
import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from firmware.bus import frame
from firmware.bus.follower_messages import FOLLOWER_POLL
from firmware.bus.followers import FollowersHost
from firmware.bus.frame import Deframer
from firmware.bus.message_bytes import address_of
from firmware.bus.messages import VERSION
from firmware.bus.terminal_messages import Stake
from firmware.services.terminal.commands import sign_on
from firmware.services.terminal.followers import EVENTS, Followers
from tools.bench.card_line import FIRST_FOLLOWER, FOLLOWERS, FUNDS_CENTS, CardBench, station_key

ANNA = FIRST_FOLLOWER


class Worker(Executor):
    """Does work at once, or when `go_on` is called."""

    def __init__(self) -> None:
        self.waits = False
        self._work: list[Callable[[], None]] = []

    def submit(self, do: Callable[..., Any], /, *args: Any, **more: Any) -> "Future[Any]":
        future: Future[Any] = Future()

        def work() -> None:
            try:
                future.set_result(do(*args, **more))
            except Exception as error:
                future.set_exception(error)

        self._work.append(work)
        if not self.waits:
            self.go_on()
        return future

    def go_on(self) -> None:
        while self._work:
            self._work.pop(0)()


class Host:
    """A host of followers in a card table's bench, what it was told in lines."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.bench = CardBench(seats=1, followers=2, displays=0)
        for n in self.bench.followers:
            self.bench.account_keys[n] = sign_on(n, "4711").key
        self.worker = Worker()
        host = FollowersHost(FOLLOWERS, station_key(FOLLOWERS), 9)
        self.program = Followers(host, self.tell, self.worker)
        stands_in: Any = _Station(self.program)
        self.bench.hosts = [stands_in]
        self.bench.happened[id(stands_in)] = []
        self.bench.run(500_000)

    def tell(self, line: dict[str, Any]) -> None:
        self.told.append(json.loads(json.dumps(line)))

    def says(self, **asked: Any) -> dict[str, Any]:
        """Says a line; returns how it was decided."""
        before = len(self.of("decided"))
        self.program.typed(json.dumps(asked))
        assert self.bench.run(3_000_000, lambda: len(self.of("decided")) > before)
        return self.of("decided")[-1]

    def of(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.told if line["event"] == event]


class _Station:
    """The program as the bench wants a station."""

    def __init__(self, program: Followers) -> None:
        self._program = program
        self.feed, self.tick = program.feed, program.tick

    def take_events(self) -> list[Any]:
        self._program.after_step()
        return []

    @property
    def idle(self) -> bool:
        return self._program.idle


def test_followers_sign_on_bet_behind_and_are_paid() -> None:
    host = Host()
    (standing,) = host.of("standing")
    assert (standing["state"], standing["open"], standing["conflict"]) == ("BETS_OPEN", True, False)
    assert host.says(do="sign_on", account=ANNA, pin="1234")["accepted"] is False
    assert host.says(do="sign_on", account=ANNA, pin="4711")["accepted"] is True
    terminal = host.bench.terminals[0]
    terminal.ask(host.bench.seat_on(1))
    terminal.ask(Stake(0, "main", 1_000, (1,)))
    host.bench.settle()
    laid = host.says(do="follow", account=ANNA, seat=1, cents=700, double=True)
    assert {key: laid[key] for key in ("do", "account", "coup", "seat", "cents", "double")} == {
        "do": "follow", "account": ANNA, "coup": 1, "seat": 1, "cents": 700, "double": True,
    }  # fmt: skip
    assert laid["accepted"]
    host.bench.run(1_000_000)
    assert host.of("funds")[-1] == {
        "event": "funds", "account": ANNA, "seated": True, "cents": FUNDS_CENTS - 700,
    }  # fmt: skip
    refused = host.says(do="follow", account=ANNA, seat=5, cents=700, double=True)
    assert (refused["accepted"], refused["rule"]) == (False, "2.9.2")
    host.bench.seal()
    host.bench.void()
    host.bench.run(2_000_000)
    assert host.of("settled") == [
        {
            "event": "settled", "account": ANNA, "coup": 1, "outcome": None,
            "payments": [
                {"id": laid["request"], "bet": "behind", "seat": 1, "hand": 1,
                 "stake_cents": 700, "won_cents": 0, "returned_cents": 700},
            ],
            "stake_cents": 700, "returned_cents": 700,
        },
    ]  # fmt: skip
    assert host.says(do="back", account=ANNA, seat=1)["accepted"] is False
    assert host.says(do="sign_off", account=ANNA)["accepted"] is True


def test_a_bet_that_a_kill_of_the_controller_lost_is_told() -> None:
    host = Host()
    host.says(do="sign_on", account=ANNA, pin="4711")
    host.bench.terminals[0].ask(host.bench.seat_on(1))
    host.bench.settle()
    laid = host.says(do="follow", account=ANNA, seat=1, cents=700, double=True)
    host.bench.book = host.bench.new_book(1)
    host.bench.start()
    host.bench.run(2_000_000)
    assert host.of("not_in_play") == [
        {
            "event": "not_in_play", "account": ANNA, "coup": 1,
            "bets": [{"id": laid["request"], "seat": 1, "stake_cents": 700}],
        },
    ]  # fmt: skip


def test_a_host_of_another_version_says_so_once_and_believes_nothing() -> None:
    host = Host()
    (payload, *_) = [
        payload
        for _, _, data in host.bench.wire.log
        for payload in Deframer().feed(data)
        if address_of(payload, FOLLOWER_POLL) == FOLLOWERS
    ]
    fresh = Followers(FollowersHost(FOLLOWERS, station_key(FOLLOWERS), 3), host.tell, Worker())
    host.told = []
    older = frame.encode(bytes([VERSION - 1]) + payload[1:])
    for _ in range(3):
        assert fresh.feed(older, 1_000) == b""
    assert host.told == [{"event": "other_version", "version": VERSION - 1}]
    assert fresh.feed(frame.encode(payload), 2_000) != b""


def test_the_page_of_card_tables_names_every_event() -> None:
    page = (Path(__file__).parents[2] / "docs/cards.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"Events: (.*?\))\.", page, re.DOTALL)
    assert tuple(re.findall(r"`(\w+)`", told)) == EVENTS


def test_it_leaves_once_all_is_decided() -> None:
    host = Host()
    host.program.typed('{"do": "sign_on", "account": 11, "pin": "4711"}')
    host.program.typed('{"do": "quit"}')
    assert host.program.leaving
    assert not host.program.idle
    host.bench.run(1_000_000)
    assert host.program.idle


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("bets!", "a line is a JSON object"),
        ("[1]", "a line is a JSON object"),
        ('{"do": "hit", "account": 7}', "a line is a JSON object"),
        ('{"do": "back", "account": 7}', "back has these keys: account, seat"),
        ('{"do": "sign_off", "account": 7, "pin": "1"}', "sign_off has these keys: account"),
        ('{"do": "back", "account": true, "seat": 1}', "account is not as it must be"),
        ('{"do": "follow", "account": 7, "seat": 1, "cents": 5.5, "double": true}', "cents is not"),
        ('{"do": "back", "account": 7, "seat": 99}', "there is no seat 99"),
        ('{"do": "sign_on", "account": 7, "pin": "1"}', "PIN"),
        ("[" * 1_000, "a line is a JSON object"),
        ('{"do": ["sign_off"], "account": 7}', "a line is a JSON object"),
        ('{"do": {}, "account": 7}', "a line is a JSON object"),
        ('{"do": "sign_off", "account": [7]}', "account is not as it must be"),
        ('{"do": "sign_off", "account": 0}', "there is no account"),
        ('{"do": "sign_off", "account": 99999999999999999999}', "there is no account"),
        ('{"do": "sign_on", "account": 7, "pin": {}}', "pin is not as it must be"),
        ('{"do": "follow", "account": 7, "seat": 1, "cents": -5, "double": true}', "cents"),
        ('{"do": "follow", "account": 7, "seat": 1, "cents": 1e400, "double": true}', "cents is"),
        ('{"do": "follow", "account": 7, "seat": -1, "cents": 5, "double": true}', "no seat -1"),
    ],
)
def test_a_line_that_asks_nothing_is_refused_here(line: str, why: str) -> None:
    host = Host()
    host.program.typed(line)
    (told,) = host.of("refused_here")
    assert why in told["why"]
    assert line.startswith(told["line"])
    assert host.program.idle


@pytest.mark.parametrize(
    "line",
    [
        '{"do": "sign_on", "account": "7", "pin": "4711"}',
        '{"do": "sign_on", "account": -5, "pin": "4711"}',
        '{"do": "sign_on", "account": 7, "4711"}',
        '{"do": "sing_on", "account": 7, "PIN": "4711"}',
    ],
)
def test_a_line_that_has_a_pin_is_repeated_nowhere(line: str) -> None:
    host = Host()
    host.program.typed(line)
    assert len(host.of("refused_here")) == 1
    assert "4711" not in json.dumps(host.told)


def test_polls_are_replied_to_while_keys_are_made_and_what_is_asked_keeps_its_order() -> None:
    host = Host()
    host.worker.waits = True
    terminal = host.bench.terminals[0]
    terminal.ask(host.bench.seat_on(1))
    host.program.typed(json.dumps({"do": "sign_on", "account": ANNA, "pin": "4711"}))
    follow = {"do": "follow", "account": ANNA, "seat": 1, "cents": 700, "double": True}
    host.program.typed(json.dumps(follow))
    host.program.typed('{"do": "quit"}')
    host.bench.run(4_000_000)
    assert len(host.of("standing")) == 1  # it is still heard
    assert not host.program.idle and not host.program.leaving
    host.worker.go_on()
    host.bench.run(2_000_000)
    assert [(one["do"], one["accepted"]) for one in host.of("decided")] == [
        ("sign_on", True), ("follow", True),
    ]  # fmt: skip
    assert host.program.idle and host.program.leaving


def test_what_is_told_is_told_before_the_controller_hears_that_it_was() -> None:
    host = Host()
    host.says(do="sign_on", account=ANNA, pin="4711")
    seen: list[int] = []
    host.tell = lambda line: seen.append(len(host.bench.due))  # type: ignore[method-assign]
    host.program._tell = host.tell
    host.bench.money.account(ANNA)
    host.program.typed(json.dumps({"do": "sign_off", "account": ANNA}))
    host.bench.run(1_000_000)
    assert seen and set(seen) == {0}  # no reply was on its way yet
