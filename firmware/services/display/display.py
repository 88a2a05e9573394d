"""One display: what comes on its line, lit on its faces, and why it stays dark if it does."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Callable

from firmware.bus import message_bytes, messages
from firmware.bus.frame import Deframer
from firmware.bus.receiver import Receiver
from firmware.bus.slots import FRESH_US
from firmware.lib.errors import Failure
from firmware.lib.faces import Face
from firmware.lib.serial_line import Line, LineLostError
from firmware.lib.signal_fd import Wake
from firmware.services.display.cloth import NOTHING, Told
from firmware.services.display.scene import Director, Scene
from firmware.services.display.shown import Shown

# Dark for so long with bytes coming, it is no loss and no start any more.
PATIENCE_US = 3_000_000


class Hearing:
    """What comes over one line while the display is dark."""

    def __init__(self, port: str, baud: int) -> None:
        """Both as people know them."""
        self._port = port
        self._baud = baud
        self._deframer = Deframer()
        self._since_us: int | None = None
        self._frames = self._ours = self._wheel = 0
        self._told = False

    def receive(self, data: bytes, now_us: int, *, dark: bool) -> str | None:
        """Takes the bytes that came. Returns a sentence when it is time to say one, once for each
        time the display is dark."""
        if not dark:
            self._begin()
            return None
        if not data:
            return None
        if self._since_us is None:
            self._since_us = now_us
        for payload in self._deframer.feed(data):
            self._frames += 1
            kind = message_bytes.kind(payload)
            self._ours += kind != 0
            self._wheel += kind in (messages.HEARTBEAT, messages.ASK)
        if self._told or now_us - self._since_us < PATIENCE_US:
            return None
        self._told = True
        return self._sentence()

    def _begin(self) -> None:
        self._deframer = Deframer()
        self._since_us = None
        self._frames = self._ours = self._wheel = 0
        self._told = False

    def _sentence(self) -> str:
        if self._wheel:
            return (
                f"A wheel or a card table speaks on {self._port}, but not to this display: give it"
                " the address and the keys that it was provisioned with there."
            )
        if self._frames and not self._ours:
            return f"What speaks on {self._port} is of another version: install one on both."
        return (
            f"Something comes on {self._port}, and no wheel: check what is plugged in there, its"
            f" cable, and that it speaks at {self._baud} baud."
        )


# How long it waits at most: a port that is gone is tried as often.
_WAIT_US = 500_000


class Display:
    """One line, one receiver, its face, its pages, one clock (microseconds, monotonic)."""

    def __init__(
        self, line: Line, face: Face, receiver: Receiver, clock: Callable[[], int]
    ) -> None:
        self.line = line
        self.clock = clock
        self._face = face
        self._page: Callable[[Scene], None] | None = None
        self._receiver = receiver
        self._director = Director()
        self._hearing = Hearing(line.port, line.baud)
        self._note = self._standing = ""
        self._listened_us = clock()

    def serve(self, page: Callable[[Scene], None]) -> None:
        """Has every scene told to the pages too, again and again while it stands."""
        self._page = page

    def run(self, wake: Wake) -> int:
        """Runs until a signal stops it; returns its number."""
        while True:
            self.light_faces()
            waits_for: list[Wake | Line] = [wake, self.line] if self.line.is_open else [wake]
            ready, _, _ = select.select(waits_for, [], [], self.wait_us() / 1e6)
            if wake in ready:
                wake.read_signals()
                if wake.stopped_by is not None:
                    return wake.stopped_by
            self.step(self.line in ready)

    def light_faces(self) -> None:
        """Lights what is to be lit now, on the face and on the pages."""
        now_us = self.clock()
        receiver = self._receiver
        lit, told = receiver.lit, NOTHING
        if lit.game is not None and messages.is_card_game(lit.game):
            told = Told(receiver.cards, receiver.round_end, receiver.ends, receiver.first)
        scene = self._director.scene(lit, now_us, lambda: receiver.outcomes, receiver.asks, told)
        self._face.show_picture(Shown(scene, self._note, now_us))
        if self._page is not None:
            self._page(scene)

    def wait_us(self) -> int:
        """Returns when to call `step` again if nothing comes before."""
        deadline_us = self._receiver.deadline_us
        if deadline_us is None:
            return _WAIT_US
        return max(0, min(_WAIT_US, deadline_us - self.clock()))

    def step(self, readable: bool) -> None:
        """Lets time pass and takes what came; `readable` says that something did."""
        now_us = self.clock()
        overslept = now_us - self._listened_us > FRESH_US
        self._listened_us = now_us
        self._receiver.tick(now_us)
        if not self.line.is_open:
            self._try_again()
            return
        try:
            if overslept:
                # Suspended, or held up by a reader: dark by now, and what waits here is old.
                self.line.forget()
            elif readable:
                data = self.line.read()
                reply = self._receiver.feed(data, now_us)
                if reply:
                    self.line.write(reply)
                while self._receiver.work():
                    self._receiver.tick(self.clock())
                self._explain(data, now_us)
        except LineLostError:
            self._receiver.drop()
            self._note = f"The port {self.line.port} is gone: plug it in again, the display waits."
            self._tell(self._note)

    def set_notice(self, sentence: str) -> None:
        """Puts a sentence on the bottom line, for as long as there is nothing else to say."""
        self._note = self._standing = sentence
        self._tell(sentence)

    def _explain(self, data: bytes, now_us: int) -> None:
        dark = self._receiver.deadline_us is None
        why = self._hearing.receive(data, now_us, dark=dark)
        if why is not None:
            self._note = why
            self._tell(why)
        elif not dark:
            self._note = self._standing

    def _try_again(self) -> None:
        try:
            self.line.open()
        except Failure:
            return
        self._note = self._standing

    def _tell(self, sentence: str) -> None:
        """On standard error too, unless that is a screen which has it."""
        if not (self._face.has_rows and sys.stderr.isatty()):
            with contextlib.suppress(OSError):  # nobody reads it any more: no reason to go dark
                print(sentence, file=sys.stderr, flush=True)
