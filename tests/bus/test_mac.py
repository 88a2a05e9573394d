import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import mac

# RFC 4231, sections 4.2 to 4.8 (4.6 is of a cut code): key, data, HMAC-SHA-256.
# fmt: off
RFC_4231 = (
    (b"\x0b" * 20, b"Hi There",
     "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?",
     "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50,
     "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (bytes(range(1, 26)), b"\xcd" * 50,
     "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    (b"\xaa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First",
     "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    (b"\xaa" * 131, b"This is a test using a larger than block-size key and a larger than "
     b"block-size data. The key needs to be hashed before being used by the HMAC algorithm.",
     "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
)
# fmt: on


@pytest.mark.req("IEC-CR-1.14")
@pytest.mark.parametrize(("key", "data", "code"), RFC_4231)
def test_the_codes_are_those_of_rfc_4231(key: bytes, data: bytes, code: str) -> None:
    assert mac.hmac_sha256(key, data).hex() == code


@pytest.mark.req("IEC-CR-4.3")
@given(st.binary(max_size=200), st.binary(max_size=600))
def test_the_codes_are_the_librarys(key: bytes, data: bytes) -> None:
    assert mac.hmac_sha256(key, data) == hmac.new(key, data, hashlib.sha256).digest()


@pytest.mark.req("IEC-CR-1.14")
@given(st.binary(min_size=32, max_size=32), st.binary(min_size=1, max_size=100))
def test_what_is_signed_is_recognised_by_that_key_alone(key: bytes, payload: bytes) -> None:
    data = mac.signed(key, payload)
    assert data[:-8] == payload
    assert data[-8:] == hmac.new(key, payload, hashlib.sha256).digest()[:8]
    assert mac.is_signed(key, data)
    assert not mac.is_signed(bytes([key[0] ^ 1]) + key[1:], data)


@given(st.binary(min_size=1, max_size=40), st.data())
def test_one_flipped_bit_anywhere_is_noticed(payload: bytes, data: st.DataObject) -> None:
    signed = bytearray(mac.signed(b"k" * 32, payload))
    bit = data.draw(st.integers(0, len(signed) * 8 - 1))
    signed[bit // 8] ^= 1 << bit % 8
    assert not mac.is_signed(b"k" * 32, bytes(signed))


@pytest.mark.parametrize("data", [b"", b"1234567", b"12345678"])
def test_what_is_too_short_to_be_signed_is_not(data: bytes) -> None:
    assert not mac.is_signed(b"k" * 32, data)


def test_a_code_alone_signs_nothing() -> None:
    assert not mac.is_signed(b"k" * 32, mac.hmac_sha256(b"k" * 32, b"")[:8])


@given(st.binary(max_size=9), st.binary(max_size=9))
def test_two_codes_are_the_same_or_not(code: bytes, other: bytes) -> None:
    assert mac.is_same(code, bytes(code))
    assert mac.is_same(code, other) == (code == other)


def test_a_code_is_right_whatever_other_keys_were_used_meanwhile() -> None:
    keys = [bytes([key]) * 32 for key in range(200)]
    for key in keys + keys[::-1]:
        assert mac.hmac_sha256(key, b"x") == hmac.new(key, b"x", hashlib.sha256).digest()
