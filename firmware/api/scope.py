"""The oscilloscope's side of the socket: edges out, but none that predicts.

Until the call nothing that predicts leaves the controller (DESIGN section 1). Edges of rotor and
ball do, so they are told at once only while no bet is open for what they belong to: out of play,
and from the call to the number. All others are held back, and come together with the next call.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

from firmware.api import answers
from firmware.api.connection import Client
from firmware.api.tachometer import CALLED
from firmware.core.coup import states
from firmware.core.coup.evidence import TIMES
from firmware.core.facts import Estimate, View
from firmware.ports import Edges

PERIOD_S = 0.05  # twenty frames a second: smooth to the eye, and some ten edges each
BEAT_S = 0.25  # told though nothing happens, so that a page knows that the wheel is there
# Held back at most: five minutes of a turning rotor, 50 edges a second. Older ones are lost.
HELD_MAX = 16_000
BATCHES_MAX = 4_000  # that the loop may be ahead of the thread: 40 s of its periods
FRAME_MAX = 1_000  # edges in one line, some 20 kB
OUT_MAX = 1_000_000  # bytes that wait for one who listens: all that was held back, and some


class Scope:
    """Keeps edges until they may be told. The loop writes, the service's thread reads."""

    def __init__(
        self,
        names: Sequence[str],
        levels: Sequence[int],
        start_us: int,
        called: tuple[str, ...] = CALLED,
    ) -> None:
        """`names` of the input lines in their order, and their `levels` before the first edge.

        `start_us`: what times are counted from. `called`: states, of tachometer.called.
        """
        self._free = (*called, *states.OUT_OF_PLAY)
        self.names = list(names)
        self._levels = [*levels, *[0] * (len(names) - len(levels))]
        self._start_us = start_us
        self._batches: deque[Sequence[tuple[int, int, int]]] = deque(maxlen=BATCHES_MAX)
        self._state: str | None = None
        self._held: list[tuple[int, int, int]] = []
        self._lost = 0
        # By line the last edge that came while nobody listened, and the last that no longer fitted.
        self._unheard: dict[int, tuple[int, int, int]] = {}
        self._last_lost: dict[int, tuple[int, int, int]] = {}
        self._clients: list[Client] = []
        self._told_us = 0
        self._moved_us = 0  # when edges were told last
        self._next_us = 0

    # --- the loop's side ------------------------------------------------------------------------
    def add_edges(self, batch: Sequence[tuple[int, int, int]]) -> None:
        """Takes what was read; some 0.1 us of work."""
        self._batches.append(batch)

    def show_view(self, view: View) -> None:
        """Takes the state that decides whether edges may be told."""
        self._state = view.state

    @property
    def is_free(self) -> bool:
        """Returns whether nothing that is told now predicts."""
        return self._state in self._free

    # --- the thread's side ------------------------------------------------------------------------
    def wait_s(self, now_us: int) -> float | None:
        """Returns how long the thread may wait until `frame` is to be called.

        None: nobody listens.
        """
        return max(0, self._next_us - now_us) / 1_000_000 if self._clients else None

    def add(self, client: Client) -> dict[str, Any]:
        """Sends a client edges from now on. Returns how the lines stand."""
        if client not in self._clients:
            self._clients.append(client)
            client.out_max = max(client.out_max, OUT_MAX)
        # Levels as told or as they were when telling ended: how the lines stand now predicts.
        return {"lines": self.names, "levels": list(self._levels)}

    def remove(self, client: Client) -> None:
        """Removes a client that wants no more, or is gone."""
        if client in self._clients:
            self._clients.remove(client)

    def drain(self) -> list[tuple[int, int, int]]:
        """Returns all edges read since the last call. Called by the thread whenever it wakes."""
        found: list[tuple[int, int, int]] = []
        while self._batches:
            found.extend(self._batches.popleft())
        self._held.extend(found)
        if not self._clients:
            # Who comes later hears of it no more than how the lines stood.
            self._unheard.update((edge[1], edge) for edge in self._held)
            self._held, self._lost = [], 0
            if self._state in self._free:
                self._pass(list(self._unheard.values()))
        elif len(self._held) > HELD_MAX:
            lost = self._held[:-HELD_MAX]
            self._last_lost.update((edge[1], edge) for edge in lost)
            del self._held[:-HELD_MAX]
            self._lost += len(lost)
        return found

    def frame(self, now_us: int, wheel_us: int) -> tuple[list[Client], list[bytes]]:
        """Returns who listens, and the lines for them; nobody before the next PERIOD_S.

        `wheel_us`: the same moment on the clock that stamps the edges.
        """
        if now_us < self._next_us or not self._clients:
            return [], []
        # On its grid, so that a late frame makes none of the next ones late.
        period_us = round(PERIOD_S * 1_000_000)
        self._next_us = max(self._next_us + period_us, now_us + period_us // 2)
        free = self._state in self._free
        told = [*sorted(self._unheard.values()), *self._held] if free else []
        if told:
            self._moved_us = now_us
        # A slow rotor makes no edge in some periods: its picture moves on all the same.
        beat_us = BEAT_S * 1_000_000
        moves = free and now_us - self._moved_us < beat_us
        if not moves and now_us - self._told_us < beat_us:
            return [], []
        self._told_us = now_us
        # How many were lost is how far the rotor has turned: not told before they may be.
        lost = self._lost if free else 0
        if free:
            self._pass(told)
        lines = []
        for at in range(0, max(len(told), 1), FRAME_MAX):
            edges = [
                (at_us - self._start_us, line, level)
                for at_us, line, level in told[at : at + FRAME_MAX]
            ]
            said = {"event": "edges", "t_us": wheel_us - self._start_us, "held": not free}
            lines.append(answers.line(said | {"lost": lost, "edges": edges}))
            lost = 0
        return list(self._clients), lines

    def estimate(self, fact: Estimate) -> tuple[list[Client], bytes]:
        """Returns who listens, and what a call went by.

        It comes with the call, so it may be told.
        """
        said = {
            key: value - self._start_us if key in TIMES else value
            for key, value in fact.said.items()
        }
        told = {"event": "estimate", "t_us": fact.at_us - self._start_us, "coup": fact.coup}
        return list(self._clients), answers.line(told | said)

    def _pass(self, edges: Sequence[tuple[int, int, int]]) -> None:
        """All that was held back is known from now on: the levels are those after it."""
        for _, line, level in sorted([*self._last_lost.values(), *edges]):
            if level >= 0 and line < len(self._levels):
                self._levels[line] = level
        self._held, self._lost, self._last_lost, self._unheard = [], 0, {}, {}


class HeardEdges:
    """The port `Edges` of another, whose batches the scope is given."""

    def __init__(self, edges: Edges, scope: Scope) -> None:
        self._read = edges.read
        self._take = scope.add_edges
        self.now_us = edges.now_us

    def read(self, until_us: int) -> Sequence[tuple[int, int, int]]:
        """Returns the other's own."""
        batch = self._read(until_us)
        if batch:
            self._take(batch)
        return batch
