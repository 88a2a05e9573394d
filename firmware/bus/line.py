"""The controller's end of the one line: what it says to displays and terminals, in their turn."""

from firmware.bus.host import Host
from firmware.bus.sender import Talker
from firmware.shims.typed import Any


class TableLine:
    """Everything said goes through here, so that nobody speaks while a terminal may be replying."""

    def __init__(self, talker: Talker, host: "Host | None" = None) -> None:
        """`host`: None where there are no terminals; then displays are spoken to at any time."""
        self.host = host
        self._talker = talker

    def show(self, view: Any) -> None:
        """Takes a new facts.View."""
        self._talker.show(*view)
        if self.host is not None:
            self.host.show(view.state)

    def exchange(self, data: bytes, now_us: int) -> list[bytes]:
        """Takes the bytes that came by `now_us`; the frames to send now, in order."""
        if self.host is None:
            return self._talker.poll(now_us)
        self.host.feed(data, now_us)
        if self.host.listening(now_us):
            return []
        frames = self._talker.poll(now_us)
        for frame in frames:
            self.host.said(len(frame), now_us)
        poll = self.host.poll(now_us)
        if poll is not None:
            frames.append(poll)
        return frames
