"""The matrix itself: displays and controllers that leave out one check each are caught by it."""

import struct

import pytest

from firmware.bus import (
    card_messages,
    ed25519,
    frame,
    message_bytes,
    messages,
    receiver,
    record,
    record_chain,
)
from firmware.bus.receiver import Receiver
from tools.busfaults.campaign import run
from tools.busfaults.rows import BY_NAME
from tools.busfaults.world import honest

FRAMES = 60_000


def outcome_of(row: str, make=honest, frames: int = FRAMES):
    return run(BY_NAME[row], frames=frames, seed=1, make=make)


def without_code(payload: bytes, address: int, key: bytes, challenges):
    """As open_heartbeat, but whoever says anything is believed."""
    if len(payload) < messages.HEARTBEAT_SIZE or not challenges:
        return None
    told = message_bytes._heartbeat(payload[: messages.HEARTBEAT_SIZE])
    return None if told is None else (told, len(challenges) - 1)


def without_crc(stuffed: bytes) -> bytes | None:
    """As frame.decode, but any bytes will do."""
    try:
        body = frame.cobs.decode(stuffed)
    except frame.cobs.DecodeError:
        return None
    return body[2:-4] if len(body) > 6 else None


def test_heartbeats_that_nobody_signed_are_noticed(monkeypatch) -> None:
    monkeypatch.setattr(message_bytes, "open_heartbeat", without_code)
    assert not outcome_of("unsigned").is_sound


@pytest.mark.parametrize("row", ["masquerade", "all-keys"])
def test_records_that_nobody_signed_are_noticed(row: str) -> None:
    def gullible(address: int, key: bytes, root: bytes, boot: int) -> Receiver:
        return Receiver(address, key, root, boot, verify=lambda *_: True)

    assert outcome_of(row, gullible).wrong


def test_old_records_are_noticed(monkeypatch) -> None:
    monkeypatch.setattr(record_chain.RecordChain, "_is_past", lambda *_: False)
    assert outcome_of("masquerade").old


@pytest.mark.parametrize("row", ["delay", "jitter"])
def test_heartbeats_of_any_age_are_noticed(monkeypatch, row: str) -> None:
    monkeypatch.setattr(receiver, "FRESH_US", 100_000_000)
    found = outcome_of(row)
    assert not found.is_sound
    assert found.blank_ms > 1000


def test_challenges_that_come_again_after_a_reboot_are_noticed() -> None:
    def forgetful(address: int, key: bytes, root: bytes, boot: int) -> Receiver:
        return honest(address, key, root, 1)

    assert not outcome_of("repetition", forgetful).is_sound


def test_altered_bits_are_noticed(monkeypatch) -> None:
    class Careless(frame.Deframer):
        def feed(self, data: bytes) -> list[bytes]:
            found = [without_crc(part) for part in data.split(b"\0") if part]
            return [payload for payload in found if payload is not None]

    monkeypatch.setattr(receiver, "Deframer", Careless)
    monkeypatch.setattr(message_bytes, "open_heartbeat", without_code)
    for row in ("flip-1", "flip-2", "flip-3"):
        assert not outcome_of(row).is_sound


def test_forged_counters_are_noticed(monkeypatch) -> None:
    def without_code_too(payload: bytes, key: bytes):
        if len(payload) != messages.ANSWER_SIZE:
            return None
        body = payload[messages.ENVELOPE_SIZE : -messages.CODE_SIZE]
        envelope = struct.unpack(messages.ENVELOPE_FORMAT, payload[: messages.ENVELOPE_SIZE])
        fields = struct.unpack(messages.ANSWER_FORMAT, body)
        return messages.Envelope(*envelope[2:]), messages.Answer(*fields)

    monkeypatch.setattr(message_bytes, "open_answer", without_code_too)
    assert not outcome_of("maximal").is_sound


def test_a_display_that_stays_lit_on_a_dead_line_is_noticed() -> None:
    class Stubborn(Receiver):
        def tick(self, now_us: int) -> None:
            """Keeps what it lights."""

        def _expire(self, now_us: int) -> None:
            """Keeps whom it believes."""

    def stubborn(address: int, key: bytes, root: bytes, boot: int) -> Receiver:
        return Stubborn(address, key, root, boot, verify=ed25519.verify)

    found = outcome_of("shorted", stubborn)
    assert found.blank_ms > 1000


@pytest.mark.parametrize("row", ["disorder", "jitter"])
def test_a_heartbeat_that_was_overtaken_is_noticed(monkeypatch, row: str) -> None:
    heard = Receiver._hear

    def forgetful(self, payload: bytes, now_us: int) -> None:
        self._counter = -1
        heard(self, payload, now_us)

    monkeypatch.setattr(Receiver, "_hear", forgetful)
    assert outcome_of(row).old


def test_a_number_by_another_record_than_the_named_one_is_noticed(monkeypatch) -> None:
    outcome = record_chain.RecordChain.outcome

    def of_the_newest(self):
        told, (epoch, seq) = self._told, self.newest
        if told is not None and self._digest:
            self._told = told._replace(epoch=epoch, seq=seq, digest=self._digest)
        self._forget_found()
        found = outcome(self)
        self._told = told
        self._forget_found()
        return found

    monkeypatch.setattr(record_chain.RecordChain, "outcome", of_the_newest)
    assert outcome_of("disorder").wrong


@pytest.mark.parametrize("row", ["masquerade", "swapped"])
def test_a_correction_of_another_coup_lit_for_this_one_is_noticed(monkeypatch, row: str) -> None:
    def whatever_is_newest(self):
        chain = self._chain()
        return chain[0] if chain else None

    monkeypatch.setattr(record_chain.RecordChain, "outcome", whatever_is_newest)
    assert outcome_of(row).wrong


def test_a_past_that_the_newest_record_does_not_lead_to_is_noticed(monkeypatch) -> None:
    def take(self, data: bytes) -> None:
        seq, digest = (0, b"") if self._told is None else self._lacks(self._told)
        if seq and (digest != self._told.digest or record.digest(data) == digest):
            self._take_outcome(data, seq, digest, self._told)

    monkeypatch.setattr(record_chain.RecordChain, "add_record", take)
    assert outcome_of("unsigned").wrong


@pytest.mark.parametrize("row", ["cards-forged", "blackjack-forged"])
def test_cards_that_nobody_signed_are_noticed(monkeypatch, row: str) -> None:
    def gullible(payload, size, address, key, challenges):
        return len(challenges) - 1 if challenges else None

    monkeypatch.setattr(card_messages, "answering", gullible)
    assert outcome_of(row, frames=2_000).wrong


@pytest.mark.parametrize("row", ["cards-loss", "blackjack-loss"])
def test_cards_of_any_age_are_noticed(row: str) -> None:
    class Slow(Receiver):
        """Cards are good for ever."""

        def _hear_cards(self, payload: bytes, now_us: int) -> None:
            super()._hear_cards(payload, now_us)
            self._cards_until_us = now_us + 100_000_000

    def slow(address: int, key: bytes, root: bytes, boot: int) -> Receiver:
        return Slow(address, key, root, boot, ed25519.verify)

    assert outcome_of(row, slow, frames=3_000).old


@pytest.mark.parametrize("row", ["cards-disorder", "blackjack-disorder"])
def test_cards_that_come_again_are_noticed(row: str) -> None:
    class Forgetful(Receiver):
        """The counter of cards is no matter."""

        def _hear_cards(self, payload: bytes, now_us: int) -> None:
            self._cards_told = 0
            super()._hear_cards(payload, now_us)

    def forgetful(address: int, key: bytes, root: bytes, boot: int) -> Receiver:
        return Forgetful(address, key, root, boot, ed25519.verify)

    assert outcome_of(row, forgetful, frames=3_000).old
