"""The guide as a process: a controller's control socket in, a page or a terminal out."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure, unwritten_output
from firmware.lib.faces import Face, Screen, Silent, face_for
from firmware.lib.language import Message, translated
from firmware.lib.signal_fd import SIGINT, Wake
from firmware.services.guide.follower import Follower
from firmware.services.guide.picture import Drawn
from firmware.services.guide.server import Server
from firmware.services.guide.terminal_keys import TerminalKeys, is_typed_at
from firmware.shims.boottime import boot_us

_OPTION = "--page-port"
_STDIN = 0


class Choices(NamedTuple):
    """What people chose. `page_port` None: no page."""

    sockets: Path
    as_json: bool
    terminal: bool
    page_port: int | None


def run_guide(choices: Choices, out: TextIO) -> int:
    """Shows what is due at a card table until SIGINT, SIGTERM or SIGHUP. Returns the exit code.

    Raises Failure(FAILED) if the page cannot be served or `out` not be written, BrokenPipeError if
    nobody reads it any more. A controller that goes away is waited for. To be called in the main
    thread: it takes the signals.
    """
    face = face_for(out, as_json=choices.as_json, terminal=choices.terminal)
    with Wake() as wake:
        try:
            stopped_by = asyncio.run(_run(choices, face, wake, out))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Failure(FAILED, unwritten_output(error)) from error
        finally:
            face.close()
    return INTERRUPTED if stopped_by == SIGINT else OK


async def _run(choices: Choices, face: Face, wake: Wake, out: TextIO) -> int:
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[int] = loop.create_future()

    def woken() -> None:
        wake.read_signals()
        if wake.stopped_by is not None and not stopped.done():
            stopped.set_result(wake.stopped_by)

    loop.add_reader(wake.fileno(), woken)
    server = None
    if choices.page_port is not None:
        server = Server(boot_us)
        await server.start(choices.page_port, _OPTION)
        if isinstance(face, Silent):
            told = Message("The croupier's guide: {address}", address=server.address)
            print(translated(told), file=out, flush=True)
    shown = _Shown(face, server, stopped)
    follower = Follower(choices.sockets, boot_us, shown.show_scene)
    if server is not None:
        server.follower = follower
    following = asyncio.create_task(follower.run())
    try:
        with contextlib.ExitStack() as stack:
            if isinstance(face, Screen) and is_typed_at(_STDIN):
                keys = TerminalKeys(_STDIN, follower, boot_us, shown.draw)
                shown.keys = stack.enter_context(keys)
            await asyncio.wait((stopped, following), return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                following.result()
            return await stopped
    finally:
        loop.remove_reader(wake.fileno())
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        if server is not None:
            await server.close()


class _Shown:
    """What shows a scene everywhere; an output that cannot be written ends the process."""

    def __init__(self, face: Face, server: Server | None, stopped: asyncio.Future[int]) -> None:
        self._face = face
        self._server = server
        self._stopped = stopped
        self._scene: dict[str, Any] = {}
        self.keys: TerminalKeys | None = None  # of a terminal that has some

    def show_scene(self, scene: dict[str, Any], stood_us: int) -> None:
        """Shows it, on the terminal with what came of its last key."""
        if self._server is not None:
            self._server.show_scene(scene, stood_us)
        self._scene = scene
        self.draw()
        if self.keys is not None:
            self.keys.take_scene(scene if self._face.has_rows else {})

    def draw(self) -> None:
        """Draws what stands."""
        note = "" if self.keys is None else self.keys.note
        try:
            self._face.show_picture(Drawn(self._scene, note, self.keys is not None))
        except OSError as error:
            if not self._stopped.done():
                self._stopped.set_exception(error)
