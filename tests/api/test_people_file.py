"""The file of people: PINs as hashes alone, every mistake told, wrong PINs slowed down."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_bench import Clock, of, somebody
from service_bench import PINS

from firmware.keys import people as people_file
from firmware.keys.people import (
    FILE_MAX,
    PEOPLE_MAX,
    PIN_MAX,
    PIN_MIN,
    SCRYPT,
    SCRYPTS,
    TABLE,
    People,
    PeopleError,
    Person,
    editing,
    encode,
    enrol,
    load,
    matches,
    parse,
)
from firmware.keys.pin_delays import DELAY_MAX_S


def mistakes(data: bytes) -> list[str]:
    with pytest.raises(PeopleError) as caught:
        parse(data, "people.jsonl")
    return caught.value.sentences


# --- PINs -----------------------------------------------------------------------------------------


def test_only_the_pin_itself_matches() -> None:
    person = enrol("anna", "croupier", "246810")
    assert matches(person, "246810")
    for other in ("246811", "24681", "2468100", "", "x" * 10_000, "\ud800"):
        assert not matches(person, other)


def test_a_hash_is_that_of_rfc_7914() -> None:
    """RFC 7914 section 12, the vector with N = 16384, r = 8, p = 1 (its first 32 bytes)."""
    found = people_file._hash("pleaseletmein", *SCRYPTS[0], b"SodiumChloride")
    assert found.hex() == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"


@pytest.mark.req("EN-5.1-3")
def test_two_people_with_one_pin_have_two_hashes() -> None:
    one, other = (enrol(name, "croupier", "246810") for name in ("anna", "béa"))
    assert one.salt != other.salt
    assert one.hash != other.hash


@pytest.mark.req("IEC-CR-1.5")
def test_neither_the_file_nor_anything_printed_holds_a_pin(lines: bytes) -> None:
    shown = lines.decode() + repr(parse(lines))
    assert not [pin for pin in PINS.values() if pin in shown]
    assert parse(lines)[0].hash.hex() not in repr(parse(lines))


@pytest.mark.req("IEC-CR-1.7")
@pytest.mark.parametrize(
    "pin", ["", "12345", "x" * (PIN_MAX + 1), "246\n810", "111111", "121212", " 246810"]
)
def test_a_pin_that_is_too_easy_is_none(pin: str) -> None:
    with pytest.raises(ValueError, match="A PIN has"):
        enrol("anna", "croupier", pin)


@pytest.mark.req("IEC-CR-1.7")
def test_a_pin_has_six_characters_at_least() -> None:
    assert PIN_MIN == 6
    assert people_file.unfit_pin("246810") is None
    assert people_file.unfit_pin("24681") is not None


@pytest.mark.parametrize("name", ["", " anna", "anna ", "an\nna", "x" * 41, "\u202eanna"])
def test_a_name_that_cannot_be_read_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="A name has"):
        enrol(name, "croupier", "246810")


def test_a_role_that_nobody_has_is_none() -> None:
    with pytest.raises(ValueError, match="croupier, management, technician, supervisor"):
        enrol("anna", "boss", "246810")


# --- checking -------------------------------------------------------------------------------------


def test_a_pin_stands_for_the_role_of_its_person(people: Path) -> None:
    found = People(people)
    assert found.check("anna", PINS["anna"]).role == "croupier"
    assert found.check("weber", PINS["weber"]).role == "management"


def test_an_accent_may_be_typed_in_either_form(people: Path) -> None:
    assert People(people).check("be\u0301a", "se\u0301same9").role == "croupier"


@pytest.mark.req("IEC-CR-1.11")
@pytest.mark.usefixtures("quick")
def test_wrong_pins_wait_twice_as_long_each_time_up_to_a_limit(tmp_path: Path) -> None:
    path, clock = of(tmp_path, "anna"), Clock()
    found = People(path, clock)
    waits = []
    for _ in range(13):
        assert found.check("anna", "000000").code == "wrong_pin"
        begun_s = clock.now_s
        # The right one has to wait, too; it is not given where it would be heard.
        while found._delays.wait_s("anna", TABLE, known=True):
            assert found.check("anna", PINS["anna"]).code == "too_soon"
            clock.now_s += 0.5
        waits.append(clock.now_s - begun_s)
    assert waits == [min(2.0**at, DELAY_MAX_S) for at in range(13)]


@pytest.mark.usefixtures("quick")
def test_what_is_asked_too_soon_is_not_even_looked_at(tmp_path: Path) -> None:
    found = People(of(tmp_path, "anna"), Clock())
    assert found.check("anna", "000000").told == "anna, 1 in a row"
    for pin in ("000001", PINS["anna"]):
        early = found.check("anna", pin)
        assert (early.role, early.code, early.told) == (None, "too_soon", None)
        assert "for 1 s" in early.text


@pytest.mark.usefixtures("quick")
def test_the_right_pin_makes_good_and_others_never_waited(tmp_path: Path) -> None:
    clock = Clock()
    found = People(of(tmp_path, "anna", "weber"), clock)
    for count in (1, 2):
        assert found.check("anna", "000000").told == f"anna, {count} in a row"
        assert found.check("weber", PINS["weber"]).role == "croupier"
        clock.now_s += 5
    assert found.check("anna", PINS["anna"]).role == "croupier"
    assert found.check("anna", "000000").told == "anna, 1 in a row"


def test_nobody_is_called_by_the_empty_name(people: Path) -> None:
    assert People(people).check("", "").code == "wrong_pin"


# --- the file -------------------------------------------------------------------------------------


def test_a_file_without_a_mistake_is_read_in_its_order(lines: bytes) -> None:
    assert [person.name for person in parse(lines)] == list(PINS)
    assert parse(b"\n" + lines + b"\n  \n") == parse(lines)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"anna", "this is not JSON"),
        (b"\xff", "this is not JSON"),
        (b"[" * 2000, "this is not JSON"),
        (b"[]", "exactly the keys name, role, n, r, p, salt, hash"),
        (b'{"name":"anna"}', "exactly the keys"),
        (somebody(more=1), "exactly the keys"),
        (somebody(name=7), "the name must be a text"),  # type: ignore[arg-type]
        (somebody(name=" anna"), "A name has 1 to 40"),
        (somebody(role="boss"), "the role must be one of croupier, management"),
        (somebody(n=1 << 40), "n, r and p must be 16384, 8, 1 or 16384, 8, 5"),
        (somebody(n=2), "n, r and p must be"),
        (somebody(p=2), "n, r and p must be"),
        (somebody(p=None), "n, r and p must be"),
        (somebody(r="8"), "n, r and p must be"),
        (somebody(salt=""), "salt and hash must be 16 and 32 bytes in hex"),
        (somebody(salt="zz" * 16), "salt and hash must be"),
        (somebody(hash="11" * 31), "salt and hash must be"),
        (somebody(hash=None), "salt and hash must be"),
    ],
)
def test_a_mistake_is_told_with_its_line(line: bytes, said: str) -> None:
    (sentence,) = mistakes(somebody("weber") + line)
    assert sentence.startswith("people.jsonl:2: ")
    assert said in sentence


def test_every_mistake_is_told_at_once() -> None:
    told = mistakes(b"x\n" + somebody(role="") + somebody() + b"{}\n" + somebody("ANNA"))
    assert [sentence.split(":")[1] for sentence in told] == ["1", "2", "4", "5"]
    assert "ANNA is there already, in line 3" in told[-1]


def test_more_people_than_a_house_has_are_a_mistake() -> None:
    crowd = b"".join(somebody(f"p{at}") for at in range(PEOPLE_MAX + 1))
    assert "more than 500 people" in mistakes(crowd)[0]
    assert len(crowd) < FILE_MAX


def test_of_many_broken_lines_twenty_are_told() -> None:
    told = mistakes(b"x\n" * 60)
    assert len(told) == 21
    assert told[-1] == "And 40 more: correct these first."


@given(st.binary(max_size=300) | st.text(alphabet='{}[]":,\n annrole123', max_size=80))
def test_no_bytes_are_more_than_people_or_sentences(data: bytes | str) -> None:
    raw = data.encode() if isinstance(data, str) else data
    found, told = read(raw)
    assert all(isinstance(person, Person) for person in found)
    assert all(sentence.startswith("f") for sentence in told)
    assert not (found and told)


def read(data: bytes) -> tuple[list[Person], list[str]]:
    """The people in these lines, or what is said of them."""
    try:
        return parse(data, "f"), []
    except PeopleError as error:
        return [], error.sentences


@given(st.data(), st.sampled_from(("name", "role", "n", "r", "p", "salt", "hash")))
def test_a_line_with_any_other_value_is_a_person_or_a_sentence(
    data: st.DataObject, key: str
) -> None:
    value = data.draw(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.none())
    )
    found, told = read(somebody(**{key: value}))
    assert len(found) + len(told) == 1
    for person in found:
        assert parse(encode(person)) == [person]
        assert (person.n, person.r, person.p) in SCRYPTS


@given(st.text(min_size=1, max_size=40), st.sampled_from(people_file.ROLES))
def test_what_was_written_is_read_again(name: str, role: str) -> None:
    if people_file.unfit_name(name) is None:
        person = Person(name, role, *SCRYPT, b"s" * 16, b"h" * 32)
        assert parse(encode(person)) == [person]


@pytest.mark.req("IEC-CR-1.5")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644, 0o666])
def test_a_file_that_others_may_read_or_write_is_refused(people: Path, mode: int) -> None:
    people.chmod(mode)
    with pytest.raises(PeopleError, match=rf"mode {mode:o}\). Run chmod 600"):
        load(people)


def test_a_file_of_somebody_else_is_refused(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(people, 1234, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    with pytest.raises(PeopleError, match="chown 4321"):
        load(people)


@pytest.mark.needs("root")
def test_root_changes_the_controllers_file_and_it_stays_the_controllers(people: Path) -> None:
    """The card of a wheel in a laptop: docs/first-wheel.md."""
    os.chown(people, 641, 641)
    with people_file.editing(people) as there:
        there[:] = [person for person in there if person.name != "tom"]
    held = people.stat()
    assert (held.st_uid, held.st_gid, stat.S_IMODE(held.st_mode)) == (641, 641, 0o600)
    assert "tom" not in people.read_text()


def test_what_is_no_file_is_refused_and_holds_nobody_up(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    for path in (pipe, tmp_path):
        with pytest.raises(PeopleError):
            load(path)
    assert People(pipe).check("anna", "x").code == "bad_people"


def test_a_file_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    path.write_bytes(b"\n" * (FILE_MAX + 1))
    path.chmod(0o600)
    with pytest.raises(PeopleError, match="longer than"):
        load(path)


# --- changing it ----------------------------------------------------------------------------------


def test_a_new_file_is_for_its_owner_alone_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "new" / "people.jsonl"
    before = os.umask(0)
    try:
        with editing(path) as found:
            assert found == []
            found.append(parse(somebody())[0])
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["people.jsonl"]
    assert [person.name for person in load(path)] == ["anna"]


def test_a_change_that_fails_leaves_the_file_as_it_was(
    people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = people.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for part in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, part, full)
            with pytest.raises(OSError, match="No space"), editing(people) as found:
                found.clear()
        assert people.read_bytes() == before
        assert [entry.name for entry in people.parent.iterdir()] == ["people.jsonl"]


def _give_up(path: Path) -> None:
    with editing(path) as found:
        found.clear()
        raise KeyboardInterrupt


def test_a_change_given_up_writes_nothing(people: Path) -> None:
    before = people.stat().st_mtime_ns
    with pytest.raises(KeyboardInterrupt):
        _give_up(people)
    assert people.stat().st_mtime_ns == before


def test_the_whole_file_is_synced_before_it_takes_the_place_of_the_old(
    people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for part in ("fsync", "replace"):
        real = getattr(os, part)

        def noted(*given: Any, real: Any = real, part: str = part) -> Any:
            done.append(part)
            return real(*given)

        monkeypatch.setattr(os, part, noted)
    with editing(people) as found:
        del found[0]
    assert done == ["fsync", "replace", "fsync"]


def test_two_who_change_it_at_once_both_have_their_change(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"

    def add(number: int) -> None:
        with editing(path) as found:
            found.append(parse(somebody(f"p{number}"))[0])

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(person.name for person in load(path)) == [f"p{number}" for number in range(8)]
