"""Who is logged in at a browser, and how often one may try: in virtual time."""

from typing import Any

import pytest

from firmware.services.page.logins import (
    ATTEMPTS_MAX,
    DEVICES_MAX,
    LOGINS_MAX,
    WITHIN_S,
    Attempts,
    Logins,
    device_of,
    is_same,
)


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def answer(name: str = "weber", **more: Any) -> dict[str, Any]:
    return {
        "session": "5f3c", "name": name, "role": "supervisor", "idle_s": 900, "most_s": 28800,
    } | more  # fmt: skip


def test_a_login_is_found_by_its_cookie_alone() -> None:
    logins = Logins(Clock())
    login = logins.open(answer())
    assert logins.find(login.cookie) == login
    assert logins.find(login.token) is None
    assert logins.find(None) is None
    assert "5f3c" not in repr(login)
    assert len(login.cookie) >= 43  # 32 random bytes
    assert login.csrf != login.cookie


def test_a_login_ends_when_it_is_idle_and_at_the_end_of_the_day() -> None:
    clock = Clock()
    logins = Logins(clock)
    login = logins.open(answer())
    clock.now_s += 899
    assert logins.find(login.cookie)
    logins.used(login)
    clock.now_s += 900
    assert logins.find(login.cookie) is None
    login = logins.open(answer())
    for _ in range(32):
        clock.now_s += 890
        assert logins.find(login.cookie)
        logins.used(login)
    clock.now_s += 890
    assert logins.find(login.cookie) is None


def test_one_login_too_many_ends_the_one_unused_for_longest() -> None:
    clock = Clock()
    logins = Logins(clock)
    first, *others = [logins.open(answer(str(at))) for at in range(LOGINS_MAX)]
    clock.now_s += 1
    logins.used(first)
    last = logins.open(answer("last"))
    assert logins.find(first.cookie)
    assert logins.find(last.cookie)
    assert sum(logins.find(each.cookie) is None for each in others) == 1


@pytest.mark.req("EN-5.1-5")
def test_attempts_of_one_address_are_counted_and_those_of_another_are_not() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    for _ in range(ATTEMPTS_MAX):
        assert attempts.wait_s("10.0.0.7") == 0
    assert attempts.wait_s("10.0.0.7") == WITHIN_S
    assert attempts.wait_s("10.0.0.8") == 0
    clock.now_s += WITHIN_S
    assert attempts.wait_s("10.0.0.7") == 0
    for _ in range(ATTEMPTS_MAX - 1):
        attempts.wait_s("10.0.0.7")
    assert attempts.wait_s("10.0.0.7") > 0
    attempts.forget("10.0.0.7", "")
    assert attempts.wait_s("10.0.0.7") == 0


def test_who_logged_in_with_a_device_is_not_kept_off_by_its_neighbours() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    attempts.forget("10.0.0.7", "kept")
    for _ in range(ATTEMPTS_MAX):
        assert attempts.wait_s("10.0.0.7", "forged") == 0
    assert attempts.wait_s("10.0.0.7", "another") > 0
    for _ in range(ATTEMPTS_MAX):
        assert attempts.wait_s("10.0.0.7", "kept") == 0
    assert attempts.wait_s("10.0.0.7", "kept") > 0


def test_devices_that_logged_in_fill_no_memory() -> None:
    attempts = Attempts(Clock())
    for at in range(10 * DEVICES_MAX):
        attempts.forget("10.0.0.7", f"device {at}")
    assert len(attempts._devices) == DEVICES_MAX


@pytest.mark.parametrize("cookie", [None, "", "a b", "a;b", "x" * 401, "é", "a\n"])
def test_what_no_controller_gave_a_browser_to_keep_is_nothing(cookie: str | None) -> None:
    assert device_of(cookie) == ""
    assert device_of("abc-_.9") == "abc-_.9"


@pytest.mark.req("IEC-CR-3.8")
def test_tokens_are_compared_whole() -> None:
    assert is_same("abc", "abc")
    assert not is_same("ab", "abc")
    assert not is_same("é", "abc")
