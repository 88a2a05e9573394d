"""The controller's end of the one line: what it says to displays and terminals, in their turn."""

from firmware.bus import card_messages, slots
from firmware.bus.display_host import DisplayHost
from firmware.bus.frame import Deframer
from firmware.bus.round_time import RoundTime
from firmware.bus.terminal_host import TerminalHost
from firmware.shims.typed import Any, Sequence


class TableLine:
    """Speaks for everybody, so that nobody speaks while an answer may be on its way.

    In a round each terminal is polled once and each display asked once.
    """

    def __init__(
        self, display_host: DisplayHost, terminal_host: "TerminalHost | None" = None
    ) -> None:
        """`terminal_host`: None where there are no terminals."""
        self.display_host = display_host
        self.terminal_host = terminal_host
        self.is_simulated = False  # whether what lies on a card table is, as displays are told
        self.arbiter = display_host.arbiter
        self._sides: list[Any] = [display_host]
        if terminal_host is not None:
            terminal_host.arbiter = self.arbiter  # one line, one voice
            self._sides.append(terminal_host)
        self._deframer = Deframer()
        self._asks = 0  # left in this round
        self._polls = 0
        self._round_us = 0  # when the next may begin
        slots_us = [] if terminal_host is None else list(terminal_host.slots_us)
        slots_us += [display_host.slot_us] * display_host.count
        extra_us = 0 if terminal_host is None else terminal_host.extra_us
        self._round_time = RoundTime(slots_us, extra_us)

    def show_view(self, view: Any) -> None:
        """Takes a new facts.View."""
        self.display_host.set_view(*view)
        if self.terminal_host is not None:
            self.terminal_host.set_state(view.state)

    def show_cards(self, view: Any) -> None:
        """Takes a new facts.CardView."""
        told = card_messages.of_view(view, is_simulated=self.is_simulated)
        self.display_host.set_cards(told)

    def tell_asks(self, name: "str | None") -> None:
        """Takes who asks to be the first supervisor, for the displays; None: nobody."""
        self.display_host.tell_asks(name)

    def is_behind(self) -> bool:
        """Tells whether a display that was heard does not yet light what was told last."""
        return self.display_host.is_behind()

    def troubles(self) -> "Sequence[tuple[str, str]]":
        """Gives what is newly wrong with a display or a terminal: (code, detail)."""
        return [trouble for side in self._sides for trouble in side.troubles()]

    def ended(self) -> "Sequence[tuple[str, str]]":
        """Gives what was told so of a display and has newly ended."""
        return self.display_host.ended()

    def take_asked(self) -> "Sequence[tuple[str, Any]]":
        """Gives what terminals have asked that is to be recorded first: (what, given)."""
        return [] if self.terminal_host is None else self.terminal_host.take_asked()

    def exchange(self, data: bytes, now_us: int) -> "list[bytes]":
        """Takes the bytes that came by `now_us`; the frames to send now, in order."""
        for payload in self._deframer.feed(data) if data else ():
            for side in self._sides:
                side.feed(payload, now_us)
        if self.arbiter.listening(now_us):
            return []
        frames = self.display_host.poll(now_us)
        # A question waits until the line is free: a decision may come first.
        if not frames and not self.arbiter.is_busy(now_us):
            question = self._question(now_us)
            if question is not None:
                frames = [question]
        return frames

    def due_us(self, now_us: int) -> int:
        """Tells when the next exchange after `now_us` may say something, if nothing comes and
        nothing is shown before."""
        if self.terminal_host is not None:  # has times of its own
            return now_us
        over_us = self.arbiter.over_us(now_us)
        if over_us > now_us or self._asks:
            return over_us
        return min(self._round_us, self.display_host.due_us(now_us))

    def _question(self, now_us: int) -> "bytes | None":
        """Returns the next ask or poll, if it is time for one."""
        host = self.terminal_host
        spare_us = 0
        if host is not None and host.extra_us:
            spare_us = self._round_time.spare_us(now_us)
            extra = host.poll_extra(now_us, spare_us)
            if extra:
                return extra
        if not self._asks and not self._polls:
            if now_us < self._round_us:
                return None
            self._round_us = now_us + slots.LEAST_ROUND_US
            self._asks = self.display_host.count
            self._polls = 0 if self.terminal_host is None else self.terminal_host.count
        while host is not None and self._polls:
            self._polls -= 1
            self._round_time.begin_turn(now_us)
            poll = host.poll(now_us, spare_us)
            if poll:
                return poll
        if not self._asks:
            return None
        self._asks -= 1
        self._round_time.begin_turn(now_us)
        return self.display_host.ask(now_us)
