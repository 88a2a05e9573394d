"""The head of an HTTP/1.1 request, judged before anything else sees it: RFC 9112, sections 2 to 6.

What two readers might understand differently is refused, not mended: lines that do not end in CRLF,
folded headers, two Hosts, two lengths, a length beside a transfer coding. There is no other parser
behind this one.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

HEADERS_MAX = 64  # a browser sends some 20
LINE_MAX = 2048  # bytes, of the request line as of a header: cookies of other pages come along
BAD = 400
NO_LENGTH = 411  # a body in chunks: nobody here takes one
_TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"  # RFC 9110, 5.6.2
_REQUEST = re.compile(rb"(" + _TOKEN + rb") (/[\x21-\x7e]*) HTTP/(1\.[01])")
_HEADER = re.compile(rb"(" + _TOKEN + rb"):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]*\]|[^\s\[\]:/@?#,]*)(?::[0-9]*)?")  # RFC 9110, 7.2
_LENGTH = re.compile(r"[0-9]{1,15}")
_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
# Two of them, and it depends on the reader which counts.
_ONCE = (
    b"host", b"content-length", b"transfer-encoding", b"content-type", b"cookie", b"origin",
)  # fmt: skip


class Refused(Exception):
    """A head that is none."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


class Head(NamedTuple):
    """A sound one. `headers`: names as they came, each with its value, in their order."""

    method: str
    target: str
    version: str
    headers: tuple[tuple[str, str], ...]
    length: int  # of the body, in bytes


def parse(data: bytes) -> Head:
    """Returns the head in `data`, which ends with its empty line. Raises Refused."""
    first, *lines = data.removesuffix(b"\r\n\r\n").split(b"\r\n")
    if len(lines) > HEADERS_MAX or max(map(len, (first, *lines))) > LINE_MAX:
        raise Refused(BAD, "The request's head is too long.")
    asked = _REQUEST.fullmatch(first)
    if asked is None or _ESCAPE.search(asked[2]):
        raise Refused(BAD, "This is no request of HTTP/1.1.")
    pairs = [_HEADER.fullmatch(line) for line in lines]
    found = [(pair[1], pair[2].rstrip(b" \t")) for pair in pairs if pair is not None]
    if len(found) < len(pairs):
        raise Refused(BAD, "A header is not as it must be.")
    names = [name.lower() for name, _ in found]
    for name in _ONCE:
        if names.count(name) > 1:
            raise Refused(BAD, f"Two headers are named {name.decode()}.")
    if b"host" not in names:
        raise Refused(BAD, "The request names no host.")
    try:
        unquote_to_bytes(asked[2]).decode()
        headers = tuple((name.decode(), value.decode()) for name, value in found)
    except UnicodeDecodeError:
        raise Refused(BAD, "The address or a header is no text.") from None
    known = {name.lower(): value for name, value in headers}
    if not _HOST.fullmatch(known["host"]):
        raise Refused(BAD, "The request's host is none.")
    return Head(asked[1].decode(), asked[2].decode(), asked[3].decode(), headers, _length(known))


def _length(known: dict[str, str]) -> int:
    """Returns the length of the body. Raises Refused."""
    length = known.get("content-length")
    if "transfer-encoding" in known:
        if length is not None:
            raise Refused(BAD, "The body has a length and a transfer coding.")
        raise Refused(NO_LENGTH, "The body has no length.")
    if length is None:
        return 0
    if not _LENGTH.fullmatch(length):
        raise Refused(BAD, "The length of the body is no number.")
    return int(length)
