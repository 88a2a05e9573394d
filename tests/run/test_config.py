"""The configuration of a wheel: all of it right, or every mistake named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
from firmware.config import KEYS, Config, ConfigError, load, parse
from firmware.core.house import HOUSE


def mistakes(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(text, "wheel.toml")
    return caught.value.sentences


def test_an_empty_file_leaves_every_default() -> None:
    assert parse("") == Config()


def test_every_key_is_taken() -> None:
    text = """
        [wheel]
        board = "pi4"
        id = "table-3"
        [call]
        call_s = 1.25
        late_per_million = 0.25
        [confirm]
        mode = "croupier"
        [rotor]
        target_rpm = 24
        drive = "hand"
        [bus]
        port = "/dev/ttyUSB0"
        baud = 38400
        [store]
        journal = "/data/j"
        [level]
        warn_deg = 0.2
        zero_x_deg = -1.234
        zero_y_deg = 2
        [watchdog]
        timeout_s = 10
        [manual]
        undetected = "manual"
        [pace]
        coup_s = 72
        [game]
        rules = "boule_fr"
        layout = "cups.toml"
        [boule]
        cups = 36
        after_throw_s = 2.5
        alternate = true
    """
    assert parse(text) == Config(
        board="pi4",
        wheel_id="table-3",
        call_us=1_250_000,
        late_ppb=250,
        confirm="croupier",
        drive="hand",
        target_rpm=24,
        port="/dev/ttyUSB0",
        baud=38400,
        journal="/data/j",
        level_warn_mdeg=200,
        level_zero_x_mdeg=-1234,
        level_zero_y_mdeg=2000,
        watchdog_s=10,
        undetected="manual",
        pace_us=72_000_000,
        rules="boule_fr",
        layout="cups.toml",
        cups=36,
        after_throw_us=2_500_000,
        alternate_throws=True,
    )


def test_every_field_can_be_configured() -> None:
    assert {key.field for key in KEYS} == set(Config.__dataclass_fields__)


def test_every_mistake_is_named_at_once_with_its_line_and_what_was_meant() -> None:
    text = '[wheel]\nboard = "roulette_reff"\nidd = "x"\n[rotor]\ntarget_rpm = 99\n[cal]\n'
    assert mistakes(text) == [
        "wheel.toml:2: board must be "
        + " or ".join(f'"{name}"' for name in boards.NAMES)
        + ', not "roulette_reff". Did you mean "roulette_ref"?',
        'wheel.toml:3: There is no key "idd" in [wheel]. Did you mean "id"?',
        "wheel.toml:5: target_rpm must be a whole number of turns a minute from 10 to 28, not 99.",
        'wheel.toml:6: There is no section [cal]. Did you mean "call"?',
    ]


def test_a_line_that_is_no_toml_does_not_hide_the_mistakes_after_it() -> None:
    found = mistakes("[confirm]\nmode = croupier\n[bus]\nbaud = true\n")
    assert [sentence.split(":")[1] for sentence in found] == ["2", "4"]


def test_a_broken_section_line_does_not_blame_the_keys_below_it() -> None:
    found = mistakes('[wheel\nboard = "pi4"\n[bus]\nbaud = 1\n')
    assert [sentence.split(":")[1] for sentence in found] == ["1", "4"]


def test_a_key_in_the_wrong_section_is_told_its_own() -> None:
    assert mistakes("[bus]\ncall_s = 1\n") == [
        'wheel.toml:2: "call_s" belongs in section [call], not in [bus].'
    ]


@pytest.mark.parametrize(
    "text",
    ["call_s = true", "call_s = nan", "call_s = 5.1", "call_s = -1", 'call_s = "1"', "call_s = []"],
)
def test_a_call_time_is_a_number_from_0_to_5(text: str) -> None:
    assert mistakes(f"[call]\n{text}\n")[0].startswith(
        "wheel.toml:2: call_s must be a number of seconds from 0 to 5"
    )


@pytest.mark.parametrize(
    "value", ["true", "nan", "inf", "0", "0.0009", "100.1", "-1", '"1"', "[1]"]
)
def test_late_calls_are_a_number_a_million_from_a_thousandth_to_100(value: str) -> None:
    """Article 37-1 allows none: no house may ask for more than one in ten thousand."""
    assert mistakes(f"[call]\nlate_per_million = {value}\n")[0].startswith(
        "wheel.toml:2: late_per_million must be a number of late calls from 0.001 to 100, not "
    )


@pytest.mark.parametrize(
    ("value", "ppb"),
    [("0.001", 1), ("0.0014", 1), ("0.3", 300), ("1", 1_000), ("2.5", 2_500), ("100", 100_000)],
)
def test_late_calls_a_million_are_kept_in_billionths(value: str, ppb: int) -> None:
    config = parse(f"[call]\nlate_per_million = {value}\n")
    assert config.late_ppb == config.house.late_ppb == ppb


def test_one_call_in_a_million_may_be_late_unless_a_house_says_otherwise() -> None:
    """DESIGN section 3."""
    assert Config().house.late_ppb == HOUSE.late_ppb == 1_000


@pytest.mark.parametrize(
    ("text", "call_us"),
    [
        ("", 1_000_000),
        ("[stakes]\nminimum_cents = 200\n", 0),
        ("[stakes]\nterminals = 2\n", 1_000_000),  # none is played without a minimum
        ("[call]\ncall_s = 0\n", 0),
        ("[call]\ncall_s = 0.75\n", 750_000),
        ("[call]\ncall_s = 5\n[stakes]\nminimum_cents = 200\n", 5_000_000),
        ("[call]\ncall_s = 0\n[stakes]\nminimum_cents = 200\n", 0),
    ],
)
def test_a_croupier_takes_a_second_to_call_and_terminals_none(text: str, call_us: int) -> None:
    """Less the time the call itself takes; what a house says itself holds either way."""
    assert parse(text).house.call_us == call_us


def test_keys_outside_a_section_are_refused() -> None:
    assert len(mistakes("board = 'pi4'\nbus = 3\n")) == 2


def test_a_file_that_is_not_there_and_one_that_is_no_text_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: no such file"):
        load(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"[wheel]\n\xff\xfe")
    with pytest.raises(ConfigError, match=r"bytes\.toml:2: this is not UTF-8"):
        load(tmp_path / "bytes.toml")


@given(st.text(alphabet='[]="\n.# abwhel1', max_size=60) | st.text(max_size=60))
def test_any_text_is_a_configuration_or_a_list_of_mistakes_with_lines(text: str) -> None:
    try:
        assert isinstance(parse(text), Config)
    except ConfigError as error:
        lines = max(text.count("\n"), text.count("\r")) + 1
        for sentence in error.sentences:
            assert 1 <= int(sentence.split(":")[1]) <= lines + 1


def test_stakes_and_maxima_are_read_by_bet() -> None:
    text = """
        [stakes]
        minimum_cents = 200
        table_minimum_cents = 400
        terminals = 7
        [bus]
        keys = "keys"
        displays = 2
        [maxima]
        plein = 60
        rouge = 250
    """
    config = parse(text)
    assert (config.stakes_minimum_cents, config.stakes_table_minimum_cents) == (200, 400)
    assert (config.terminals, config.displays, config.keys) == (7, 2, "keys")
    assert config.maxima == {"plein": 60, "rouge": 250}


def test_a_maximum_of_a_bet_that_no_game_has_is_a_mistake() -> None:
    (told,) = mistakes("[maxima]\npleine = 60\n")
    assert told == 'wheel.toml:2: There is no key "pleine" in [maxima]. Did you mean "plein"?'
