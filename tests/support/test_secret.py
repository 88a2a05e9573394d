"""No key leaves: however a secret is written, in whatever surroundings, it is found."""

from __future__ import annotations

import base64
import json
import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from a_wheel import AWheel, refused
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.keys import folder as keys
from firmware.keys.people import encode, enrol
from firmware.lib.errors import Failure
from tools.technician.support.secret import PIECE, Scanner, Secret, secrets_of

SECRETS = st.binary(min_size=16, max_size=80).filter(lambda value: len(set(value[:PIECE])) > 4)
SURROUNDINGS = st.binary(max_size=200)
WRITTEN: tuple[Callable[[bytes], bytes], ...] = (
    bytes,
    lambda value: value.hex().encode(),
    lambda value: value.hex().upper().encode(),
    lambda value: value.hex(":").encode(),
    lambda value: value.hex(" ", 4).encode(),
    lambda value: "\n".join(textwrap.wrap(value.hex(), 20)).encode(),
    lambda value: "".join(f"\\x{byte:02x}" for byte in value).encode(),
    lambda value: ", ".join(f"0x{byte:02X}" for byte in value).encode(),
    lambda value: str(list(value)).encode(),
    lambda value: json.dumps({"key": list(value)}, indent=2).encode(),
    lambda value: repr(bytes(value))[2:-1].encode(),
    base64.b64encode,
    base64.urlsafe_b64encode,
    lambda value: base64.b64encode(value).rstrip(b"="),
    base64.encodebytes,
    lambda value: json.dumps({"key": base64.encodebytes(value).decode()}).encode(),
    lambda value: json.dumps(textwrap.wrap(value.hex(), 20)).encode(),
    lambda value: json.dumps("\n".join(textwrap.wrap(value.hex(), 20))).encode(),
    lambda value: json.dumps(str(bytes(value))).encode(),
)


@given(SECRETS, SURROUNDINGS, SURROUNDINGS, st.sampled_from(WRITTEN))
def test_a_secret_is_found_however_it_is_written(
    value: bytes, before: bytes, after: bytes, written: Callable[[bytes], bytes]
) -> None:
    # Between words, as in a log: what touches hexadecimal digits would be another number.
    data = before + b"|" + written(value) + b"|" + after
    assert Scanner([Secret("wheel.key", value)]).leak(data) == "wheel.key"


@given(st.data(), SECRETS, SURROUNDINGS, SURROUNDINGS, st.sampled_from(WRITTEN))
def test_any_16_bytes_of_it_are_found(
    data: st.DataObject,
    value: bytes,
    before: bytes,
    after: bytes,
    written: Callable[[bytes], bytes],
) -> None:
    at = data.draw(st.integers(0, len(value) - PIECE))
    part = written(value[at : at + PIECE])
    found = Scanner([Secret("wheel.key", value)]).leak(before + b"|" + part + b"|" + after)
    assert found == "wheel.key"


@given(st.data(), SECRETS, SURROUNDINGS, SURROUNDINGS)
def test_any_16_bytes_of_it_are_found_within_base64(
    data: st.DataObject, value: bytes, before: bytes, after: bytes
) -> None:
    at = data.draw(st.integers(0, len(value) - PIECE))
    packed = base64.b64encode(before + value[at : at + PIECE] + after)
    assert Scanner([Secret("wheel.key", value)]).leak(packed) == "wheel.key"


@given(SECRETS, SURROUNDINGS, SURROUNDINGS)
def test_a_secret_in_the_middle_of_something_packed_as_base64_is_found(
    value: bytes, before: bytes, after: bytes
) -> None:
    data = base64.b64encode(before + value + after)
    assert Scanner([Secret("wheel.key", value)]).leak(data) == "wheel.key"


@given(SECRETS, st.lists(st.binary(min_size=40, max_size=80), max_size=5))
def test_what_holds_no_secret_is_let_through(value: bytes, others: list[bytes]) -> None:
    pieces = [value[at : at + PIECE] for at in range(0, len(value) - PIECE + 1, PIECE)]
    public = [other for other in others if not any(piece in other for piece in pieces)]
    data = b"\n".join(other.hex().encode() + b" " + base64.b64encode(other) for other in public)
    assert Scanner([Secret("wheel.key", value)]).leak(data) is None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> AWheel:
    return AWheel(tmp_path_factory.mktemp("wheel"))


@settings(max_examples=25)
@given(data=st.data(), before=SURROUNDINGS, after=SURROUNDINGS, written=st.sampled_from(WRITTEN))
def test_whatever_secret_of_a_wheel_lies_wherever_there_is_no_bundle(
    wheel: AWheel,
    data: st.DataObject,
    before: bytes,
    after: bytes,
    written: Callable[[bytes], bytes],
) -> None:
    value = data.draw(st.sampled_from([*wheel.private, *wheel.hashes]))
    coup = wheel.folder / "coups" / "000001-coup-1"
    places = (wheel.log, coup / "notes.jsonl", coup / "trace.vcd", coup / "coup.json")
    place = data.draw(st.sampled_from(places))
    sound = place.read_bytes()
    out = wheel.folder / "out.tar.gz"
    place.write_bytes(before + b"|" + written(value) + b"|" + after)
    try:
        failure = refused(wheel.pack("--out", out, "--without", "doctor"))
    finally:
        place.write_bytes(sound)
    assert f"{place.name} would hold a secret of {wheel.folder}" in failure.sentence
    assert not out.exists()
    assert not [path for path in wheel.folder.iterdir() if path.name.endswith(".part")]


def secrets_in(folder: Path) -> list[bytes]:
    return [secret.value for secret in secrets_of(folder, folder / "people.jsonl")]


def test_every_key_of_a_folder_is_a_secret_and_nothing_public(tmp_path: Path) -> None:
    made = keys.provision(tmp_path, displays=2, terminals=2)
    keys.next_epoch(tmp_path)
    private = [path for path in made if path.suffix == ".key"]
    wanted = {bytes.fromhex(path.read_text()) for path in private}
    assert len(wanted) == 5
    assert {*secrets_in(tmp_path)} == wanted


def test_salts_and_hashes_of_pins_are_secrets(tmp_path: Path) -> None:
    person = enrol("anna", "croupier", "482913")
    (tmp_path / "people.jsonl").write_bytes(encode(person))
    assert secrets_in(tmp_path) == [person.salt, person.hash]


def test_of_a_file_that_is_broken_all_that_looks_like_one_is_a_secret(tmp_path: Path) -> None:
    value = os.urandom(32)
    (tmp_path / "people.jsonl").write_text(f'{{"name":"anna","hash":"{value.hex()}...')
    assert secrets_in(tmp_path) == [value]


def test_the_private_number_of_a_certificates_key_is_a_secret(tmp_path: Path) -> None:
    curve = ec.generate_private_key(ec.SECP256R1())
    edwards = ed25519.Ed25519PrivateKey.generate()
    plain = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "page.pem").write_bytes(curve.private_bytes(*plain))
    (tmp_path / "other.pem").write_bytes(edwards.private_bytes(*plain))
    number = curve.private_numbers().private_value
    wanted = {number.to_bytes((number.bit_length() + 7) // 8), edwards.private_bytes_raw()}
    assert {*secrets_in(tmp_path)} == wanted
    # The file itself, copied somewhere, is found by it: base64 in lines of 64.
    scanner = Scanner(secrets_of(tmp_path, tmp_path / "none"))
    for name in ("page.pem", "other.pem"):
        assert scanner.leak((tmp_path / name).read_bytes()) == str(tmp_path / name)


def test_a_key_of_another_kind_and_one_under_a_password_are_secrets(tmp_path: Path) -> None:
    key = rsa.generate_private_key(65537, 2048)
    plain = (Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    (tmp_path / "a.pem").write_bytes(key.private_bytes(*plain))
    numbers = key.private_numbers()
    assert {*secrets_in(tmp_path)} == {
        number.to_bytes((number.bit_length() + 7) // 8)
        for number in (numbers.d, numbers.p, numbers.q)
    }
    hidden = (Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a password"))
    (tmp_path / "a.pem").write_bytes(key.private_bytes(*hidden))
    scanner = Scanner(secrets_of(tmp_path, tmp_path / "none"))
    assert scanner.leak(b"found: " + (tmp_path / "a.pem").read_bytes())


def test_bytes_that_are_no_text_are_a_key(tmp_path: Path) -> None:
    (tmp_path / "raw.key").write_bytes(bytes(range(200, 232)))
    (tmp_path / "README").write_text("The keys of table 3. Ask Weber for them.")
    assert secrets_in(tmp_path) == [bytes(range(200, 232))]


def test_a_secret_does_not_show_itself() -> None:
    assert repr(Secret("wheel.key", b"x" * 32)) == "Secret('wheel.key')"


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "people.jsonl").mkdir()
    with pytest.raises(Failure, match="nobody could tell whether it leaks"):
        secrets_of(tmp_path / "none", tmp_path / "people.jsonl")
