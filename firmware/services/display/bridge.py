"""A display that serves a page: the serial line and the pages in one process, by asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from firmware.lib.scene_site import BEAT_S
from firmware.lib.signal_fd import Wake
from firmware.services.display.display import Display
from firmware.services.display.server import Server


def run_bridge(display: Display, wake: Wake, port: int, opened: Callable[[str], None]) -> int:
    """Runs until a signal stops it; returns its number. `opened` is told the page's address."""
    return asyncio.run(_bridge(display, wake, port, opened))


async def _bridge(display: Display, wake: Wake, port: int, opened: Callable[[str], None]) -> int:
    server = Server(display.clock)
    await server.start(port)
    opened(server.address)
    display.serve(server.show_scene)
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    readable: set[int] = set()

    def came(handle: int) -> None:
        readable.add(handle)
        loop.remove_reader(handle)  # until it has been read: it would come again at once
        ready.set()

    loop.add_reader(wake.fileno(), came, wake.fileno())
    try:
        while True:
            display.light_faces()
            watched = display.line.fileno() if display.line.is_open else -1
            if watched >= 0:
                loop.add_reader(watched, came, watched)
            # Oftener than the display alone needs: each page is told that the scene still stands.
            timer = loop.call_later(min(display.wait_us() / 1e6, BEAT_S / 2), ready.set)
            await ready.wait()
            timer.cancel()
            ready.clear()
            if watched >= 0:
                loop.remove_reader(watched)  # the step may close it
            if wake.fileno() in readable:
                wake.read_signals()
                if wake.stopped_by is not None:
                    return wake.stopped_by
                loop.add_reader(wake.fileno(), came, wake.fileno())
            display.step(watched in readable)
            readable.clear()
    finally:
        loop.remove_reader(wake.fileno())
        await server.close()
