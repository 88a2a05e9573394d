"""A receipt is of one wheel and one journal, whole, or it is none."""

import base64

import pytest

from firmware.store import receipts, signing

PRIVATE = bytes(range(32))
BODY = {"what": "payout", "receipt": 3, "account": 7, "cents": 1_500, "who": "claire"}


def reader(private: bytes = PRIVATE, wheel: str = "W-1", epoch: int = 2):  # type: ignore[no-untyped-def]
    public = signing.public_of(private)
    return receipts.reader(lambda: [public], lambda: [("W-1", 1), (wheel, epoch)])


def test_a_receipt_says_what_was_paid_out() -> None:
    given = receipts.sign(PRIVATE, wheel="W-1", epoch=2, body=BODY)
    assert reader()(given) == (3, 7, 1_500)
    assert reader()(f"  {given}\n") == (3, 7, 1_500)
    assert len(given) < receipts.RECEIPT_MAX


def test_a_receipt_of_before_a_rotation_is_still_read() -> None:
    given = receipts.sign(PRIVATE, wheel="W-1", epoch=2, body=BODY)
    keys = [signing.public_of(PRIVATE), signing.public_of(PRIVATE[::-1])]
    assert receipts.reader(lambda: keys, lambda: [("W-1", 2)])(given) == (3, 7, 1_500)


@pytest.mark.parametrize(
    ("wheel", "epoch", "private", "why"),
    [
        ("W-2", 2, PRIVATE, "of another journal or wheel, W-1"),
        ("W-1", 3, PRIVATE, "of another journal or wheel"),
        ("W-1", 2, PRIVATE[::-1], "no receipt of this wheel"),
    ],
)
def test_a_receipt_of_another_wheel_or_journal_is_paid_there(
    wheel: str, epoch: int, private: bytes, why: str
) -> None:
    given = receipts.sign(PRIVATE, wheel="W-1", epoch=2, body=BODY)
    said = reader(private, wheel, epoch)(given)
    assert isinstance(said, str) and said.startswith("art. 62: ") and why in said


def test_whatever_bit_is_altered_it_is_none() -> None:
    data = base64.b64decode(receipts.sign(PRIVATE, wheel="W-1", epoch=2, body=BODY))
    for at in range(len(data)):
        altered = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        said = reader()(base64.b64encode(altered).decode())
        assert isinstance(said, str) and "no receipt of this wheel" in said


@pytest.mark.parametrize("text", ["", "x", "é", "QUJD", "A" * 700])
def test_what_is_no_receipt_is_one_sentence(text: str) -> None:
    said = reader()(text)
    assert isinstance(said, str) and said.startswith("art. 62: this is no receipt")
