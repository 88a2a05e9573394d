"""What the loop needs of a machine, as Protocols. The app chooses who provides each.

Every call returns at once, except `Edges.read`, which is where the loop sleeps.
Times are microseconds of the machine's one monotonic clock (CLOCK_MONOTONIC on Linux, the clock of
the kernel's edge stamps; the simulator's own elsewhere).
"""

from firmware.shims.typed import Any, Protocol, Sequence


class Edges(Protocol):
    """Timed edges of all input lines, from whatever watches them."""

    def read(self, until_us: int) -> Sequence[tuple[int, int, int]]:
        """Waits for edges, no later than `until_us`; returns (at_us, line, level) in order of time.

        `line` is the index in the board's `inputs`; `level` is 0, 1 or facts.DOUBT. An empty
        answer says that none came by `until_us`, or by now if that is sooner. Nothing stamped
        earlier comes in a later answer.
        """
        ...

    def now_us(self) -> int:
        """Returns the time of the clock that stamps the edges."""
        ...


class MotorPort(Protocol):
    """The rotor's motor, its enable and its safety inputs (drivers.rotor_motor)."""

    @property
    def due_us(self) -> int:
        """Before then a poll only moves the enable's wave and looks at the safety inputs."""
        ...

    def drive(self, direction: int, now_us: int, speed_uturn_s: int | None) -> None:
        """Turns the rotor ccw (1) or cw (-1), or lets it run out (0). Ramps; never a step.

        `speed_uturn_s`: how fast; None: as the house wants it."""
        ...

    def poll(self, now_us: int, speed_uturn_s: int) -> str | None:
        """Once every PERIOD_US: the enable's square wave, the ramp, the checks against the
        encoder's signed speed. Returns the code of a new fault, or None."""
        ...

    def stop(self) -> None:
        """Turns the motor and its enable off at once. May be called at any time, twice too."""
        ...

    def effort(self) -> "tuple[int | None, int] | None":
        """Returns how long the last spin-up from rest took (us; None: it was none, or is not
        over), and how hard the motor drives now (permille). None: there is no motor."""
        ...


class Store(Protocol):
    """Makes records durable, out of the loop's way."""

    def put(self, ticket: int, kind: str, body: Any) -> None:
        """Takes a record for writing; `done` names its ticket once it is durable."""
        ...

    def done(self) -> Sequence[int]:
        """Returns the tickets that became durable since the last call."""
        ...

    def trouble(self) -> str | None:
        """Returns a sentence if writing fails now, told as fault S10, else None."""
        ...


class Bus(Protocol):
    """The line to the displays."""

    def show_view(self, view: Any) -> None:
        """Gives the displays a new facts.View."""
        ...

    def poll(self, now_us: int) -> str | None:
        """Sends what is due, opens a lost port again. Returns a sentence on what is newly wrong,
        told as fault B10, or None."""
        ...

    def due_us(self, now_us: int) -> int:
        """Returns before when no poll after one at `now_us` changes anything, unless somebody is
        shown or told something. Asked where time jumps."""
        ...

    def is_behind(self) -> bool:
        """Returns whether a display that answers does not yet light what was told last."""
        ...


class FactListener(Protocol):
    """Whoever listens to facts: the socket, the JSON lines of `cylindre run`, the log."""

    def take_fact(self, fact: Any) -> None:
        """Takes one fact; drops it rather than wait."""
        ...


class EventSource(Protocol):
    """Where events come in that no edge brings: the service socket, the slow sensors."""

    def take_events(self) -> Sequence[Any]:
        """Returns events of facts.py (VoidAsked, Trouble, ...) since the last call,
        with at_us = 0: the loop stamps them."""
        ...

    def decided(self, refusal: str | None) -> None:
        """Takes the core's decision on each event taken, in their order.

        `refusal`: the sentence of its fault P10, or None if the event was accepted."""
        ...
