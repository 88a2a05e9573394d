"""`cylindre settle --journal FILE --day DAY`: the register of a gaming day."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import own_journal
import pytest
from own_journal import correction, result, void

from firmware.lib.errors import FAILED, OK, USAGE
from firmware.stakes.seal import seal
from firmware.store.clock import Reading
from firmware.store.journal import Journal
from tools import cli

DAY = datetime.date(2026, 10, 1)


def at(day: datetime.date, time: str) -> Reading:
    """A moment of local time."""
    moment = datetime.datetime.combine(day, datetime.time.fromisoformat(time))
    return Reading(int(moment.timestamp()), True)


class Played:
    """A journal whose clock the test sets."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.now = at(DAY, "20:00")
        self.store: Journal = own_journal.opened(self.path, clock=lambda: self.now)

    def coup(
        self, coup: int, number: int | None, *stakes: tuple[str, str, int], **more: Any
    ) -> None:
        """One that ends with a number, or void for a reason; stakes: player, simple bet, cents."""
        said: dict[str, Any] = {
            "coup": coup, "rules": "roulette_lu", "minimum_cents": 500, "maximum_multiples": {},
            "employees": ["anna"],
            "stakes": [
                {"player": who, "bet": bet, "on": [], "cents": cents, "terminal": 1, "id": n}
                for n, (who, bet, cents) in enumerate(stakes)
            ],
        } | {key: more.pop(key) for key in ("relaunch", "carried") if key in more}  # fmt: skip
        total = sum(cents for _, _, cents in stakes)
        said |= {"seal": seal(said), "count": len(stakes), "total_cents": total}
        self.store.write("stakes", said)
        if not more.pop("ends", True):
            return
        named = {} if more.pop("stakes_of", None) else {"stakes": said["seal"]}
        ended = void(coup, **more) if number is None else result(coup, number, **more)
        self.store.write(ended[0], ended[1] | named)

    def correct(self, *what: Any, **more: Any) -> None:
        self.store.write(*correction(*what, **more))


@pytest.fixture
def played(tmp_path: Path) -> Any:
    found = Played(tmp_path)
    yield found
    found.store.close()


def asked(played: Played, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    exit_code = cli.main(["settle", "--journal", str(played.path), *options])
    shown = capsys.readouterr()
    assert exit_code == OK, shown.err
    return shown.out.splitlines()


def test_the_day_has_each_coup_losses_first_and_its_totals(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    played.coup(1, 17, ("bert", "noir", 700), ("anna", "rouge", 1_000))
    played.coup(2, 5, ("anna", "rouge", 500))
    assert asked(played, capsys, "--day", "2026-10-01") == [
        "coup 1: 17, noir, impair et manque",
        "anna: rouge, 10.00 loses 10.00, returned 0.00",
        "bert: noir, 7.00 wins 7.00, returned 14.00",
        "bert in all: staked 7.00, lost 0.00, won 7.00, returned 14.00",
        "anna in all: staked 10.00, lost 10.00, won 0.00, returned 0.00",
        "table in all: staked 17.00, lost 10.00, won 7.00, returned 14.00",
        "coup 2: 5, rouge, impair et manque",
        "anna: rouge, 5.00 wins 5.00, returned 10.00",
        "anna in all: staked 5.00, lost 0.00, won 5.00, returned 10.00",
        "table in all: staked 5.00, lost 0.00, won 5.00, returned 10.00",
        "2026-10-01, coups with stakes: 2",
        "bert in all: staked 7.00, lost 0.00, won 7.00, returned 14.00",
        "anna in all: staked 15.00, lost 10.00, won 5.00, returned 10.00",
        "table in all: staked 22.00, lost 10.00, won 12.00, returned 24.00",
    ]


def test_a_night_belongs_to_the_day_it_began_on(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    after = DAY + datetime.timedelta(days=1)
    moments = [(DAY, "05:59"), (DAY, "06:00"), (after, "05:59"), (after, "06:00")]
    for coup, moment in enumerate(moments, 1):
        played.now = at(*moment)
        played.coup(coup, 5, ("anna", "rouge", 500))
    for day, coups in (("2026-09-30", [1]), ("2026-10-01", [2, 3]), ("2026-10-02", [4])):
        lines = [json.loads(line) for line in asked(played, capsys, "--day", day, "--json")]
        assert [line["coup"] for line in lines if "coup" in line] == coups
        assert lines[-1] == {"day": day, "coups": len(coups)}


def test_a_correction_of_a_later_day_puts_the_register_right(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    played.coup(1, 17, ("anna", "noir", 500))
    played.now = at(DAY + datetime.timedelta(days=3), "20:00")
    played.correct(1, 2, 1, number=5, compartment=5, colour="red")
    lines = asked(played, capsys, "--day", "2026-10-01", "--json", "--totals")
    assert json.loads(lines[0]) == {"coup": 1, "announcement": "5, rouge, impair et manque"}
    assert {
        "difference": {"player": "anna", "paid_cents": 1000, "due_cents": 0, "cents": -1000}
    } in ([json.loads(line) for line in lines])
    assert json.loads(lines[-1])["total"] == {
        "player": None, "staked_cents": 500, "lost_cents": 500, "won_cents": 0, "returned_cents": 0,
    }  # fmt: skip


def test_a_void_coup_is_in_the_register_and_in_no_total(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the day's closing, which counts what was decided alone."""
    played.coup(1, None, ("anna", "noir", 500))
    lines = asked(played, capsys, "--day", "2026-10-01")
    assert lines[0] == "coup 1: coup nul : les mises sont rendues"
    assert lines[-1] == "table in all: staked 0.00, lost 0.00, won 0.00, returned 0.00"


@pytest.mark.parametrize("corrected", [False, True])
def test_stakes_that_lie_for_the_ball_thrown_again_are_counted_where_they_are_settled(
    played: Played, capsys: pytest.CaptureFixture[str], corrected: bool
) -> None:
    """37-1: « reprendre la bille et la lancer de nouveau »."""
    again = {"reason": "foreign_object", "relaunch": "same_game"}
    played.coup(1, None, ("anna", "noir", 500), **again)
    played.coup(2, 17, ("anna", "noir", 500), carried=1)
    if corrected:
        played.correct(1, 3, 1, number=5, compartment=5, colour="red")
    said = "coup nul, art. 37-1 : les mises restent pour la bille lancée de nouveau"
    assert asked(played, capsys, "--coup", "1") == [said]
    assert asked(played, capsys, "--coup", "1", "--json") == []
    *_, table = asked(played, capsys, "--day", "2026-10-01")
    assert table == "table in all: staked 5.00, lost 0.00, won 5.00, returned 10.00"


def test_json_is_never_translated(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    played.coup(1, 17, ("Stand by Me", "noir", 500))
    for options in (("--coup", "1"), ("--day", "2026-10-01", "--totals")):
        english = asked(played, capsys, *options, "--json")
        assert asked(played, capsys, *options, "--json", "--lang", "fr") == english
    assert asked(played, capsys, "--coup", "1", "--lang", "fr")[1].startswith("Stand by Me : noir")


def test_stakes_that_a_controller_without_limits_knew_nothing_of_went_back(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a power cut the table may be started without [stakes]: its void names no seal."""
    played.coup(1, None, ("anna", "noir", 500), reason="interrupted", stakes_of="nobody")
    played.coup(2, 17, ("anna", "noir", 500))
    lines = asked(played, capsys, "--day", "2026-10-01")
    assert lines[0] == "coup 1: coup nul : les mises sont rendues"
    assert lines[-1] == "table in all: staked 5.00, lost 0.00, won 5.00, returned 10.00"


def test_a_coup_without_stakes_is_in_no_register_and_one_that_is_played_is_named(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    played.coup(1, 17)
    played.coup(2, 17, ("anna", "noir", 500))
    played.coup(3, 0, ("anna", "noir", 500), ends=False)
    lines = asked(played, capsys, "--day", "2026-10-01")
    assert [line for line in lines if line.startswith("coup")] == [
        "coup 2: 17, noir, impair et manque", "coup 3 has not ended: nothing is paid yet",
    ]  # fmt: skip
    assert "2026-10-01, coups with stakes: 1" in lines
    *_, played_now, day = asked(played, capsys, "--day", "2026-10-01", "--json")
    assert json.loads(played_now) == {"coup": 3, "announcement": None}
    assert json.loads(day) == {"day": "2026-10-01", "coups": 1}


@pytest.mark.parametrize(
    ("options", "why", "exit_code"),
    [
        (("--day", "yesterday"), '"yesterday" is no day: give one as "2026-10-01"', USAGE),
        (("--day", "2026-13-01"), '"2026-13-01" is no day', USAGE),
        (("--day", ""), "is no day", USAGE),
        (("--day", "2026-10-02"), "no stakes were sealed on 2026-10-02", FAILED),
        (("--day", "9999-12-31"), "no journal has a day 9999-12-31", USAGE),
        (("--day", "0001-01-01"), "no journal has a day 0001-01-01", USAGE),
        (("--day", "2026-10-01", "--coup", "1"), "with either --coup or --day", USAGE),
        ((), "with either --coup or --day", USAGE),
    ],
)
def test_what_is_no_day_is_one_sentence(
    played: Played,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    why: str,
    exit_code: int,
) -> None:
    assert cli.main(["settle", "--journal", str(played.path), *options]) == exit_code
    shown = capsys.readouterr()
    assert (shown.out, why in shown.err, shown.err.count("\n")) == ("", True, 1), shown.err
