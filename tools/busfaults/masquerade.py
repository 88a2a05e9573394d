"""Somebody has all the keys of one display: it hears, asks, answers and heartbeats in its name.

No display may show a number that was not confirmed, that one never an older after a newer while it
stays powered, and the others must not even notice. Switched off and on again, it may be given an
older one: it has no memory, and this is all that its keys can do (docs/bus.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware.bus import frame, message_bytes, messages, record
from tools.busfaults.forgery import Liar, Overheard, heartbeat, twisted
from tools.busfaults.world import Delivery, World

_BATCH = 24
_MOST = 2**32 - 1
_LATELY = 30  # records that a display may still hold


class Masquerade(Overheard):
    """Has the keys of the display at address 1, which hears the controller too, or only lies."""

    captives: tuple[int, ...] = (1,)

    def __init__(self, world: World, episode: int) -> None:
        super().__init__(world, episode)
        self._challenges: dict[int, bytes] = {}
        self._envelopes: dict[int, messages.Envelope] = {}
        self._dark: set[int] = set()
        self._beat = 0
        self._named = b""  # the record that the last heartbeat names, to come behind it

    def prepare(self) -> None:
        """Prepares the lies; from now on nothing but numbers is asked of the captive."""
        world, house = self.world, self.world.house
        liar = Liar(self.rng, house)
        near = range(max(1, house.seq - 2), house.seq + 20)
        self._lies = [liar.record(self.rng.choice(near)) for _ in range(60)]
        self._lies += [liar.record(_MOST, epoch=_MOST), liar.record(1, epoch=house.epoch + 1)]
        liar.own.signer.kid = house.signer.kid
        liar.own.rotate()
        self._lies += [message_bytes.record_bytes(liar.own.rotations[0])]
        self._alone = self.episode % 2 == 1
        self._reboots_us = world.now_us + self.lasts_us // 2 if self.episode % 4 >= 2 else None
        self._capture()

    def _capture(self) -> None:
        for screen in self.world.screens:
            screen.observation.captive = screen.place in self.captives

    def _reboot(self) -> None:
        """The captives are switched off and on, and forget what they have believed."""
        for place in self.captives:
            self.world.screens[place - 1].power(place, self.world.house.keys[place])
        self._challenges, self._reboots_us = {}, None
        self._capture()

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """As it is; in every other episode the captive hears no controller."""
        heard = super().deliveries(source, framed, at_us)
        if not self._alone:
            return heard
        return [one for one in heard if source or one[0] not in self.captives]

    def listen(self, payload: bytes) -> None:
        """What the captives answer, and how far the controller has counted."""
        if payload[1] == messages.HEARTBEAT:
            self._beat = max(self._beat, int.from_bytes(payload[10:14], "little"))
        for address in self.captives:
            opened = message_bytes.open_answer(payload, self.world.house.keys[address])
            if opened is not None and opened[0].address == address:
                self._challenges[address] = opened[1].challenge
                self._envelopes[address] = opened[0]

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """A batch in the captives' names, and a look at the others."""
        for screen in self.world.screens:
            if screen.place not in self.captives and screen.receiver.lit.state == messages.STALE:
                self._dark.add(screen.place)
        if self._reboots_us is not None and now_us >= self._reboots_us:
            self._reboot()
        if not self._challenges:
            return self._asks(now_us)
        frames = [frame.encode(self._lie()) for _ in range(_BATCH)]
        self.frames += len(frames)
        return self.world.everybody(-1, b"".join(frames), now_us)

    def check(self) -> Iterator[str]:
        """The others never notice."""
        for place in sorted(self._dark):
            yield f"display {place} was dark while display {self.captives} was impersonated"

    def _asks(self, now_us: int) -> Iterable[Delivery]:
        """Asks the captives themselves, to learn a challenge."""
        asks = [frame.encode(self._ask(address)) for address in self.captives]
        self.frames += len(asks)
        return self.world.everybody(-1, b"".join(asks), now_us)

    def _lie(self) -> bytes:
        rng = self.rng
        address = rng.choice(self.captives)
        if self._named:
            told, self._named = self._named, b""
            return told
        way = rng.random()
        if way < 0.4:
            return self._heartbeat()
        if way < 0.5:
            return rng.choice(self._lies)
        if way < 0.6 and self.records:
            return rng.choice(self.records)
        if way < 0.7:
            return self._ask(address)
        if way < 0.9:
            return self._answer(address)
        return twisted(rng, self.heard[rng.choice(sorted(self.heard))])

    def _heartbeat(self) -> bytes:
        """One that its display must take for the controller's: naming whatever suits the liar."""
        rng, house = self.rng, self.world.house
        # Of the session that the captive answered last, and a little ahead of the controller; now
        # and then so far that nothing could follow.
        self._beat = min(self._beat + 1, _MOST)
        session = rng.choice(list(self._envelopes.values())).session
        changes: dict[str, object] = {
            "session": session if rng.random() < 0.9 else rng.choice((0, 1, 2**64 - 1)),
            "counter": self._beat if rng.random() < 0.99 else rng.choice((0, _MOST)),
            "state": rng.choice((messages.CONFIRMED, messages.CONFIRMED, "VOID", "BETS_OPEN")),
        }
        way = rng.random()
        if way < 0.4 and house.seq > 1:  # an old result as a new one
            seq = rng.randrange(max(1, house.seq - _LATELY), house.seq)
            changes.update(_naming(house.records[seq]), past=rng.choice((1, seq % 20)))
        elif way < 0.55 and house.seq > 1:  # all is as it should be, but the coup
            coup = rng.choice(
                (house.coup - 1, rng.randrange(max(1, house.coup - _LATELY), house.coup + 1))
            )
            changes.update(_naming(house.records[house.seq]), state=messages.CONFIRMED)
            changes.update(coup=max(1, coup), past=rng.randrange(21))
        elif way < 0.75:  # a result that never was
            self._named = rng.choice(self._lies)
            changes.update(_naming(self._named[messages.RECORD_SIZE :]), past=1)
            changes.update(seq=rng.choice((changes["seq"], house.seq, house.seq + 1, _MOST)))
        elif way < 0.85:  # what no journal holds
            changes.update(epoch=rng.choice((house.epoch + 1, _MOST)), seq=_MOST)
        elif way < 0.9:
            changes.update(kid=rng.randbytes(8), table=rng.randbytes(8))
        told = heartbeat(house, **changes)
        keys = house.keys
        answers = [(at, keys[at], challenge) for at, challenge in self._challenges.items()]
        return message_bytes.answered(told, answers)

    def _ask(self, address: int) -> bytes:
        rng = self.rng
        known = self._envelopes.get(address)
        session = 2**64 - 1 if known is None else known.session
        session = rng.choice((session, session, rng.getrandbits(64), 2**64 - 1))
        counter = rng.choice(
            (rng.getrandbits(32), _MOST, 0 if known is None else known.counter + 1)
        )
        envelope = messages.Envelope(address, session, counter & _MOST)
        return message_bytes.ask_bytes(envelope, self.world.house.keys[address])

    def _answer(self, address: int) -> bytes:
        rng = self.rng
        known = self._envelopes.get(address, messages.Envelope(address, 1, 1))
        counter = known.counter + rng.choice((0, 1, 1, 1, 2))
        house = self.world.house
        answer = messages.Answer(
            boot=rng.choice((1, rng.getrandbits(64), 2**64 - 1)),
            challenge=rng.randbytes(8),
            epoch=rng.choice((house.epoch, house.epoch, 0, _MOST)),
            seq=rng.choice((house.seq, 0, _MOST, house.seq + 1)),
            lit=rng.randbytes(messages.LIT_SIZE),
            want=rng.choice((0, 1, house.seq, _MOST)),
            kid=rng.choice((house.signer.kid, rng.randbytes(8))),
            table=rng.choice((bytes(4), rng.randbytes(4))),
        )
        envelope = messages.Envelope(address, known.session, counter & _MOST)
        return message_bytes.answer_bytes(envelope, answer, self.world.house.keys[address])


def _naming(data: bytes) -> dict[str, object]:
    """What a heartbeat says that names this record."""
    parsed = record.parse(data)
    assert parsed is not None
    digest = record.digest(data)
    return {"epoch": parsed.epoch, "seq": parsed.seq or 1, "coup": parsed.coup or 1,
            "digest": digest}  # fmt: skip


class AllKeys(Masquerade):
    """Worse than asked: the keys of every display. Still nobody lights what was not confirmed."""

    captives = (1, 2, 3)
