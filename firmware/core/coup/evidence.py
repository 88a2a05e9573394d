"""What explains a coup: why the call came when it did, what each sensor said, who confirmed.

Kept while the coup is played, as the core has it anyway, and recorded just before the coup's end:
until then nobody outside is told, for it holds what was predicted. All times are microseconds from
the coup's beginning, all lists short: some 900 bytes of JSON, 8 kB with the longest names.

The record's body holds, besides `coup`, `seq` and `at_us` (when the end was decided), what of this
is known:

    rotor_us     the rotor's way was known; rotor_due: the way it had to turn (0: either);
                 driven: because the motor was told to, else because it had turned the other way
    flung_us     the plate was set in motion
    ball_us      the ball was in the track for certain
    call         {at_us, why, ...}: `why` is a key of CALLS, with what that reason went by
    drop         {at_us, by, seen_us}: `by` is a key of DROPS; a beam saw the ball last at seen_us
    turns_uturn  the ball's travel in the track that beams prove; beams: how often each saw it
    gap          between which two beams the ball left the track: counter-clockwise from that beam;
                 absent where beams missed it, and of all but roulette
    gaps_ppm     the chance of each gap, as the ball's motion foretold it at the call, 1 000 000 in
                 all; only of a call by prediction or threshold
    slowing_ppm  how much more than call/curve.py's prior the ball slowed at the cautious speed
    launch_place the compartment, in order of the ring, that passed the first beam when the ball
                 first did
    rotor_uturn_s  the rotor's speed at the drop, without sign
    spin_up_us   what the motor took from rest to nine tenths of the rotor's speed; duty_permille:
                 how hard it drove at the drop; neither where a hand turns the rotor
    settled_us   from the drop to the first vote, or since the cup alone has seen the ball
    votes        [[sensor, compartment, residual_uturn, at_us], ...] that named the number
    against      the same of what was seen elsewhere since the drop; of a void: all that was seen
    limit_uturn  the residual above which a detection is no vote; dead: the sensor known dead
    slips        steps of the encoder that the zero mark corrected
    cups         [[cup, dark since], ...] of a dish; held_us: how long the ball lay alone
    came         how often a cup saw something come since the throw
    faults       [[at_us, code, detail], ...] told during the coup, each once; ended: those that
                 ended in it and did not come again, by their last end
    who, manager, why, undetected    who confirmed or declared; of a number entered by hand, why
    layout       the hash of the order of compartments that was used
"""

from firmware.shims.typed import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from firmware.core.sense.ring import Detection

# Why the call came, and how the drop was seen.
PREDICTED = "predicted"
THRESHOLD = "threshold"
SILENCE = "silence"
PRESS = "press"
THROW = "throw"
DROP = "drop"
RING = "ring"
CUP = "cup"
PEOPLE = "people"
# fmt: off
CALLS = (
    (PREDICTED, "the ball's speed was predicted to fall to that of the call"),
    (THRESHOLD, "the ball's lap had become as long as the threshold"),
    (SILENCE, "the beams no longer saw the ball, which might have left the track"),
    (PRESS, "the croupier pressed the button"),
    (THROW, "the ball was thrown"),
    (DROP, "the ball was seen to leave the track"),
    (PEOPLE, "people were to enter the number"),
)
DROPS = (
    (SILENCE, "the beams no longer saw it"),
    (RING, "the ring of compartments saw it"),
    (CUP, "a cup saw it"),
)
# fmt: on

TIMES = ("drop_us", "throw_us", "press_us", "seen_us")  # in what a call or a drop went by
DETECTIONS_MAX = 12  # as voting.KEPT
FAULTS_MAX = 8  # a coup with more is not explained by the ninth
DETAIL_MAX = 64  # characters of a fault's detail
CUPS_MAX = 8


class Evidence:
    """Takes notes of one coup after the other."""

    def __init__(self) -> None:
        """Begins with nothing known: a coup that a restart interrupted has no beginning."""
        self._from_us: Any = None
        self._said: dict[str, Any] = {}
        self._faults: list[Any] = []
        self._ended: list[Any] = []

    def begin_coup(self, at_us: int) -> None:
        """Begins a coup; times are counted from now."""
        self._from_us = at_us
        self._said = {}
        self._faults = []
        self._ended = []

    @property
    def begun(self) -> bool:
        """Returns whether the coup's beginning was seen."""
        return self._from_us is not None

    def note(self, key: str, value: object) -> None:
        """Keeps a value that is no time."""
        self._said[key] = value

    def time(self, key: str, at_us: int) -> None:
        """Keeps a time."""
        self._said[key] = self.since(at_us)

    def event(self, key: str, at_us: int, said: dict[str, Any]) -> None:
        """Keeps `said`, a dict that is then ours, with the time at which it happened.

        What in it is named in TIMES is a time as well.
        """
        for name in TIMES:
            if name in said:
                said[name] = self.since(said[name])
        said["at_us"] = self.since(at_us)
        self._said[key] = said

    def detections(self, key: str, detections: "Sequence[Detection]") -> None:
        """Keeps the newest of some ring.Detection."""
        kept = detections[-DETECTIONS_MAX:]
        self._said[key] = [
            [seen.sensor, seen.compartment, seen.residual_uturn, self.since(seen.at_us)]
            for seen in kept
        ]

    def cups(self, dark: Sequence[tuple[int, int]]) -> None:
        """Keeps (cup, dark since) of a dish."""
        self._said["cups"] = [[cup, self.since(at_us)] for cup, at_us in dark[:CUPS_MAX]]

    def fault(self, at_us: int, code: str, detail: str) -> None:
        """Keeps a fault that was told, once however often it ends; of too many, the first."""
        what = [code, detail[:DETAIL_MAX]]
        self._ended = [end for end in self._ended if end[1:] != what]
        if len(self._faults) < FAULTS_MAX and what not in [kept[1:] for kept in self._faults]:
            self._faults.append([self.since(at_us)] + what)

    def fault_ended(self, at_us: int, code: str, detail: str) -> None:
        """Keeps that a fault ended; of too many, the first."""
        if len(self._ended) < FAULTS_MAX:
            self._ended.append([self.since(at_us), code, detail[:DETAIL_MAX]])

    def since(self, at_us: int) -> int | None:
        """Returns a time from the coup's beginning; None if that is not known."""
        return None if self._from_us is None else at_us - self._from_us

    def body(self, at_us: int) -> dict[str, Any]:
        """Returns all of it, for the record. Keeps nothing that comes later."""
        said, self._said = self._said, {}
        if self._from_us is not None:
            said["at_us"] = at_us - self._from_us
        if self._faults:
            said["faults"] = self._faults
            self._faults = []
        if self._ended:
            said["ended"] = self._ended
            self._ended = []
        return said
