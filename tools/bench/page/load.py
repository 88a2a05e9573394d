"""Viewers of the service page, as a bench has them: `python -m tools.bench.page.load`.

Opens real HTTPS streams, each as a tablet with the oscilloscope open does, reads them for a while,
and prints what came, how evenly, and what the page's and the controller's processes used of a core
(utime and stime of /proc/PID/stat). Edges need a login: --as and --pin-file.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any

import click

from firmware.keys.pin_entry import ask_pin, pin_file_option
from firmware.lib.errors import FAILED, Failure
from tools.bench.page.client import Client, tls
from tools.bench.page.viewer import Viewer, alike

TOUCH_S = 120.0  # somebody touches each tablet that often: a session ends after 15 idle minutes
PATIENCE_S = 60.0  # a busy machine starts a controller in seconds
RETRY_S = 8.0  # more than eight tries a minute are refused (firmware/services/page/logins.py)
SAMPLE_S = 10.0  # the busiest so many seconds are told besides the mean
_TICKS_S = os.sysconf("SC_CLK_TCK")


@click.command()
@click.argument("address", metavar="HOST:PORT")
@click.option(
    "--viewers",
    default=5,
    show_default=True,
    type=click.IntRange(0, 24),
    help="0: nobody looks, and the page may be away; processes are measured all the same.",
)
@click.option("--for", "lasts_s", type=float, help="Seconds.  [default: until its input ends]")
@click.option("--as", "name", metavar="NAME", help="Who is logged in at each.")
@pin_file_option("--pin-file")
@click.option("--pid", "pids", multiple=True, type=int, help="Processes whose time is measured.")
@click.option(
    "--edges",
    "kept",
    type=click.Path(path_type=Path),
    help="Write all edges that the first viewer was told there, as JSON.",
)
def command(
    address: str,
    viewers: int,
    lasts_s: float | None,
    name: str | None,
    pin_file: Path | None,
    pids: tuple[int, ...],
    kept: Path | None,
) -> None:
    """Look at the page at HOST:PORT with so many viewers; print one JSON object.

    A line {"looking": true} comes before it, when all streams are open.
    """
    pin = "" if name is None else ask_pin(name, pin_file)
    host, _, port = address.rpartition(":")
    seen = [Viewer(keeps=kept is not None and not at) for at in range(viewers)]
    found = asyncio.run(looked(host, int(port), seen, lasts_s, name, pin, pids))
    if kept is not None:
        kept.write_text(json.dumps(seen[0].edges))
    click.echo(json.dumps(found))


async def looked(
    host: str,
    port: int,
    seen: list[Viewer],
    lasts_s: float | None,
    name: str | None,
    pin: str,
    pids: tuple[int, ...],
) -> dict[str, Any]:
    """What the viewers saw, and what it cost. `lasts_s` None: until standard input ends."""
    client = Client(port, PATIENCE_S, host)
    if name is not None:
        await _log_in(client, name, pin)
    streams = [await _open(client) for _ in seen]
    click.echo(json.dumps({"looking": True}))
    sys.stdout.flush()
    began_s = time.monotonic()
    usage = Usage(pids)
    working = [
        asyncio.create_task(_read(reader, viewer))
        for (reader, _), viewer in zip(streams, seen, strict=True)
    ]
    working += [asyncio.create_task(_touch(client)) for _ in seen]
    working.append(asyncio.create_task(usage.watch()))
    await (_input_ended() if lasts_s is None else asyncio.sleep(lasts_s))
    took_s = time.monotonic() - began_s
    used = usage.by_process()
    for task in working:
        task.cancel()
    for _, writer in streams:
        writer.transport.abort()
    ended = await asyncio.gather(*working, return_exceptions=True)
    broken = [repr(each) for each in ended if not isinstance(each, asyncio.CancelledError)]
    return {
        "viewers": len(seen),
        "broken": broken,
        "seconds": round(took_s, 1),
        "frames_s": [round(viewer.frames / took_s, 1) for viewer in seen],
        "moving": [viewer.moving() for viewer in seen],
        "longest_gap_ms": [round(viewer.gap_s * 1000) for viewer in seen],
        "edges": [viewer.count for viewer in seen],
        "lost": [viewer.lost for viewer in seen],
        "alike": alike(seen),
        "kilobytes_s": round(sum(viewer.size for viewer in seen) / took_s / 1000, 1),
    } | used


class Usage:
    """What processes use of a core, from now on, and how much of memory."""

    def __init__(self, pids: tuple[int, ...]) -> None:
        self._pids = pids
        self._began = self._last = self._now()
        self._most = dict.fromkeys(pids, 0.0)

    async def watch(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(SAMPLE_S)
            now = self._now()
            self._most = {
                pid: max(self._most[pid], _percent(pid, self._last, now)) for pid in self._pids
            }
            self._last = now

    def by_process(self) -> dict[str, Any]:
        """By process: percents of a core, of all the time and of its busiest part; megabytes."""
        now = self._now()
        percents = {pid: _percent(pid, self._began, now) for pid in self._pids}
        return {
            "core_percent": {str(pid): round(value, 1) for pid, value in percents.items()},
            "core_percent_most": {
                str(pid): round(max(self._most[pid], percents[pid]), 1) for pid in self._pids
            },
            "resident_mb": {str(pid): round(_resident_mb(pid), 1) for pid in self._pids},
        }

    def _now(self) -> tuple[float, dict[int, float]]:
        return time.monotonic(), {pid: _used_s(pid) for pid in self._pids}


def _percent(
    pid: int, before: tuple[float, dict[int, float]], after: tuple[float, dict[int, float]]
) -> float:
    return 100 * (after[1][pid] - before[1][pid]) / max(after[0] - before[0], 1e-3)


async def _read(reader: asyncio.StreamReader, viewer: Viewer) -> None:
    while line := await reader.readline():
        viewer.read_line(line)


async def _touch(client: Client) -> None:
    """Looks at the parts now and then, as somebody does who has not gone home."""
    while True:
        await asyncio.sleep(TOUCH_S)
        await asyncio.to_thread(client.ask, "/api/parts")


async def _open(client: Client) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(
        client.host, client.port, ssl=tls(), limit=1 << 20
    )
    writer.write(client.asks("/events?edges=1"))
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def _log_in(client: Client, name: str, pin: str) -> None:
    """A page that has just begun finds its controller soon. Raises Failure."""
    give_up_s = time.monotonic() + PATIENCE_S
    while True:
        status, told = await asyncio.to_thread(client.log_in, name, pin)
        if status == HTTPStatus.OK:
            return
        if time.monotonic() > give_up_s:
            raise Failure(FAILED, f"The page does not let {name} in: {status}, {told}.")
        await asyncio.sleep(RETRY_S)


async def _input_ended() -> None:
    """Returns when nobody writes to standard input any more."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    await reader.read()


def _used_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_S


def _resident_mb(pid: int) -> float:
    """The most that has been resident so far."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    command()
