"""The wheel's own certificate, made on the wheel: no authority knows it, its fingerprint does.

    DIR/page.key    the private key, 0600
    DIR/page.crt    the certificate, self-signed

Made once and kept: browsers and people remember the fingerprint, and a new certificate would teach
them to click warnings away. So it is valid from 1970, when a wheel's clock may stand, to 2099, as
long as any wheel lives. (iOS asks 825 days at most of certificates that begin after July 2019;
this one does not. A tablet that should trust it without a warning imports page.crt.)

A certificate of the house in their place is served as it is; that it has expired is told.
"""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import ipaddress
import os
import socket
import ssl
import struct
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from firmware.lib import durable
from firmware.lib.durable import FOR_ALL, OWNER_ONLY
from firmware.lib.errors import CONFIGURATION, FAILED, Failure, cause
from firmware.lib.language import Message
from firmware.lib.named_file import read_named
from firmware.store.clock import BUILT_S, SYNCHRONISED_MAX_S

BEGINS = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
ENDS = datetime.datetime(2099, 12, 31, tzinfo=datetime.UTC)
_SIOCGIFADDR = 0x8915  # netdevice(7): the address of an interface
_ADDRESS = slice(20, 24)  # of a struct ifreq: its sockaddr_in's sin_addr
# Of TLS 1.2; those of 1.3 are such anyway. Keys that are forgotten (ECDHE), and encryption that
# cannot be separated from its proof (AEAD): RFC 9325, 4.2.
_CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
_PEM_MAX = 16_384  # bytes; ours have some 900


class Identity(NamedTuple):
    """What the page shows itself with."""

    tls: ssl.SSLContext
    fingerprint: str  # SHA-256, pairs of hexadecimal digits, as browsers show it
    names: tuple[str, ...]  # names and addresses that stand in the certificate
    ends_s: float = inf  # since 1970: valid until then

    def has_expired(self, now_s: float) -> bool:
        """Returns whether it has expired by the machine's clock, where that may be right.

        Browsers go by their own.
        """
        return self.ends_s < now_s and BUILT_S <= now_s <= SYNCHRONISED_MAX_S


def load(folder: Path) -> Identity:
    """Returns the certificate of the wheel; made now if there is none. Raises Failure."""
    key, certificate = folder / "page.key", folder / "page.crt"
    try:
        if not os.path.lexists(key) and not os.path.lexists(certificate):
            _make(folder, key, certificate)
        mode = key.stat().st_mode & 0o777
        if mode & 0o077:
            text = f"{key}: others may read or write it (mode {mode:o}). Run chmod 600 {key}."
            raise Failure(CONFIGURATION, text)
        # A house's own may be renewed elsewhere: a link to there is meant.
        found = x509.load_pem_x509_certificate(read_named(certificate, _PEM_MAX, follow=True))
        read_named(key, _PEM_MAX, follow=True)  # OpenSSL would wait for a pipe
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers(_CIPHERS)
        context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION
        context.load_cert_chain(certificate, key)
        names = _names_in(found)
    except (ssl.SSLError, ValueError) as error:
        text = "is no certificate of a page, or its key is another"
        remedy = "remove page.crt and page.key there, and new ones are made"
        raise Failure(CONFIGURATION, f"{certificate} {text}: {remedy}.") from error
    except OSError as error:
        why = cause(error)
        raise Failure(FAILED, Message("{}: {}.", error.filename or folder, Message(why))) from error
    digest = found.fingerprint(hashes.SHA256()).hex().upper()
    pairs = [digest[at : at + 2] for at in range(0, len(digest), 2)]
    return Identity(context, ":".join(pairs), names, found.not_valid_after_utc.timestamp())


def own_names() -> list[str]:
    """Returns by which names and addresses this machine may be asked, as it knows itself."""
    host = socket.gethostname()
    names = ["localhost", "127.0.0.1", "::1", host]
    if "." not in host:
        names.append(f"{host}.local")  # RFC 6762
    return list(dict.fromkeys([*names, *addresses()]))


def addresses() -> list[str]:
    """Returns the IPv4 addresses of this machine's interfaces."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        for name in sorted(os.listdir("/sys/class/net")):  # if_nameindex would ask by netlink
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):  # an interface without one
                told = fcntl.ioctl(link.fileno(), _SIOCGIFADDR, request)
                found.append(socket.inet_ntoa(told[_ADDRESS]))
    return found


def _make(folder: Path, key: Path, certificate: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    private = ec.generate_private_key(ec.SECP256R1())  # Ed25519 is known to few browsers
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Cylindre {socket.gethostname()}")])
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(BEGINS)
        .not_valid_after(ENDS)
        .add_extension(x509.SubjectAlternativeName([*map(_general, own_names())]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    pem = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    # The certificate first: with a power cut in between, its key is missing, and load says so.
    durable.replace(certificate, made.public_bytes(serialization.Encoding.PEM), FOR_ALL)
    durable.replace(key, pem, OWNER_ONLY)


def _general(name: str) -> Any:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _names_in(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        said = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    names = said.get_values_for_type(x509.DNSName)
    return (*names, *map(str, said.get_values_for_type(x509.IPAddress)))
