"""Every command that writes a file, where none can be written: one sentence, that names the file.

They are found by walking the commands: a new one fails here by its name until a table has it.
"""

from __future__ import annotations

import datetime
import resource
from collections.abc import Iterator
from pathlib import Path

import own_journal
import pytest
from test_every_option import LINES
from walking import BOARD, called, commands, words

import rules
from firmware.lib.errors import CONFIGURATION, FAILED
from firmware.run.table_opening import gaming_day
from rules import minimum

NOWHERE = "/dev/null/there"  # no folder, for root neither
PEOPLE = f"var/{BOARD}/people.jsonl"

# By command: what names a file or folder that it writes, a path for it, and what is written there.
# fmt: off
WRITERS = {
    "run": (("--keys", "keys", "/epoch"),),
    "sim": (("--trace", "new.vcd", ""),),
    "provision": (("folder", "new", ""),),
    "key rotate": (("--keys", "keys", "/wheel.key.new"),),
    "people add": (("--file", "new.jsonl", ""), ("--file", PEOPLE, "")),
    "people remove": (("--file", PEOPLE, ""),),
    "orphelins mark": (("--register", "new.jsonl", ""), ("--register", "register.jsonl", "")),
    "orphelins found": (("--register", "new.jsonl", ""), ("--register", "register.jsonl", "")),
    "orphelins correct": (("--register", "register.jsonl", ""),),
    "orphelins return": (("--register", "register.jsonl", ""),),
    "pinout": (("--svg", "new.svg", ""),),
    "support-bundle": (("--out", "new.tar.gz", ""),),
    "page": (("--state", "new", "/tls/page.crt"),),
    "update keys": (("folder", "new", ""),),
    "config new": (("file", "new.toml", ""),),
    "hil run": (("--folder", "new", "/"),),
    "hil campaign": (("folder", "new", "/campaign.json"),),
}
# What writes too, and cannot be brought so far here: what is wanted before, or where it is tested.
ELSEWHERE = {
    "table": "all that it writes a controller does in a process of its own, by run",
    "demo": "as table",
    "selftest": "a controller: tests/selftest", "calibrate": "a controller: tests/calibrate",
    "config apply": "a service to restart: tests/config/realtime/test_trial.py",
    "config settle": "a trial: tests/config/realtime/test_trial.py",
    "orders": "root's own work: tests/orders/test_orders.py",
    "journal adopt": "a journal of elsewhere: tests/cli/test_journal_commands.py",
    "orphelins close": "an account that is due: as orphelins return",
    "support read": "a bundle: tests/support",
    "image build": "mmdebstrap, and root", "flash": "a card",
    "update make": "an image, and rauc", "update install": "a wheel's card",
    "update rauc": "a wheel's card", "update rollback": "a wheel's card",
    "update settle": "a wheel's card",
}
READERS = {
    "account admit", "account bar", "account close-day", "account deposit", "account list",
    "account open", "account payout", "account redeem", "account release", "account renew",
    "account reprint", "account withhold", "acknowledge", "act", "boards", "calibrate show",
    "call status", "cards burn", "cards correct", "cards count", "cards enter", "cards pay",
    "cards rescan", "clear",
    "completion", "config check", "config show", "confirm", "correct", "display", "doctor",
    "employee",
    "explain", "followers", "gateway", "guide", "health",
    "hand cover", "hand lay", "hand lift", "hand pause",
    "hand press",
    "hand throw", "hand tilt", "hil compare", "hil faults", "hil list", "journal export",
    "journal show", "journal tail", "journal verify", "key show", "line", "manual",
    "orphelins house", "orphelins list", "people list", "replay", "rules", "safe", "settle",
    "shift", "status", "terminal",
    "unseat", "update answers", "update started", "update status", "verify-install", "void",
    "watch",
}
# fmt: on
CASES = [(command, *case) for command, cases in WRITERS.items() for case in cases]


@pytest.fixture
def table(folder: Path) -> Path:
    """The folder of a table that was opened, with a register that has one entry."""
    day = gaming_day(datetime.datetime.now())
    game = rules.load("roulette_lu")
    opening = minimum.opening(game, day=day, season="2026-27", minimum_cents=500)
    store = own_journal.opened(folder / "journal.db")
    store.write("opening", minimum.body(opening))
    store.close()
    line = {**LINES["orphelins found"], "--register": "register.jsonl"}
    assert called(words("orphelins found", line)) == 0
    return folder


@pytest.fixture
def full() -> Iterator[None]:
    """Has no file grow beyond nothing, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _said(command: str, option: str, path: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    code = called(words(command, {**LINES[command], option: path}))
    said = capsys.readouterr().err
    assert code in (FAILED, CONFIGURATION), said
    assert "mistake in cylindre itself" not in said
    assert "Standard output" not in said
    return said.splitlines()[-1]  # before it stand news of what was done


@pytest.mark.parametrize(("command", "option", "path", "file"), CASES)
def test_a_full_disk_is_one_sentence_that_names_the_file(
    command: str, option: str, path: str, file: str,
    table: Path, full: None, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert path + file in _said(command, option, path, capsys)


@pytest.mark.parametrize(("command", "option"), sorted({case[:2] for case in CASES}))
def test_what_is_no_place_for_a_file_is_one_sentence_that_names_it(
    command: str, option: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "/dev/null" in _said(command, option, NOWHERE, capsys)


def test_every_command_is_known_by_whether_it_writes_files() -> None:
    assert sorted({*WRITERS, *ELSEWHERE, *READERS}) == sorted(commands())
