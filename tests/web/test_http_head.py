"""What is a request and what is none: RFC 9112, each clause by what breaks it."""

import pytest

from firmware.lib.http_head import BAD, HEADERS_MAX, LINE_MAX, NO_LENGTH, Head, Refused, parse

HOST = b"Host: wheel.local\r\n"
ASK = b"GET / HTTP/1.1\r\n" + HOST

# fmt: off
NONE = {
    "two hosts (3.2)": ASK + b"Host: wheel.local\r\n",
    "two hosts, one in other letters": ASK + b"hOST: other\r\n",
    "no host (3.2)": b"GET / HTTP/1.1\r\nAccept: */*\r\n",
    "no host in HTTP/1.0 either: a certificate has a name": b"GET / HTTP/1.0\r\n",
    "two lengths (6.3)": ASK + b"Content-Length: 3\r\nContent-Length: 3\r\n",
    "two lengths in one (6.3)": ASK + b"Content-Length: 3, 3\r\n",
    "a length and a coding (6.3)": ASK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
    "a length that is no number": ASK + b"Content-Length: three\r\n",
    "a host with a person (3.2.2)": b"GET / HTTP/1.1\r\nHost: wheel.local:8443@other\r\n",
    "a host whose port is a name": b"GET / HTTP/1.1\r\nHost: wheel.local:other\r\n",
    "two hosts in one": b"GET / HTTP/1.1\r\nHost: wheel.local, other\r\n",
    "more after an address": b"GET / HTTP/1.1\r\nHost: [::1]other:8443\r\n",
    "a length with a sign": ASK + b"Content-Length: +3\r\n",
    "a length below nothing": ASK + b"Content-Length: -3\r\n",
    "a length as Python writes it": ASK + b"Content-Length: 1_000\r\n",
    "a length of other digits": ASK + "Content-Length: ٣\r\n".encode(),
    "a length without end": ASK + b"Content-Length: " + b"9" * 16 + b"\r\n",
    "no length at all": ASK + b"Content-Length:\r\n",
    "two codings": ASK + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    "two cookies": ASK + b"Cookie: a=1\r\nCookie: a=2\r\n",
    "two origins": ASK + b"Origin: a\r\nOrigin: b\r\n",
    "a folded header (5.2)": ASK + b"X-A: 1\r\n 2\r\n",
    "a header folded with a tab": ASK + b"X-A: 1\r\n\tHost: other\r\n",
    "a fold before the first header (2.2)": b"GET / HTTP/1.1\r\n Host: wheel.local\r\n",
    "a space before the colon (5.1)": ASK + b"Content-Length : 3\r\n",
    "a header without a colon": ASK + b"nonsense\r\n",
    "a header without a name": ASK + b": nonsense\r\n",
    "a name that is none": ASK + b"X(A): 1\r\n",
    "a bare LF in a header (2.2)": ASK + b"X-A: 1\nContent-Length: 3\r\n",
    "a bare CR in a header": ASK + b"X-A: 1\rContent-Length: 3\r\n",
    "a bare LF in the request": b"GET / HTTP/1.1\n" + HOST,
    "NUL in a header": ASK + b"X-A: 1\x00\r\n",
    "NUL in a name": ASK + b"Content-Length\x00: 3\r\n",
    "NUL in the request": b"GET /\x00 HTTP/1.1\r\n" + HOST,
    "a control in a header": ASK + b"X-A: \x1b[2J\r\n",
    "a header that is no text": ASK + b"X-A: \xff\xfe\r\n",
    "an empty line first": b"\r\n" + ASK,
    "two spaces (3)": b"GET  / HTTP/1.1\r\n" + HOST,
    "a tab for a space": b"GET\t/ HTTP/1.1\r\n" + HOST,
    "more after the version": b"GET / HTTP/1.1 \r\n" + HOST,
    "no version": b"GET /\r\n" + HOST,
    "another version": b"GET / HTTP/2.0\r\n" + HOST,
    "a version of one digit": b"GET / HTTP/1\r\n" + HOST,
    "another protocol": b"GET / HTTPS/1.1\r\n" + HOST,
    "a method that is none": b"G(T / HTTP/1.1\r\n" + HOST,
    "a whole address (3.2.2): this is no proxy": b"GET http://other/ HTTP/1.1\r\n" + HOST,
    "an authority (3.2.3)": b"CONNECT other:443 HTTP/1.1\r\n" + HOST,
    "an address beyond ASCII": "GET /é HTTP/1.1\r\n".encode() + HOST,
    "an escape that is none": b"GET /?a=%2 HTTP/1.1\r\n" + HOST,
    "an escape of no digits": b"GET /%zz HTTP/1.1\r\n" + HOST,
    "an escape that is no text": b"GET /?a=%ff HTTP/1.1\r\n" + HOST,
    "half a character, the other half in the next value": b"GET /?%c3&%a9 HTTP/1.1\r\n" + HOST,
    "too many headers": ASK + b"X-A: 1\r\n" * HEADERS_MAX,
    "too long a header": ASK + b"X-A: " + b"1" * LINE_MAX + b"\r\n",
    "too long an address": b"GET /" + b"a" * LINE_MAX + b" HTTP/1.1\r\n" + HOST,
    "nothing": b"",
}
SOUND = {
    "as short as it may be": (ASK, 0),
    "a port, an empty header, spaces around": (
        b"GET /?a=%20b HTTP/1.1\r\nHost:wheel.local:8443 \r\nX-A:\r\nX-B: \t b \t\r\n", 0
    ),
    "no name of a host: that is judged by who knows the names": (
        b"GET / HTTP/1.1\r\nHost:\r\n", 0
    ),
    "an address of IPv6 as the host": (b"GET / HTTP/1.1\r\nHost: [fd00::7]:8443\r\n", 0),
    "a body": (b"POST /api/login HTTP/1.1\r\n" + HOST + b"content-length: 42\r\n", 42),
    "HTTP/1.0": (b"GET / HTTP/1.0\r\n" + HOST, 0),
    "text that is no ASCII": (ASK + "X-A: é\r\n".encode(), 0),
    "escapes that are text": (b"GET /%C3%A9?%c3%a9=%00 HTTP/1.1\r\n" + HOST, 0),
    "two of a name that nobody here reads": (ASK + b"Via: a\r\nVia: b\r\n", 0),
    "as many headers as may be": (ASK + b"X-A: 1\r\n" * (HEADERS_MAX - 1), 0),
}
# fmt: on


@pytest.mark.parametrize("data", NONE.values(), ids=NONE.keys())
def test_what_two_might_understand_differently_is_refused(data: bytes) -> None:
    with pytest.raises(Refused) as caught:
        parse(data + b"\r\n")
    assert caught.value.status == BAD
    assert caught.value.text.endswith(".")


def test_a_body_in_chunks_is_refused_for_its_length() -> None:
    with pytest.raises(Refused) as caught:
        parse(ASK + b"Transfer-Encoding: chunked\r\n\r\n")
    assert caught.value.status == NO_LENGTH


@pytest.mark.parametrize(("data", "length"), SOUND.values(), ids=SOUND.keys())
def test_what_a_browser_says_is_understood(data: bytes, length: int) -> None:
    assert parse(data + b"\r\n").length == length


def test_a_head_is_told_as_it_came_but_for_the_spaces_around_values() -> None:
    data = b"POST /a?b=%41 HTTP/1.1\r\nHost:  w \r\nX-Y: a: b\r\nContent-Length: 5\r\n\r\n"
    headers = (("Host", "w"), ("X-Y", "a: b"), ("Content-Length", "5"))
    assert parse(data) == Head("POST", "/a?b=%41", "1.1", headers, 5)
