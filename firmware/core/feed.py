"""Feeds a recorded run through a controller: its edges, the ticks it asks for, its records.

The one place that does it for replays, for the MicroPython check and for the tests. Causal: what
comes out at time t depends on edges up to t alone.
"""

from firmware.core import facts
from firmware.shims.typed import TYPE_CHECKING, Any, Iterable, Iterator, Sequence

if TYPE_CHECKING:
    from firmware.core.controller import Controller


# As the line of an edge: no line changed, time has only come this far. The last edge of a run.
TIME_ONLY = -1

# More ticks than this at one instant are no work but a core that cannot stop asking.
TICKS_MAX = 16

# Orders that a recorded run has nobody to carry out for, and what only some may know.
_UNHEEDED = (facts.Drive, facts.View, facts.CallProgress, facts.Estimate, facts.Act)


def feed(
    controller: "Controller", edges: "Iterable[tuple[int, int, int]]", levels: Sequence[int]
) -> "Iterator[Any]":
    """Yields the facts of a run as they are decided.

    `levels` are the lines' levels before the first edge, in the board's order; `edges` are
    (at_us, line, level), times never decreasing. A coup still open at the end is void. Every
    record counts as durable at once. If `edges` raises, all that was decided before is out.
    """
    for line, level in enumerate(levels):
        controller.preset(line, level)
    for fact in _recorded(controller, 0, controller.begin_play(0)):
        yield fact
    at_us = 0
    for at_us, line, level in edges:
        due_us = controller.deadline_us
        if due_us is not None and due_us <= at_us:
            for fact in _tick_until(controller, at_us):
                yield fact
        if line != TIME_ONLY:
            answer = controller.edge(at_us, line, level)
            if answer:
                for fact in _recorded(controller, at_us, answer):
                    yield fact
    for fact in _recorded(controller, at_us, controller.finish(at_us)):
        yield fact


def _tick_until(controller: "Controller", at_us: int) -> list[Any]:
    """Returns every tick that falls due by `at_us`, each at its own time."""
    out: list = []  # type: ignore[type-arg]
    times = 0
    due_us = controller.deadline_us
    while due_us is not None and due_us <= at_us:
        out.extend(_recorded(controller, due_us, controller.handle(facts.Tick(due_us))))
        times = times + 1 if controller.deadline_us == due_us else 0
        assert times < TICKS_MAX, "a tick that changes nothing would come for ever"
        due_us = controller.deadline_us
    return out


def _recorded(controller: "Controller", at_us: int, answer: Sequence[Any]) -> list[Any]:
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
