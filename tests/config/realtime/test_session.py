"""Somebody logs in at a running controller, and what was done stands in its journal."""

import pytest
from config_bench import PIN, Wheel

from firmware.client.session import DETAIL_MAX, Session
from firmware.lib.errors import FAILED, NO_DEVICE, Failure


def test_who_is_logged_in_asks_and_acts_and_after_the_end_no_more(wheel: Wheel) -> None:
    with Session(wheel.sockets, "weber", PIN) as session:
        assert (session.name, session.role) == ("weber", "supervisor")
        assert session.ask({"do": "parts"})["ok"]
        session.act("config", "x" * 1_000, "0" * 64)
    with pytest.raises(Failure, match="Log in again") as caught:
        session.ask({"do": "parts"})
    assert caught.value.exit_code == FAILED
    (act,) = wheel.acts()
    assert (act["who"], act["detail"], act["sha256"]) == ("weber", "x" * DETAIL_MAX, "0" * 64)


def test_refusals_are_failures_with_the_controllers_words(wheel: Wheel) -> None:
    with pytest.raises(Failure, match="the name or the PIN is wrong"):
        Session(wheel.sockets, "weber", "111222").__enter__()
    with pytest.raises(Failure, match="No controller is running") as caught:
        Session(wheel.folder, "weber", PIN).__enter__()
    assert caught.value.exit_code == NO_DEVICE


def test_what_is_no_act_is_refused(wheel: Wheel) -> None:
    with Session(wheel.sockets, "weber", PIN) as session, pytest.raises(Failure, match="what"):
        session.act("poetry", "a sonnet")
