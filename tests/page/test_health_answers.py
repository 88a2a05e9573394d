"""How the page asks for the wheel's health: once for all, again after a while, for whom."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from firmware.api.guarded import technicians_health
from firmware.lib.errors import FAILED, Failure
from firmware.services.page import health

TOLD: dict[str, Any] = {
    "notices": [
        {"kind": "pocket", "place": 17, "stream": "numbers"},
        {"kind": "signature", "place": 3, "stream": "croupier3"},
    ],
    "remarks": [],
    "streams": [{"stream": "numbers"}, {"stream": "croupier3"}, {"stream": "croupier1"}],
    "charts": {
        "coups": 9,
        "timeline": [{"coup": 3, "parts": {"numbers": 0.1, "signature": 2.0}}],
        "ended": [{"act": "frets", "epochs": [{"stream": "numbers"}, {"stream": "croupier1"}]}],
    },
}


class Asked:
    """Somebody who is logged in, and asks."""

    def __init__(self, role: str = "supervisor", anew: int = 0) -> None:
        self.person = self
        self.role = role
        self._anew = anew

    def number(self, *_: object) -> int:
        return self._anew


class Runs:
    """Stands in for the process: each run waits until it is let go."""

    def __init__(self) -> None:
        self.begun = 0
        self.whole: list[bool] = []  # of each run
        self.may_end = asyncio.Event()
        self.failure: Failure | None = None

    async def judged(self, _: Path, *, anew: bool) -> dict[str, Any]:
        self.begun += 1
        self.whole.append(anew)
        await self.may_end.wait()
        if self.failure is not None:
            raise self.failure
        return TOLD


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    made = Runs()
    monkeypatch.setattr(health, "_judged", made.judged)
    monkeypatch.setattr(health, "_ANSWER_S", 0)
    return made


def asking(path: Path) -> Any:
    path.touch()
    return health.Health(path)._health


def test_whoever_asks_meanwhile_waits_for_the_same_run(runs: Runs, tmp_path: Path) -> None:
    async def all_of_it() -> None:
        ask = asking(tmp_path / "journal.db")
        assert set(await ask(Asked())) == {"reading_s"}
        assert set(await ask(Asked(anew=1))) == {"reading_s"}
        runs.may_end.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (await ask(Asked()))["told"] == TOLD
        assert runs.begun == 1
        # What was read is kept for a while, unless it is asked for anew: then all is verified.
        await ask(Asked(anew=1))
        await asyncio.sleep(0)
        assert runs.whole == [False, True]

    asyncio.run(all_of_it())


def test_what_failed_is_told_to_who_waited_and_tried_again_later(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def all_of_it() -> None:
        ask = asking(tmp_path / "journal.db")
        runs.failure = Failure(FAILED, "No.")
        await ask(Asked())
        runs.may_end.set()
        for _ in range(2):
            await asyncio.sleep(0)
            with pytest.raises(Failure, match=r"No\."):
                await ask(Asked())
        assert runs.begun == 1
        monkeypatch.setattr(health, "_FAILED_S", -1.0)
        runs.may_end.clear()
        assert set(await ask(Asked())) == {"reading_s"}
        await asyncio.sleep(0)
        assert runs.begun == 1 + 1

    asyncio.run(all_of_it())


def test_what_is_old_is_read_again(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def all_of_it() -> None:
        ask = asking(tmp_path / "journal.db")
        runs.may_end.set()
        for _ in range(3):
            await ask(Asked())
            await asyncio.sleep(0)
        assert runs.begun == 1
        monkeypatch.setattr(health, "_KEPT_S", -1.0)
        await ask(Asked())
        await asyncio.sleep(0)
        assert runs.begun == 1 + 1

    asyncio.run(all_of_it())


def test_a_wheel_without_a_journal_has_nothing_to_judge(tmp_path: Path) -> None:
    ask = health.Health(tmp_path / "journal.db")._health
    assert asyncio.run(ask(Asked())) == {"told": None}  # type: ignore[arg-type]


def test_a_technician_reads_nothing_of_croupiers_and_a_supervisor_does(
    runs: Runs, tmp_path: Path
) -> None:
    async def told(role: str) -> str:
        ask = asking(tmp_path / "journal.db")
        runs.may_end.set()
        await ask(Asked(role))
        await asyncio.sleep(0)
        return str(await ask(Asked(role)))

    supervisors, technicians = asyncio.run(told("supervisor")), asyncio.run(told("technician"))
    assert "croupier" in supervisors
    assert "signature" in supervisors
    assert "croupier" not in technicians
    assert "signature" not in technicians
    assert "numbers" in technicians


def test_of_a_journal_that_is_not_intact_there_is_only_the_reason() -> None:
    told = {"notices": [], "remarks": [{"code": "H30", "text": "No."}]}
    assert technicians_health(told) == told
