"""The public hears of the wheel when the tenth is over in which something was, not before."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import until

from firmware.api.public import PublicNews
from firmware.api.server import Service
from firmware.api.status import TableStatus
from firmware.client.ask import ask, ask_status
from firmware.core.facts import CCW, BallDropped, CallProgress, NoMoreBets, View
from firmware.lib.places import CONTROL, STATUS_ONLY

CALLED = View("NO_MORE_BETS", 3, 2, CCW, None, None, None)
DROPPED = CALLED._replace(state="BALL_DROPPED")
OPEN = CALLED._replace(state="BETS_OPEN", coup=4)


class Clock:
    us = 0

    def __call__(self) -> int:
        return self.us


@pytest.fixture
def clock() -> Clock:
    return Clock()


def status(clock: Clock, **more: Any) -> TableStatus:
    return TableStatus("roulette", lambda: clock.us * 1000, **more)


@pytest.fixture
def whole(clock: Clock) -> TableStatus:
    """What they know who may know all of it."""
    return status(clock)


@pytest.fixture
def news(clock: Clock, whole: TableStatus) -> PublicNews:
    return PublicNews(status(clock, ahead=whole), clock)


def test_whenever_in_a_tenth_something_was_it_is_told_as_that_is_over(
    news: PublicNews, clock: Clock
) -> None:
    for at_us in (100_000, 100_001, 150_000, 199_999):
        clock.us = at_us
        news.hold(NoMoreBets(at_us, 3))
        assert news.release() == []
        assert news.wait_s() == pytest.approx((200_000 - at_us) / 1e6)
    clock.us = 200_000
    assert news.wait_s() == 0
    assert [fact.at_us for fact in news.release()] == [100_000, 100_001, 150_000, 199_999]
    assert news.wait_s() is None


def test_the_public_status_changes_with_the_facts(news: PublicNews, clock: Clock) -> None:
    news.hold(CALLED)
    assert news.status.status()["state"] is None
    clock.us = 100_000
    news.hold(DROPPED)
    assert news.release() == []
    assert news.status.status()["state"] == "NO_MORE_BETS"
    clock.us = 200_000
    news.release()
    assert news.status.status()["state"] == "BALL_DROPPED"


def test_a_controller_that_stops_tells_what_it_still_holds(news: PublicNews) -> None:
    news.hold(BallDropped(5, 3))
    assert news.release(at_once=True) == [BallDropped(5, 3)]


def test_the_exact_speed_ends_with_the_coup_and_begins_with_the_public_call(
    news: PublicNews, whole: TableStatus, clock: Clock
) -> None:
    """It is told neither of the next coup's rotor, nor so that it tells when the call was."""

    def show(view: View, at_us: int) -> float:
        clock.us = at_us
        whole.show_view(view)
        news.release()
        news.hold(view)
        speed: float = news.status.status()["rotor_rpm"]
        return speed

    for at_us in range(0, 8_000_000, 100_000):
        whole.tachometer.turns(at_us, 287_000)  # 17.2 rpm, told as 15
    clock.us = 8_000_000
    assert show(OPEN._replace(coup=3), 8_000_000) == 15
    assert show(CALLED, 8_110_000) == 15
    clock.us = 8_200_000
    news.release()
    assert news.status.status()["rotor_rpm"] == 17.2
    assert show(OPEN, 8_310_000) == 15


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    opened: list[Service] = []

    def begin(*told: Any) -> Service:
        opened.append(Service(tmp_path, number_max=36, game="roulette"))
        opened[-1].show_view(CALLED)
        for fact in told:
            opened[-1].take_fact(fact)
        return opened[-1]

    yield begin
    for service in opened:
        service.close()


def test_who_may_not_ask_the_control_socket_is_told_the_public_status(
    controller: Callable[..., Service], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller(CallProgress(0, 212, 519_600, "learned"))
    assert ask_status(tmp_path)["call"] == {"coups": 212, "lead_us": 519_600, "why": "learned"}
    monkeypatch.setattr("os.access", lambda path, _: path.name == STATUS_ONLY)
    until(lambda: ask_status(tmp_path)["state"] == "NO_MORE_BETS")
    told = ask(tmp_path, {"do": "status"}, name=STATUS_ONLY)["status"]
    whole = ask(tmp_path, {"do": "status"}, name=CONTROL)["status"]
    assert set(whole) - set(told) == {"call", "employees"}
    assert "519600" not in json.dumps(told)
