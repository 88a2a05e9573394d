"""A wheel's files for tests of `cylindre journal adopt`, and a controller to start on them."""

import contextlib

import pytest

import boards
from firmware.config import Config
from firmware.config.choice import choose_game
from firmware.keys import folder as keys
from firmware.lib.errors import FAILED, Failure
from firmware.run import open_journal
from firmware.run.open_head import read_slot
from firmware.store import clock, identity, verify
from firmware.store.database import reading
from firmware.store.signing import Signer
from firmware.store.startup_check import load
from tools.journal.journal_adopt import adopt, forget

BOARD = "roulette_ref"
RESULT = {
    "compartment": 8, "number": 30, "colour": "red", "rotor": 1, "ball": -1, "votes": 9,
    "residual_uturn": 1200, "held_us": 0, "sensors": 3,
}  # fmt: skip


class Bench:
    """A wheel's files, and a controller that may be started on them."""

    def __init__(self, folder):
        self.folder = folder
        self.keys = folder / "keys"
        self.journal = folder / "journal.db"
        self.fram = folder / "fram.bin"
        self.seq = 0
        keys.ensure_wheel(self.keys)

    def start(self, stack, fram="own"):
        return open_journal.open_journal(
            _game(),
            "wheel-1",
            journal=self.journal,
            folder=self.keys,
            fram=self.fram if fram == "own" else fram,
            stack=stack,
        )

    def play(self, coups=1, fram="own"):
        with contextlib.ExitStack() as stack:
            found = self.start(stack, fram)
            for _ in range(coups):
                self.seq += 1
                found.write("begun", {"coup": self.seq})
                found.write("result", {"coup": self.seq, "seq": self.seq, **RESULT})
            return found.epoch

    def adopt(self, fram="own", **more):
        return adopt(self.journal, self.keys, self.fram if fram == "own" else fram, **more)

    def forget(self, fram="own", board=None):
        said = []
        said.append(
            forget(
                self.journal, self.keys, self.fram if fram == "own" else fram, board, said.append
            )
        )
        return said

    def bad(self, fram="own"):
        path = self.fram if fram == "own" else fram
        slot = None if path is None else lambda: read_slot(boards.load(BOARD), path)
        return verify.first_bad(self.journal, keys.read_root(self.keys), slot)

    def loaded(self):
        with reading(self.journal) as connection:
            return load(self.journal, connection)


def _game():
    return choose_game(BOARD, Config())


def refused(bench, sentence, **more):
    with pytest.raises(Failure, match=sentence) as caught:
        bench.play(**more)
    assert caught.value.exit_code == FAILED
    assert "cylindre journal adopt FILE --keys DIR" in caught.value.sentence


def signed(bench, said, end, **more):
    """A result's record, as the wheel would sign it after `end`."""
    signer = Signer(keys.read_private(bench.keys))
    stamp = clock.Stamp(1_800_000_000, 2)
    wheel = open_journal.identity(_game(), "wheel-1")
    body = identity.fields(wheel, "result", said, epoch=1, stamp=stamp, prev=end.hash)
    return signer.sign(body | more)
