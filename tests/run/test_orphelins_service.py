"""The clerk counts every coup of an abandoned stake once, whenever it was stopped."""

import errno
import os
from pathlib import Path
from typing import Any

import own_journal
import pytest
from patience import until

import rules
from firmware.core.facts import OrphelinPaidIn, Result, Trouble, Void
from firmware.run import orphelins_service
from firmware.run.orphelins_service import NOT_ENTERED, OrphelinsService
from firmware.stakes.abandoned import MARKED, PAID_IN
from firmware.stakes.orphelins import COUP, RENUMBERED
from firmware.store.reader import Played, played
from firmware.store.register import Register, RegisterError
from rules.limits import open_table

TABLE = open_table(rules.load("roulette_lu"), 500)
DAY = 739_941


def mark(path: Path, coup: int = 0, bet: str = "rouge", cents: int = 500) -> None:
    with Register(path).writing() as page:
        stake = {"bet": bet, "on": [], "cents": cents}
        page.append(MARKED, page.said.mark(TABLE, stake, coup=coup, day=DAY, who="anna"))


def result(coup: int, number: int = 5, colour: str = "red") -> Result:
    return Result(0, coup, coup, number, 0, colour, True, True)


def start(path: Path, past: tuple[Played, ...] = (), coup: int | None = None) -> OrphelinsService:
    """A clerk at a table whose journal has those results."""
    last = max((one.coup for one in past), default=0) if coup is None else coup
    return OrphelinsService(
        Register(path),
        coup=last,
        played=lambda after: [one for one in past if one.coup > after],
        day=lambda: DAY,
    )


def kinds(path: Path) -> list[str]:
    return [row.kind for row in Register(path).rows()[0]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "orphelins.jsonl"


THREE = tuple(Played(coup, 5, "red") for coup in (1, 2, 3))


def test_after_three_recorded_results_it_is_paid_in_and_announced_once(path: Path) -> None:
    """Art. 8: « versés après trois coups joués dans la caisse du casino »."""
    mark(path)
    keeper = start(path)
    for coup in (1, 2, 3, 4):
        keeper.take_fact(result(coup))
    keeper.close()
    (told,) = keeper.take_events()
    assert told[:4] == (0, 1, 2_000, 2_000)
    assert "Orphelin n° 1 : 20.00 versés à la caisse" in told.text
    assert "Orphelin no. 1: 20.00 paid into the cash" in told.text
    assert kinds(path) == [MARKED, COUP, COUP, COUP, PAID_IN]
    assert keeper.take_events() == []


def test_a_void_is_no_coup_played(path: Path) -> None:
    mark(path)
    keeper = start(path)
    for coup in (1, 2):
        keeper.take_fact(result(coup))
    keeper.take_fact(Void(0, 3, 3, "croupier"))
    keeper.close()
    assert kinds(path) == [MARKED, COUP, COUP]


def test_without_a_marked_stake_no_file_is_made(path: Path) -> None:
    keeper = start(path, THREE)
    keeper.take_fact(result(4))
    keeper.close()
    assert not path.exists()


def test_a_stake_that_somebody_marks_meanwhile_is_counted_from_then_on(path: Path) -> None:
    keeper = start(path)
    keeper.take_fact(result(1))
    until(lambda: not keeper._results)
    mark(path, coup=1)
    keeper.take_fact(result(2))
    keeper.close()
    assert kinds(path) == [MARKED, COUP]


def test_wherever_it_was_killed_no_coup_is_missed_or_counted_twice(path: Path) -> None:
    """A crash between any two entries, or in one: the next start makes the same register."""
    mark(path)
    mark(path, bet="noir")
    start(path, THREE).close()
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert [row.kind for row in Register(path).rows()[0]][-2:] == [PAID_IN, "lost"]

    def bodies() -> list[Any]:
        return [(row.n, row.kind, row.body) for row in Register(path).rows()[0]]

    wanted = bodies()
    for left in range(2, len(lines)):
        for torn in (b"", lines[left][:20]):
            path.write_bytes(b"".join(lines[:left]) + torn)
            start(path, THREE).close()
            assert bodies() == wanted
            start(path, THREE).close()
            assert bodies() == wanted


def test_a_result_told_again_after_it_was_caught_up_with_counts_once(path: Path) -> None:
    mark(path)
    keeper = start(path, THREE[:2])
    keeper.take_fact(result(2))
    keeper.close()
    assert kinds(path) == [MARKED, COUP, COUP]


def test_what_the_journal_has_is_read_from_it(tmp_path: Path, path: Path) -> None:
    store = own_journal.opened(tmp_path / "journal.db")
    for coup, number in ((1, 5), (2, 0), (3, 7)):
        store.write(*own_journal.result(coup, number))
    store.write(*own_journal.void(4))
    mark(path, coup=1)
    assert played(store.path, 1) == [Played(2, 0, "green"), Played(3, 7, "red")]
    OrphelinsService(Register(path), coup=4, played=lambda after: played(store.path, after)).close()
    store.close()
    assert kinds(path) == [MARKED, COUP, COUP]


def test_with_a_new_journal_the_count_goes_on(path: Path) -> None:
    mark(path, coup=500)
    keeper = start(path, coup=0)
    for coup in (1, 2, 3):
        keeper.take_fact(result(coup))
    keeper.close()
    assert kinds(path) == [MARKED, RENUMBERED, COUP, COUP, COUP, PAID_IN]


def test_a_full_disk_is_told_once_and_all_is_entered_when_there_is_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orphelins_service, "RETRY_S", 0.001)
    mark(path)
    keeper = start(path)
    real = os.pwrite
    attempts = []

    def pwrite(file: int, data: bytes, offset: int) -> int:
        attempts.append(offset)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", pwrite)
    for coup in (1, 2, 3):
        keeper.take_fact(result(coup))
    until(lambda: len(attempts) > 3)
    told: list[Any] = list(keeper.take_events())
    assert told == [Trouble(0, NOT_ENTERED, f"{path}: no space left on device.")]
    monkeypatch.setattr(os, "pwrite", real)
    until(lambda: told.extend(keeper.take_events()) or len(told) > 1)
    assert type(told[1]) is OrphelinPaidIn
    assert len(told) == 2
    keeper.close()


def test_a_register_that_is_damaged_meanwhile_is_told_and_left_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orphelins_service, "RETRY_S", 0.001)
    mark(path)
    keeper = start(path)
    path.write_bytes(b"nothing of ours\n")
    keeper.take_fact(result(1))
    told: list[Any] = []
    until(lambda: told.extend(keeper.take_events()) or told)
    assert "orphelins.jsonl:1: this line is damaged" in told[0].detail
    keeper.close()
    assert path.read_bytes() == b"nothing of ours\n"


def test_a_register_that_is_damaged_at_the_start_begins_nothing(path: Path) -> None:
    path.write_bytes(b"nothing of ours\n")
    with pytest.raises(RegisterError, match="damaged"):
        start(path)
