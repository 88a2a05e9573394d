"""Whether a key and its certificate make bundles that wheels take, before a minute is spent."""

from __future__ import annotations

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from firmware.lib.errors import USAGE, Failure

_PEM_MAX = 65_536  # bytes: a chain of certificates is shorter


def check(key: Path, certificate: Path, now: datetime.datetime) -> None:
    """Raises Failure: they cannot be read, do not belong together, or do not hold now.

    A wheel judges the certificate at the time that the signature tells, which is this machine's.
    """
    try:
        found = x509.load_pem_x509_certificate(_read(certificate))
    except ValueError:
        raise Failure(
            USAGE, f"{certificate} is no certificate (PEM). Give another --cert."
        ) from None
    data = _read(key)
    try:
        private = serialization.load_pem_private_key(data, None)
    except TypeError:  # it has a password, which RAUC will ask for
        return
    except ValueError:
        raise Failure(USAGE, f"{key} is no private key (PEM). Give another --key.") from None
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if private.public_key().public_bytes(*form) != found.public_key().public_bytes(*form):
        raise Failure(USAGE, f"{certificate} is of another key than {key}: no wheel would take it.")
    begins, ends = found.not_valid_before_utc, found.not_valid_after_utc
    if now > ends:
        text = f"{certificate} expired on {ends:%Y-%m-%d}, and no wheel takes what it signs now."
        raise Failure(USAGE, f"{text} Have the authority sign a new one.")
    if now < begins:
        text = f"{certificate} holds from {begins:%Y-%m-%d}, and here it is {now:%Y-%m-%d}."
        raise Failure(USAGE, f"{text} Set this machine's clock.")


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_PEM_MAX)
