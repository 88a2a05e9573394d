"""Who may change the limits of a table: Luxembourg art. 37-3, at its opening."""

from __future__ import annotations

import contextlib
import datetime
import errno
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import own_journal
import pytest

from firmware.config import Config, table_limits
from firmware.config.game import choose
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.run import table_opening
from firmware.run.table_opening import gaming_day, last_file, open_table
from firmware.store import reader
from firmware.store.fram import Head, erase
from firmware.store.fram_file import FileFram
from firmware.store.journal import Journal
from firmware.store.signing import Signer
from firmware.store.verify import first_bad
from rules import minimum

LIVE = {"plein": 20, "cheval": 20, "transversale": 20, "carre": 20, "sixain": 20}
LIVE |= dict.fromkeys(
    ("douzaine", "colonne", "pair", "impair", "manque", "passe", "rouge", "noir"), 60
)
TODAY = gaming_day(datetime.datetime.now())
BEFORE = Config(stakes_minimum_cents=500, season="2026-27")
RAISED = replace(BEFORE, stakes_table_minimum_cents=1_000)


class Table:
    """A wheel's files; each opening is a start of its controller."""

    def __init__(self, folder: Path) -> None:
        self.journal, self.keys = folder / "journal.db", folder / "keys"
        self.chip: Path | None = None  # the file that stands in for the wheel's FRAM
        own_journal.keys(self.keys)

    @contextlib.contextmanager
    def store(self) -> Iterator[Journal]:
        chip = None if self.chip is None else FileFram(self.chip)
        store = own_journal.opened(self.journal, head=None if chip is None else Head(chip))
        try:
            yield store
        finally:
            store.close()
            if chip is not None:
                chip.close()

    def write(self, kind: str, body: Any) -> None:
        with self.store() as store:
            store.write(kind, body)

    def sign(self, config: Config, **other: Any) -> None:
        """As the controller writes down what a director has signed."""
        said = {"what": "limits", "who": "thill", "role": "director", "detail": "x"}
        self.write("act", said | {"sha256": digest(config)} | other)

    def open(self, config: Config) -> None:
        with self.store() as store:
            open_table(choose("roulette_ref", config), config, store, self.keys)

    def openings(self) -> list[dict[str, Any]]:
        rows = reader.rows(self.journal) if self.journal.exists() else ()
        return [json.loads(row.body) for row in rows if row.kind == "opening"]

    def played(self, config: Config, days_ago: int = 3) -> None:
        """It opened so, days ago, as a program of before wrote it down: with no director."""
        self.write("opening", minimum.body(opened(config, TODAY - days_ago)))


def opened(config: Config, day: int = TODAY) -> minimum.Opening:
    return table_limits.opening(choose("roulette_ref", config).rules, config, day)


def day(days: int) -> str:
    return datetime.date.fromordinal(TODAY + days).isoformat()


def digest(config: Config) -> str:
    return table_limits.digest(opened(config))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def refused(table: Table, config: Config) -> str:
    count = len(table.openings())
    with pytest.raises(Failure) as found:
        table.open(config)
    assert found.value.exit_code == CONFIGURATION
    assert len(table.openings()) == count
    return found.value.sentence


@pytest.mark.req("LU-37-3.director")
def test_limits_that_no_director_signed_open_no_table(table: Table) -> None:
    """Art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de saison, pour
    tout ou partie des tables, le minimum des mises fixé par l'arrêté d'autorisation »."""
    table.played(BEFORE)
    why = refused(table, RAISED)
    assert why.startswith(
        "[stakes] art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de"
        " saison [...] le minimum des mises fixé par l'arrêté d'autorisation » : these limits"
    )
    assert why.endswith("then cylindre config apply FILE --director NAME.")
    table.open(BEFORE)  # whatever nobody signed has changed nothing


@pytest.mark.req("LU-37-3.director")
def test_the_opening_names_the_director_who_signed_its_limits(table: Table) -> None:
    table.played(BEFORE)
    table.sign(RAISED)
    table.open(RAISED)
    row = table.openings()[-1]
    assert (row["director"], row["table_minimum_cents"]) == ("thill", 1_000)
    assert first_bad(table.journal, own_journal.SIGNER.public) is None


def test_what_a_director_signed_once_holds_until_it_changes(table: Table) -> None:
    table.played(BEFORE)
    table.sign(RAISED)
    table.open(RAISED)
    table.open(RAISED)
    assert len(table.openings()) == 2


@pytest.mark.req("LU-37-3.director")
@pytest.mark.parametrize(
    "other",
    [
        {"role": "supervisor"},
        {"role": "management"},
        {"what": "config"},
        {"sha256": digest(replace(RAISED, stakes_table_minimum_cents=1_002))},
        {"sha256": digest(replace(RAISED, season="2026-28"))},
        {"sha256": None},
    ],
)
def test_nobody_elses_act_and_no_other_limits_stand_for_his(
    table: Table, other: dict[str, Any]
) -> None:
    table.played(BEFORE)
    table.sign(RAISED, **other)
    assert "no director has signed" in refused(table, RAISED)


def test_an_act_that_the_wheels_key_does_not_vouch_for_is_nobodys(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.played(BEFORE)
    table.sign(RAISED)
    monkeypatch.setattr("firmware.store.acts.vouched", lambda *_: False)
    assert "no director has signed" in refused(table, RAISED)


def test_the_first_opening_of_a_wheel_needs_nobody(table: Table) -> None:
    table.open(BEFORE)
    (row,) = table.openings()
    assert "director" not in row


def test_another_game_is_other_limits(table: Table) -> None:
    """Else whoever may apply a configuration would leave a game, and come back to another."""
    table.open(BEFORE)
    live = Config(rules="roulette_live", stakes_minimum_cents=500, maxima=LIVE)
    assert refused(table, live).startswith("[stakes] these limits are not those")
    table.sign(live)
    table.open(live)
    assert [row["rules"] for row in table.openings()] == ["roulette_lu", "roulette_live"]


def test_another_journal_of_the_wheel_knows_what_was_signed(table: Table) -> None:
    table.played(BEFORE)
    table.sign(RAISED)
    table.open(RAISED)
    table.journal = table.journal.with_name("other.db")
    table.open(RAISED)
    assert "Durant une même journée" in refused(table, BEFORE)


@pytest.mark.parametrize(
    "keep",
    [
        lambda table: None,
        lambda table: last_file(table.keys).unlink(),  # a wheel from before that was kept
    ],
)
def test_a_season_left_out_is_no_other_limit(table: Table, keep: Callable[[Table], object]) -> None:
    dated = replace(BEFORE, season_from=day(-10), season_to=day(300))
    table.open(dated)
    keep(table)
    table.open(BEFORE)
    table.open(replace(BEFORE, season=""))


def test_limits_go_back_on_their_day_to_those_before_them(table: Table) -> None:
    """A configuration with which the wheel does not come up gives way by itself."""
    before = Config(rules="roulette_live", stakes_minimum_cents=500, maxima=LIVE)
    tried = replace(before, maxima=LIVE | {"plein": 30})
    table.played(before)
    table.sign(tried)
    table.open(tried)
    table.open(before)
    assert [row["maximum_multiples"]["plein"] for row in table.openings()] == [20, 30, 20]
    assert "no director" in refused(table, replace(before, maxima=LIVE | {"plein": 25}))


def test_limits_of_another_day_are_no_more_gone_back_to(table: Table) -> None:
    before = Config(rules="roulette_live", stakes_minimum_cents=500, maxima=LIVE)
    tried = replace(before, maxima=LIVE | {"plein": 30})
    table.played(before, 3)
    table.played(tried, 1)
    table.open(tried)
    assert "no director" in refused(table, before)


def test_a_power_cut_between_the_row_and_the_file_asks_nobody_again(table: Table) -> None:
    table.open(BEFORE)
    kept = last_file(table.keys).read_bytes()
    season = replace(BEFORE, season_from=day(-10), season_to=day(300))
    table.sign(season)
    table.open(season)
    last_file(table.keys).write_bytes(kept)
    table.open(season)
    assert last_file(table.keys).read_bytes() != kept


# --- the copy in the FRAM ----------------------------------------------------------------------
@pytest.fixture
def chipped(table: Table, tmp_path: Path) -> Table:
    """A wheel with a FRAM, raised today by a director."""
    table.chip = tmp_path / "fram.bin"
    table.played(BEFORE)
    table.sign(RAISED)
    table.open(RAISED)
    return table


def lose_journal(table: Table) -> None:
    """Lost for good, as `journal adopt --gone` is told; the next start begins another."""
    assert table.chip is not None
    chip = FileFram(table.chip)
    erase(chip)
    chip.close()
    table.journal = table.journal.with_name(f"after_{table.journal.name}")


def test_limits_hold_when_journal_and_file_are_gone(chipped: Table) -> None:
    """37-3: « à une table déterminée »: nothing but the chip knows them now."""
    lose_journal(chipped)
    last_file(chipped.keys).unlink()
    assert "Durant une même journée" in refused(chipped, BEFORE)
    chipped.open(RAISED)
    assert last_file(chipped.keys).exists()


def test_an_older_copy_of_the_file_counts_for_nothing_beside_the_chip(
    chipped: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_journal(chipped)
    chipped.open(RAISED)
    now = last_file(chipped.keys).read_bytes()
    other = Table(chipped.keys.parent / "other")
    with monkeypatch.context() as days_ago:
        days_ago.setattr(table_opening, "gaming_day", lambda moment: TODAY - 3)
        other.open(BEFORE)
    last_file(chipped.keys).write_bytes(last_file(other.keys).read_bytes())
    lose_journal(chipped)
    assert "Durant une même journée" in refused(chipped, BEFORE)
    chipped.open(RAISED)
    assert last_file(chipped.keys).read_bytes() == now


def test_a_blank_chip_is_told_what_the_file_knows(chipped: Table, tmp_path: Path) -> None:
    lose_journal(chipped)
    chipped.chip = tmp_path / "new.bin"
    assert "Durant une même journée" in refused(chipped, BEFORE)
    chipped.open(RAISED)
    last_file(chipped.keys).unlink()
    lose_journal(chipped)
    assert "Durant une même journée" in refused(chipped, BEFORE)


def test_another_wheels_chip_says_nothing_of_these_limits(chipped: Table) -> None:
    lose_journal(chipped)
    other = Table(chipped.keys.parent / "other")
    (other.keys / "wheel.key").write_text(bytes(range(1, 33)).hex() + "\n")
    (other.keys / "wheel.pub").write_text(Signer(bytes(range(1, 33))).public.hex() + "\n")
    other.chip = chipped.chip
    other.open(BEFORE)
    lose_journal(chipped)
    chipped.open(RAISED)


def test_a_chip_that_does_not_keep_the_limits_opens_no_table(
    chipped: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = replace(RAISED, season_from=day(-10), season_to=day(300))
    chipped.sign(season)

    def dead(self: Head, data: bytes) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Head, "keep", dead)
    with pytest.raises(Failure, match="The FRAM does not keep the limits: input/output error"):
        chipped.open(season)
