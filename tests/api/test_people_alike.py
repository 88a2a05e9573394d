"""Who is unknown is answered as who is known; wrong PINs count where they were given."""

from __future__ import annotations

import fcntl
import os
import secrets
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from people_bench import Clock, of, somebody
from service_bench import PINS

from firmware.keys import device_tokens, pin_delays
from firmware.keys import people as people_file
from firmware.keys.people import (
    SCRYPT,
    SCRYPTS,
    Checked,
    People,
    PeopleError,
    editing,
    encode,
    enrol,
    is_outdated,
    load,
)
from firmware.keys.pin_delays import Delays

NETWORK = "network"
WRONG = "000000"
# Names that nobody has here: some are the croupier's but for how they are written.
NOBODIES = ("nobody", "ANNA", "Anna", "anna.", "x" * 64, "anna\u0301", "", "\ud800")


def words(checked: Checked) -> tuple[Any, ...]:
    """All that is answered; what the journal is told besides is no answer."""
    return (checked.role, checked.code, str(checked.text), str(checked.remedy), checked.devices)


def asked(found: People, clock: Clock, name: str) -> list[Any]:
    """What somebody hears who gives wrong PINs for a name, too soon and in time."""
    heard = []
    for passed_s in (0.0, 0.5, 0.5, 0.0, 2.0, 0.25, 3.0, 100.0):
        clock.now_s += passed_s
        heard.append(words(found.check(name, WRONG)))
    return heard


# --- nobody is told apart -------------------------------------------------------------------------


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", NOBODIES)
def test_somebody_unknown_is_answered_word_by_word_as_somebody_known(
    tmp_path: Path, name: str
) -> None:
    clock = Clock()
    found = People(of(tmp_path, "anna", "béa"), clock)
    known = asked(found, clock, "anna")
    assert {code for _, code, *_ in known} == {"wrong_pin", "too_soon"}
    assert asked(found, clock, name) == known


@pytest.mark.usefixtures("quick")
def test_a_wrong_pin_for_one_unknown_name_tells_nothing_of_the_next(tmp_path: Path) -> None:
    """After one wrong PIN for a name that nobody has, eight of eight were told apart."""
    found = People(of(tmp_path, "anna", "weber"), Clock())
    found.check("nobody", WRONG)
    names = ("anna", "carl", "weber", "dora", "emil", "fritz", "gerd", "hans")
    assert {found.check(name, WRONG).code for name in names} == {"wrong_pin"}


@pytest.mark.usefixtures("quick")
def test_one_name_in_two_forms_is_one_name(tmp_path: Path) -> None:
    found = People(of(tmp_path, "béa"), Clock())
    found.check("béa", WRONG)
    assert found.check(unicodedata.normalize("NFD", "béa"), WRONG).code == "too_soon"
    found.check("zoé", WRONG)
    assert found.check(unicodedata.normalize("NFD", "zoé"), WRONG).code == "too_soon"


@pytest.mark.usefixtures("quick")
def test_without_a_file_nobody_is_told_apart(tmp_path: Path) -> None:
    found = People(tmp_path / "people.jsonl", Clock())
    assert words(found.check("anna", WRONG)) == words(found.check("nobody", WRONG))


@pytest.mark.usefixtures("quick")
def test_a_device_that_brings_what_is_no_token_tells_nobody_apart(tmp_path: Path) -> None:
    clock = Clock()
    found = People(of(tmp_path, "anna"), clock)
    for tokens in ("", "x", ".".join(["A" * 40] * 8), "é" * 40, "A" * 40_000):
        for name in ("anna", "nobody"):
            clock.now_s += 10_000
            assert found.check(name, WRONG, NETWORK, tokens).code == "wrong_pin"
            assert found.check(name, WRONG, NETWORK, tokens).code == "too_soon"
    nothing = device_tokens.added("", "nobody", bytes(32))  # with the hash of nobody at all
    assert found.check("nobody", WRONG, NETWORK, nothing).code == "too_soon"


def test_as_much_is_hashed_for_somebody_unknown_as_for_every_version_of_a_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work: list[int] = []

    def counted(pin: str, n: int, r: int, p: int, salt: bytes) -> bytes:
        work.append(n * r * p)
        return bytes(32)

    monkeypatch.setattr(people_file, "_hash", counted)
    done = []
    for version in SCRYPTS:
        path = of(tmp_path, "anna", p=version[2])
        for name in ("anna", "nobody"):
            work.clear()
            assert People(path).check(name, WRONG).code == "wrong_pin"
            done.append((sum(work), len(work)))
    n, r, p = SCRYPT
    assert set(done) == {(n * r * (p + 1), 2)}


@pytest.mark.usefixtures("quick")
def test_who_asks_for_many_names_makes_nobody_forgotten_that_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pin_delays, "UNKNOWN_MAX", 8)
    clock = Clock()
    found = People(of(tmp_path, "anna"), clock)
    for _ in range(3):
        found.check("anna", WRONG, NETWORK)
        clock.now_s += 100
    for at in range(100):
        found.check(f"nobody {at}", WRONG, NETWORK)
    assert found.check("anna", WRONG, NETWORK).told == "anna, 4 in a row"
    assert len(found._delays._unknown) == 8
    assert found.check("nobody 99", WRONG, NETWORK).code == "too_soon"


def test_no_name_is_kept_as_it_was_given() -> None:
    """A name that nobody has may be a PIN in the wrong place."""
    delays = Delays()
    delays.wrong("602214", NETWORK, known=False)
    assert "602214" not in repr(vars(delays)) and b"602214" not in b"".join(
        place for place, _ in delays._unknown
    )


# --- the network never slows the table ------------------------------------------------------------


@pytest.mark.usefixtures("quick")
def test_what_the_network_tries_slows_nobody_down_at_the_table(tmp_path: Path) -> None:
    clock = Clock()
    found = People(of(tmp_path, "anna"), clock)
    for _ in range(20):
        found.check("anna", WRONG, NETWORK)
        clock.now_s += 900.0
    assert found.check("anna", WRONG, NETWORK).code == "wrong_pin"
    assert found.check("anna", PINS["anna"], NETWORK).code == "too_soon"
    assert found.check("anna", PINS["anna"], "croupiers").role == "croupier"
    assert found.check("anna", PINS["anna"], NETWORK).code == "too_soon"


@pytest.mark.usefixtures("quick")
def test_the_right_pin_passes_from_a_device_that_knew_it_however_often_delays_are_renewed(
    tmp_path: Path,
) -> None:
    clock = Clock()
    found = People(of(tmp_path, "anna"), clock)
    device = found.check("anna", PINS["anna"], NETWORK, "").devices
    for _ in range(50):
        found.check("anna", WRONG, NETWORK, "")
        assert found.check("anna", PINS["anna"], NETWORK, "").code == "too_soon"
        assert found.check("anna", PINS["anna"], NETWORK, device).role == "croupier"
        clock.now_s += 900.0


@pytest.mark.usefixtures("quick")
def test_who_guesses_with_a_device_that_knew_the_pin_waits_as_everybody(tmp_path: Path) -> None:
    clock = Clock()
    found = People(of(tmp_path, "anna", "weber"), clock)
    device = found.check("anna", PINS["anna"], NETWORK, "").devices
    assert found.check("anna", WRONG, NETWORK, device).code == "wrong_pin"
    assert found.check("anna", PINS["anna"], NETWORK, device).code == "too_soon"
    assert found.check("anna", WRONG, "uncle", device).code == "too_soon"  # it is the same device
    found.check("weber", WRONG, NETWORK, "")
    assert found.check("weber", PINS["weber"], NETWORK, device).code == "too_soon"


@pytest.mark.usefixtures("quick")
def test_a_device_of_several_people_keeps_what_each_needs(tmp_path: Path) -> None:
    found = People(of(tmp_path, "anna", "weber"), Clock())
    device = found.check("anna", PINS["anna"], NETWORK, "").devices
    both = found.check("weber", PINS["weber"], NETWORK, device).devices
    assert both is not None and len(both.split(".")) == 2
    assert found.check("anna", PINS["anna"], NETWORK, both).devices == both
    for name in ("anna", "weber"):
        found.check(name, WRONG, NETWORK, "")
        assert found.check(name, PINS[name], NETWORK, both).role


def test_another_pin_ends_what_devices_keep() -> None:
    before, after = secrets.token_bytes(32), secrets.token_bytes(32)
    device = device_tokens.added("", "anna", before)
    assert device_tokens.found_in(device, "anna", before) is not None
    assert device_tokens.found_in(device, "anna", after) is None
    assert device_tokens.found_in(device, "béa", before) is None
    for at in range(len(device)):
        other = "A" if device[at] != "A" else "B"
        changed = device[:at] + other + device[at + 1 :]
        assert device_tokens.found_in(changed, "anna", before) is None


def test_a_device_keeps_no_more_than_its_place_holds() -> None:
    tokens = ""
    for at in range(20):
        tokens = device_tokens.added(tokens, f"p{at}", bytes(32))
    assert len(tokens) == device_tokens.LENGTH_MAX
    assert device_tokens.found_in(tokens, "p19", bytes(32)) is not None
    assert device_tokens.found_in(tokens, "p11", bytes(32)) is None


# --- hashes of before -----------------------------------------------------------------------------


def test_a_new_pin_is_hashed_with_five_times_the_work() -> None:
    person = enrol("anna", "croupier", "246810")
    assert (person.n, person.r, person.p) == (16_384, 8, 5)


@pytest.mark.usefixtures("quick")
def test_a_hash_of_before_still_holds_and_is_made_anew_at_the_next_right_pin(
    tmp_path: Path,
) -> None:
    path = of(tmp_path, "anna", "weber", p=1)
    found = People(path)
    assert found.check("anna", WRONG, "elsewhere").code == "wrong_pin"
    assert all(is_outdated(person) for person in load(path))
    told = found.check("anna", PINS["anna"], NETWORK, "")
    assert told.role == "croupier"
    anna, weber = load(path)
    assert (anna.p, weber.p) == (SCRYPT[2], 1)
    assert anna.salt != weber.salt
    assert told.devices and device_tokens.found_in(told.devices, "anna", anna.hash)
    assert found.check("anna", PINS["anna"]).role == "croupier"


@pytest.mark.usefixtures("quick")
def test_where_the_file_cannot_be_written_a_hash_of_before_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = of(tmp_path, "anna", p=1)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(people_file, "_write", full)
    assert People(path).check("anna", PINS["anna"]).role == "croupier"
    assert load(path)[0].p == 1


@pytest.mark.usefixtures("quick")
def test_whoever_locks_the_folder_keeps_no_pin_from_being_checked(tmp_path: Path) -> None:
    """Whoever may read it may lock it: an auditor of the group, a page that was taken over."""
    path = of(tmp_path, "anna", p=1)
    folder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        assert People(path).check("anna", PINS["anna"]).role == "croupier"
        assert load(path)[0].p == 1
        with pytest.raises(PeopleError, match="somebody else is editing it"), editing(path, 0.0):
            pass
    finally:
        os.close(folder)
    with editing(path, 0.0):
        pass


@pytest.mark.usefixtures("quick")
def test_who_was_removed_meanwhile_is_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = of(tmp_path, "anna", p=1)
    real = people_file._hashed

    def slow(*given: str) -> Any:
        path.write_bytes(somebody("weber"))
        return real(*given)

    monkeypatch.setattr(people_file, "_hashed", slow)
    People(path).check("anna", PINS["anna"])
    assert [person.name for person in load(path)] == ["weber"]


def test_a_line_of_before_is_read_and_written_as_it_is() -> None:
    line = somebody(p=1)
    (person,) = people_file.parse(line)
    assert people_file.parse(encode(person)) == [person]
    assert is_outdated(person)
