"""A real card table without a shoe of its own: what its configuration names is opened, and a round
is played through it, at real lines."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from serial_pair import SerialPair

from drivers.checked_line import written
from firmware.config import Config, load
from firmware.config.card_game import open_card_table
from firmware.config.game import choose
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.cards.table import CardTable
from firmware.run.card_core import CardCore
from firmware.run.card_play import CardHardware, house_of, open_real
from firmware.run.shoe_port import ReleaseLine
from firmware.shims.virtual import VirtualMachine
from firmware.stakes import card_kinds
from tools.virtual.card_provider import ShoeUart

PIN = 12


class Desk:
    """A croupier at his table's lines. Time goes as he acts."""

    def __init__(self, folder: Path, reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.us = 1_000_000
        self.lines = {name: SerialPair() for name in ("keyboard", "barcode", "card_keys")}
        used = {"barcode": ("barcode",), "hand": ("card_keys",), "shoe": ("card_keys",)}[reader]
        text = f'[game]\nrules = "baccarat_live"\n[cards]\nreader = "{reader}"\n'
        for name in ("keyboard", *used):
            text += f'{name} = "{self.lines[name].name}"\n'
        (folder / "table.toml").write_text(text)
        self.config: Config = load(folder / "table.toml")
        self.game = choose("baccarat_pi4", self.config)
        self.machine = VirtualMachine(lambda: self.us)
        self.machine.edges = SimpleNamespace(now_us=lambda: self.us, initial_levels=[0, 0])  # type: ignore[attr-defined]
        self.machine.close = lambda: None  # type: ignore[attr-defined]
        self.uarts: list[tuple[int, int]] = []
        self.machine.UART = self._uart  # type: ignore[attr-defined]
        monkeypatch.setattr("firmware.shims.pi.open_machine", lambda board: self.machine)
        self.stack = contextlib.ExitStack()
        options = cast(Any, SimpleNamespace(game=self.game, config=self.config))
        self.opened: CardHardware = open_real(options, self.stack)
        self.release = ReleaseLine(self.machine.Pin(PIN, self.machine.Pin.OUT))
        limits = open_card_table(self.game, self.config)
        self.core = CardCore(CardTable(limits, house=house_of(self.config)), ())
        self.told: list[Any] = []
        self.rows: list[Any] = []
        self._numbers = dict.fromkeys(self.lines, 0)
        self._take(self.core.begin_play(self.us))
        self.look()

    def _uart(self, number: int, baud: int) -> ShoeUart:
        self.uarts.append((number, baud))
        return ShoeUart()

    def _take(self, answers: Any) -> None:
        for each in answers:
            self.release.take_fact(each)
            for listener in self.opened.listeners:
                listener.take_fact(each)
            if type(each) is core_facts.Record:
                self.rows.append(each)
                self._take(self.core.handle(core_facts.Recorded(self.us, each.ticket)))
            else:
                self.told.append(each)

    def look(self) -> None:
        """The loop looks at its ports."""
        self.us += 100_000
        for source in self.opened.hardware.event_sources:
            for event in source.take_events():
                self._take(self.core.handle(event._replace(at_us=self.us)))

    def say(self, line: str, *fields: str) -> None:
        """A line comes at that port."""
        self.lines[line].write(written(fields).encode() + b"\r\n")
        self.look()

    def press(self, line: str, name: str, *more: str) -> None:
        """A key of a keyboard, numbered."""
        self._numbers[line] += 1
        self.say(line, name, *more, f"{self._numbers[line]:03}")

    def key(self, name: str) -> None:
        """A key of the croupier's."""
        self.press("keyboard", name, "D")
        self.press("keyboard", name, "U")

    def lay(self) -> None:
        """Somebody stakes."""
        stake = {"player": "a", "bet": "player", "cents": 2000}
        self._take(self.core.handle(facts.StakesLaid(self.us, [stake])))

    def all(self, kind: Any) -> list[Any]:
        return [each for each in self.told if type(each) is kind]

    def close(self) -> None:
        self.stack.close()
        for line in self.lines.values():
            line.close()


@pytest.fixture
def desks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    made: list[Desk] = []

    def make(reader: str) -> Desk:
        made.append(Desk(tmp_path, reader, monkeypatch))
        return made[-1]

    yield make
    for desk in made:
        desk.close()


def check_round(desk: Desk, how: str) -> None:
    """The round of 9S 4C KD 5H is official, as its cards were read."""
    (result,) = desk.all(facts.RoundResult)
    assert (result.outcome["winner"], result.outcome["player"]) == ("tie", 9)
    assert result.verified == (how == facts.BARCODE)
    cards = [
        row.body
        for row in desk.rows
        if row.kind == card_kinds.CARD_ROW and row.body["to"] != facts.BURN
    ]
    assert [(row["card"], row["how"]) for row in cards] == [
        (text, how) for text in ("9S", "4C", "KD", "5H")
    ]
    (end,) = [row.body for row in desk.rows if row.kind == card_kinds.RESULT]
    assert (end["shoe"], end["authenticated"]) == (how, False)
    assert [each.code for each in desk.all(core_facts.Fault)] == []


def test_a_round_is_played_whole_with_a_barcode_reader(desks: Any) -> None:
    desk = desks("barcode")
    assert desk.opened.open_shoe is None
    desk.key("START")
    assert desk.machine.level(PIN) == 1  # the first cards are burned
    for n in range(6):
        desk.say("barcode", "S17", f"{n:04}", "2C")
    assert desk.machine.level(PIN) == 0
    desk.lay()
    desk.key("RIEN")
    for n, text in enumerate(("9S", "4C", "KD", "5H"), 6):
        assert desk.machine.level(PIN) == 1
        desk.say("barcode", "S17", f"{n:04}", text)
    check_round(desk, facts.BARCODE)
    assert desk.machine.level(PIN) == 0


def test_a_round_is_played_whole_by_hand(desks: Any) -> None:
    desk = desks("hand")
    assert desk.opened.open_shoe is None
    desk.key("START")
    for _ in range(6):
        desk.key("BURN")
    desk.lay()
    desk.key("RIEN")
    for text in ("9S", "4D", "KD", "5H"):
        for name in (text[0], text[1], "OK"):
            desk.press("card_keys", name)
        if text == "4D":  # it was the four of clubs
            for name in ("BACK", "4", "C", "OK"):
                desk.press("card_keys", name)
    assert facts.CardTyped in {type(each) for each in desk.told}
    rows = [
        row.body
        for row in desk.rows
        if row.kind == card_kinds.CARD_ROW and row.body["card"] == "4D"
    ]
    assert len(rows) == 1  # it stands in the journal, and was taken back
    desk.rows = [row for row in desk.rows if row.body not in rows]
    check_round(desk, facts.PEOPLE)


def test_a_shoe_of_its_own_is_opened_at_the_boards_line_with_the_keys_beside_it(
    desks: Any,
) -> None:
    desk = desks("shoe")
    assert desk.uarts == [(3, 115_200)]  # at once: one that is not there is told before a card
    assert desk.opened.open_shoe is not None
    desk.opened.open_shoe()
    assert len(desk.uarts) == 1
    desk.opened.open_shoe()  # it was lost
    assert len(desk.uarts) == 2
    desk.press("card_keys", "T")
    assert facts.CardTyped(desk.us, "T", "") in desk.told
    assert desk.core.table.shoe.count.hello.serial == ""  # it has said nothing yet


def test_the_cards_are_held_where_nothing_lets_them_go() -> None:
    machine = VirtualMachine()
    line = ReleaseLine(machine.Pin(PIN, machine.Pin.OUT))
    line.take_fact(facts.Release(True))
    assert machine.level(PIN) == 1
    line.hold()
    assert machine.level(PIN) == 0
