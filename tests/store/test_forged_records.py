"""Checkpoints, epochs and rotations that somebody made, or has from elsewhere, in a right chain.

Every hash behind the forged row is made anew, as a thief with an SQLite shell would.
"""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own_journal
import pytest
from own_journal import SIGNER, WHEEL, actuation, result

from firmware.bus import record
from firmware.core.facts import CCW, CW
from firmware.store import reader, rows
from firmware.store.rows import JournalError, Row, follow
from firmware.store.signing import Signer
from firmware.store.verify import first_bad

ROOT = SIGNER.public
SECOND = Signer(b"2" * 32)
THIEF = Signer(b"t" * 32)
NAMED = Signer(b"t" * 32)
NAMED.kid = SIGNER.kid  # the thief's signature, in the wheel's name
COUPS = 40  # of four rows: two checkpoints


def play(path: Path, coups: int, first: int = 1, number: int = 17, **choices: Any) -> None:
    journal = own_journal.opened(path, **choices)
    for coup in range(first, first + coups):
        journal.write("begun", {"coup": coup})
        journal.write("evidence", {"coup": coup, "seq": coup, "why": "predicted"})
        journal.write(*actuation(coup, CW if coup % 2 else CCW))
        journal.write(*result(coup, number))
    journal.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with two checkpoints, a rotation and some coups behind it."""
    path = tmp_path_factory.mktemp("whole") / "journal.db"
    play(path, COUPS)
    journal = own_journal.opened(path)
    journal.write("rotation", {"next_key": SECOND.public})
    journal.close()
    play(path, 3, COUPS + 1, signer=SECOND)
    return path


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another journal of this wheel and key, whose rows are others: a card of last year."""
    path = tmp_path_factory.mktemp("twin") / "journal.db"
    play(path, COUPS + 5, number=5)
    journal = own_journal.opened(path)
    journal.write("rotation", {"next_key": THIEF.public})
    journal.close()
    return path


def of_kind(path: Path, kind: str) -> list[Row]:
    return [row for row in reader.rows(path) if row.kind == kind]


def rewritten(path: Path, change: Callable[[Row], Row]) -> None:
    """All rows as `change` has them, with the hashes that they must have then."""
    connection = sqlite3.connect(path)
    at = rows.START
    for row in list(reader.rows(path)):
        changed = change(row)
        new = follow(at, changed.utc, changed.kind, changed.body)
        at = new.point
        connection.execute(
            "UPDATE journal SET utc = ?, kind = ?, body = ?, hash = ? WHERE n = ?",
            (new.utc, new.kind, new.body, new.hash, new.n),
        )
    connection.commit()
    connection.close()


def signed_by(signer: Signer, **more: Any) -> Callable[[Row], bytes]:
    """A row's own record, signed by somebody else and with other fields."""

    def body(row: Row) -> bytes:
        said = record.parse(row.body)
        assert said is not None
        return signer.sign(said._asdict() | more)

    return body


def at(row: Row, body: Callable[[Row], bytes]) -> Callable[[Row], Row]:
    return lambda each: each._replace(body=body(each)) if each.n == row.n else each


SIGNED = "is not signed by the wheel's key"
ELSEWHERE = "was signed in another place"
# What is forged, of which kind, and what is said of it.
FORGED = [
    ("a thief's key", "checkpoint", signed_by(THIEF), SIGNED),
    ("a thief's key in the wheel's name", "checkpoint", signed_by(NAMED), SIGNED),
    ("the key that comes later", "checkpoint", signed_by(SECOND), SIGNED),
    ("the wheel's key, for another row", "checkpoint", signed_by(SIGNER, n=64), ELSEWHERE),
    ("the wheel's key, for another chain", "checkpoint", signed_by(SIGNER, head=bytes(32)),
     ELSEWHERE),
    ("the wheel's key, of another epoch", "checkpoint", signed_by(SIGNER, epoch=2),
     "is of epoch 2, in epoch 1"),
    ("the wheel's key, for another wheel", "checkpoint", signed_by(SIGNER, wheel="wheel-2"),
     "is of the wheel wheel-2, and this is wheel-1"),
    ("a thief's key", "rotation", signed_by(THIEF), SIGNED),
    ("a thief's key in the wheel's name", "rotation", signed_by(NAMED), SIGNED),
    ("the key that it gives", "rotation", signed_by(SECOND), SIGNED),
    ("the wheel's key, after another outcome", "rotation", signed_by(SIGNER, seq=COUPS - 1),
     f"retires a key after the sequence {COUPS - 1}, and stands after {COUPS}"),
    ("a thief's key", "epoch", signed_by(THIEF), "is not signed by the key it names"),
    ("a thief's key, named", "epoch", signed_by(THIEF, next_key=THIEF.public),
     "which is not this wheel's"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "body", "why"), [row[1:] for row in FORGED], ids=[f"{w} {k}" for w, k, _, _ in FORGED]
)
def test_a_forged_record_is_named_by_verify(
    whole: Path, tmp_path: Path, kind: str, body: Any, why: str
) -> None:
    path = shutil.copy(whole, tmp_path / "journal.db")
    forged = of_kind(path, kind)[-1]
    rewritten(path, at(forged, body))
    found = first_bad(path, ROOT)
    assert found is not None
    assert why in found.sentence
    # An epoch that names its own key is whole by itself: the next signed row tells whose it is.
    assert found.n == forged.n or kind == "epoch"


@pytest.mark.parametrize("kind", ["checkpoint", "rotation", "epoch"])
@pytest.mark.parametrize("signer", [THIEF, NAMED])
def test_a_controller_does_not_go_on_with_a_record_that_its_key_did_not_sign(
    whole: Path, tmp_path: Path, kind: str, signer: Signer
) -> None:
    path = shutil.copy(whole, tmp_path / "journal.db")
    rewritten(path, at(of_kind(path, kind)[-1], signed_by(signer)))
    before = path.read_bytes()
    with pytest.raises(JournalError):
        own_journal.opened(path, signer=SECOND)
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", ["checkpoint", "rotation"])
def test_a_record_that_is_true_and_of_another_state_is_named(
    whole: Path, twin: Path, tmp_path: Path, kind: str
) -> None:
    """Signed by the wheel's key, for other rows: of an older card, or of a copy that went on."""
    path = shutil.copy(whole, tmp_path / "journal.db")
    mine, others = of_kind(path, kind)[-1], of_kind(twin, kind)[-1]
    rewritten(path, at(mine, lambda _: others.body))
    found = first_bad(path, ROOT)
    assert found is not None
    assert found.n == mine.n
    with pytest.raises(JournalError):
        own_journal.opened(path, signer=SECOND)


def test_a_journal_signed_anew_from_its_first_row_is_not_this_wheels(
    whole: Path, tmp_path: Path
) -> None:
    """Everything in it holds together; only the key is somebody else's."""
    thiefs = tmp_path / "journal.db"
    play(thiefs, COUPS, signer=THIEF)
    assert first_bad(thiefs, THIEF.public) is None
    found = first_bad(thiefs, ROOT)
    assert found is not None
    assert "is not this wheel's" in found.sentence
    for signer in (SIGNER, SECOND):
        with pytest.raises(JournalError, match="signed by the key"):
            own_journal.opened(thiefs, signer=signer)


@pytest.mark.parametrize("signer", [SIGNER, THIEF])
def test_neither_a_retired_key_nor_another_put_back_in_its_place_goes_on(
    whole: Path, tmp_path: Path, signer: Signer
) -> None:
    """The folder of keys is restored from before the rotation, or is another wheel's."""
    path = shutil.copy(whole, tmp_path / "journal.db")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="signed by the key"):
        own_journal.opened(path, signer=signer)
    assert path.read_bytes() == before


def test_the_wheels_own_name_does_not_open_another_wheels_journal(
    whole: Path, tmp_path: Path
) -> None:
    path = shutil.copy(whole, tmp_path / "journal.db")
    with pytest.raises(JournalError, match="wheel wheel-1, and this is wheel-2"):
        own_journal.opened(path, signer=SECOND, identity=WHEEL._replace(wheel="wheel-2"))
