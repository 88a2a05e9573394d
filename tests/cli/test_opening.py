"""A table opens with limits that its rules allow, or does not open."""

import datetime
from pathlib import Path

import own_journal
import pytest

import rules
from firmware.config import Config, table_limits
from firmware.config.game import choose
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.lib.places import KEYS
from firmware.run import table_opening
from firmware.run.table_opening import gaming_day, open_table

LIVE = Config(rules="roulette_live", stakes_minimum_cents=100)
EVERY_MAXIMUM = {bet.name: 50 for bet in rules.load("roulette_live")["bets"]}


def opened(config: Config, folder: Path) -> int:
    """How many openings the next start finds in the journal, once the table has opened."""
    path = folder / "journal.db"
    own_journal.keys(folder / KEYS)
    store = own_journal.opened(path)
    try:
        open_table(choose("roulette_ref", config), config, store, folder / KEYS)
    finally:
        store.close()
    again = own_journal.opened(path)
    again.close()
    return len(again.openings)


def sign(config: Config, folder: Path) -> None:
    """As the controller writes down what a director has signed (art. 37-3)."""
    digest = table_limits.digest(
        table_limits.opening(choose("roulette_ref", config).rules, config, 0)
    )
    store = own_journal.opened(folder / "journal.db")
    act = {"what": "limits", "who": "thill", "role": "director", "detail": "x", "sha256": digest}
    store.write("act", act)
    store.close()


def test_a_live_table_without_maxima_of_its_own_does_not_open(tmp_path: Path) -> None:
    """Live rules, 1.2: a bet under the minimum or over the maximum of the table is refused, and
    the rules name neither: the configuration must."""
    some = {name: 50 for name in EVERY_MAXIMUM if name not in ("cheval", "noir")}
    for config, missing in (
        (LIVE, "plein"),
        (Config(rules="roulette_live", stakes_minimum_cents=100, maxima=some), "cheval, noir."),
    ):
        with pytest.raises(Failure, match="leaves them to the house") as caught:
            opened(config, tmp_path)
        assert caught.value.exit_code == CONFIGURATION
        assert missing in caught.value.sentence


def test_a_live_table_with_all_its_maxima_opens(tmp_path: Path) -> None:
    config = Config(rules="roulette_live", stakes_minimum_cents=100, maxima=EVERY_MAXIMUM)
    assert opened(config, tmp_path) == 1


def test_rules_that_fix_their_maxima_ask_none_of_the_house(tmp_path: Path) -> None:
    assert opened(Config(stakes_minimum_cents=500), tmp_path) == 1


def test_what_a_wheel_remembers_outlives_its_journals_and_a_clock_that_is_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Art. 37-3: « Durant une même journée, le minimum des mises [...] ne peut être modifié »."""
    day = 739_941
    monkeypatch.setattr(table_opening, "gaming_day", lambda now: day)
    dearer = Config(stakes_minimum_cents=1_500)
    opened(Config(stakes_minimum_cents=1_000), tmp_path)
    day -= 1
    (tmp_path / "journal.db").unlink()
    opened(Config(stakes_minimum_cents=1_000), tmp_path)
    day += 1
    (tmp_path / "journal.db").unlink()
    with pytest.raises(Failure, match="même journée"):
        opened(dearer, tmp_path)
    day += 1
    sign(dearer, tmp_path)
    assert opened(dearer, tmp_path) == 1


def test_days_of_a_season_that_are_left_out_once_are_not_forgotten(tmp_path: Path) -> None:
    today = datetime.date.today()
    first = (today - datetime.timedelta(days=30)).isoformat()
    last = (today + datetime.timedelta(days=30)).isoformat()
    season = {"season": "a", "season_from": first, "season_to": last}
    opened(Config(stakes_minimum_cents=1_000, **season), tmp_path)
    opened(Config(stakes_minimum_cents=1_000, season="a"), tmp_path)
    (tmp_path / "journal.db").unlink()
    other = {"season": "b", "season_from": today.isoformat(), "season_to": last}
    with pytest.raises(Failure, match="season a lasts to"):
        opened(Config(stakes_minimum_cents=1_000, **other), tmp_path)


def test_a_night_belongs_to_the_day_it_began_on() -> None:
    """Art. 37-3 « une même journée »: play from 20h00 to 3h30 is one."""
    evening = datetime.datetime(2026, 11, 21, 20, 0)
    assert gaming_day(datetime.datetime(2026, 11, 22, 3, 30)) == gaming_day(evening)
    assert gaming_day(datetime.datetime(2026, 11, 22, 6, 0)) == gaming_day(evening) + 1
