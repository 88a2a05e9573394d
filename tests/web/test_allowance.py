"""How much a client may ask: in virtual time."""

import pytest

from firmware.lib.allowance import Allowance, client_of


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_one_may_ask_so_much_at_once_and_then_as_it_comes_back() -> None:
    clock = Clock()
    allowance = Allowance(2.0, 10.0, clock_s=clock)
    assert [allowance.wait_s("a") for _ in range(10)] == [0.0] * 10
    assert allowance.wait_s("a") == 0.5
    assert allowance.wait_s("a") == 0.5  # what is refused costs nothing
    assert allowance.wait_s("a", 4.0) == 2.0
    clock.now_s += 0.5
    assert allowance.wait_s("a") == 0.0
    assert allowance.wait_s("a") == 0.5
    clock.now_s += 3600.0
    assert [allowance.wait_s("a") for _ in range(11)] == [0.0] * 10 + [0.5]


def test_what_one_asks_takes_nothing_from_another() -> None:
    allowance = Allowance(1.0, 3.0, clock_s=Clock())
    while not allowance.wait_s("a"):
        pass
    assert allowance.wait_s("b") == 0.0


def test_the_table_of_clients_has_a_limit_and_forgets_who_asked_longest_ago() -> None:
    allowance = Allowance(1.0, 1.0, clients_max=100, clock_s=Clock())
    for at in range(10_000):
        assert allowance.wait_s(str(at)) == 0.0
        assert allowance.wait_s("who goes on") == (0.0 if at == 0 else 1.0)
    assert len(allowance) == 100


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("fe80::1:2:3:4", "fe80::/64"),
        ("fd00:1:2:3:aaaa::1", "fd00:1:2:3::/64"),
        ("fd00:1:2:3:bbbb::2", "fd00:1:2:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("no address: at all", "no address: at all"),
        ("", ""),
    ],
)
def test_an_address_counts_as_its_house(address: str, client: str) -> None:
    assert client_of(address) == client
