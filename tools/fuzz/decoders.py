"""What reads the bytes of a line, without a key: frames, CBOR, COBS, records, messages.

Each is held to what it promises: None or its own error, and the same bytes again where it reads
something.
"""

from __future__ import annotations

from typing import Any

import cbor2
from cobs import cobs

from firmware.bus import (
    cbor_small,
    cobs_small,
    follower_bytes,
    frame,
    mac,
    message_bytes,
    messages,
    record,
    terminal_bytes,
)
from firmware.bus.follower_messages import FOLLOWER_POLL, FOLLOWER_REPLY
from firmware.bus.frame import Deframer
from firmware.bus.messages import ASK, ASK_SIZE, NO_DIGEST
from firmware.bus.terminal_messages import SignOnProof
from firmware.store.signing import _by_key

_KEY = bytes(range(32))


def _frames(data: bytes) -> None:
    whole = Deframer().feed(data)
    slow = Deframer()
    assert [each for byte in data for each in slow.feed(bytes([byte]))] == whole
    assert len(slow._held) <= frame.STUFFED_MAX
    for payload in whole:
        assert Deframer().feed(frame.encode(payload)) == [payload]


def _stuffing(data: bytes) -> None:
    assert cobs_small.decode(cobs_small.encode(data)) == data
    assert cobs_small.encode(data) == cobs.encode(data)
    assert _unstuffed(cobs_small, data) == _unstuffed(cobs, data)


def _unstuffed(reader: Any, data: bytes) -> bytes | None:
    try:
        found: bytes = reader.decode(data)
    except reader.DecodeError:
        return None
    return found


def _cbor(data: bytes) -> None:
    try:
        found = cbor_small.decode(data)
    except cbor_small.CborError:
        return
    assert cbor2.dumps(_for_cbor2(found), canonical=True) == data, "read in two forms"


def _for_cbor2(value: Any) -> Any:
    if isinstance(value, cbor_small.Tag):
        return cbor2.CBORTag(value.number, _for_cbor2(value.value))
    if isinstance(value, list):
        return [_for_cbor2(each) for each in value]
    if isinstance(value, dict):
        return {key: _for_cbor2(each) for key, each in value.items()}
    return value


def _record(data: bytes) -> None:
    """The payload of a record, in an envelope that is right."""
    name = bytes(8)
    envelope = [record.protected_header(name), {}, data, bytes(record.SIGNATURE_SIZE)]
    whole = cbor2.dumps(cbor2.CBORTag(18, envelope), canonical=True)
    found = record.parse(whole)
    if found is not None:
        fields = {key: value for key, value in found._asdict().items() if value is not None}
        assert cbor2.dumps(_by_key(fields), canonical=True) == data, "read in two forms"
    record.parse(data)


def _table(data: bytes) -> None:
    payload = bytes([messages.VERSION, messages.TABLE]) + data
    found = message_bytes.open_table(payload, message_bytes.table_digest(payload))
    if found is not None:
        assert message_bytes.table_bytes(found) == payload
    assert message_bytes.open_table(payload, NO_DIGEST) is None


def _messages(data: bytes) -> None:
    """Everything that a key makes, of a body that is anything."""
    for kind in range(8):
        payload = mac.signed(_KEY, bytes([messages.VERSION, kind]) + data)
        asked = message_bytes.open_ask(payload, 3, _KEY)
        assert asked is None or (kind == ASK and len(payload) == ASK_SIZE)
        answer = message_bytes.open_answer(payload, _KEY)
        assert answer is None or message_bytes.answer_bytes(*answer, _KEY) == payload
        poll = terminal_bytes.open_poll(payload, _KEY)
        if poll is not None:
            assert terminal_bytes.open_poll(terminal_bytes.poll_bytes(*poll, _KEY), _KEY)
        reply = terminal_bytes.open_reply(payload, _KEY)
        if reply is not None and not isinstance(reply[1].ask, SignOnProof):
            assert terminal_bytes.open_reply(terminal_bytes.reply_bytes(*reply, _KEY), _KEY)
        assert message_bytes.open_answer(payload[:-1], _KEY) is None


def _followers(data: bytes) -> None:
    """What a key makes for a host of followers, or it makes, of a body that is anything."""
    poll = mac.signed(_KEY, bytes([messages.VERSION, FOLLOWER_POLL]) + data)
    told = follower_bytes.open_follower_poll(poll, _KEY)
    if told is not None:
        again = follower_bytes.follower_poll_bytes(*told, _KEY)
        assert follower_bytes.open_follower_poll(again, _KEY) == told
    reply = mac.signed(_KEY, bytes([messages.VERSION, FOLLOWER_REPLY]) + data)
    asked = follower_bytes.open_follower_reply(reply, _KEY)
    if asked is None or [ask for ask in asked[1].asks if isinstance(ask, SignOnProof)]:
        return
    again = follower_bytes.follower_reply_bytes(*asked, _KEY)
    assert follower_bytes.open_follower_reply(again, _KEY) == asked


_READERS = (_frames, _stuffing, _cbor, _record, _table, _messages, _followers)


def play(data: bytes) -> None:
    """Gives all but the first byte to the reader that it names."""
    if data:
        _READERS[data[0] % len(_READERS)](data[1 : 1 + 2 * frame.PAYLOAD_MAX])
