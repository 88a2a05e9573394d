"""Our verification against RFC 8032, section 7.1, and against the library of CPython."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nacl.signing import SigningKey

from firmware.bus import ed25519, sha512
from firmware.bus.ed25519 import L, P
from firmware.lib import signatures

VECTORS = [
    line.split(":")
    for line in (Path(__file__).parent / "golden" / "rfc8032.txt").read_text().splitlines()
    if not line.startswith("#")
]
# y of the points of order 1, 2, 4 and, twice, 8.
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL = [1, P - 1, 0, _ORDER_8, P - _ORDER_8]
SEEDS = st.binary(min_size=32, max_size=32)
MESSAGES = st.binary(max_size=300)


def _signed(seed: bytes, message: bytes) -> tuple[bytes, bytes]:
    key = SigningKey(seed)
    return bytes(key.verify_key), key.sign(message).signature


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """What both verifiers say: a display of MicroPython believes what one of CPython believes."""
    ours = ed25519.verify(public, signature, message)
    assert signatures.verify(public, signature, message) == ours
    return ours


def _flip(data: bytes, bit: int) -> bytes:
    bit %= 8 * len(data)
    spoiled = bytearray(data)
    spoiled[bit // 8] ^= 1 << bit % 8
    return bytes(spoiled)


def test_the_five_vectors_of_the_standard_are_all_here() -> None:
    names = [vector[0] for vector in VECTORS]
    assert names == ["TEST 1", "TEST 2", "TEST 3", "TEST 1024", "TEST SHA(abc)"]


@pytest.mark.parametrize(("name", "secret", "public", "message", "signature"), VECTORS)
def test_a_vector_of_the_standard(
    name: str, secret: str, public: str, message: str, signature: str
) -> None:
    key, data, code = (bytes.fromhex(text) for text in (public, message, signature))
    assert _signed(bytes.fromhex(secret), data) == (key, code), name
    assert verify(key, code, data)
    assert not verify(key, code, data + b"\0")
    for bit in range(0, 512, 37):
        assert not verify(key, _flip(code, bit), data)


@pytest.mark.req("IEC-CR-4.3")
@given(SEEDS, MESSAGES)
def test_what_the_library_signs_is_verified(seed: bytes, message: bytes) -> None:
    public, signature = _signed(seed, message)
    assert verify(public, signature, message)


@given(SEEDS, st.binary(min_size=1, max_size=300), st.integers(0, 2399), st.sampled_from("sma"))
def test_one_bit_wrong_in_signature_message_or_key_is_refused(
    seed: bytes, message: bytes, bit: int, what: str
) -> None:
    public, signature = _signed(seed, message)
    if what == "s":
        signature = _flip(signature, bit)
    elif what == "m":
        message = _flip(message, bit)
    else:
        public = _flip(public, bit)
    assert not verify(public, signature, message)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=64, max_size=64), MESSAGES)
@settings(max_examples=50)
def test_noise_is_refused(public: bytes, signature: bytes, message: bytes) -> None:
    assert not verify(public, signature, message)


@given(SEEDS, MESSAGES)
@settings(max_examples=30)
def test_a_scalar_that_is_not_reduced_is_refused(seed: bytes, message: bytes) -> None:
    public, signature = _signed(seed, message)
    s = int.from_bytes(signature[32:], "little")
    for other in (s + L, s + 2 * L, s + 7 * L):
        if other < 2**256:
            forged = signature[:32] + other.to_bytes(32, "little")
            assert not verify(public, forged, message)


@pytest.mark.parametrize("sizes", [(0, 64), (31, 64), (33, 64), (32, 0), (32, 63), (32, 65)])
def test_a_key_or_signature_of_another_length_is_refused(sizes: tuple[int, int]) -> None:
    public, signature = _signed(bytes(32), b"")
    key = (public + bytes(1))[: sizes[0]]
    code = (signature + bytes(1))[: sizes[1]]
    assert not verify(key, code, b"")


@pytest.mark.parametrize("y", SMALL)
@pytest.mark.parametrize("odd", [0, 1])
def test_for_a_key_of_small_order_nobody_can_sign(y: int, odd: int) -> None:
    point = ed25519.decompress(y | odd << 255)
    if point is None:
        assert y in (1, P - 1), "both signs of the others are points"
        return
    # R = identity or any small point, S = 0: without the check, one message in eight would pass.
    taken = 0
    public = (y | odd << 255).to_bytes(32, "little")
    for first in SMALL:
        for at in range(16):
            signature = first.to_bytes(32, "little") + bytes(32)
            message = bytes([at])
            assert not verify(public, signature, message)
            taken += _is_equation_true(point, first, message)
    assert taken, "the forgery is real: the equation alone takes it"


def _is_equation_true(key: Any, first: int, message: bytes) -> bool:
    """Whether R + kA is nothing, as it must be where S is 0."""
    data = b"".join(code.to_bytes(32, "little") for code in (first, ed25519.compress(key[:3])))
    k = int.from_bytes(hashlib.sha512(data + message).digest(), "little") % L
    start = ed25519.decompress(first)
    return bool(start is not None and ed25519.compress(_sum(start, _times(key, k))[:3]) == 1)


def _sum(one: Any, other: Any) -> Any:
    return ed25519._add(one, (ed25519._readied(other),), 1)


def _times(point: Any, number: int) -> Any:
    total = (0, 1, 1, 0)
    for bit in f"{number:b}":
        total = ed25519._double(total)
        if bit == "1":
            total = _sum(total, point)
    return total


def _point(number: int, more: int | None) -> bytes:
    """So many times the base point, and a point of small order."""
    point = _times(ed25519.decompress(ed25519._BASE_Y), number)
    if more is not None:
        point = _sum(point, ed25519.decompress(more))
    return ed25519.compress(point[:3]).to_bytes(32, "little")


SCALARS = st.integers(1, L - 1)
MORE = st.sampled_from([None, *SMALL])


@given(SCALARS, st.one_of(st.just(0), SCALARS), MORE, MORE, MESSAGES)
@example(1, 0, None, 1, b"")
@example(5, 7, _ORDER_8, None, b"\0")
@settings(max_examples=50)
def test_the_owner_of_a_key_cannot_part_the_two_verifiers(
    secret: int, nonce: int, in_key: int | None, in_first: int | None, message: bytes
) -> None:
    # Points of small order in key and R, and R nothing but such a point: RFC 8032 leaves it open.
    public, first = _point(secret, in_key), _point(nonce, in_first)
    k = int.from_bytes(hashlib.sha512(first + public + message).digest(), "little") % L
    signature = first + ((nonce + k * secret) % L).to_bytes(32, "little")
    plain = in_key in (None, 1) and in_first in (None, 1) and nonce > 0
    assert verify(public, signature, message) or not plain
    assert nonce > 0 or not verify(public, signature, message)


@pytest.mark.parametrize("y", [P, P + 1, P + 2, 2**255 - 1])
@pytest.mark.parametrize("odd", [0, 1])
def test_a_point_not_written_in_its_one_form_is_refused(y: int, odd: int) -> None:
    code = y | odd << 255
    assert ed25519.decompress(code) is None
    public = code.to_bytes(32, "little")
    assert not verify(public, bytes(64), b"")
    # As R: compared as it is written, so only the one form counts.
    key, signature = _signed(bytes(32), b"")
    assert not verify(key, public + signature[32:], b"")


def test_zero_with_a_sign_is_no_point() -> None:
    assert ed25519.decompress(1) == (0, 1, 1, 0)
    assert ed25519.decompress(1 | 1 << 255) is None


@given(st.integers(0, 2**256 - 1))
@example(0)
@example(2**255 - 19)
def test_a_point_is_written_as_it_was_read(code: int) -> None:
    point = ed25519.decompress(code)
    if point is not None:
        x, y, _, t = point
        assert t == x * y % P
        assert (-x * x + y * y - 1 - ed25519.D * x * x * y * y) % P == 0
        assert ed25519.compress(point[:3]) == code


@given(st.integers(0, L - 1))
@example(0)
@example(1)
@example(L - 1)
@example(2**252)
@example(2**252 - 1)
def test_a_scalar_is_the_sum_of_its_digits(scalar: int) -> None:
    digits = ed25519._digits(scalar)
    assert sum(digit << at for at, digit in enumerate(digits)) == scalar
    assert all(digit % 2 and abs(digit) < 16 for digit in digits if digit)


@given(st.binary(max_size=600))
@example(b"")
@example(bytes(111))
@example(bytes(112))
@example(bytes(127))
@example(bytes(128))
@example(bytes(239))
@example(bytes(240))
def test_our_sha512_is_the_standards(data: bytes) -> None:
    assert sha512.small(data) == hashlib.sha512(data).digest()
    assert sha512.sha512(data) == hashlib.sha512(data).digest()


def test_sha512s_constants_are_roots_of_primes() -> None:
    primes = [n for n in range(2, 410) if all(n % d for d in range(2, n))]

    def root(prime: int, degree: int) -> int:
        low, high = 0, 1 << 69
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**degree <= prime << 64 * degree else (low, middle)
        return low & (2**64 - 1)

    assert len(primes) == 80
    cubes = b"".join(root(prime, 3).to_bytes(8, "big") for prime in primes)
    squares = b"".join(root(prime, 2).to_bytes(8, "big") for prime in primes[:8])
    assert (cubes, squares) == (sha512._CONSTANTS, sha512._START)


def test_without_a_hash_of_its_own_the_interpreter_verifies_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Poor:
        """hashlib of MicroPython."""

    monkeypatch.setattr(sha512, "hashlib", Poor)
    public, signature = _signed(bytes(32), b"coup")
    assert verify(public, signature, b"coup")
    assert not verify(public, signature, b"cuop")
