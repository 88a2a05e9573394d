"""How the page may be spoken to: TLS 1.3, or 1.2 with ECDHE and AEAD; no sockets."""

import datetime
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

from firmware.services.page import certificate
from tools.bench.page.client import tls

SOUND = (
    "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-RSA-CHACHA20-POLY1305",
)  # fmt: skip
# CBC; a key that whoever has the certificate's can find out; both; encryption that proves nothing.
WEAK = (
    "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384", "ECDHE-ECDSA-AES256-SHA",
    "ECDHE-ECDSA-AES128-CCM8", "ECDHE-RSA-AES128-SHA256", "ECDHE-RSA-AES256-SHA384",
    "ECDHE-RSA-AES128-SHA", "AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES256-SHA256",
    "AES128-SHA", "DHE-RSA-AES256-GCM-SHA384", "DHE-RSA-AES128-SHA256",
)  # fmt: skip


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """The page's, with the certificate that it made."""
    return certificate.load(tmp_path_factory.mktemp("own")).tls


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """The page's, with an RSA certificate of a house."""
    folder: Path = tmp_path_factory.mktemp("houses")
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "the house")])
    begins = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begins)
        .not_valid_after(begins + datetime.timedelta(days=365))
        .sign(key, hashes.SHA256())
    )
    (folder / "page.crt").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (folder / "page.key").write_bytes(pem)
    (folder / "page.key").chmod(0o600)
    return certificate.load(folder).tls


def agreed(server: ssl.SSLContext, client: ssl.SSLContext) -> tuple[str, str] | None:
    """Version and suite of a handshake; None: the server refuses it."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        client.wrap_bio(back, there, server_side=False),
        server.wrap_bio(there, back, server_side=True),
    ]
    left = sides
    while left:
        still = []
        for side in left:
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                still.append(side)
            except ssl.SSLError:
                return None
        left = still
    suite, version, _ = sides[0].cipher() or ("", "", 0)
    return version, suite


def offering(suites: str, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2) -> ssl.SSLContext:
    """A client that offers these alone, however weak."""
    context = tls()
    context.set_ciphers(f"{suites}:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    return context


@pytest.mark.parametrize("suite", WEAK)
def test_a_weak_suite_is_refused_with_either_kind_of_certificate(
    own: ssl.SSLContext, houses: ssl.SSLContext, suite: str
) -> None:
    assert agreed(own, offering(suite)) is None
    assert agreed(houses, offering(suite)) is None


@pytest.mark.parametrize("suite", SOUND)
def test_a_sound_suite_is_agreed_upon(
    own: ssl.SSLContext, houses: ssl.SSLContext, suite: str
) -> None:
    server = own if "ECDSA" in suite else houses
    assert agreed(server, offering(suite)) == ("TLSv1.2", suite)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_older_versions_are_refused(own: ssl.SSLContext, version: ssl.TLSVersion) -> None:
    assert agreed(own, offering("ALL", version)) is None


def test_tls_1_3_is_what_a_browser_gets(own: ssl.SSLContext) -> None:
    found = agreed(own, tls())
    assert found is not None
    assert found[0] == "TLSv1.3"


def test_nothing_is_compressed_or_negotiated_again(own: ssl.SSLContext) -> None:
    assert own.options & ssl.OP_NO_COMPRESSION
    assert own.options & ssl.OP_NO_RENEGOTIATION
