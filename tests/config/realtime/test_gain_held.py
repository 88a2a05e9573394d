"""A wheel by which a player could gain is held, acknowledged in safe mode, and opens."""

import time
from pathlib import Path

import own_journal
import pytest
from config_bench import PIN, end_the_next_coup, serving

from firmware.core.house import SUPERVISOR, TECHNICIAN
from firmware.keys import people
from firmware.keys.rotation import public_keys
from firmware.lib.errors import FAILED, OK
from firmware.store import acts
from firmware.store.clock import Reading
from tools import cli

DAYS_S = 2 * 86_400
TECHNICIANS_PIN = "314159"
CONFIG = """[wheel]
board = "roulette_ref"
[health]
gain = "hold"
[store]
journal = "journal.db"
[people]
file = "people.jsonl"
[bus]
keys = "keys"
"""


def test_it_opens_once_a_supervisor_has_acknowledged_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wheel.toml").write_text(CONFIG)
    with people.editing(tmp_path / "people.jsonl") as known:
        known.append(people.enrol("klein", SUPERVISOR, PIN))
        known.append(people.enrol("weber", TECHNICIAN, TECHNICIANS_PIN))
    own_journal.keys(tmp_path / "keys")
    before = Reading(int(time.time()) - DAYS_S, True)
    store = own_journal.opened(tmp_path / "journal.db", clock=lambda: before)
    store.write(*own_journal.result(1))
    store.write("health", {"coup": 1, "code": "H12", "detail": "17", "kind": "gain"})
    store.close()
    run = ("run", "--config", "wheel.toml", "--socket", "run")
    assert cli.main([*run, "--coups", "1"]) == FAILED
    assert "once a supervisor has acknowledged that" in capsys.readouterr().err
    Path("pin").write_text(PIN)
    Path("other").write_text(TECHNICIANS_PIN)
    answer = ("acknowledge", "H12", "--why", "new frets come", "--socket", "run")
    with serving(tmp_path, "safe", "--config", "wheel.toml", "--keys", "keys",
               "--journal", "journal.db", "--socket", "run"):  # fmt: skip
        assert cli.main([*answer, "--as", "weber", "--pin-file", "other"]) == FAILED
        assert cli.main([*answer, "--as", "klein", "--pin-file", "pin"]) == OK
    (act,) = [act for act in acts.last(Path("journal.db")) if act.what == acts.ACKNOWLEDGED]
    assert (act.who, act.role, act.detail) == ("klein", SUPERVISOR, "H12: new frets come")
    assert acts.vouched(Path("journal.db"), act, public_keys(Path("keys")))
    with serving(tmp_path, *run):
        end_the_next_coup(tmp_path / "run")
