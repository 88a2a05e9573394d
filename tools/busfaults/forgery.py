"""Insertion by a second talker without a key of this wheel: what it makes up, or has of another.

Its frames are sound to the last bit of the CRC, beside all that is said; only codes and signatures
tell them apart.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from firmware.bus import card_messages, frame, message_bytes, messages, record
from firmware.store.signing import PRIVATE_SIZE, Signer
from tools.busfaults.card_house import CardHouse
from tools.busfaults.house import House
from tools.busfaults.replay import Repetition, capture
from tools.busfaults.world import SECOND_US, Delivery, Fault, World

# What came is kept as it came, by a display (record_chain.py), and believed no more for that.
_NOTHING = ("_heard",)
_PLAIN = (int, str, bytes, bool, float, type(None))


def state_of(thing: Any) -> Any:
    """Every attribute of `thing`, and of what it holds, down to plain values."""
    if isinstance(thing, _PLAIN):
        return thing
    if isinstance(thing, bytearray):
        return bytes(thing)
    if isinstance(thing, dict):
        return [(state_of(key), state_of(value)) for key, value in thing.items()]
    if isinstance(thing, set | frozenset):
        return sorted(map(repr, thing))
    if isinstance(thing, list | tuple):
        return [state_of(one) for one in thing]
    if callable(thing) or isinstance(thing, type):
        return None
    known = sorted(item for item in vars(thing).items() if item[0] not in _NOTHING)
    return [type(thing).__name__, *(state_of(one) for one in known)]


_BATCH = 40
_FOREIGN_US = 120 * SECOND_US
# Where the fields of each kind begin, and how long they are.
_KINDS = (
    (messages.HEARTBEAT, (*messages.HEARTBEAT_FIELDS, ("count", "B", ""))),
    (messages.RECORD, messages.RECORD_FIELDS),
    (messages.TABLE, messages.TABLE_FIELDS),
    (messages.ASK, messages.ENVELOPE_FIELDS),
    (messages.ANSWER, (*messages.ENVELOPE_FIELDS, *messages.ANSWER_FIELDS)),
    (messages.CARDS, card_messages.CARDS_FIELDS),
)
_COUNTERS = ("session", "counter", "coup", "epoch", "seq", "boot", "want", "past", "count")


def places(kind: int) -> Iterator[tuple[str, int, int]]:
    """The fields of a kind of message behind its first two: name, where, how many bytes."""
    at = 0
    for name, code, _ in dict(_KINDS)[kind]:
        size = struct.calcsize("<" + code)
        if at >= messages.RECORD_SIZE:
            yield name, at, size
        at += size


def twisted(rng: Random, payload: bytes) -> bytes:
    """`payload` with some fields that its author never gave them, and perhaps its code too."""
    fields = list(places(payload[1]))
    if not fields or rng.random() < 0.2:
        at = rng.randrange(messages.RECORD_SIZE, len(payload))
        return payload[:at] + bytes([payload[at] ^ rng.randrange(1, 256)]) + payload[at + 1 :]
    for _, at, size in rng.sample(fields, rng.randrange(1, 1 + min(3, len(fields)))):
        old = int.from_bytes(payload[at : at + size], "little")
        most = 256**size - 1
        new = rng.choice(((old + 1) & most, (old - 1) & most, most, 0, rng.randrange(most + 1)))
        if new == old:  # the author gave it that: said again it would be true, and may be news
            new ^= 1
        payload = payload[:at] + new.to_bytes(size, "little") + payload[at + size :]
    if rng.random() < 0.3:
        payload = payload[: -messages.CODE_SIZE] + rng.randbytes(messages.CODE_SIZE)
    return payload


class Overheard(Fault):
    """Somebody who listens, and has the last message of each kind."""

    def __init__(self, world: World, episode: int) -> None:
        super().__init__(world, episode)
        self.heard: dict[int, bytes] = world.notes.setdefault("heard", {})
        self.records: list[bytes] = world.notes.setdefault("records", [])

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """As it is, and remembered."""
        payload = frame.decode(framed[1:-1])
        if payload is not None:
            self.listen(payload)
            self.heard[payload[1]] = payload
            if payload[1] == messages.RECORD and payload not in self.records:
                self.records.append(payload)
        return self.world.everybody(source, framed, at_us)

    def listen(self, payload: bytes) -> None:
        """Something was said."""


class Liar:
    """Makes records of this wheel with a key of its own: as like the true ones as can be."""

    def __init__(self, rng: Random, house: House) -> None:
        self._rng = rng
        self._house = house
        self.own = House(rng, range(1, 2), wheel=house.wheel)
        self._named = Signer(rng.randbytes(PRIVATE_SIZE))
        # Signs with the liar's key under the name of the wheel's: only the signature betrays it.
        self._named.kid = house.signer.kid

    def record(self, seq: int, *, epoch: int | None = None) -> bytes:
        """A result that nobody confirmed, as a message."""
        own = self.own
        own.signer = self._named if self._rng.random() < 0.8 else Signer(self._rng.randbytes(32))
        own.epoch = self._house.epoch if epoch is None else epoch
        own.seq, own.coup = seq - 1, self._house.coup
        own.confirm(self._rng.randrange(37))
        return message_bytes.record_bytes(own.records[seq])

    def altered(self, told: bytes) -> bytes:
        """A true record with another number, and the signature of the true one."""
        data = bytearray(told)
        # Key 7 (number) of the payload's map, and a number of one byte behind it.
        at = told.find(b"\x07", messages.RECORD_SIZE + 20)
        data[at + 1] = self._rng.randrange(24)
        return bytes(data)


class Unsigned(Overheard):
    """Makes up messages of every kind: right in form, without a key."""

    def prepare(self) -> None:
        """Prepares what takes time."""
        house = self.world.house
        liar = Liar(self.rng, house)
        near = range(max(1, house.seq - 2), house.seq + 20)
        if self.episode % 4 == 2:  # of the past, for displays that have just been switched on
            near = range(max(1, house.seq - messages.HISTORY_MAX), house.seq + 2)
            for screen in self.world.screens:
                screen.power(screen.place, house.keys[screen.place])
        self._lies = [liar.record(self.rng.choice(near)) for _ in range(100)]
        self._lies += [liar.record(2**32 - 1, epoch=2**32 - 1)]
        self._lies += [liar.altered(told) for told in self.records[-20:]]

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """A batch of lies."""
        frames = [frame.encode(self._lie()) for _ in range(_BATCH)]
        self.frames += len(frames)
        return self.world.everybody(-1, b"".join(frames), now_us)

    def _lie(self) -> bytes:
        rng = self.rng
        way = rng.random()
        if way < 0.2 or not self.heard:
            return rng.choice(self._lies)
        if way < 0.4:
            return self._heartbeat()
        payload = self.heard[rng.choice(sorted(self.heard))]
        if way < 0.45:
            return bytes([rng.choice((0, 1, 2, 3, 5, 255))]) + payload[1:]
        return twisted(rng, payload)

    def _heartbeat(self) -> bytes:
        """A heartbeat that names one of the lies, with codes that are guessed."""
        rng, house = self.rng, self.world.house
        lie = rng.choice(self._lies)[messages.RECORD_SIZE :]
        seq = house.seq + rng.randrange(3)
        told = heartbeat(house, digest=record.digest(lie), seq=seq, coup=house.coup)
        answers = [(place, rng.randbytes(32), rng.randbytes(8)) for place in house.keys]
        return message_bytes.answered(told, answers)


class ForgedCards(Overheard):
    """Makes up cards: those of now with others in their place, with codes that are guessed or of
    another message."""

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """A batch of lies."""
        told = self.heard.get(messages.CARDS)
        if told is None:
            return ()
        frames = [frame.encode(self._lie(told)) for _ in range(_BATCH)]
        self.frames += len(frames)
        return self.world.everybody(-1, b"".join(frames), now_us)

    def _lie(self, told: bytes) -> bytes:
        rng, house = self.rng, self.world.house
        if self.episode % 2 and rng.random() < 0.5:
            return twisted(rng, told)
        session = int.from_bytes(told[2:10], "little")
        counter = int.from_bytes(told[10:14], "little") + rng.randrange(1, 9)
        places = house.places if isinstance(house, CardHouse) else ()
        hands = [(place, None, tuple(rng.sample(range(52), 3))) for place in places]
        cards = card_messages.Cards(house.coup, 1, False, False, False, None, tuple(hands), ())
        lie = card_messages.cards_bytes(session, counter & 0xFFFFFFFF, cards)
        ends = told[len(told) - 1 - len(house.keys) * messages.ANSWERED_SIZE :]
        if rng.random() < 0.5:  # the codes of the message that was overheard
            return lie + ends
        answers = [(place, rng.randbytes(32), rng.randbytes(8)) for place in house.keys]
        return message_bytes.answered(lie, answers)


def heartbeat(house: House, **changes: Any) -> bytes:
    """What the controller might say now, and what the liar changes in it."""
    data = house.records.get(house.seq)
    told = messages.Heartbeat(
        session=1,
        counter=1,
        game="roulette",
        state=messages.CONFIRMED,
        coup=house.coup,
        epoch=house.epoch,
        seq=house.seq,
        digest=messages.NO_DIGEST if data is None else record.digest(data),
        past=min(house.seq, messages.HISTORY_MAX),
        kid=house.signer.kid,
        rotor=1,
        layout_verified=True,
        table=messages.NO_DIGEST,
    )
    return message_bytes.heartbeat_bytes(told._replace(**changes))


class Foreign(Repetition):
    """Another wheel's line is heard on this one: all of it sound, signed, and not ours."""

    def record_day(self) -> list[tuple[int, int, bytes]]:
        """What was said on the other line."""
        other = self.world.another()
        try:
            return capture(other, _FOREIGN_US)
        finally:
            other.close()


class Maximal(Overheard):
    """Counters at their greatest, in every message: not a bit of anybody's state may change."""

    def prepare(self) -> None:
        """Nothing was wrong yet."""
        self._changed: list[str] = []

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """Says a batch to each station by itself, and compares all that it knows."""
        if not self.heard:
            return ()
        batch = b"".join(frame.encode(self._forged()) for _ in range(_BATCH))
        self.frames += _BATCH
        world = self.world
        for screen in world.screens:
            screen.receiver.tick(now_us)
            before = state_of(screen.receiver)
            screen.station.is_told(batch)
            reply = screen.receiver.feed(screen.station.hears(), now_us)
            if reply or state_of(screen.receiver) != before:
                self._changed.append(f"display {screen.place} heeded a forged counter")
        display_host = world.house.display_host
        before = state_of(display_host)
        world.controller.is_told(batch)
        for payload in frame.Deframer().feed(world.controller.hears()):
            display_host.feed(payload, now_us)
        if state_of(display_host) != before:
            self._changed.append("the controller heeded a forged counter")
        return ()

    def check(self) -> Iterator[str]:
        """Who changed."""
        yield from self._changed[:1]

    def _forged(self) -> bytes:
        rng = self.rng
        payload = self.heard[rng.choice(sorted(self.heard))]
        fields = [field for field in places(payload[1]) if field[0] in _COUNTERS]
        if not fields:
            return twisted(rng, payload)
        for _, at, size in rng.sample(fields, rng.randrange(1, len(fields) + 1)):
            most = 256**size - 1
            new = most if rng.random() < 0.8 else most - 1
            payload = payload[:at] + new.to_bytes(size, "little") + payload[at + size :]
        if rng.random() < 0.5:
            code = rng.choice((bytes(8), b"\xff" * 8, rng.randbytes(8)))
            payload = payload[: -messages.CODE_SIZE] + code
        return payload
