"""A controller by hand, one display that it asks and tells, and records to tell it."""

from typing import Any

from firmware.bus import frame, message_bytes, record
from firmware.bus.frame import Deframer
from firmware.bus.messages import Answer, Envelope, Heartbeat
from firmware.bus.receiver import DARK, Receiver
from firmware.store import signing
from tools.bench.busbench import TABLE, Ledger

KEY = bytes(range(32))
LEDGER = Ledger()
for _number in (17, 18, 20):
    LEDGER.result(_number)
OTHER = Ledger(b"another wheel's own key.........")
for _number in (36, 36, 36):
    OTHER.result(_number)
TOLD_TABLE = message_bytes.table_bytes(TABLE)
BEAT = Heartbeat(
    1, 1, "roulette", "CONFIRMED", 3, 1, 3, record.digest(LEDGER.records[2]), 3,
    LEDGER.signer.kid, 1, True, message_bytes.table_digest(TOLD_TABLE),
)  # fmt: skip
OPEN = BEAT._replace(state="BETS_OPEN", coup=4)


class Hand:
    """A controller by hand, with the display's key."""

    def __init__(self, **more: Any) -> None:
        self.display = Receiver(3, KEY, LEDGER.root, 77, signing.verify)
        self.counter = 0
        self.challenge = b""
        self.lit_at_once = DARK

    def ask(self, at_us: int, session: int = 1, counter: int | None = None) -> Answer | None:
        """Asks, and keeps the challenge."""
        self.counter += 1
        envelope = Envelope(3, session, self.counter if counter is None else counter)
        asked = frame.encode(message_bytes.ask_bytes(envelope, KEY))
        reply = self.display.feed(asked, at_us)
        if not reply:
            return None
        (payload,) = Deframer().feed(reply)
        opened = message_bytes.open_answer(payload, KEY)
        assert opened is not None
        assert opened[0] == envelope
        self.challenge = opened[1].challenge
        return opened[1]

    def tell(self, told: Heartbeat, at_us: int, challenge: bytes | None = None) -> None:
        """A heartbeat that answers the last challenge."""
        challenge = self.challenge if challenge is None else challenge
        answers = [(1, bytes(32), bytes(8)), (3, KEY, challenge)]
        self.send(message_bytes.answered(message_bytes.heartbeat_bytes(told), answers), at_us)

    def record(self, data: bytes, at_us: int) -> None:
        self.send(message_bytes.record_bytes(data), at_us)

    def send(self, payload: bytes, at_us: int) -> None:
        assert self.display.feed(frame.encode(payload), at_us) == b""
        self.lit_at_once = self.display.lit
        while self.display.work():
            pass
        self.display.tick(at_us)


def framed(data: bytes) -> bytes:
    """A record on the line."""
    return frame.encode(message_bytes.record_bytes(data))


def lit() -> Hand:
    """A display that lights the last result of the ledger, asked at 0."""
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    for data in reversed(LEDGER.records):
        hand.record(data, 2_000)
    assert hand.display.lit.number == 20
    return hand


def forged(seq: int) -> bytes:
    """A record in the wheel's name, of that sequence, that its key did not sign."""
    data = bytearray(LEDGER.records[seq - 1])
    data[-1] ^= 1
    assert record.parse(bytes(data)) is not None
    return bytes(data)


def counted(hand: Hand) -> list[bytes]:
    """Every signature that this display checks from now on."""
    checked: list[bytes] = []

    def verify(public: bytes, signature: bytes, message: bytes) -> bool:
        checked.append(signature)
        return signing.verify(public, signature, message)

    hand.display._record_chain._verify = verify
    return checked


def corrected() -> tuple[Ledger, Heartbeat]:
    """Two coups, 17 and 18; then the first is corrected to 20."""
    ledger = Ledger()
    ledger.result(17)
    ledger.result(18)
    ledger.correct(1, 20)
    return ledger, BEAT._replace(coup=2, digest=record.digest(ledger.records[2]))
