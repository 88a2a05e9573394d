"""A wheel's files as it leaves them: journal, keys, people, coups as they were seen, a log."""

from __future__ import annotations

import json
from pathlib import Path

import own_journal
from click.testing import CliRunner, Result

from firmware.keys import folder as keys
from firmware.keys.people import encode, enrol
from firmware.lib.errors import Failure
from firmware.services.recorder import files as recorder_files
from tools.commands import support, support_bundle

BOARD = "roulette_ref"
PINS = {"anna": "482913", "weber": "correct horse"}
LOG = "2026-11-22T19:00:00Z coup 1: 17 black\n"
HEAD = {"version": 1, "board": BOARD, "number": 1}


class AWheel:
    """Its folder, and its secrets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "var" / BOARD
        self.folder.mkdir(parents=True)
        self.keys = self.folder / "keys"
        own_journal.keys(self.keys)
        keys.provision(self.keys, displays=2, terminals=1)
        journal = own_journal.opened(self.folder / "journal.db")
        for coup in (1, 2, 3):
            journal.write(*own_journal.result(coup))
        journal.close(10)
        people = [
            enrol(name, role, PINS[name])
            for name, role in (("anna", "croupier"), ("weber", "management"))
        ]
        self.people = self.folder / "people.jsonl"
        self.people.touch(mode=0o600)
        self.people.write_bytes(b"".join(map(encode, people)))
        self.config = folder / "wheel.toml"
        self.config.write_text(f'# written by hand\n[wheel]\nboard = "{BOARD}"\nid = "table-3"\n')
        self.log = self.folder / "cylindre.log"
        self.log.write_text(LOG)
        self.coup(1)

        self.private = [bytes.fromhex(path.read_text()) for path in sorted(self.keys.glob("*.key"))]
        self.hashes = [value for person in people for value in (person.salt, person.hash)]

    def coup(self, number: int, trace: str = "$end\n") -> Path:
        """A coup as it was seen."""
        path = self.folder / "coups" / f"{number:06d}-coup-{number}"
        path.mkdir(parents=True)
        (path / recorder_files.TRACE).write_text(trace)
        (path / recorder_files.HEAD).write_text(json.dumps(HEAD))
        (path / recorder_files.NOTES).write_text("[0, 1, {}]\n")
        return path

    def pack(self, *options: object) -> Result:
        """`cylindre support-bundle`, told where all lies."""
        return self.pack_found("--keys", self.keys, "--people", self.people, *options)

    def pack_found(self, *options: object) -> Result:
        """The same where it has to find keys and people itself."""
        where = ("--config", self.config, "--journal", self.folder / "journal.db")
        where += ("--socket", self.folder)
        where += ("--records", self.folder / "coups", "--certificates", self.folder / "selftest")
        arguments = [str(word) for word in (*where, *options)]
        return CliRunner().invoke(support_bundle.command, arguments)


def read(*options: object) -> Result:
    """`cylindre support read`."""
    return CliRunner().invoke(support.command, ["read", *map(str, options)])


def refused(result: Result) -> Failure:
    """The failure it ended with."""
    assert isinstance(result.exception, Failure), result.output + repr(result.exception)
    assert result.stdout == ""
    return result.exception
