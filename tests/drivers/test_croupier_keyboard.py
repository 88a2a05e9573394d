import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import checked_line, croupier_keyboard
from drivers.croupier_keyboard import (
    BOUNCE_US,
    BOUNCED,
    CODES,
    HELD,
    HELD_US,
    LOST,
    TABLE,
    TOGETHER,
    CroupierKeys,
    KeysIgnored,
    SerialKeyboard,
    UsbKeyboard,
)
from firmware.core.cards import facts
from firmware.core.cards.facts import KeyPressed, KeySwitched

MS = 1000
CARD, STAND, DOUBLE = facts.KEY_CARD, facts.KEY_STAND, facts.KEY_DOUBLE
CROUPIER, MANAGEMENT = facts.SWITCHES


def fed(*changes: tuple[str, int, int]) -> list[Any]:
    """What follows from keys and levels at so many ms."""
    keys = CroupierKeys()
    return [fact for key, level, ms in changes for fact in keys.feed(key, level, ms * MS)]


def test_every_key_and_switch_of_a_card_table_is_in_the_table_once() -> None:
    assert [row[0] for row in TABLE] == [*facts.KEYS, *facts.SWITCHES]
    for column in range(4):
        assert len({row[column] for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize("key", facts.KEYS)
def test_a_key_acts_once_when_it_is_let_go(key: str) -> None:
    keys = CroupierKeys()
    assert keys.feed(key, 1, 100 * MS) == []
    assert keys.feed(key, 0, 220 * MS) == [KeyPressed(220 * MS, key)]
    assert keys.feed(key, 0, 230 * MS) == []


def test_two_presses_are_two() -> None:
    told = fed((CARD, 1, 0), (CARD, 0, 80), (CARD, 1, 180), (CARD, 0, 260))
    assert told == [KeyPressed(80 * MS, CARD), KeyPressed(260 * MS, CARD)]


def test_a_key_that_is_held_acts_on_nothing_and_is_told_once_while_it_is_held() -> None:
    keys = CroupierKeys()
    keys.feed(CARD, 1, 0)
    assert keys.due_us == HELD_US
    assert keys.tick(HELD_US - 1) == []
    assert keys.tick(HELD_US) == [KeysIgnored(HELD_US, (CARD,), HELD)]
    assert keys.due_us == croupier_keyboard.NEVER_US
    assert keys.tick(3 * HELD_US) == []
    assert keys.feed(CARD, 0, 3 * HELD_US) == []


def test_a_key_that_was_held_while_nobody_looked_acts_on_nothing_either() -> None:
    assert fed((CARD, 1, 0), (CARD, 0, 1500)) == [KeysIgnored(HELD_US, (CARD,), HELD)]
    assert fed((CARD, 1, 0), (CARD, 0, 1499)) == [KeyPressed(1_499_000, CARD)]


def test_a_repetition_is_no_press() -> None:
    told = fed((CARD, 1, 0), (CARD, 1, 50), (CARD, 1, 100), (CARD, 0, 120))
    assert told == [KeyPressed(120 * MS, CARD)]


def test_two_at_once_act_on_nothing_in_whichever_order_they_are_let_go() -> None:
    for last in ((CARD, STAND), (STAND, CARD)):
        told = fed((CARD, 1, 0), (STAND, 1, 60), (last[0], 0, 120), (last[1], 0, 180))
        assert told == [KeysIgnored(60 * MS, (CARD, STAND), TOGETHER)]


def test_a_third_one_beside_them_is_told_too() -> None:
    told = fed((CARD, 1, 0), (STAND, 1, 60), (CARD, 0, 90), (DOUBLE, 1, 100), (STAND, 0, 120))
    assert [fact.keys for fact in told] == [(CARD, STAND), (STAND, DOUBLE)]


def test_the_next_press_alone_acts_again() -> None:
    told = fed((CARD, 1, 0), (STAND, 1, 60), (CARD, 0, 90), (STAND, 0, 120))
    told += fed((CARD, 1, 500), (CARD, 0, 600))
    assert told[-1] == KeyPressed(600 * MS, CARD)


def test_a_contact_that_bounces_acts_once_at_most() -> None:
    assert fed((CARD, 1, 0), (CARD, 0, 3)) == [KeysIgnored(3 * MS, (CARD,), BOUNCED)]
    told = fed((CARD, 1, 0), (CARD, 0, 100), (CARD, 1, 105), (CARD, 0, 200))
    assert told == [KeyPressed(100 * MS, CARD), KeysIgnored(105 * MS, (CARD,), BOUNCED)]
    told = fed((CARD, 1, 0), (CARD, 0, 2), (CARD, 1, 5), (CARD, 0, 100))
    assert {type(fact) for fact in told} == {KeysIgnored}


def test_another_key_right_behind_it_is_no_bounce() -> None:
    told = fed((CARD, 1, 0), (CARD, 0, 100), (STAND, 1, 105), (STAND, 0, 200))
    assert told == [KeyPressed(100 * MS, CARD), KeyPressed(200 * MS, STAND)]


def test_a_switch_is_turned_and_stays_and_keys_act_meanwhile() -> None:
    keys = CroupierKeys()
    assert keys.feed(CROUPIER, 1, 0) == [KeySwitched(0, CROUPIER, True)]
    assert keys.feed(CROUPIER, 1, 1) == []
    assert keys.feed(MANAGEMENT, 1, 2) == [KeySwitched(2, MANAGEMENT, True)]
    assert keys.due_us == croupier_keyboard.NEVER_US
    keys.feed(CARD, 1, 10 * MS)
    assert keys.feed(CARD, 0, 100 * MS) == [KeyPressed(100 * MS, CARD)]
    assert keys.feed(MANAGEMENT, 0, HELD_US) == [KeySwitched(HELD_US, MANAGEMENT, False)]


def test_where_something_was_not_heard_nothing_is_down_and_switches_are_turned_back() -> None:
    keys = CroupierKeys()
    keys.feed(CROUPIER, 1, 0)
    keys.feed(CARD, 1, 0)
    told = keys.lose(50 * MS)
    assert told == [KeysIgnored(50 * MS, (CARD,), LOST), KeySwitched(50 * MS, CROUPIER, False)]
    assert keys.feed(CARD, 0, 100 * MS) == []
    keys.feed(STAND, 1, 200 * MS)
    assert keys.feed(STAND, 0, 300 * MS) == [KeyPressed(300 * MS, STAND)]


def test_a_key_that_no_table_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no key"):
        CroupierKeys().feed("jackpot", 1, 0)


CHANGES = st.lists(
    st.tuples(
        st.sampled_from((CARD, STAND, DOUBLE)),
        st.integers(0, 1),
        st.sampled_from((1 * MS, 19_999, 20 * MS, 100 * MS, HELD_US - 1, HELD_US)),
    ),
    max_size=20,
)


@given(CHANGES)
def test_a_key_acts_if_and_only_if_it_was_pressed_alone_long_enough_and_not_too_long(
    changes: list[tuple[str, int, int]],
) -> None:
    """Against intervals: each press as (key, from, to), looked at when all is over."""
    keys, told, now_us = CroupierKeys(), [], 0
    presses: list[list[Any]] = []  # [key, from, to or None]
    for key, level, after_us in changes:
        now_us += after_us
        told += keys.feed(key, level, now_us)
        mine = [each for each in presses if each[0] == key and each[2] is None]
        if level and not mine:
            presses.append([key, now_us, None])
        elif not level and mine:
            mine[0][2] = now_us
    should = []
    for at, (key, begin, end) in enumerate(presses):
        if end is None:
            continue
        rest = presses[:at] + presses[at + 1 :]
        alone = all(
            (other[2] is not None and other[2] <= begin) or other[1] >= end for other in rest
        )
        before = [other[2] for other in presses[:at] if other[0] == key]
        bounced = bool(before) and begin - before[-1] < BOUNCE_US
        if alone and not bounced and BOUNCE_US <= end - begin < HELD_US:
            should.append(KeyPressed(end, key))
    assert [fact for fact in told if isinstance(fact, KeyPressed)] == sorted(should)
    ignored = [each for each in presses if each[2] is not None]
    if len(should) < len(ignored):
        assert any(isinstance(fact, KeysIgnored) for fact in told), "why is told"


# --- USB ------------------------------------------------------------------------------------------


def event(at_us: int, kind: int, code: int, value: int) -> bytes:
    """struct input_event, as this machine has it."""
    return struct.pack("llHHi", at_us // 1_000_000, at_us % 1_000_000, kind, code, value)


def stroke(code: int, at_us: int) -> bytes:
    """A key pressed for 100 ms, with the reports between."""
    down = event(at_us, 4, 4, 7) + event(at_us, 1, code, 1) + event(at_us, 0, 0, 0)
    held = event(at_us + 50 * MS, 1, code, 2) + event(at_us + 50 * MS, 0, 0, 1)
    up = event(at_us + 100 * MS, 1, code, 0) + event(at_us + 100 * MS, 0, 0, 0)
    return down + held + up


def test_an_event_is_these_very_bytes() -> None:
    """What `cat /dev/input/event0` gives on a 64-bit machine for F9, down."""
    if struct.calcsize("l") == 8:
        assert event(1_500_000, 1, 67, 1).hex() == (
            "010000000000000020a10700000000000100430001000000"
        )


@pytest.mark.parametrize(("key", "name", "code"), [(k, n, c) for k, _, n, c in TABLE])
def test_each_key_of_a_usb_keyboard_is_this_one(key: str, name: str, code: int) -> None:
    told = UsbKeyboard(CroupierKeys()).receive(stroke(code, 2_000_000))
    if key in facts.SWITCHES:
        assert told == [KeySwitched(2_000_000, key, True), KeySwitched(2_100_000, key, False)]
    else:
        assert told == [KeyPressed(2_100_000, key)]
    assert code == CODES_OF_LINUX[name]


# linux/input-event-codes.h, as it stands there.
CODES_OF_LINUX = {
    **{f"KEY_{number}": number + 1 for number in range(1, 10)},
    **{f"KEY_F{number}": 58 + number for number in range(1, 11)},
    "KEY_F11": 87,
    "KEY_F12": 88,
    "KEY_F21": 191,
    "KEY_F22": 192,
}


def test_it_does_not_matter_how_the_events_are_cut() -> None:
    keyboard = UsbKeyboard(CroupierKeys())
    data = stroke(67, 0) + stroke(68, 1_000_000)
    told = [fact for byte in data for fact in keyboard.receive(bytes([byte]))]
    assert told == [KeyPressed(100 * MS, CARD), KeyPressed(1_100_000, STAND)]


def test_a_keyboard_with_other_keys_is_set_up_for_them() -> None:
    keyboard = UsbKeyboard(CroupierKeys(), {30: CARD})
    assert keyboard.receive(stroke(67, 0)) == []
    assert keyboard.receive(stroke(30, 0)) == [KeyPressed(100 * MS, CARD)]


def test_what_the_kernel_dropped_is_told_and_what_comes_before_the_next_report_is_not_heard() -> (
    None
):
    keyboard = UsbKeyboard(CroupierKeys())
    down = event(0, 1, 67, 1) + event(0, 0, 0, 0)
    dropped = event(1000, 0, 3, 0) + event(1000, 1, 68, 1) + event(1000, 0, 0, 0)
    up = event(90 * MS, 1, 67, 0) + event(90 * MS, 1, 68, 0) + event(90 * MS, 0, 0, 0)
    assert keyboard.receive(down + dropped + up) == [KeysIgnored(1000, (CARD,), LOST)]
    assert keyboard.receive(stroke(67, 1_000_000)) == [KeyPressed(1_100_000, CARD)]


# --- serial ---------------------------------------------------------------------------------------


def line(name: str, level: str, number: int) -> bytes:
    return checked_line.written([name, level, f"{number:03}"]).encode() + b"\r\n"


def test_a_line_is_these_very_bytes() -> None:
    assert line("CARTE", "D", 12) == b"CARTE-D-012*2\r\n"


@pytest.mark.parametrize(("key", "name"), [row[:2] for row in TABLE])
def test_each_key_of_a_serial_keyboard_is_this_one(key: str, name: str) -> None:
    keyboard = SerialKeyboard(CroupierKeys())
    told = keyboard.receive(line(name, "D", 998), 0) + keyboard.receive(line(name, "U", 999), 50000)
    told += keyboard.receive(line(name, "D", 0), 500_000)
    assert told[0] in (KeyPressed(50_000, key), KeySwitched(0, key, True))
    assert not [fact for fact in told if isinstance(fact, KeysIgnored)]


@pytest.mark.parametrize("number", [12, 14, 11, 913])
def test_a_line_that_is_missing_or_said_twice_is_told_and_acts_on_nothing(number: int) -> None:
    keyboard = SerialKeyboard(CroupierKeys())
    keyboard.receive(line("CARTE", "D", 12), 0)
    told = keyboard.receive(line("CARTE", "U", number), 100 * MS)
    assert told == [KeysIgnored(100 * MS, (CARD,), LOST)]


def test_no_wrong_character_makes_another_key() -> None:
    right = line("CARTE", "U", 13).decode()[:-2]
    wrong = {
        right[:at] + chr(code) + right[at + 1 :]
        for at in range(len(right))
        for code in range(0x20, 0x7F)
    }
    wrong |= {
        right[:at] + right[at + 1] + right[at] + right[at + 2 :] for at in range(len(right) - 1)
    }
    wrong.remove(right)
    for each in sorted(wrong):
        keyboard = SerialKeyboard(CroupierKeys())
        keyboard.receive(line("CARTE", "D", 12), 0)
        told = keyboard.receive(each.encode() + b"\n", 100 * MS)
        assert told == [KeysIgnored(100 * MS, (CARD,), LOST)], each
        assert keyboard.receive(line("CARTE", "U", 14), 150 * MS) == []


@pytest.mark.parametrize(
    "fields",
    [
        ["CARTE", "D"],
        ["CARTE", "D", "012", "1"],
        ["JACKPOT", "D", "012"],
        ["CARTE", "X", "012"],
        ["CARTE", "D", "12"],
        ["CARTE", "D", "0012"],
        ["CARTE", "D", "A12"],
    ],
)
def test_what_has_a_right_check_and_is_no_key_acts_on_nothing(fields: list[str]) -> None:
    told = SerialKeyboard(CroupierKeys()).receive(checked_line.written(fields).encode() + b"\n", 7)
    assert told == [KeysIgnored(7, (), LOST)]


@given(st.lists(st.binary(max_size=50), max_size=5))
def test_garbage_presses_no_key(parts: list[bytes]) -> None:
    serial, usb = SerialKeyboard(CroupierKeys()), UsbKeyboard(CroupierKeys(), {})
    for part in parts:
        told = serial.receive(part + b"\n", 0) + usb.receive(part)
        assert [fact for fact in told if not isinstance(fact, KeysIgnored)] == []


def test_the_codes_of_the_table_are_those_of_its_rows() -> None:
    assert len(CODES) == len(TABLE)
