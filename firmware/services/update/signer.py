"""Whether a key and its certificate make bundles that wheels take, before a minute is spent."""

from __future__ import annotations

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import Message
from firmware.lib.named_file import read_named

_PEM_MAX = 65_536  # bytes: a chain of certificates is shorter


def check(key: Path, certificate: Path, now: datetime.datetime) -> None:
    """Checks that key and certificate can be read, belong together and hold now. Raises Failure.

    A wheel judges the certificate at the time that the signature tells, which is this machine's.
    """
    try:
        found = x509.load_pem_x509_certificate(_read(certificate))
    except ValueError:
        raise Failure(
            USAGE,
            Message(
                "{certificate} is no certificate (PEM). Give another --cert.",
                certificate=certificate,
            ),
        ) from None
    data = _read(key)
    try:
        private = serialization.load_pem_private_key(data, None)
    except TypeError:  # it has a password, which RAUC will ask for
        return
    except ValueError:
        raise Failure(
            USAGE, Message("{key} is no private key (PEM). Give another --key.", key=key)
        ) from None
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if private.public_key().public_bytes(*form) != found.public_key().public_bytes(*form):
        raise Failure(
            USAGE,
            Message(
                "{certificate} is of another key than {key}: no wheel would take it.",
                certificate=certificate,
                key=key,
            ),
        )
    begins, ends = found.not_valid_before_utc, found.not_valid_after_utc
    if now > ends:
        raise Failure(
            USAGE,
            Message(
                "{certificate} expired on {ends}, and no wheel takes what it signs"
                " now. Have the authority sign a new one.",
                certificate=certificate,
                ends=f"{ends:%Y-%m-%d}",
            ),
        )
    if now < begins:
        raise Failure(
            USAGE,
            Message(
                "{certificate} holds from {begins}, and here it is {now}."
                " Set this machine's clock.",
                certificate=certificate,
                begins=f"{begins:%Y-%m-%d}",
                now=f"{now:%Y-%m-%d}",
            ),
        )


def _read(path: Path) -> bytes:
    return read_named(path, _PEM_MAX)
