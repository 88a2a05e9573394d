"""A journal of coups that were really played: recorded edges through the core, as a wheel does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import boards
import rules
from firmware.core import facts
from firmware.core.controller import Controller
from firmware.core.house import HOUSE
from firmware.keys import folder as keys
from firmware.store.clock import Reading
from firmware.store.fram import Head
from firmware.store.fram_file import FileFram
from firmware.store.journal import Identity, Journal
from firmware.store.signing import Signer, rules_hash
from firmware.store.source_hash import firmware_hash

EDGES = {"roulette_ref": "coup_w2", "vingt_trois_ref": "coup_v1", "boule_ref": "coup_b1"}
FOLDER = Path(__file__).parents[1] / "micropython"
STARTED_S = 1_784_000_000  # 2026-07-14


class Recorder:
    """A controller whose records are kept, each durable at once."""

    def __init__(self, board: str, **house: Any) -> None:
        data = boards.load(board)
        self.rules = rules.load(data["rules"])
        self.core = Controller(data, self.rules, house=HOUSE._replace(**house))
        self.records: list[tuple[str, Any]] = []
        lines = (FOLDER / f"{EDGES[board]}.edges").read_text("ascii").splitlines()
        levels, *self.edges = [tuple(int(word) for word in line.split()) for line in lines]
        for line, level in enumerate(levels):
            self.core.preset(line, level)
        self.at_us = 0
        self.take(self.core.begin_play(0))

    def take(self, answers: Any) -> None:
        for answer in answers:
            if isinstance(answer, facts.Record):
                self.records.append((answer.kind, answer.body))
                self.take(self.core.handle(facts.Recorded(self.at_us, answer.ticket)))

    def play(self) -> None:
        """All edges of the recording, and what is due between them."""
        for at_us, line, level in self.edges:
            while self.core.timers.due_us is not None and self.core.timers.due_us <= at_us:
                self.at_us = self.core.timers.due_us
                self.take(self.core.handle(facts.Tick(self.at_us)))
            self.at_us = at_us
            if line >= 0:
                self.take(self.core.edge(at_us, line, level))
        self.take(self.core.finish(self.at_us))

    def ask(self, event: Any) -> None:
        self.take(self.core.handle(event._replace(at_us=self.at_us)))


def correction(coup: int, number: int | None, colour: str | None = None) -> Any:
    return facts.CorrectionAsked(0, coup, number, colour, "anna", "weber", "seen on the film")


def write(folder: Path, recorder: Recorder, *, fram: Path | None = None) -> Path:
    """The journal of what was recorded, with its keys in folder/keys."""
    made = folder / "keys"
    if not made.exists():
        keys.ensure_wheel(made)
    path = folder / "journal.db"
    game = recorder.rules
    identity = Identity(
        "table-3",
        game["apparatus"],
        game["name"],
        rules_hash(game),
        game["layout_verified"],
        firmware_hash(),
        "virtual",
    )
    seconds = iter(range(STARTED_S, STARTED_S + 1_000_000))
    memory = None if fram is None else FileFram(fram)
    journal = Journal(
        path,
        signer=Signer(keys.read_private(made)),
        identity=identity,
        head=None if memory is None else Head(memory),
        clock=lambda: Reading(next(seconds), True),
    )
    for kind, body in recorder.records:
        journal.write(kind, body)
    journal.close()
    if memory is not None:
        memory.close()
    return path
