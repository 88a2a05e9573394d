"""The watch over a wheel's health: all that is judged, each with its share of the false notices.

Fed with each coup that has a number once that is recorded, and with each service act. Fairness
may be told for nothing in one year of a thousand, soundness in one of a hundred, all together and
however often one looks. Streams of one family are told once: when one has been told the others
are silent, until an act begins the told one anew. Of croupiers and of sensors each is told.
"""

from firmware.core.facts import CCW
from firmware.core.health import budget, facts
from firmware.core.health.bank import GAINS, NUMBERS, SCATTERS, Bank, Form, own_tolerance, shapes
from firmware.core.health.drops import Drops
from firmware.core.health.facts import Coup, Epoch, Notice, Wheel
from firmware.core.health.loose import SOON, LooseFrets
from firmware.core.health.misses import Misses
from firmware.core.health.ranks import Change, Ranks
from firmware.core.health.streams import Numbers, Stream
from firmware.shims.typed import Any, Iterator, Sequence

VERSION = 2  # of a state, and of what it was computed by
FAIRNESS = 1e-3  # false notices a year
SOUNDNESS = 1e-2
APART_MAX = 8  # balls, and croupiers, that are judged apart: later ones are not

_RING = (facts.FRETS, facts.CLEANED, facts.ROTOR)
_BALL = (facts.NEW_BALL,)
_LEVEL = (facts.LEVELLED, facts.MOVED)
_MOTOR = (facts.NEW_MOTOR,)
_SENSOR = (facts.RING_SENSOR, facts.CALIBRATION)
SERIAL = "serial"  # the stream of steps from one compartment to the next
# Of each stream: its family, its share of false notices, and the acts that begin it anew.
STREAMS = {
    "numbers": ("numbers", 0.25 * FAIRNESS, _RING),
    "ccw": ("numbers", 0.05 * FAIRNESS, _RING),
    "cw": ("numbers", 0.05 * FAIRNESS, _RING),
    "slow": ("numbers", 0.025 * FAIRNESS, _RING),
    "fast": ("numbers", 0.025 * FAIRNESS, _RING),
    SERIAL: ("numbers", 0.05 * FAIRNESS, _RING),
    "ball": ("numbers", 0.05 * FAIRNESS, _RING + _BALL),  # of all balls together
    "gain": ("gain", 0.15 * FAIRNESS, _RING),
    "drops": ("drops", 0.25 * FAIRNESS, _LEVEL),
    "croupier": ("signature", 0.1 * FAIRNESS, ()),  # of all croupiers together
    "loose": ("loose", 0.3 * SOUNDNESS, _RING),
    "slowing": ("slowing", 0.3 * SOUNDNESS, _BALL),  # of all balls together
    "sensor": ("sensors", 0.2 * SOUNDNESS, _SENSOR),  # of all ring sensors together
    "spin_up": ("motor", 0.1 * SOUNDNESS, _MOTOR),
    "duty": ("motor", 0.1 * SOUNDNESS, _MOTOR),
}
EACH = ("signature", "sensors")  # families of which each stream is told
_RANKED = ("loose", "slowing", "spin_up", "duty")  # judged by the ranks of a quantity


class HealthWatch:
    """Judges one wheel from its first coup on."""

    def __init__(
        self, wheel: Wheel, *, hold: Any = list, bank: Any = Bank, drops: Any = Drops
    ) -> None:
        """Begins without evidence; the journal's beginning is the first act.

        `hold`: makes what keeps the sums, as in Bank. `bank`: Bank, or what has the same sums;
        `drops`: likewise.
        """
        self._wheel = wheel
        self._hold = hold
        self._bank = bank
        self._tolerance = own_tolerance(wheel.compartments)
        self._spent = budget.a_coup(wheel.coups_a_year)
        self.coups = 0
        self.streams: list[Stream] = []
        self._by_name: dict[str, Stream] = {}
        self._ranks: dict[str, Ranks] = {}  # of the streams that judge ranks
        self._apart: list[tuple[int, int]] = []  # (0: ball, 1: croupier; which), as they came
        self._notices: list[Notice] = []
        self._place_before = -1
        self._rotor_sum = 0
        self._rotor_coups = 0
        for name in ("numbers", "ccw", "cw", "slow", "fast"):
            self._judge(name, self._numbers())
        self._judge(SERIAL, self._numbers(), named=(facts.UNEVEN, None))
        self._judge("gain", self._sums(GAINS, tolerance=self._tolerance, kind=facts.GAIN))
        if len(wheel.beams_deg) > 1:
            self._judge("drops", drops(wheel.beams_deg, hold=hold))
        self._judge("loose", LooseFrets(wheel.compartments, hold=hold))
        for sensor in range(wheel.sensors):
            self._judge("sensor", Misses(sensor), which=sensor, part=1.0 / wheel.sensors)
        for name in ("spin_up", "duty"):
            self._judge(name, Change(), named=(facts.MOTOR, None))

    def add(self, coup: Coup) -> None:
        """Takes a coup that has a number."""
        for _ in self.steps(coup):
            pass

    def steps(self, coup: Coup) -> Iterator[None]:
        """Takes a coup that has a number, one stream after the other: a board goes on with other
        work between two of them."""
        for name, seen in self._shown(coup):
            stream = self._by_name[name]
            if stream.add(seen, self._spent):
                family = stream.family
                told = [each for each in self.streams if each.told and each.family == family]
                if not told or (family in EACH and not stream.told):
                    self._notices.append(stream.notice())
            yield
        self.coups += 1

    def act(self, kind: str) -> list[Epoch]:
        """Takes a service act, one of facts.py. Returns what it has ended."""
        year = self._year()
        ended = []
        for stream in self.streams:
            epoch = stream.act(kind, year)
            if epoch is not None:
                ended.append(epoch)
                if stream.name in self._ranks:
                    self._ranks[stream.name].start_over()
        return ended

    def take_notices(self) -> list[Notice]:
        """Returns what is to be told since the last call."""
        notices, self._notices = self._notices, []
        return notices

    def streams_told(self) -> list[str]:
        """Returns the names of the streams that are told."""
        return [stream.name for stream in self.streams if stream.told]

    def set_streams_told(self, names: Sequence[str]) -> None:
        """Takes which streams are told: sums were judged anew, what was told stays told."""
        for stream in self.streams:
            stream.told = stream.name in names

    def stream(self, name: str) -> Stream | None:
        """Returns the stream of that name, if it is judged."""
        return self._by_name.get(name)

    # --- what a coup shows ----------------------------------------------------------------------
    def _shown(self, coup: Coup) -> Iterator[tuple[str, Any]]:
        """Yields for each stream that the coup tells something: its name, and what it adds."""
        place = coup.place
        yield "numbers", place
        yield "ccw" if coup.direction == CCW else "cw", place
        if coup.rotor_uturn_s is not None:
            if self._rotor_coups:  # told apart by the mean of all before
                is_slow = coup.rotor_uturn_s * self._rotor_coups < self._rotor_sum
                yield "slow" if is_slow else "fast", place
            self._rotor_sum += coup.rotor_uturn_s
            self._rotor_coups += 1
        if self._place_before >= 0:
            yield SERIAL, (place - self._place_before) % self._wheel.compartments
        self._place_before = place
        yield "gain", place
        yield from self._shown_of_the_ball(coup)
        if coup.gap is not None and coup.gaps_ppm is not None and "drops" in self._by_name:
            total = sum(coup.gaps_ppm)
            yield "drops", (coup.direction, coup.gap, [part / total for part in coup.gaps_ppm])
        if coup.settled_ms is not None:
            rank = self._ranks["loose"].rank(coup.settled_ms, coup.tie)
            if rank is not None:
                yield "loose", (place, rank < SOON)
        if coup.seen is not None:
            for sensor in range(self._wheel.sensors):
                yield "sensor" + str(sensor), not coup.seen >> sensor & 1
        for name, value in (("spin_up", coup.spin_up_ms), ("duty", coup.duty_permille)):
            rank = None if value is None else self._ranks[name].rank(value, coup.tie)
            if rank is not None:
                yield name, rank

    def _shown_of_the_ball(self, coup: Coup) -> Iterator[tuple[str, Any]]:
        if self._is_apart(0, coup.ball):
            yield "ball" + str(coup.ball), coup.place
            name = "slowing" + str(coup.ball)
            slowing = coup.slowing_ppm
            rank = None if slowing is None else self._ranks[name].rank(slowing, coup.tie)
            if rank is not None:
                yield name, rank
        if coup.croupier is None or coup.launch_place is None or not self._wheel.croupiers:
            return
        if self._is_apart(1, coup.croupier):
            moved = coup.direction * (coup.place - coup.launch_place)
            yield "croupier" + str(coup.croupier), moved % self._wheel.compartments

    def _is_apart(self, what: int, which: int) -> bool:
        """Returns whether that ball or croupier is judged apart; a new one is from now on."""
        if (what, which) not in self._apart:
            if len([each for each in self._apart if each[0] == what]) == APART_MAX:
                return False
            self._judge_apart(what, which)
        return True

    # --- what is judged -------------------------------------------------------------------------
    def _judge_apart(self, what: int, which: int) -> None:
        before = len([each for each in self._apart if each[0] == what])
        part = 1.0 / ((before + 1) * (before + 2))  # of however many: 1 in all
        self._apart.append((what, which))
        if what == 0:
            self._judge("ball", self._numbers(), which=which, part=part)
            self._judge("slowing", Change(), which=which, part=part)
        else:
            judge = self._sums(SCATTERS, tolerance=self._tolerance)
            named = (facts.SIGNATURE, which)
            self._judge("croupier", judge, which=which, part=part, named=named)

    def _judge(
        self,
        what: str,
        judge: Any,
        *,
        which: "int | None" = None,
        part: float = 1.0,
        named: "tuple[str, int | None] | None" = None,
    ) -> None:
        """Adds a stream. `which`: of several, each with its part of the share."""
        family, share, acts = STREAMS[what]
        name = what if which is None else what + str(which)
        stream = Stream(name, judge, family=family, share=share * part, acts=acts, named=named)
        stream.start_over(self._year())
        self.streams.append(stream)
        self._by_name[name] = stream
        if what in _RANKED:
            self._ranks[name] = Ranks()

    def _numbers(self) -> Numbers:
        return Numbers(self._sums(NUMBERS), self._wheel.compartments)

    def _sums(
        self, forms: Sequence[Form], *, tolerance: float = 0.0, kind: "str | None" = None
    ) -> Any:
        m = self._wheel.compartments
        alternatives = shapes(m, forms, above=tolerance if tolerance else -1.0)
        return self._bank(m, alternatives, tolerance=tolerance, kind=kind, hold=self._hold)

    def _year(self) -> int:
        return self.coups // self._wheel.coups_a_year

    # --- its state, to go on from ---------------------------------------------------------------
    def save(self) -> list[float]:
        """Returns all that is known, for `restore` of a watch over the same wheel."""
        into = [float(self.coups), float(self._place_before)]
        into += [float(self._rotor_sum), float(self._rotor_coups), float(len(self._apart))]
        for what, which in self._apart:
            into += [float(what), float(which)]
        for stream in self.streams:
            stream.save(into)
            if stream.name in self._ranks:
                self._ranks[stream.name].save(into)
        return into

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` returned; this watch is new. Raises StopIteration if it is short."""
        self.coups = int(next(state))
        self._place_before = int(next(state))
        self._rotor_sum = int(next(state))
        self._rotor_coups = int(next(state))
        apart = int(next(state))
        for _ in range(apart):
            what = int(next(state))
            self._judge_apart(what, int(next(state)))
        for stream in self.streams:
            stream.restore(state)
            if stream.name in self._ranks:
                self._ranks[stream.name].restore(state)
