"""A journal on another board, or beside another FRAM, is noticed."""

import hashlib

import pytest

from firmware.store import clone
from firmware.store.clone import Belongs
from firmware.store.fram import START, Head, HeadError, Point

PI = {"provider": "pi"}
SERIAL = "10000000a1b2c3d4"


class Ram:
    def __init__(self):
        self.data = bytearray(32_768)

    def read(self, at, size):
        return bytes(self.data[at : at + size])

    def write(self, at, data):
        self.data[at : at + len(data)] = data


def used_head():
    head = Head(Ram())
    head.before(START, Point(1, hashlib.sha256(b"1").digest()), 1)
    head.after()
    return head


def test_a_board_in_memory_is_called_virtual(tmp_path):
    assert clone.board_serial({"provider": "virtual"}, tmp_path / "none") == "virtual"


def test_a_pis_serial_number_is_read_from_the_device_tree(tmp_path):
    path = tmp_path / "serial-number"
    path.write_bytes(SERIAL.encode() + b"\0")
    assert clone.board_serial(PI, path) == SERIAL


@pytest.mark.parametrize("content", [None, b"", b"\0", b"\xff\xfe\0", b"1" * 25])
def test_a_serial_number_that_cannot_be_read_is_one_sentence(tmp_path, content):
    path = tmp_path / "serial-number"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(HeadError, match=r"serial number cannot be read from .*own board\.$"):
        clone.board_serial(PI, path)


def test_a_journal_at_home_is_gone_on_with():
    head = used_head()
    clone.check(Belongs(SERIAL, head.fram_id), SERIAL, head)
    clone.check(Belongs(SERIAL, None), SERIAL, None)


def cases():
    head = used_head()
    return [
        (Belongs("other", head.fram_id), head,
         f"kept on the board other, and this is the board {SERIAL}: the card was moved or copied"),
        (Belongs("other", None), None, "the card was moved or copied"),
        (Belongs(SERIAL, head.fram_id), None,
         f"goes with the FRAM {head.fram_id.hex()}, and there is none here"),
        (Belongs(SERIAL, head.fram_id), Head(Ram()), "and the FRAM is blank"),
        (Belongs(SERIAL, None), Head(Ram()), "and the FRAM is blank"),
        (Belongs(SERIAL, None), head, "begun without a FRAM, and there is one here"),
        (Belongs(SERIAL, b"8 others"), head,
         f"goes with the FRAM {b'8 others'.hex()}, and this is the FRAM {head.fram_id.hex()}"),
    ]  # fmt: skip


@pytest.mark.parametrize(("was", "head", "sentence"), cases(), ids=range(7))
def test_a_clone_is_refused_with_its_remedy(was, head, sentence):
    with pytest.raises(HeadError, match=f"{sentence}.*cylindre journal adopt FILE --keys DIR"):
        clone.check(was, SERIAL, head)
