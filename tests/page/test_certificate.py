"""The wheel's own certificate: made once, its key kept secret, right at any time of day."""

import datetime
import subprocess
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes

from firmware.lib.errors import CONFIGURATION, Failure
from firmware.services.page import certificate


def read(folder: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / "page.crt").read_bytes())


def test_it_is_made_once_and_kept(tmp_path: Path) -> None:
    first = certificate.load(tmp_path / "tls")
    again = certificate.load(tmp_path / "tls")
    assert again.fingerprint == first.fingerprint
    digest = read(tmp_path / "tls").fingerprint(hashes.SHA256()).hex().upper()
    assert first.fingerprint.replace(":", "") == digest
    assert certificate.load(tmp_path / "other").fingerprint != first.fingerprint


def test_its_key_is_its_owners_alone(tmp_path: Path) -> None:
    certificate.load(tmp_path)
    key = tmp_path / "page.key"
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(0o640)
    with pytest.raises(Failure, match="chmod 600") as failed:
        certificate.load(tmp_path)
    assert failed.value.exit_code == CONFIGURATION


def test_it_names_this_machine_and_its_addresses(tmp_path: Path) -> None:
    found = certificate.load(tmp_path)
    assert {"localhost", "127.0.0.1", "::1"} <= set(found.names)
    assert set(certificate.addresses()) <= set(found.names)


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("year", [1970, 2026, 2050, 2099])
def test_it_holds_whatever_the_clock_says(tmp_path: Path, year: int) -> None:
    """A wheel without a clock starts in 1970; judged by openssl as of a day of that year."""
    certificate.load(tmp_path)
    when = int(datetime.datetime(year, 6, 1, tzinfo=datetime.UTC).timestamp())
    told = subprocess.run(
        ["openssl", "verify", "-attime", str(when), "-CAfile", "page.crt", "page.crt"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr


@pytest.mark.req("IEC-CR-1.8")
@pytest.mark.parametrize(
    ("year", "has"), [(1970, False), (2027, False), (2028, True), (2040, True), (2099, False)]
)
def test_one_of_the_house_is_served_and_that_it_has_expired_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, year: int, has: bool
) -> None:
    """By a clock that may be right: in 1970 a wheel's stands still, in 2099 it is wrong."""
    ends = datetime.datetime(2028, 1, 1, tzinfo=datetime.UTC)
    monkeypatch.setattr(certificate, "ENDS", ends)
    found = certificate.load(tmp_path)
    when_s = datetime.datetime(year, 6, 1, tzinfo=datetime.UTC).timestamp()
    assert found.has_expired(when_s) is has


@pytest.mark.parametrize("name", ["page.crt", "page.key"])
@pytest.mark.parametrize("content", [b"", b"nonsense", None])
def test_what_is_no_certificate_is_one_sentence(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    """Also where one of the two is missing, as after a power cut between them."""
    certificate.load(tmp_path)
    path = tmp_path / name
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(Failure) as failed:
        certificate.load(tmp_path)
    assert str(tmp_path) in failed.value.sentence
    assert "\n" not in failed.value.sentence


@pytest.mark.req("IEC-CR-1.8")
def test_another_wheels_key_is_refused(tmp_path: Path) -> None:
    certificate.load(tmp_path / "one")
    certificate.load(tmp_path / "other")
    (tmp_path / "one" / "page.key").write_bytes((tmp_path / "other" / "page.key").read_bytes())
    with pytest.raises(Failure, match="or its key is another"):
        certificate.load(tmp_path / "one")
