"""Corruption: bits flipped, bursts, bytes lost and put in, of every kind of frame that is said.

In turn beside the sound frame, many spoiled copies of each, and in its place, so that nothing sound
is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from firmware.bus import (
    card_messages,
    follower_messages,
    frame,
    mac,
    message_bytes,
    messages,
    terminal_bytes,
    terminal_messages,
)
from tools.busfaults.world import Delivery, Fault, World

# How many spoiled copies a sound frame is given for company.
_COPIES = 48
_SELDOM = 10  # periods
_NEAR_BITS = 32
_BURST_BITS = 64
_BYTES_MAX = 8

Spoil = Callable[[Random, bytes], bytes]


def flipped(data: bytes, places: Iterable[int]) -> bytes:
    """`data` with these bits turned."""
    spoiled = bytearray(data)
    for bit in places:
        spoiled[bit >> 3] ^= 1 << (bit & 7)
    return bytes(spoiled)


def bits(count: int) -> Spoil:
    """Turns `count` bits: anywhere, or, every other time, close together."""

    def spoil(rng: Random, data: bytes) -> bytes:
        size = 8 * len(data)
        if rng.random() < 0.5:
            return flipped(data, rng.sample(range(size), count))
        first = rng.randrange(size - _NEAR_BITS)
        return flipped(data, rng.sample(range(first, first + _NEAR_BITS), count))

    return spoil


def burst(rng: Random, data: bytes) -> bytes:
    """A run of bits is noise, its first and last surely wrong."""
    size = 8 * len(data)
    length = rng.randrange(2, min(_BURST_BITS, size))
    first = rng.randrange(size - length + 1)
    noise = [bit for bit in range(first + 1, first + length - 1) if rng.random() < 0.5]
    return flipped(data, [first, *noise, first + length - 1])


def drop(rng: Random, data: bytes) -> bytes:
    """Some bytes are lost, together or apart."""
    count = min(rng.randrange(1, _BYTES_MAX + 1), len(data) - 1)
    if rng.random() < 0.5:
        first = rng.randrange(len(data) - count + 1)
        return data[:first] + data[first + count :]
    lost = set(rng.sample(range(len(data)), count))
    return bytes(byte for at, byte in enumerate(data) if at not in lost)


def insert(rng: Random, data: bytes) -> bytes:
    """Some bytes more, the frame's own delimiter among them."""
    for _ in range(rng.randrange(1, _BYTES_MAX + 1)):
        at = rng.randrange(len(data) + 1)
        more = rng.choice((0, 0xFF, data[at - 1], rng.randrange(256)))
        data = data[:at] + bytes([more]) + data[at:]
    return data


class Corruption(Fault):
    """Spoils frames as `spoil` says."""

    spoil: Spoil

    def prepare(self) -> None:
        """Every fourth time the displays have just been switched on, and lack everything."""
        world = self.world
        self._heard: dict[int, bytes] = world.notes.setdefault("heard", _other_frames(self.rng))
        self._turn = 0
        if self.episode % 4 == 2:
            for screen in world.screens:
                screen.power(screen.place, world.house.keys[screen.place])

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """Kinds that are seldom said are spoiled as often as others: as they were said last."""
        self._turn += 1
        if self._turn % _SELDOM or self.episode % 2:
            return ()
        kinds = sorted(self._heard)
        framed = self._heard[kinds[self._turn // _SELDOM % len(kinds)]]
        spoiled = self.spoiled(framed, _COPIES)
        self.frames += len(spoiled)
        return self.world.everybody(-1, b"".join(spoiled), now_us)

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """The frame with its spoiled copies, or one of them in its place."""
        self._heard[kind_of(framed)] = framed
        if self.episode % 2:
            spoiled = self.spoiled(framed, 1)
            self.frames += 1
            return self.world.everybody(source, spoiled[0], at_us)
        spoiled = self.spoiled(framed, _COPIES)
        self.frames += len(spoiled)
        # The delimiter of its own is for what a copy that lost its last one would swallow.
        whole = b"".join(spoiled) + framed
        return self.world.everybody(source, whole, at_us)

    def spoiled(self, framed: bytes, count: int) -> list[bytes]:
        """So many copies that are surely not the frame."""
        copies: list[bytes] = []
        while len(copies) < count:
            copy = self.spoil(self.rng, framed)
            if copy != framed:
                copies.append(copy)
        return copies


def corruption(spoil: Spoil) -> Callable[[World, int], Fault]:
    """A fault that spoils so."""

    def make(world: World, episode: int) -> Fault:
        fault = Corruption(world, episode)
        fault.spoil = spoil
        return fault

    return make


class EveryBit(Corruption):
    """Turns one bit, and each bit of each kind of frame in its turn, again and again."""

    def __init__(self, world: World, episode: int) -> None:
        super().__init__(world, episode)
        self._next: dict[int, int] = world.notes.setdefault("next bit", {})
        self._rounds: dict[int, int] = world.notes.setdefault("rounds", {})

    def spoiled(self, framed: bytes, count: int) -> list[bytes]:
        """Copies with the next bits turned."""
        kind = kind_of(framed)
        copies = []
        for _ in range(count):
            bit = self._next.get(kind, 0)
            if bit >= 8 * len(framed):
                bit = 0
                self._rounds[kind] = self._rounds.get(kind, 0) + 1
            copies.append(flipped(framed, [bit]))
            self._next[kind] = bit + 1
        return copies


def kind_of(framed: bytes) -> int:
    """The kind of message in a sound frame."""
    payload = frame.decode(framed[1:-1])
    assert payload is not None
    return payload[1]


def _other_frames(rng: Random) -> dict[int, bytes]:
    """What this house never says: polls and replies, a notice, cards."""
    key, envelope = rng.randbytes(32), terminal_messages.Envelope(1, 1, 1)
    poll = terminal_messages.Poll(
        1,
        1,
        "BETS_OPEN",
        7,
        3,
        5,
        1,
        6,
        0,
        1,
        500,
        terminal_messages.Sentence("art. 37-3", "no"),
        None,
    )
    reply = terminal_messages.Reply(
        1, 1, 5, 6, 0, 1, 6, terminal_messages.Stake(7, "cheval", 500, (1, 2))
    )
    said = {
        terminal_messages.POLL: terminal_bytes.poll_bytes(envelope, poll, key),
        terminal_messages.REPLY: terminal_bytes.reply_bytes(envelope, reply, key),
    }
    # A display reads no more of these than their kind.
    for kind in (follower_messages.FOLLOWER_POLL, follower_messages.FOLLOWER_REPLY):
        body = message_bytes.envelope_bytes(kind, envelope) + rng.randbytes(40)
        said[kind] = mac.signed(key, body)
    notice = message_bytes.notice_bytes(1, 1, "paul")
    said[messages.NOTICE] = message_bytes.answered(notice, [(1, key, bytes(8))])
    hands = (("P", None, (4, 31)), ("B", None, (14, 48)))
    cards = card_messages.Cards(7, 1, False, False, False, "P", hands, ())
    told = card_messages.cards_bytes(1, 1, cards)
    said[messages.CARDS] = message_bytes.answered(told, [(1, key, bytes(8))])
    return {kind: frame.encode(payload) for kind, payload in said.items()}


# Random bytes a period: some thirty times what the line carries, so that nobody hears a pause.
_BABBLE = 2048


class Babble(Fault):
    """Random bytes without pause: over all that is said, or around it."""

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """Two at once on a line: what is heard is neither. Else it is in the middle of noise."""
        self.frames += 1
        if self.episode % 2:
            noise = self.rng.randbytes(len(framed))
            mixed = bytes(mine & other for mine, other in zip(framed, noise, strict=True))
            return self.world.everybody(source, mixed, at_us)
        return self.world.everybody(source, framed, at_us)

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """The noise of this period; each 00 in it ends what may be a frame."""
        noise = self.rng.randbytes(_BABBLE)
        self.frames += noise.count(0)
        return [(place, now_us, noise) for place in range(len(self.world.screens) + 1)]


class Stuck(Fault):
    """A line on which every byte reads the same; None: on which nothing is heard at all."""

    level: int | None = None

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """What a short leaves of it."""
        lost = self.world.everybody(source, framed, at_us)
        self.frames += len(lost)
        if self.level is None:
            return ()
        return [(place, when, bytes([self.level]) * len(data)) for place, when, data in lost]

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """A short reads as bytes even when nobody speaks: 57 in a period at 115200 baud."""
        if self.level is None:
            return ()
        same = bytes([self.level]) * 57
        self.frames += len(self.world.screens)
        return [(place, now_us, same) for place in range(len(self.world.screens) + 1)]


def stuck(world: World, episode: int) -> Fault:
    """Shorted (00), then open (nothing), then stuck at the other level (FF), in turn."""
    fault = Stuck(world, episode)
    fault.level = (0x00, None, 0xFF)[episode % 3]
    return fault
