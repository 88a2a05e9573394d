"""A display against somebody who has its key, and lets the wheel's key sign whatever it likes.

Each message is rightly signed, so that all of a display is reached behind its code. What it lights
is held against records that are read here by another library, `cbor2`, and checked by themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import cbor2

from firmware.bus import frame, mac, message_bytes, messages, record
from firmware.bus.frame import Deframer
from firmware.bus.messages import Envelope, Heartbeat
from firmware.bus.receiver import CHALLENGES_MAX, Receiver
from firmware.bus.record_chain import HEARD_MAX, WAITING_MAX
from firmware.lib.signatures import verify
from tools.bench.busbench import TABLE, Ledger
from tools.fuzz.choices import Choices

ADDRESS = 3
KEY = bytes(range(32))
BOOT = 0x1122334455667788
_MESSAGES_MAX = 64  # a run: longer ones reach nothing more, and are slower
# Of each of the two last epochs a display may keep as many records as it shows.
_RECORDS_MAX = 2 * messages.HISTORY_MAX
_COUNTS = (0, 1, 2, 3, 4, 5, 20, 21, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)
_COLOURS = dict(messages.COLOURS)
# Keys of a record's payload (docs/bus.md), as another reader knows them.
_COUP, _NUMBER, _COLOUR, _NEXT_KEY, _AFTER = 5, 7, 9, 26, 32
# How it says that it cannot read something, or that what it reads is none.
_UNREAD = (cbor2.CBORError, ValueError, TypeError, AttributeError, KeyError, OverflowError)


def _ledger() -> Ledger:
    ledger = Ledger()
    ledger.result(17)
    ledger.void()
    ledger.correct(1, 20)
    ledger.result(18)
    ledger.rotate(b"second key of the wheel.........")
    ledger.result(0, manual=True)
    return ledger


_LEDGER = _ledger()
_THIEF = Ledger(b"somebody else's key.............")
_THIEF.result(36)
_FIRST = Ledger().signer  # the wheel's first key
ROOT = _FIRST.public
_SIGNERS = (_FIRST, _LEDGER.signer, _THIEF.signer)
_RECORDS = (*_LEDGER.records, *_LEDGER.rotations, *_THIEF.records)
_TABLE = message_bytes.table_bytes(TABLE)
_BEAT = Heartbeat(
    1, 1, "roulette", "CONFIRMED", 4, 1, 5, record.digest(_LEDGER.records[-1]), 5,
    _LEDGER.signer.kid, 1, True, message_bytes.table_digest(_TABLE),
)  # fmt: skip


class Truths:
    """What the wheel's keys have signed, and what that names in turn."""

    def __init__(self, root: bytes) -> None:
        self._keys = {root}
        self._known: dict[bytes, bytes] = {}
        self._true: set[bytes] = set()
        self.outcomes: set[tuple[int, int, str | None]] = set()  # coup, number, colour

    def add(self, data: bytes) -> None:
        """Takes a record that was made, whoever made it."""
        self._known[hashlib.sha256(data).digest()[:8]] = data
        for _ in range(len(self._known)):  # a rotation may make true what came before it
            before = len(self._true), len(self._keys)
            for each in list(self._known.values()):
                if each not in self._true and self._is_signed(each):
                    self._believe(each)
            if (len(self._true), len(self._keys)) == before:
                break

    def _is_signed(self, data: bytes) -> bool:
        try:
            protected, _, payload, signature = cbor2.loads(data).value
            message = cbor2.dumps(["Signature1", protected, b"", payload])
            return any(verify(key, signature, message) for key in self._keys)
        except _UNREAD:
            return False

    def _believe(self, data: bytes) -> None:
        self._true.add(data)
        try:
            fields = cbor2.loads(cbor2.loads(data).value[2])
            key, after = fields.get(_NEXT_KEY), fields.get(_AFTER)
            number, coup = fields.get(_NUMBER), fields.get(_COUP)
            colour = _COLOURS.get(fields.get(_COLOUR))
        except _UNREAD:
            return
        if isinstance(key, bytes) and len(key) == 32:
            self._keys.add(key)
        if isinstance(number, int) and isinstance(coup, int):
            self.outcomes.add((coup, number, colour))
        before = self._known.get(after) if isinstance(after, bytes) else None
        if before is not None and before not in self._true:
            self._believe(before)


class _Known(Truths):
    """Those of the records that are made once: checked once, too."""

    def __init__(self) -> None:
        super().__init__(ROOT)
        for data in _RECORDS:
            self.add(data)

    def copy(self) -> Truths:
        """Returns them, to be added to."""
        found = Truths(ROOT)
        found._keys, found._known = set(self._keys), dict(self._known)
        found._true, found.outcomes = set(self._true), set(self.outcomes)
        return found


_KNOWN = _Known()


class Attack:
    """One display, and what is done to it. `messages`: how many it was sent; `lit`: how many
    times a number was lit after one."""

    def __init__(self, choices: Choices, check: Callable[[bytes, bytes, bytes], bool]) -> None:
        """`check`: how the display checks signatures."""
        self.display = Receiver(ADDRESS, KEY, ROOT, BOOT, check)
        # What was done to it: "feed", "tick" or "drop", when, and the bytes that came.
        self.log: list[tuple[str, int, bytes]] = []
        self.messages = 0
        self.lit = 0
        self._choose = choices
        self._truths = _KNOWN.copy()
        self._now_us = 0
        self._counter = 0
        self._challenge = bytes(8)
        self._records = list(_RECORDS)
        self._tables = [_TABLE]
        self._beat = _BEAT
        self._ways = (
            self._ask, self._tell, self._tell_next, self._say_record, self._sign_record,
            self._spoil_record, self._say_table, self._say_raw, self._noise, self._wait,
        )  # fmt: skip

    def play(self) -> None:
        """Does what the choices say. Raises AssertionError for what no display may do."""
        self._ask_as(Envelope(ADDRESS, 1, 0))
        self._send(
            message_bytes.answered(
                message_bytes.heartbeat_bytes(_BEAT), [(ADDRESS, KEY, self._challenge)]
            )
        )
        for data in _LEDGER.rotations + _LEDGER.records[::-1] + [_TABLE]:
            self._send(data if data is _TABLE else message_bytes.record_bytes(data))
        while self._choose.more and self.messages < _MESSAGES_MAX:
            self._choose.one(self._ways)()

    def _ask(self) -> None:
        self._counter += self._choose.one((1,) * 13 + (0, 2, 1000))
        session = self._choose.one((1,) * 7 + (2,))
        counter = self._choose.one((self._counter,) * (3 * len(_COUNTS)) + _COUNTS)
        self._ask_as(Envelope(ADDRESS, session, counter))

    def _ask_as(self, envelope: Envelope) -> None:
        reply = self._send(message_bytes.ask_bytes(envelope, KEY))
        for payload in Deframer().feed(reply):
            opened = message_bytes.open_answer(payload, KEY)
            assert opened is not None, "an answer that nobody can read"
            assert opened[0] == envelope, "an answer to another ask"
            self._challenge = opened[1].challenge

    def _tell(self) -> None:
        told = bytearray(message_bytes.heartbeat_bytes(self._beat))
        if self._choose.below(8) == 7:  # a field that no controller has ever written
            told[2 + self._choose.below(len(told) - 2)] = self._choose.number(1)
        payload = message_bytes.answered(bytes(told), [(ADDRESS, KEY, self._challenge)])
        self._send(payload)

    def _tell_next(self) -> None:
        """A heartbeat in which some fields are others."""
        beat = self._beat._replace(counter=self._next())
        for _ in range(1 + self._choose.below(3)):
            beat = beat._replace(**self._change())
        self._beat = beat
        self._ask()
        self._tell()

    def _next(self) -> int:
        """The counter of the next heartbeat."""
        return (self._beat.counter + 1) % 2**32

    def _change(self) -> dict[str, Any]:
        name = self._choose.one(Heartbeat._fields)
        value: Any = self._choose.one(_COUNTS)
        if name in ("session", "counter", "coup", "epoch", "seq") and self._choose.below(2):
            value = self._choose.number(2)
        if name == "digest":
            about = self._choose.one(self._records)
            found = record.parse(about)
            told = {"digest": record.digest(about)}
            if found is not None and found.seq is not None and self._choose.below(4):
                told |= {"epoch": found.epoch, "seq": found.seq, "past": min(found.seq, 20)}
                told |= {"coup": found.coup} if found.coup is not None else {}
            return told
        if name == "table":
            value = message_bytes.table_digest(self._choose.one(self._tables))
        elif name == "kid":
            value = self._choose.one(_SIGNERS).kid
        elif name == "state":
            value = self._choose.one(messages.STATES)[1]
        elif name == "game":
            value = self._choose.one(sorted(messages.GAME_CODES))
        elif name == "rotor":
            value = self._choose.one(messages.ROTORS)
        elif name == "layout_verified":
            value = bool(self._choose.below(2))
        elif name == "past":
            value = self._choose.below(256)
        return {name: value}

    def _say_record(self) -> None:
        data = self._choose.one(self._records)
        self._send(message_bytes.record_bytes(data))

    def _sign_record(self) -> None:
        """A record whose fields are those of another, but for some; named by the next heartbeat."""
        base = self._choose.one(_RECORDS)
        fields: dict[int, Any] = cbor2.loads(cbor2.loads(base).value[2])
        for _ in range(self._choose.below(4)):
            key = self._choose.below(34)
            old = fields.get(key)
            if isinstance(old, bytes):
                fields[key] = self._choose.one(
                    [record.digest(self._choose.one(self._records)), self._choose.run(len(old)),
                     self._choose.one(_SIGNERS).public, old[:-1]]
                )  # fmt: skip
            elif isinstance(old, int) and self._choose.below(4):
                fields[key] = old + self._choose.one((1, -1, 2, 19, 20, 21))
            else:
                fields[key] = self._choose.one(
                    (
                        None,
                        "",
                        "a" * 25,
                        "\x1b[2J",
                        "é",
                        0,
                        1,
                        -1,
                        3,
                        255,
                        2**32,
                        True,
                        [],
                        ["a", "b"],
                    )
                )
            if self._choose.below(8) == 7:
                fields.pop(key)
        payload = cbor2.dumps(fields, canonical=True)
        if self._choose.below(8) == 7:
            payload = self._spoilt(payload)
        signer = self._choose.one(_SIGNERS)
        name = self._choose.one((signer.kid, signer.kid, _FIRST.kid))
        signature = signer._key.sign(record.to_be_signed(name, payload)).signature
        parts = [record.protected_header(name), {}, payload, signature]
        self._add(cbor2.dumps(cbor2.CBORTag(18, parts), canonical=True))

    def _spoil_record(self) -> None:
        self._add(self._spoilt(self._choose.one(self._records)))

    def _add(self, data: bytes) -> None:
        """Somebody made that record; the next heartbeat may name it."""
        if len(data) > frame.PAYLOAD_MAX - messages.RECORD_SIZE:
            return
        self._records = ([*self._records, data])[-200:]
        self._truths.add(data)
        found = record.parse(data)
        if found is not None and found.seq is not None and self._choose.below(4):
            self._beat = self._beat._replace(
                counter=self._next(), digest=record.digest(data), epoch=found.epoch,
                seq=found.seq, past=min(found.seq, 20), coup=found.coup or 1,
            )  # fmt: skip
            self._ask()
            self._tell()
        self._send(message_bytes.record_bytes(data))

    def _spoilt(self, data: bytes) -> bytes:
        at = self._choose.number(2) % max(1, len(data))
        way = self._choose.below(4)
        if way == 0:
            return data[:at]
        if way == 1:
            return data[:at] + self._choose.run(1 + self._choose.below(4)) + data[at:]
        return data[:at] + self._choose.run(1) + data[at + 1 :]

    def _say_table(self) -> None:
        """A table with names, limits and codes of any kind; the next heartbeat names it."""
        table = self._tables[-1]
        for _ in range(self._choose.below(4)):
            table = self._spoilt(table)
        table = table[: frame.PAYLOAD_MAX] or _TABLE
        self._tables = ([*self._tables, table])[-20:]
        self._beat = self._beat._replace(
            counter=self._next(), table=message_bytes.table_digest(table)
        )
        self._ask()
        self._tell()
        self._send(table)

    def _say_raw(self) -> None:
        """Anything, with the code of the display's key behind it."""
        kind = self._choose.one(messages.KINDS)[0]
        body = self._choose.run(1 + self._choose.below(100))
        self._send(mac.signed(KEY, bytes([messages.VERSION, kind, ADDRESS]) + body))

    def _noise(self) -> None:
        self._feed(self._choose.run(self._choose.number(1)))

    def _wait(self) -> None:
        self._now_us += self._choose.one((1_000, 100_000, 200_000, 999_999, 1_000_000, 5_000_000))
        if self._choose.below(16) == 15:
            self.display.drop()
            self.log.append(("drop", self._now_us, b""))
        self.display.tick(self._now_us)
        self.log.append(("tick", self._now_us, b""))
        self._check()

    def _send(self, payload: bytes) -> bytes:
        return self._feed(frame.encode(payload))

    def _feed(self, data: bytes) -> bytes:
        self._now_us += 500
        self.log.append(("feed", self._now_us, data))
        self.messages += 1
        reply = self.display.feed(data, self._now_us)
        self._check()
        checked = 0
        while self.display.work():
            checked += 1
        assert checked <= WAITING_MAX + HEARD_MAX, "more signatures at once than may wait"
        self.display.tick(self._now_us)
        self._check()
        self.lit += self.display.lit.number is not None
        return reply

    def _check(self) -> None:
        """What is lit was signed by the wheel, and what is kept has its limits."""
        lit, truths = self.display.lit, self._truths.outcomes
        if lit.number is not None:
            assert (lit.coup, lit.number, lit.colour) in truths, f"lit: {lit}"
        numbers = {(number, colour) for _, number, colour in truths}
        for outcome in lit.history:
            assert outcome is None or outcome in numbers, f"told as past: {outcome}"
        chain = self.display._record_chain
        assert len(self.display._challenges) <= CHALLENGES_MAX
        assert len(self.display._deframer._held) <= frame.STUFFED_MAX
        assert len(chain._heard) <= HEARD_MAX
        assert len(chain._rotations) <= WAITING_MAX
        assert len(chain._records) <= _RECORDS_MAX, f"{len(chain._records)} records are kept"


def play(data: bytes) -> None:
    """Does to a display what these bytes say."""
    Attack(Choices(data), verify).play()
