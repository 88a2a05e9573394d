"""An authority and a certificate that signs updates, for development.

The authority's key and the signing key are files of the folder, readable by their owner alone; a
house keeps its own elsewhere (docs/update.md). RAUC judges a certificate at the time at which the
bundle was signed, so a wheel whose clock stands at 1970 takes a bundle like any other.
"""

from __future__ import annotations

import datetime
import os
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from firmware.lib import durable
from firmware.lib.errors import FAILED, Failure, unwritten
from firmware.lib.language import Message

AUTHORITY, AUTHORITY_KEY = "authority.pem", "authority.key"
CERTIFICATE, KEY = "signing.pem", "signing.key"
AUTHORITY_DAYS, SIGNING_DAYS = 30 * 365, 2 * 365  # a wheel outlives a signing certificate
_BACK = datetime.timedelta(days=1)  # for a machine whose clock is behind the one that signs


def make(folder: Path, *, now: datetime.datetime, signing_days: int = SIGNING_DAYS) -> list[Path]:
    """Makes all four, at `now` (UTC); returns the files. Raises Failure where one is already."""
    named = want_none(folder)
    root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root_name, name = (
        _name("Cylindre updates: authority"),
        _name("Cylindre updates: signing"),
    )
    root = (
        _builder(root_name, root_name, root_key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(root_key, hashes.SHA256())
    )
    certificate = (
        _builder(name, root_name, key, now, signing_days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key()),
            critical=False,
        )
        .sign(root_key, hashes.SHA256())
    )
    data = (_pem(root), _secret(root_key), _pem(certificate), _secret(key))
    _write(folder, dict(zip(named, data, strict=True)))
    return named


def want_none(folder: Path) -> list[Path]:
    """Returns the files that `make` would make. Raises Failure where one is already."""
    named = [folder / name for name in (AUTHORITY, AUTHORITY_KEY, CERTIFICATE, KEY)]
    if there := [path for path in named if os.path.lexists(path)]:
        raise Failure(
            FAILED, Message("{there} is there already. Name another folder.", there=there[0])
        )
    return named


def _write(folder: Path, files: dict[Path, bytes]) -> None:
    """All of them, or none: half an authority would be in the way. Raises Failure."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            mode = durable.OWNER_ONLY if path.suffix == ".key" else durable.FOR_ALL
            durable.write_once(path, data, mode)
    except OSError as error:
        for path in files:
            path.unlink(missing_ok=True)
        raise unwritten(folder, error) from None


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    now: datetime.datetime,
    days: int,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BACK)
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _secret(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
