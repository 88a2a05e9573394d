"""A wheel by which a player could gain opens on no other gaming day before it is acknowledged."""

import datetime
from pathlib import Path

import own_journal
import pytest

from firmware.config import Config, parse
from firmware.lib.errors import FAILED, Failure
from firmware.run import gain_hold
from firmware.store.clock import Reading
from firmware.store.signing import Signer

HOLD = parse('[health]\ngain = "hold"')
NOTICE = {"coup": 1, "code": "H12", "detail": "17", "kind": "gain", "stream": "gain"}
ACT = {"what": "acknowledged", "who": "sue", "role": "supervisor", "detail": "H12: new frets come"}
DAY = datetime.timedelta(days=1)


def now() -> datetime.datetime:
    return datetime.datetime.now().astimezone()


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    own_journal.keys(tmp_path / "keys")
    return tmp_path / "journal.db"


def write(path: Path, *rows: tuple[str, dict[str, object]], ago: datetime.timedelta = DAY) -> None:
    """Rows that were recorded so long ago."""
    clock = Reading(int((now() - ago).timestamp()), True)
    store = own_journal.opened(path, clock=lambda: clock)
    for kind, body in rows:
        store.write(kind, body)
    store.close()


def check(path: Path, config: Config = HOLD) -> None:
    gain_hold.check(config, path, path.parent / "keys")


def held(path: Path) -> str:
    with pytest.raises(Failure) as caught:
        check(path)
    assert caught.value.exit_code == FAILED
    return caught.value.sentence


def test_a_wheel_that_was_told_nothing_of_opens(journal: Path) -> None:
    write(journal, own_journal.result(1), ("health", NOTICE | {"code": "H10"}))
    check(journal)


def test_it_is_held_on_another_day_and_the_sentence_says_who_may_end_it(journal: Path) -> None:
    write(journal, own_journal.result(1), ("health", NOTICE))
    said = held(journal)
    assert f"as H12 told on {(now() - DAY).date().isoformat()}" in said
    assert "once a supervisor has acknowledged that" in said
    assert "cylindre acknowledge H12" in said


def test_a_house_that_wants_to_be_told_alone_is_told_alone(journal: Path) -> None:
    write(journal, own_journal.result(1), ("health", NOTICE))
    check(journal, Config())
    check(journal, parse('[health]\ngain = "tell"'))


def test_the_day_of_the_notice_is_played_to_its_end(journal: Path) -> None:
    write(journal, own_journal.result(1), ("health", NOTICE), ago=datetime.timedelta())
    check(journal)


def test_what_a_supervisor_acknowledged_opens_for_good(journal: Path) -> None:
    write(journal, own_journal.result(1), ("health", NOTICE), ("act", ACT))
    check(journal)
    write(journal, *[("act", ACT | {"what": "login", "detail": ""})] * 300)
    check(journal)


@pytest.mark.parametrize(
    "act", [ACT | {"detail": "H10: new frets come"}, ACT | {"what": "note"}, ACT | {"detail": "x"}]
)
def test_another_act_opens_nothing(journal: Path, act: dict[str, object]) -> None:
    write(journal, own_journal.result(1), ("health", NOTICE), ("act", act))
    held(journal)


def test_an_acknowledgement_answers_no_later_notice(journal: Path) -> None:
    write(journal, own_journal.result(1), ("health", NOTICE), ("act", ACT), ("health", NOTICE))
    held(journal)


def test_an_act_that_the_wheel_did_not_sign_opens_nothing(journal: Path) -> None:
    write(journal, own_journal.result(1), ("health", NOTICE), ("act", ACT))
    (journal.parent / "keys" / "wheel.pub").write_text(Signer(bytes(32)).public.hex() + "\n")
    (journal.parent / "keys" / "wheel.key").write_text(bytes(32).hex() + "\n")
    held(journal)
