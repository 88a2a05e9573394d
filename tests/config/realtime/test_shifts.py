"""Which croupier throws is recorded by number, where the house asks for it."""

from pathlib import Path

import pytest
from config_bench import PIN, serving

from firmware.core.house import SUPERVISOR
from firmware.keys import people
from firmware.lib.errors import FAILED, OK
from firmware.store import acts
from tools import cli

CONFIG = """[wheel]
board = "roulette_ref"
[health]
croupiers = {}
[store]
journal = "journal.db"
[people]
file = "people.jsonl"
"""


@pytest.mark.parametrize(
    ("asked", "code", "says", "recorded"),
    [
        ("true", OK, "Recorded: croupier 4 throws.", ["4"]),
        ("false", FAILED, "This house does not record which croupier throws.", []),
    ],
)
def test_a_supervisor_says_who_throws(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    asked: str,
    code: int,
    says: str,
    recorded: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wheel.toml").write_text(CONFIG.format(asked))
    Path("pin").write_text(PIN)
    with people.editing(tmp_path / "people.jsonl") as known:
        known.append(people.enrol("klein", SUPERVISOR, PIN))
    with serving(tmp_path, "run", "--config", "wheel.toml", "--socket", "run"):
        words = ("shift", "4", "--as", "klein", "--pin-file", "pin", "--socket", "run")
        assert cli.main([*words]) == code
    assert says in "".join(capsys.readouterr())
    done = [act for act in acts.last(Path("journal.db")) if act.what == acts.SHIFT]
    assert [act.detail for act in done] == recorded
    assert {act.who for act in done} <= {"klein"}
