"""A signed calibration: read back whole, and refused if a byte of it is another."""

import contextlib
import json

import own_journal
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from firmware.bus import record
from firmware.lib.errors import CONFIGURATION, OK
from firmware.store.calibration import BadCalibration, check, read, sign
from firmware.store.signing import Signer, new_key, public_of
from tools import cli

KEY = new_key()
PUBLIC = public_of(KEY)
VALUES = {
    "board": "roulette_ref",
    "pocket_mdeg": [60_123, 180_001, 299_990],
    "pocket_sd_mdeg": 12,
    "index_mdeg": -300,
    "index_sd_mdeg": 500,
    "ball_pockets": [0, 12, 24],
    "turns": 18,
    "rim_mdeg": [0, 120_000, 239_000],
    "rim_sd_mdeg": 40,
    "laps": 22,
    "level_zero_mdeg": [-12, 3],
    "target_rpm_min": 5,
    "target_rpm_max": 28,
}
SIGNED = sign(KEY, VALUES, "weber", "supervisor", 1_700_000_000)


def test_what_was_signed_is_read():
    assert read(SIGNED, PUBLIC) == (VALUES, "weber", "supervisor", 1_700_000_000)


def test_it_fits_into_a_small_file():
    assert len(SIGNED) < 600


@given(at=st.integers(0, len(SIGNED) - 1), change=st.integers(1, 255))
def test_no_byte_of_it_may_change(at, change):
    altered = bytearray(SIGNED)
    altered[at] ^= change
    with pytest.raises(BadCalibration):
        read(bytes(altered), PUBLIC)


@given(cut=st.integers(0, len(SIGNED) - 1), more=st.binary(max_size=20))
def test_none_may_be_cut_or_added(cut, more):
    with pytest.raises(BadCalibration):
        read(SIGNED[:cut] + more, PUBLIC)
    if more:
        with pytest.raises(BadCalibration):
            read(SIGNED + more, PUBLIC)


@given(st.binary(max_size=3000))
def test_no_bytes_break_the_reader(data):
    with pytest.raises(BadCalibration):
        read(data, PUBLIC)


def test_another_key_is_told_apart_from_an_alteration():
    with pytest.raises(BadCalibration, match="another key"):
        read(SIGNED, public_of(new_key()))


def test_a_result_is_no_calibration_nor_a_calibration_a_result():
    # The same payload signed as a record is: without the calibration's own domain.
    name = record.key_id(PUBLIC)
    payload = SIGNED[17 + 3 : -66]
    forged = SigningKey(KEY).sign(record.to_be_signed(name, payload)).signature
    assert SIGNED.endswith(b"\x58\x40" + SIGNED[-64:])
    with pytest.raises(BadCalibration, match="signature"):
        read(SIGNED[:-64] + forged, PUBLIC)
    assert record.parse(SIGNED) is None
    assert Signer(KEY).public == PUBLIC


BAD = [
    ({}, "board"),
    ({"board": "x", "more": 1}, "no more"),
    ({"board": "x", "pocket_mdeg": [360_000]}, "pocket_mdeg"),
    ({"board": "x", "pocket_mdeg": [1.5]}, "pocket_mdeg"),
    ({"board": "x", "pocket_mdeg": [True]}, "pocket_mdeg"),
    ({"board": "x", "pocket_mdeg": []}, "pocket_mdeg"),
    ({"board": "x", "pocket_mdeg": [1]}, "comes with"),
    ({"board": "x", "target_rpm_min": 4, "target_rpm_max": 28}, "target_rpm_min"),
    ({"board": "x", "target_rpm_min": 20, "target_rpm_max": 10}, "more than"),
    ({"board": "x", "level_zero_mdeg": [1]}, "level_zero_mdeg"),
    ({"board": "x\n"}, "board"),
    ({"board": "x", "ball_pockets": [255]}, "ball_pockets"),
    ([], "no object"),
]


@pytest.mark.parametrize(("values", "says"), BAD)
def test_values_out_of_range_are_never_signed(values, says):
    with pytest.raises(BadCalibration, match=says):
        sign(KEY, values, "weber", "supervisor", 0)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=8), each),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*VALUES, "more"]), _JSON) | _JSON)
def test_no_values_break_the_check(values):
    with contextlib.suppress(BadCalibration):
        assert check(values) is values


def test_the_command_prints_it_for_whoever_has_the_key(tmp_path, capsys):
    own_journal.keys(tmp_path / "keys")
    file = tmp_path / "journal.calibration"
    line = ["calibrate", "show", str(file), "--keys", str(tmp_path / "keys")]
    file.write_bytes(sign(own_journal.PRIVATE, VALUES, "weber", "supervisor", 1_700_000_000))
    assert cli.main([*line, "--json"]) == OK
    told = json.loads(capsys.readouterr().out)
    assert (told["who"], told["values"]["pocket_mdeg"]) == ("weber", VALUES["pocket_mdeg"])
    file.write_bytes(SIGNED)
    assert cli.main(line) == CONFIGURATION
