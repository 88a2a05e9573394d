"""A line of a certain speed, everybody on it, and time: what pseudo-terminals do not model. From it
comes the figure of `make bench`: how long a decision takes to be lit on every display.

A byte lasts its ten bits, whoever speaks while another does spoils both, and each hears all but
itself. The controller looks at its port once in slots.LOOP_US, or `look_us`,
as firmware/loop.py does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from firmware.bus import card_record, messages, record, slots
from firmware.bus.display_host import DisplayHost
from firmware.bus.line import TableLine
from firmware.bus.messages import Table
from firmware.bus.receiver import Receiver
from firmware.bus.slots import LOOP_US, wire_us
from firmware.store import signing
from rules.cards import deck

STEP_US = 1_000
LATENCY_US = 1_000  # from an ask's last byte to the answer's first: a microcontroller's
TABLE = Table("roulette_lu", "table 7", 500, 500, (("plein", 20), ("rouge", 360)), None)
_ROOT = bytes(range(32))
_COLOURS = {0: "green", 17: "black", 18: "red", 20: "black", 36: "red"}
_ABOUT = {
    "game": "roulette",
    "rules": "roulette_lu",
    "rules_hash": b"rules   ",
    "firmware": b"firmware",
    "layout_verified": True,
}
# Rules of the card games, by their game.
_CARDS = {messages.BLACKJACK: "blackjack_lu", messages.BACCARAT: "baccarat_live"}


def display_key(address: int) -> bytes:
    """The key of a display of the bench."""
    return hashlib.sha256(b"display %d" % address).digest()


class Ledger:
    """Signed records of one wheel, in memory."""

    def __init__(
        self, private: bytes = _ROOT, *, epoch: int = 1, coup: int = 0, game: str = "roulette"
    ) -> None:
        """`coup`: of the last coup before the first record."""
        self.about = dict(_ABOUT, game=game)
        if game in _CARDS:
            self.about |= {"rules": _CARDS[game], "layout_verified": None}
        self.signer = signing.Signer(private)
        self.root = self.signer.public
        self.epoch = epoch
        self.coup = coup
        self.records: list[bytes] = []
        self.rotations: list[bytes] = []

    def record_of(self, seq: int) -> bytes | None:
        """The record of that sequence."""
        return self.records[seq - 1] if 0 < seq <= len(self.records) else None

    @property
    def seq(self) -> int:
        """Of the last record."""
        return len(self.records)

    def result(self, number: int = 17, *, manual: bool = False) -> tuple[Any, ...]:
        """Another coup ends with a number; returns its view."""
        self.coup += 1
        fields = {"kind": "result", "number": number, "rotor": 1, "ball": -1, "stakes": bytes(32)}
        if manual:
            fields["manual"] = ("claire", "denis")
        else:
            fields |= {"compartment": 5, "votes": 2_000, "residual_uturn": -4_000}
            fields |= {"held_us": 1_500_000, "sensors": 4}
        self._sign(self.coup, fields | {"colour": _COLOURS.get(number, "red")})
        return ("CONFIRMED", self.coup, self.seq, 1, number, _COLOURS.get(number, "red"), None)

    def round(self, cards: str, *, manual: bool = False) -> tuple[Any, ...]:
        """Another round ends with these cards, as "TH KD"; returns its view."""
        self.coup += 1
        fields: dict[str, Any] = {"kind": "result", "authenticated": True, "verified": not manual}
        if manual:
            fields["manual"] = ("claire", "denis")
        self._sign(self.coup, fields | self._dealt(cards))
        return ("CONFIRMED", self.coup, self.seq, 0, None, None, None)

    def void(self, reason: str = "foreign_object") -> tuple[Any, ...]:
        """Another coup or round is void; returns its view."""
        self.coup += 1
        fields: dict[str, Any] = {"kind": "void", "reason": reason}
        rotor = 0
        if self.about["game"] not in _CARDS:
            fields |= {"rotor": 1, "ball": 0}
            rotor = 1
        self._sign(self.coup, fields)
        return ("VOID", self.coup, self.seq, rotor, None, None, reason)

    def correct(self, seq: int, number: int | None = None, *, cards: str | None = None) -> int:
        """A record corrects that of `seq`: another number, other cards, or none; returns whose coup
        it was."""
        old = record.parse(self.records[seq - 1])
        assert old is not None
        fields: dict[str, Any] = {"kind": "correction", "corrects": seq, "manual": ("a", "b")}
        if cards is not None:
            fields |= self._dealt(cards)
        elif number is None:
            fields["reason"] = "croupier"
        else:
            fields |= {"number": number, "colour": _COLOURS.get(number, "red")}
        self._sign(old.coup, fields)
        coup: int = old.coup
        return coup

    def rotate(self, private: bytes) -> None:
        """Another key signs from now on."""
        new = signing.Signer(private)
        told = {"kind": "rotation", "next_key": new.public, "seq": self.seq or None}
        self.rotations.append(self._signed(told))
        self.signer = new

    def _dealt(self, cards: str) -> dict[str, Any]:
        """What a record says of these cards."""
        found = [deck.card_of(word) for word in cards.split()]
        told = {"seal": hashlib.sha256(cards.encode()).digest(), "decks": 8, "cards": bytes(found)}
        if self.about["game"] == messages.BLACKJACK:
            return told | {"dealer_points": card_record.dealer_points(found)}
        winner, player, banker = card_record.baccarat(found) or ("", 0, 0)
        return told | {"winner": winner, "player_points": player, "banker_points": banker}

    def _sign(self, coup: int, fields: dict[str, Any]) -> None:
        told = {"seq": self.seq + 1, "coup": coup, "prev": bytes(16)} | self.about | fields
        told["after"] = record.digest(self.records[-1]) if self.records else None
        self.records.append(self._signed(told))

    def _signed(self, fields: dict[str, Any]) -> bytes:
        always = {"wheel": "table 7", "epoch": self.epoch, "utc": 1_795_285_518, "quality": 3}
        return self.signer.sign(fields | always)


class _Spoken:
    """Bytes that are, or were, on the line."""

    def __init__(self, who: Any, data: bytes, start_us: int, end_us: int) -> None:
        self.who, self.data, self.start_us, self.end_us = who, data, start_us, end_us
        self.spoiled = False


class Wire:
    """The line itself. `hurt` may change, drop, or repeat what is carried."""

    def __init__(self, baud: int) -> None:
        self.baud = baud
        self.spoken: list[_Spoken] = []
        self.collisions = 0
        self.log: list[tuple[int, Any, bytes]] = []
        self.hurt: Callable[[Any, bytes], list[bytes]] = lambda who, data: [data]

    def send(self, who: Any, data: bytes, now_us: int) -> None:
        """Somebody speaks, behind what it is saying already."""
        mine = [one.end_us for one in self.spoken if one.who is who]
        start_us = max([now_us, *mine])
        new = _Spoken(who, data, start_us, start_us + wire_us(len(data), self.baud))
        for one in self.spoken:
            if one.who is not who and one.start_us < new.end_us and new.start_us < one.end_us:
                one.spoiled = new.spoiled = True
                self.collisions += 1
        self.spoken.append(new)

    def finished(self, now_us: int) -> list[tuple[Any, bytes]]:
        """What ended by now: (who said it, the bytes)."""
        done = [one for one in self.spoken if one.end_us <= now_us]
        self.spoken = [one for one in self.spoken if one.end_us > now_us]
        found = []
        for one in done:
            data = bytes(byte ^ 0x55 for byte in one.data) if one.spoiled else one.data
            self.log.append((one.start_us, one.who, data))
            found += [(one.who, part) for part in self.hurt(one.who, data)]
        return found


class Bench:
    """One controller, displays, and whoever else answers on one wire."""

    def __init__(
        self,
        displays: int = 1,
        *,
        baud: int = 115_200,
        latency_us: int = LATENCY_US,
        late_us: int = 0,
        look_us: int = LOOP_US,
        step_us: int = STEP_US,
        **told: Any,
    ) -> None:
        """`late_us`: so late the controller looks at its port when it awaits nothing; `look_us`:
        between two looks; `told`: for the DisplayHost, beside what the ledger has."""
        self.now_us = 0
        self.look_us = look_us
        self.step_us = step_us
        self.wire = Wire(baud)
        self.latency_us = latency_us
        self.late_us = late_us
        self._look_us = 0
        self.ledger = Ledger()
        self.keys = {address: display_key(address) for address in range(1, displays + 1)}
        self.told: dict[str, Any] = {"table": TABLE} | told
        self.displays: list[Receiver] = []
        self.troubles: list[tuple[str, str]] = []
        self.came = b""
        self.due: list[tuple[int, Any, bytes]] = []
        self.starts = 0
        self.boots = 0
        self.last_view: tuple[Any, ...] = ("BETS_OPEN", 1, 0, 1, None, None, None)
        for address in self.keys:
            self.join(address)
        self.start()

    def start(self) -> None:
        """The controller starts, with another session than the last time."""
        self.starts += 1
        self.display_host = DisplayHost(
            2**63 + self.starts,
            self.keys,
            self.ledger.record_of,
            epoch=self.ledger.epoch,
            kid=self.ledger.signer.kid,
            rotations=tuple(self.ledger.rotations),
            baud=self.wire.baud,
            **self.told,
        )
        self.line = TableLine(self.display_host)
        self.view(*self.last_view)
        self.came = b""

    def join(self, address: int, key: bytes | None = None) -> Receiver:
        """Another display is switched on."""
        self.boots += 1
        key = display_key(address) if key is None else key
        display = Receiver(address, key, self.ledger.root, 2**40 + self.boots, signing.verify)
        self.displays.append(display)
        return display

    def view(self, *view: Any) -> None:
        """The controller shows a facts.View."""
        self.last_view = view
        self.display_host.set_view(*view)

    def run(self, us: int, until: Callable[[], bool] = lambda: False) -> bool:
        """Lets time pass; True as soon as `until` holds."""
        end_us = self.now_us + us
        while self.now_us < end_us:
            self.now_us += self.step_us
            self.step()
            if until():
                return True
        return False

    def stations(self) -> list[Any]:
        """Whoever answers on the line."""
        return list(self.displays)

    def step(self) -> None:
        """So long as `step_us`."""
        stations = self.stations()
        for who, data in self.wire.finished(self.now_us):
            for station in stations:
                if who is not station:
                    reply = station.feed(data, self.now_us)
                    if reply:
                        self.due.append((self.now_us + self.latency_us, station, reply))
            if who is not self.line:
                self.came += data
        for at_us, station, reply in list(self.due):
            if at_us <= self.now_us:
                self.due.remove((at_us, station, reply))
                self.wire.send(station, reply, self.now_us)
        for display in self.displays:
            while display.work():
                pass
        for station in stations:
            station.tick(self.now_us)
        if self.now_us % self.look_us == 0:
            listening = self.line.arbiter.listening(self.now_us - self.look_us)
            self._look_us = self.now_us + (0 if listening else self.late_us)
        if self.now_us == self._look_us:
            for sent in self.line.exchange(self.came, self.now_us):
                self.wire.send(self.line, sent, self.now_us)
            self.came = b""
            self.troubles += self.line.troubles()

    def numbers(self) -> list[int | None]:
        """What each display lights."""
        return [display.lit.number for display in self.displays]


def lit_ms(displays: int = 32, baud: int = 115_200, moments: int = 10) -> float:
    """Milliseconds of the line's time from a decision until every display lights it: the worst of
    so many moments at which it may fall."""
    worst_us = 0
    bench = Bench(displays, baud=baud)
    bench.run(3 * slots.FRESH_US)
    for turn in range(moments):
        number = turn % 37
        bench.run(700_000 + turn * 13_000)
        decided_us = bench.now_us
        bench.view(*bench.ledger.result(number))
        seq = bench.ledger.seq

        def lit(number: int = number, seq: int = seq) -> bool:
            return all(one.lit.number == number and one.lit.seq == seq for one in bench.displays)

        if not bench.run(10 * slots.FRESH_US, lit):
            raise AssertionError("never lit")
        worst_us = max(worst_us, bench.now_us - decided_us)
    return worst_us / 1000


if __name__ == "__main__":
    for speed in (115_200, 19_200):
        most = slots.displays_max(speed)
        print(f"{most} displays at {speed} baud: lit {lit_ms(most, speed):.0f} ms after a decision")
