"""Feeds a recorded run through a controller: its edges, the ticks it asks for, its records.

The one place that does it for replays, for the MicroPython check and for the tests. Causal: what
comes out at time t depends on edges up to t alone. When ticks come is the same here and in
firmware/loop.py: `tick_times`.
"""

from firmware.core import facts
from firmware.shims.typed import TYPE_CHECKING, Iterable, Iterator, Protocol, Sequence

if TYPE_CHECKING:
    from firmware.core.controller import Controller


# As the line of an edge: no line changed, time has only come this far. The last edge of a run.
TIME_ONLY = -1

# More ticks than this at one instant are no work but a core that cannot stop asking.
TICKS_MAX = 16

# Orders that a recorded run has nobody to carry out for, and what only some may know.
_UNHEEDED = (facts.Drive, facts.View, facts.CallProgress, facts.Estimate, facts.Act)


class Due(Protocol):
    """When something is due."""

    @property
    def due_us(self) -> int | None:
        """Returns the time, or None."""
        ...


class Ticking(Protocol):
    """A core that asks for ticks."""

    @property
    def timers(self) -> Due:
        """Returns what says when the core wants a Tick, always the same."""
        ...


def feed(
    controller: "Controller", edges: "Iterable[tuple[int, int, int]]", levels: Sequence[int]
) -> "Iterator[facts.Fact]":
    """Yields the facts of a run as they are decided.

    `levels` are the lines' levels before the first edge, in the board's order; `edges` are
    (at_us, line, level), times never decreasing. A coup still open at the end is void. Every
    record counts as durable at once. If `edges` raises, all that was decided before is out.
    """
    for line, level in enumerate(levels):
        controller.preset(line, level)
    for fact in _recorded(controller, 0, controller.begin_play(0)):
        yield fact
    at_us = now_us = 0
    timers = controller.timers
    for at_us, line, level in edges:
        due_us = timers.due_us
        if due_us is not None and due_us <= at_us:
            for tick_us in tick_times(controller, now_us, at_us):
                answer = controller.handle(facts.Tick(tick_us))
                for fact in _recorded(controller, tick_us, answer):
                    yield fact
        now_us = at_us
        if line != TIME_ONLY:
            answer = controller.edge(at_us, line, level)
            if answer:
                for fact in _recorded(controller, at_us, answer):
                    yield fact
    for fact in _recorded(controller, at_us, controller.finish(at_us)):
        yield fact


def tick_times(core: Ticking, now_us: int, until_us: int) -> "Iterator[int]":
    """Yields the time of each tick that the core asks for, up to `until_us`, none before `now_us`.

    Who takes a time gives the core that tick before taking the next.
    """
    again = 0
    due_us = core.timers.due_us
    while due_us is not None and due_us <= until_us:
        if due_us > now_us:
            now_us = due_us
            again = 0
        assert again < TICKS_MAX, "a tick that changes nothing would come for ever"
        again += 1
        yield now_us
        due_us = core.timers.due_us


def _recorded(controller: "Controller", at_us: int, answer: "facts.Answer") -> "list[facts.Fact]":
    """Returns the facts of an answer, its records acknowledged at once, and the facts of that."""
    out = []
    waiting = list(answer)
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, facts.Record):
            waiting.extend(controller.handle(facts.Recorded(at_us, item.ticket)))
        elif not isinstance(item, _UNHEEDED):
            out.append(item)
    return out
