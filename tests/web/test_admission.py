"""Who gives way where a page has no more places: a table, in virtual time."""

import random

import pytest

from firmware.lib.admission import (
    ADDRESSES_KEPT,
    BUSY,
    GRACE_S,
    IDLE,
    SHAKING,
    WORKING,
    Guest,
    Places,
)

NOW_S = 1000.0
LONG_S = NOW_S - 60.0
JUST_S = NOW_S - GRACE_S / 2

Connection = tuple[str, str | None, int, float]  # address, owner, stage, since when
ANNA = ("10.0.0.7", "anna", IDLE, LONG_S)
STREAM = ("10.0.0.7", "anna", BUSY, LONG_S)
# fmt: off
TABLE = (
    # what stands there, and which of it gives way to somebody from 10.0.0.9
    ("an idle stranger, not an idle owner",
     [ANNA, ("10.0.0.8", None, IDLE, LONG_S)], 1),
    ("a stranger who is being answered, not an idle owner",
     [ANNA, ("10.0.0.8", None, BUSY, LONG_S)], 1),
    ("a stranger who came just now, not an owner",
     [ANNA, ("10.0.0.8", None, SHAKING, JUST_S)], 1),
    ("the handshake that is not finished first",
     [("10.0.0.1", None, IDLE, LONG_S - 9), ("10.0.0.2", None, SHAKING, LONG_S)], 1),
    ("who idles before who is being answered",
     [("10.0.0.1", None, BUSY, LONG_S - 9), ("10.0.0.2", None, IDLE, LONG_S)], 1),
    ("the one that idles longest",
     [("10.0.0.1", None, IDLE, LONG_S), ("10.0.0.2", None, IDLE, LONG_S - 1)], 1),
    ("who may yet show a cookie last",
     [("10.0.0.1", None, IDLE, JUST_S), ("10.0.0.2", None, BUSY, LONG_S)], 1),
    ("of those who came just now the first, however far they are",
     [("10.0.0.1", None, BUSY, JUST_S), ("10.0.0.2", None, IDLE, JUST_S - 0.1)], 1),
    ("last for whom work is being done: a PIN is looked at",
     [("10.0.0.1", None, WORKING, JUST_S - 0.1), ("10.0.0.2", None, IDLE, JUST_S)], 1),
    ("a handshake where they have half of the places, though others idle for long",
     [("10.0.0.1", None, SHAKING, JUST_S), ("10.0.0.2", None, SHAKING, JUST_S - 0.1),
      ("10.0.0.3", None, IDLE, LONG_S), ("10.0.0.4", None, IDLE, LONG_S)], 1),
    ("one of the address that has most, though it came just now",
     [("10.0.0.1", None, IDLE, LONG_S), ("10.0.0.2", None, IDLE, JUST_S),
      ("10.0.0.2", None, IDLE, JUST_S + 0.1)], 1),
    ("at that address the handshake first",
     [("10.0.0.2", None, IDLE, LONG_S - 1), ("10.0.0.2", None, SHAKING, LONG_S),
      ("10.0.0.1", None, IDLE, LONG_S - 2)], 1),
    ("nobody from where an owner was seen, while there are others",
     [ANNA, ("10.0.0.7", None, SHAKING, LONG_S), ("10.0.0.7", None, IDLE, LONG_S),
      ("10.0.0.1", None, IDLE, JUST_S)], 3),
    ("of owners alone the one that idles",
     [STREAM, ANNA], 1),
    ("of owners that idle one of who has most",
     [ANNA, ("10.0.0.5", "weber", IDLE, LONG_S - 9), ("10.0.0.7", "anna", IDLE, LONG_S - 1)], 2),
    ("nobody where owners alone are being answered",
     [STREAM, ("10.0.0.5", "weber", BUSY, LONG_S)], None),
)
# fmt: on


def placed(there: list[Connection], most: int) -> tuple[Places, list[Guest]]:
    places = Places(most, of_address=16)
    guests = []
    for address, owner, stage, since_s in there:
        guest = Guest(address, since_s, stage)
        assert places.admit(guest, since_s) is None
        places.belongs(guest, owner)
        guests.append(guest)
    return places, guests


@pytest.mark.parametrize(
    ("there", "goes"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_where_no_place_is_left_there_gives_way(there: list[Connection], goes: int | None) -> None:
    places, guests = placed(there, len(there))
    newcomer = Guest("10.0.0.9", NOW_S, SHAKING)
    gone = places.admit(newcomer, NOW_S)
    assert gone is (newcomer if goes is None else guests[goes])
    assert len(places) == len(there)
    assert gone not in places


def test_where_places_are_left_nobody_gives_way() -> None:
    places, _ = placed([ANNA], 2)
    assert places.admit(Guest("10.0.0.9", NOW_S), NOW_S) is None


def test_an_address_that_has_its_share_loses_one_of_its_own() -> None:
    places = Places(160, of_address=2)
    other, first, second, third = (
        Guest(address, LONG_S + at) for at, address in enumerate(("a", "b", "b", "b"))
    )
    for guest in (other, first, second):
        assert places.admit(guest, NOW_S) is None
    assert places.admit(third, NOW_S) is first
    for guest in (second, third):
        places.belongs(guest, "anna")
        guest.move(BUSY, LONG_S)
    last = Guest("b", NOW_S)
    assert places.admit(last, NOW_S) is last
    assert second in places


def test_an_owner_who_is_everywhere_does_not_keep_others_out() -> None:
    """A technician's cookie, shown from many addresses at once."""
    places = Places(6, of_address=2)
    guests = [Guest(str(at), LONG_S + at, BUSY) for at in range(6)]
    for guest in guests:
        places.admit(guest, NOW_S)
        places.belongs(guest, "anna")
    places.belongs(guests[0], "weber")
    assert places.admit(Guest("new", NOW_S), NOW_S) is guests[1]


def test_where_owners_were_seen_is_kept_of_so_many_addresses() -> None:
    places = Places(10_000)
    for at in range(3 * ADDRESSES_KEPT):
        guest = Guest(str(at), NOW_S)
        places.admit(guest, NOW_S)
        places.belongs(guest, f"owner {at}")
    assert len(places._homes) == ADDRESSES_KEPT


def test_whoever_comes_and_whatever_they_do_an_owner_who_is_answered_stays() -> None:
    drawn = random.Random(21)
    places = Places(16, of_address=4)
    own = Guest("10.0.0.7", 0.0, BUSY)
    places.admit(own, 0.0)
    places.belongs(own, "anna")
    there: list[Guest] = []
    for at in range(5000):
        now_s = at / 100
        newcomer = Guest(f"10.0.1.{drawn.randrange(12)}", now_s, SHAKING)
        gone = places.admit(newcomer, now_s)
        assert gone is not newcomer  # each gets in
        there = [each for each in (*there, newcomer) if each in places]
        moved = drawn.choice(there)
        moved.move(drawn.choice((IDLE, BUSY)), now_s)
        if drawn.random() < 0.1:
            places.leave(moved)
        assert own in places
        assert len(places) <= 16


def test_who_knocks_without_end_from_anywhere_takes_no_place_from_who_is_further() -> None:
    """Each from an address of its own: somebody logs in meanwhile, and is not put out."""
    places = Places(160, of_address=16)
    tablet = Guest("10.0.0.7", NOW_S, SHAKING)
    places.admit(tablet, NOW_S)
    tablet.move(WORKING, NOW_S)
    for at in range(5000):
        now_s = NOW_S + at / 10_000
        places.admit(Guest(f"10.1.{at // 250}.{at % 250}", now_s, SHAKING), now_s)
    assert tablet in places


@pytest.mark.parametrize("others_per_turn", [1, 20, 100])
def test_who_comes_from_an_address_of_few_has_its_time_to_show_a_cookie(
    others_per_turn: int,
) -> None:
    """A flood of new connections from ten addresses."""
    places = Places(160, of_address=16)
    for at in range(400):
        places.admit(Guest(f"10.0.1.{at % 10}", NOW_S, SHAKING), NOW_S)
    tablet = Guest("10.0.0.7", NOW_S, SHAKING)
    assert places.admit(tablet, NOW_S) is not tablet
    for at in range(20 * others_per_turn):
        now_s = NOW_S + at / 1000
        places.admit(Guest(f"10.0.1.{at % 10}", now_s, SHAKING), now_s)
    assert tablet in places
