"""Viewers of the service page, as a bench has them: `python -m tools.page.load`.

Opens real HTTPS streams, each as a tablet with the oscilloscope open does, reads them for a while,
and prints what came, how evenly, and what the page's and the controller's processes used of a core
(utime and stime of /proc/PID/stat). Edges need a login: --as and --pin-file.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import time
from pathlib import Path
from typing import Any

import click

from tools.exits import FAILED, Failure
from tools.pin_entry import ask_pin, pin_file_option

_TICKS_S = os.sysconf("SC_CLK_TCK")


class Viewer:
    """One open page: counts what it is told."""

    def __init__(self) -> None:
        self.events: dict[bytes, int] = {}
        self.size = 0
        self.gap_s = 0.0  # the longest between two frames of edges
        self._frame_s: float | None = None

    def take(self, line: bytes) -> None:
        """A line of the stream."""
        self.size += len(line)
        if not line.startswith(b"event: "):
            return
        name = line[7:].strip()
        self.events[name] = self.events.get(name, 0) + 1
        if name == b"edges":
            now_s = time.monotonic()
            if self._frame_s is not None:
                self.gap_s = max(self.gap_s, now_s - self._frame_s)
            self._frame_s = now_s


@click.command()
@click.argument("address", metavar="HOST:PORT")
@click.option("--viewers", default=5, show_default=True, type=click.IntRange(1, 24))
@click.option("--for", "lasts_s", default=20.0, show_default=True, help="Seconds.")
@click.option("--as", "name", metavar="NAME", help="Who is logged in at each.")
@pin_file_option("--pin-file")
@click.option("--pid", "pids", multiple=True, type=int, help="Processes whose time is measured.")
def command(
    address: str,
    viewers: int,
    lasts_s: float,
    name: str | None,
    pin_file: Path | None,
    pids: tuple[int, ...],
) -> None:
    """Look at the page at HOST:PORT with so many viewers; print one JSON object."""
    pin = "" if name is None else ask_pin(name, pin_file)
    host, _, port = address.rpartition(":")
    click.echo(json.dumps(asyncio.run(looked(host, int(port), viewers, lasts_s, name, pin, pids))))


async def looked(
    host: str,
    port: int,
    viewers: int,
    lasts_s: float,
    name: str | None,
    pin: str,
    pids: tuple[int, ...],
) -> dict[str, Any]:
    """What the viewers saw, and what it cost."""
    cookie = "" if name is None else await _log_in(host, port, name, pin)
    seen = [Viewer() for _ in range(viewers)]
    streams = [await _open(host, port, cookie) for _ in seen]
    before, began_s = [_used_s(pid) for pid in pids], time.monotonic()
    reading = [
        asyncio.create_task(_read(reader, viewer))
        for (reader, _), viewer in zip(streams, seen, strict=True)
    ]
    await asyncio.wait(reading, timeout=lasts_s)
    took_s = time.monotonic() - began_s
    used = {pid: _used_s(pid) - was for pid, was in zip(pids, before, strict=True)}
    for task, (_, writer) in zip(reading, streams, strict=True):
        task.cancel()
        writer.transport.abort()
    await asyncio.gather(*reading, return_exceptions=True)
    frames = [viewer.events.get(b"edges", 0) for viewer in seen]
    return {
        "viewers": viewers,
        "seconds": round(took_s, 1),
        "frames_s": [round(count / took_s, 1) for count in frames],
        "longest_gap_ms": [round(viewer.gap_s * 1000) for viewer in seen],
        "kilobytes_s": round(sum(viewer.size for viewer in seen) / took_s / 1000, 1),
        "core_percent": {str(pid): round(100 * used_s / took_s, 1) for pid, used_s in used.items()},
    }


async def _read(reader: asyncio.StreamReader, viewer: Viewer) -> None:
    while line := await reader.readline():
        viewer.take(line)


async def _open(
    host: str, port: int, cookie: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(host, port, ssl=_tls(), limit=1 << 20)
    head = f"GET /events?edges=1 HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\n\r\n"
    writer.write(head.encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def _log_in(host: str, port: int, name: str, pin: str) -> str:
    """The cookie. Raises Failure."""
    reader, writer = await asyncio.open_connection(host, port, ssl=_tls())
    body = json.dumps({"name": name, "pin": pin}).encode()
    head = (
        f"POST /api/login HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: https://{host}:{port}\r\n"
        f"X-Cylindre-Token: page\r\nContent-Type: application/json\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    told = (await reader.readuntil(b"\r\n\r\n")).decode()
    writer.transport.abort()
    for line in told.split("\r\n"):
        field, _, value = line.partition(":")
        if field.lower() == "set-cookie":
            return value.strip().partition(";")[0]
    raise Failure(FAILED, f"The page does not let {name} in: {told.splitlines()[0]}.")


def _tls() -> ssl.SSLContext:
    """Takes any certificate: a bench looks at its own wheel."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _used_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_S


if __name__ == "__main__":
    command()
