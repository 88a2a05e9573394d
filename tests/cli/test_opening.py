"""A table opens with limits that its rules allow, or does not open."""

import datetime
from pathlib import Path

import own_journal
import pytest

import rules
from firmware.config import Config
from firmware.config.game import choose
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.run.table_opening import gaming_day, open_table

LIVE = Config(rules="roulette_live", stakes_minimum_cents=100)
EVERY_MAXIMUM = {bet.name: 50 for bet in rules.load("roulette_live")["bets"]}


def opened(config: Config, folder: Path) -> int:
    """How many openings the next start finds in the journal, once the table has opened."""
    path = folder / "journal.db"
    store = own_journal.opened(path)
    try:
        open_table(choose("roulette_ref", config), config, store)
    finally:
        store.close()
    again = own_journal.opened(path)
    again.close()
    return len(again.openings)


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


def test_a_night_belongs_to_the_day_it_began_on() -> None:
    """Art. 37-3 « une même journée »: play from 20h00 to 3h30 is one."""
    evening = datetime.datetime(2026, 11, 21, 20, 0)
    assert gaming_day(datetime.datetime(2026, 11, 22, 3, 30)) == gaming_day(evening)
    assert gaming_day(datetime.datetime(2026, 11, 22, 6, 0)) == gaming_day(evening) + 1
