"""One member does not keep the others from the controller's sockets."""

from typing import Any

import pytest

from firmware.api import connection, server
from firmware.api.server import CLIENTS_MAX, Service
from firmware.lib.places import STATUS_ONLY

GREEDY, OTHER = 2001, 2002


class Users:
    """As whom the next ones come."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.uid = GREEDY
        monkeypatch.setattr(connection, "_uid", lambda _: self.uid)


@pytest.fixture
def users(monkeypatch: pytest.MonkeyPatch) -> Users:
    return Users(monkeypatch)


@pytest.mark.parametrize("name", [STATUS_ONLY, server.CONTROL])
def test_a_user_who_has_all_places_keeps_no_other_user_out(
    service: Service, call: Any, users: Users, name: str
) -> None:
    greedy = [call(name) for _ in range(CLIENTS_MAX)]
    assert all(caller.ask(do="status")["ok"] for caller in greedy)
    users.uid = OTHER
    other = call(name)
    assert other.ask(do="status")["ok"]
    assert greedy[-1].hear() is None  # the last that came
    assert all(caller.ask(do="status")["ok"] for caller in greedy[:-1])
    users.uid = GREEDY
    assert call(name).hear() is None
    assert other.ask(do="status")["ok"]


def test_two_users_who_want_all_places_have_half_of_them_each(
    service: Service, call: Any, users: Users
) -> None:
    for _ in range(CLIENTS_MAX):
        assert call(STATUS_ONLY).ask(do="status")["ok"]
    users.uid = OTHER
    others = [call(STATUS_ONLY) for _ in range(CLIENTS_MAX // 2)]
    assert all(caller.ask(do="status")["ok"] for caller in others)
    assert call(STATUS_ONLY).hear() is None
    assert others[0].ask(do="status")["status"]["clients"] == CLIENTS_MAX


def test_whose_request_is_being_decided_keeps_its_place(
    service: Service, call: Any, users: Users
) -> None:
    greedy = [call() for _ in range(CLIENTS_MAX)]
    assert all(caller.ask(do="status")["ok"] for caller in greedy)
    greedy[-1].say(b'{"do":"void"}\n')
    assert greedy[0].ask(do="status")["ok"]  # so that it was heard
    users.uid = OTHER
    assert call().ask(do="status")["ok"]
    assert greedy[-2].hear() is None
    service.take_events()
    service.decided(None)
    assert greedy[-1].hear()["ok"]


def test_a_user_who_asks_without_end_is_told_so_and_others_are_answered(
    service: Service, call: Any, users: Users, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service._allowance, "_burst", 10.0)
    monkeypatch.setattr(service._allowance, "_per_s", 0.001)
    first, second = call(), call(STATUS_ONLY)
    for _ in range(5):
        assert first.ask(do="status")["ok"]
        assert second.ask(do="status")["ok"]
    told = second.ask(do="status")
    assert told["error"]["code"] == "busy"
    assert second.hear() is None
    users.uid = OTHER
    assert call(STATUS_ONLY).ask(do="status")["ok"]
