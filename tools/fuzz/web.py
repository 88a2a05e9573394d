"""A page's web server against whatever comes over a connection of this machine.

It is the table display's, with its files and its stream; the service page stands on the same.
"""

from __future__ import annotations

import asyncio
import re

from firmware.lib.places import HOST
from firmware.services.display.server import Server
from tools.fuzz.choices import Choices

_WAIT_S = 10.0  # who has said all is answered at once: longer is a hang
_HOSTS = (b"127.0.0.1:8037", b"localhost", b"casino.example", b"[::1]", b"")
_PATHS = (b"/", b"/page.mjs", b"/words.mjs", b"/..%2fserver.py", b"/%00", b"//", b"/a?b=%ff&c")
_STREAM = b"text/event-stream"  # an answer that has no end
# An answer's head: what a browser takes, and no header that a request brought in.
_HEAD = re.compile(rb"HTTP/1\.1 [2-5]\d\d [ -~]+\r\n(?:[A-Za-z-]+: [ -~]*\r\n)+\r\n")


def _request(choose: Choices) -> bytes:
    """A request that is nearly one."""
    method = choose.one((b"GET", b"GET", b"HEAD", b"POST", b"OPTIONS", b"get", choose.run(3)))
    path = choose.one((*_PATHS, choose.run(choose.below(40))))
    head = method + b" " + path + choose.one((b" HTTP/1.1", b"", b" HTTP/9", b" x y")) + b"\r\n"
    head += b"Host: " + choose.one(_HOSTS) + b"\r\n"
    for _ in range(choose.below(4)):
        name = choose.one((b"Host", b"Content-Length", b"Transfer-Encoding", b"Cookie",
                           b"Accept-Encoding", b"Content-Type", choose.run(4)))  # fmt: skip
        value = choose.one((b"0", b"5", b"-1", b"99999999999", b"chunked", b"gzip",
                            b"a=b; c", choose.run(choose.below(20))))  # fmt: skip
        head += name + choose.one((b": ", b":", b"")) + value + b"\r\n"
    return head + b"\r\n" + choose.run(choose.below(16))


class _Visitor:
    """Whoever connects: one after the other, to one server."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._server: Server | None = None

    def ask(self, said: bytes) -> bytes:
        """Returns all that is answered until the server hangs up."""
        return self._loop.run_until_complete(self._ask(said))

    async def _ask(self, said: bytes) -> bytes:
        if self._server is None:
            self._server = Server(lambda: 0)
            await self._server.start(0)
        told = b""
        reader, writer = await asyncio.open_connection(HOST, self._server.port)
        try:
            writer.write(said)
            writer.write_eof()
            async with asyncio.timeout(_WAIT_S):
                while (piece := await reader.read(65536)) and _STREAM not in told:
                    told += piece
        except TimeoutError:
            raise AssertionError(f"no answer within {_WAIT_S} s") from None
        except OSError:
            pass  # it hung up before all was said
        finally:
            writer.transport.abort()
        return told


_VISITOR = _Visitor()


def play(data: bytes) -> None:
    """Asks what these bytes choose, or these bytes themselves."""
    choose = Choices(data)
    if choose.below(2):
        said = b"".join(_request(choose) for _ in range(1 + choose.below(3)))
    else:
        said = choose.rest()
    told = _VISITOR.ask(said)
    if told:
        assert _HEAD.match(told), told[:400]
        assert b"Content-Security-Policy: default-src 'none'" in told.partition(b"\r\n\r\n")[0]
