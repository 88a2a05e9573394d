"""The words for U-Boot: its own format, whole whatever a power cut tears."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.lib import durable
from firmware.lib.errors import FAILED, Failure
from firmware.lib.partitions import STATE_COPY, STATE_FILE, STATE_SIZE, TRIES
from firmware.services.update import bootenv
from firmware.services.update.slots import FIRMWARE

SECTOR = 512
WORD = st.text(st.characters(codec="ascii", exclude_characters="\0="), min_size=1, max_size=20)
VALUE = st.text(st.characters(codec="ascii", exclude_characters="\0"), max_size=30)


@given(st.dictionaries(WORD, VALUE, min_size=1, max_size=20))
def test_what_is_written_is_read(words):
    assert bootenv.parse(bootenv.text(words)) == words


@given(st.binary(max_size=100), st.integers(0, STATE_SIZE - 1), st.integers(1, 255))
def test_a_byte_that_differs_is_noticed(head, at, change):
    data = bytearray(bootenv.text({"BOOT_ORDER": "A B", "X": head.hex()}))
    data[at] ^= change
    assert bootenv.parse(bytes(data)) is None


@given(st.binary(max_size=600))
def test_what_is_no_state_is_not_taken_for_one(data):
    assert bootenv.parse(data) is None


def test_what_is_flashed_is_read():
    words = bootenv.parse(bootenv.flashed())
    assert words is not None
    assert bootenv.choice(words) == bootenv.Choice(("A", "B"), {"A": TRIES, "B": 0})


@pytest.mark.needs("fw_printenv")
def test_u_boots_own_tool_reads_what_we_write(machine, tmp_path):
    bootenv.choose(machine, "B", "A", tries=1)
    conf = tmp_path / "fw_env.config"
    conf.write_text(f"{machine / FIRMWARE / STATE_FILE} 0x0 {STATE_SIZE:#x}\n")
    command = ["fw_printenv", "-c", conf]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(done.stdout.split("\n")) >= {"BOOT_ORDER=B A", "BOOT_A_LEFT=3", "BOOT_B_LEFT=1"}


def test_a_word_that_is_unreadable_counts_as_no_start_left():
    told = {"BOOT_ORDER": "A C B", "BOOT_A_LEFT": "x"}
    assert bootenv.choice(told) == bootenv.Choice(("A", "B"), {"A": 0, "B": 0})


def test_other_words_stay(machine):
    path = machine / FIRMWARE / STATE_FILE
    path.write_bytes(bootenv.text({"BOOT_ORDER": "A", "ethaddr": "x=y"}))
    bootenv.choose(machine, "A")
    assert bootenv.read(machine)["ethaddr"] == "x=y"


class Cut(Exception):
    """The power."""


@pytest.mark.parametrize("whole", range(2 * STATE_SIZE // SECTOR + 1))
def test_a_write_torn_at_any_sector_leaves_the_old_words_or_the_new(machine, monkeypatch, whole):
    """`whole`: sectors written, over the copy and then the state, before the power is cut."""
    # Other words before ours, that ours lie in the second sector: no write is torn within one.
    words = bootenv.read(machine) | {"ABOUT": "x" * SECTOR}
    (machine / FIRMWARE / STATE_FILE).write_bytes(bootenv.text(words))
    # The copy is another one than the state: as after a start that was cut.
    (machine / FIRMWARE / STATE_COPY).write_bytes(bootenv.text({"BOOT_ORDER": "B"}))
    old = bootenv.read(machine)
    left = whole * SECTOR
    real = durable.overwrite

    def torn(path, data):
        nonlocal left
        now = path.read_bytes()
        done = min(left, len(data))
        left -= done
        real(path, data[:done] + now[done:])
        if done < len(data):
            raise Cut

    monkeypatch.setattr(durable, "overwrite", torn)
    try:
        bootenv.choose(machine, "B", "A", tries=1)
    except Cut:
        found = bootenv.read(machine)
    else:
        assert left == 0
        found = bootenv.read(machine)
        assert bootenv.choice(found).order == ("B", "A")
    new = old | bootenv.words(("B", "A"), {"B": 1, "A": TRIES})
    assert found in (old, new)


def test_a_state_that_is_not_whole_is_not_copied_over_the_copy(machine):
    (machine / FIRMWARE / STATE_FILE).write_bytes(b"torn")
    copy = (machine / FIRMWARE / STATE_COPY).read_bytes()
    bootenv.choose(machine, "A")
    assert (machine / FIRMWARE / STATE_COPY).read_bytes() == copy
    assert bootenv.choice(bootenv.read(machine)).left["A"] == TRIES


@pytest.mark.parametrize("spoil", [lambda path: path.unlink(), lambda path: path.write_bytes(b"x")])
def test_a_card_without_words_is_told_in_one_sentence(machine, spoil):
    for name in (STATE_FILE, STATE_COPY):
        spoil(machine / FIRMWARE / name)
    with pytest.raises(Failure, match="which slot starts") as found:
        bootenv.read(machine)
    assert found.value.exit_code == FAILED


def test_too_many_words_are_refused():
    with pytest.raises(Failure, match="no room"):
        bootenv.text({"x": "y" * STATE_SIZE})
