"""A wrong clock is told, and every record says how good its time is; play goes on."""

import datetime
from pathlib import Path
from typing import Any

import own_journal
import pytest
from own_journal import result

from firmware.bus import record
from firmware.bus.record import BEHIND, SYNCHRONISED, UNSET, UNSYNCHRONISED
from firmware.store import clock
from firmware.store.clock import BUILT_S, Judge, Reading, Stamp, text

DAY_S = 86_400
YEAR_S = 365 * DAY_S
NOW_S = BUILT_S + 300 * DAY_S


class Hand:
    """A clock that stands where it is put."""

    def __init__(self, utc: int, synchronised: bool = False) -> None:
        self.reading = Reading(utc, synchronised)

    def set(self, utc: int, synchronised: bool = False) -> None:
        self.reading = Reading(utc, synchronised)

    def __call__(self) -> Reading:
        return self.reading


def test_a_plausible_time_is_as_good_as_who_keeps_it() -> None:
    judge = Judge()
    assert judge.stamp(Reading(NOW_S, True)) == Stamp(NOW_S, SYNCHRONISED)
    assert judge.stamp(Reading(NOW_S + 1, False)) == Stamp(NOW_S + 1, UNSYNCHRONISED)
    assert judge.news() is None


@pytest.mark.parametrize("years", [-10, 10, -56, 200, 5000, -3000])
@pytest.mark.parametrize("known", [False, True])
def test_a_clock_ten_years_off_is_told_whether_or_not_there_are_records(
    years: int, known: bool
) -> None:
    judge = Judge(Stamp(NOW_S, UNSYNCHRONISED) if known else None)
    stamp = judge.stamp(Reading(NOW_S + years * YEAR_S, False))
    assert stamp.quality == UNSET
    assert str(judge.news()).startswith("it says ")
    assert judge.news() is None  # once
    assert len(text(stamp.utc)) == 20


def test_a_network_may_say_that_a_wheel_lay_still_for_years() -> None:
    judge = Judge(Stamp(NOW_S, SYNCHRONISED))
    assert judge.stamp(Reading(NOW_S + 3 * YEAR_S, True)).quality == SYNCHRONISED
    assert judge.news() is None


def test_a_clock_alone_that_leaps_by_more_than_a_year_is_doubtful_until_set() -> None:
    judge = Judge(Stamp(NOW_S, UNSYNCHRONISED))
    assert judge.stamp(Reading(NOW_S + 2 * YEAR_S, False)).quality == UNSET
    assert "730 days after the last record" in str(judge.news())
    assert judge.stamp(Reading(NOW_S + 60, False)).quality == UNSYNCHRONISED
    assert judge.news() is None
    assert judge.stamp(Reading(NOW_S + 2 * YEAR_S, False)).quality == UNSET
    assert judge.news() is not None  # told again, for it had been right


def test_after_a_step_back_the_clock_is_behind_until_it_has_caught_up_and_that_is_told() -> None:
    judge = Judge(Stamp(NOW_S, UNSYNCHRONISED))
    qualities = [judge.stamp(Reading(NOW_S + s, False)).quality for s in (-3600, -1, 0, 1)]
    assert qualities == [BEHIND, BEHIND, UNSYNCHRONISED, UNSYNCHRONISED]
    assert "60 minutes behind what was recorded" in str(judge.news())


def test_a_network_that_sets_a_wrong_clock_back_is_believed_and_told() -> None:
    judge = Judge(Stamp(NOW_S + 3 * DAY_S, UNSYNCHRONISED))
    assert judge.stamp(Reading(NOW_S, True)).quality == SYNCHRONISED
    assert "3 days behind" in str(judge.news())
    assert judge.stamp(Reading(NOW_S + 1, True)).quality == SYNCHRONISED
    assert judge.stamp(Reading(NOW_S - 60, True)).quality == BEHIND


def stamps(path: Path) -> list[tuple[int, int]]:
    from firmware.store import reader

    found = []
    for row in reader.rows(path):
        if row.kind == record.RESULT:
            body = reader.decoded(path, row).body
            assert text(body["utc"]) == row.utc
            found.append((body["utc"] - NOW_S, body["quality"]))
    return found


def played(path: Path, hand: Hand, *coups: tuple[int, int, bool]) -> list[str]:
    """Plays coups at given times; the codes of what was told."""
    journal = own_journal.opened(path, clock=hand)
    told: list[Any] = list(journal.take_events())
    for coup, after_s, synchronised in coups:
        hand.set(NOW_S + after_s, synchronised)
        journal.write(*result(coup))
        told += journal.take_events()
    assert journal.trouble() is None
    journal.close()
    return [trouble.code for trouble in told]


@pytest.mark.req("IEC-CR-2.11")
def test_results_are_recorded_whatever_the_clock_says_and_say_how_good_it_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    hand = Hand(NOW_S)
    ten_years = 10 * YEAR_S
    coups = [(1, 0, True), (2, 45, False), (3, -ten_years, False), (4, ten_years, False)]
    coups += [(5, 90, False), (6, -3600, False), (7, -3555, True)]
    told = played(path, hand, *coups)
    assert stamps(path) == [
        (0, SYNCHRONISED),
        (45, UNSYNCHRONISED),
        (-ten_years, UNSET),
        (ten_years, UNSET),
        (90, UNSYNCHRONISED),
        (-3600, BEHIND),
        (-3555, SYNCHRONISED),
    ]
    assert told == ["S13", "S13"]  # the wrong years in a row are told once


def test_a_start_with_a_clock_that_stepped_back_is_told_before_the_first_coup(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    hand = Hand(NOW_S)
    played(path, hand, (1, 0, False))
    hand.set(NOW_S - DAY_S)
    assert played(path, hand) == ["S13"]


def test_the_machines_clock_is_read() -> None:
    now = clock.read()
    assert abs(now.utc - datetime.datetime.now(datetime.UTC).timestamp()) < 10
    assert text(0) == "1970-01-01T00:00:00Z"
    assert len(clock.utc()) == 20
