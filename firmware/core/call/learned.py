"""What a wheel's coups have taught about the call, and how it outlives a restart.

Recorded as a list of whole numbers: a version, which wheel it is of, the values, a checksum. What
is not exactly that is refused, and the call starts cautiously: it is never repaired.
"""

from binascii import crc32

from firmware.core.call import change_detection, curve, direction_model, guard, margin
from firmware.core.facts import CCW
from firmware.shims.typed import Any, NamedTuple, Sequence

VERSION = 4  # one more whenever a value or its table means something else
_VALUE_MAX = 10**18  # what is larger was never written, and may not fit a float
# Why a recorded state is not taken up: words for people.
MISSING = "nothing is recorded of this board"
DAMAGED = "what was recorded is damaged"
OTHER_WHEEL = "it was recorded with another wheel, ball or beams"
OTHER_VERSION = "it was recorded by another version"


class Learned:
    """Keeps both directions, and what is watched over both."""

    def __init__(self, beams: int) -> None:
        """A new wheel."""
        self.coups = 0  # ever
        self.lead_us = 0  # expected; 0: not known
        self.relearning = 0  # coups until what changed is learned again
        self.models = (direction_model.DirectionModel(beams), direction_model.DirectionModel(beams))
        self.change_detector = change_detection.ChangeDetector()
        self.pair()

    def relearn(self, coups: int) -> None:
        """Has margins earned anew, in so many coups: the wheel is not what it was."""
        for one in self.models:
            one.relearn()
        self.change_detector = change_detection.ChangeDetector()
        self.relearning = coups
        self.pair()

    def pair(self) -> None:
        """Pairs the margins: both directions have one ball and one track."""
        margin.pair(self.models[0].margin, self.models[1].margin)

    def model(self, direction: int) -> direction_model.DirectionModel:
        """Returns the model of the ball's direction, CCW or CW."""
        return self.models[0 if direction == CCW else 1]

    def curves_taught(self, model: direction_model.DirectionModel) -> "list[curve.Curve]":
        """Returns the curves that a ball of that direction teaches: its own, and the other's until
        its own balls have shown it."""
        one, other = self.models
        twin = other if model is one else one
        return [model.curve] if twin.curve.known() else [model.curve, twin.curve]

    def earning(self) -> int:
        """Counts the coups by which the margins are being earned, of both directions."""
        return self.models[0].coups + self.models[1].coups


# One attribute: of which part of its holder ("": of itself), how many numbers (0: one, not a list),
# what one is multiplied by to be whole (1: it is whole), and its limits.
Field = NamedTuple(
    "Field",
    [("part", str), ("name", str), ("count", int), ("scale", int), ("low", float), ("high", float)],
)
_GONE = ""  # the name of what VERSION 3 recorded alone: the watch over health keeps it now
_WITH_GONE = 3
# fmt: off
_BOTH = (
    Field("", "coups", 0, 1, 0, direction_model.COUPS_MAX),
    Field("", "lead_us", 0, 1, 0, 60_000_000),
    Field("", "relearning", 0, 1, 0, direction_model.COUPS_MAX),
    Field("", _GONE, 0, 1, 0, direction_model.COUPS_MAX),  # drops until their places were judged
    Field("change_detector", "sums", change_detection.TESTS, 1_000, 0.0, change_detection.SUM_MAX),
)
_OF_PAIR = (  # that both margins share
    Field("", "both", len(margin.SCATTERS), 1_000_000_000_000, 0.0, 1.0),
)


def _of_model(beams: int) -> Sequence[Field]:
    scatters = len(margin.SCATTERS)
    low, high = curve.LIMITS_TURN_S2
    noise_min, noise_max = direction_model.NOISE_LIMITS
    spread_min, spread_max = direction_model.SPREAD_LIMITS
    offset_max = direction_model.OFFSET_MAX
    return (
        Field("", "coups", 0, 1, 0, direction_model.COUPS_MAX),
        Field("", "steps", 0, 1, 0, direction_model.COUPS_MAX),
        Field("", "noise", 0, 1_000_000, noise_min, noise_max),
        Field("", "spread", 0, 1_000_000, spread_min, spread_max),
        Field("", "offsets", beams, 1_000_000, -offset_max, offset_max),
        Field("", _GONE, beams, 1, 0, direction_model.COUPS_MAX),  # drops by gap
        Field("curve", "values", curve.BINS, 1_000_000, low, high),
        # So finely that rounding hardly ever makes a place trusted that was not.
        Field("curve", "lessons", curve.BINS, 1_000_000, 0.0, curve.MEMORY),
        Field("curve", "coups", 0, 1, 0, curve.KNOWN_COUPS),
        Field("margin", "means", scatters, 10_000_000, 0.1, 2.0),
        Field("margin", "vars", scatters, 1_000_000_000_000, 1e-12, 1.0),
        Field("margin", "trust", scatters, 10_000, margin.TRUST_MIN, 0.0),
        Field("guard", "coups", 0, 1, 0, guard.FIRST),
        Field("guard", "lap_s", 0, 1_000_000, guard.SHORTEST_S, guard.LONGEST_S),
    )
# fmt: on


def plain(learned: Learned, geometry: dict[str, Any]) -> list[int]:
    """Writes it as it is recorded."""
    found = [VERSION, _fingerprint(geometry)]
    for holder, fields in _holders(learned):
        for field in fields:
            if field.name == _GONE:
                continue
            held = getattr(_part(holder, field), field.name)
            for value in held if field.count else [held]:
                # What lies beyond a limit would be refused by the next start.
                found.append(round(min(max(value, field.low), field.high) * field.scale))
    found.append(_checksum(found))
    return found


def restore(recorded: object, geometry: dict[str, Any]) -> "tuple[Learned, str | None]":
    """Reads what was recorded: (it, None), or (a new wheel's, why it is not taken up)."""
    fresh = Learned(len(geometry["rim_deg"]))
    if recorded is None:
        return fresh, MISSING
    if not isinstance(recorded, list) or not recorded or type(recorded[0]) is not int:
        return fresh, DAMAGED
    if recorded[0] not in (VERSION, _WITH_GONE) or type(recorded[-1]) is float:
        return fresh, OTHER_VERSION
    for value in recorded:
        if type(value) is not int or abs(value) > _VALUE_MAX:
            return fresh, DAMAGED
    if recorded[-1] != _checksum(recorded[:-1]):
        return fresh, DAMAGED
    if recorded[1] != _fingerprint(geometry):
        return fresh, OTHER_WHEEL
    found = Learned(len(geometry["rim_deg"]))
    filled = _filled(found, recorded[2:-1], with_gone=recorded[0] == _WITH_GONE)
    return (found, None) if filled else (fresh, DAMAGED)


def _filled(learned: Learned, values: Sequence[int], *, with_gone: bool) -> bool:
    at = 0
    for holder, fields in _holders(learned):
        for field in fields:
            if field.name == _GONE and not with_gone:
                continue
            taken = values[at : at + max(field.count, 1)]
            at += max(field.count, 1)
            scaled = [value if field.scale == 1 else value / field.scale for value in taken]
            if len(scaled) < max(field.count, 1):
                return False
            # Written values were rounded: by so much they may lie beyond a limit.
            slack = 1.0 / field.scale if field.scale > 1 else 0
            if min(scaled) < field.low - slack or max(scaled) > field.high + slack:
                return False
            if field.name != _GONE:
                setattr(_part(holder, field), field.name, scaled if field.count else scaled[0])
    if at != len(values):
        return False
    for one in learned.models:
        one.curve.fill()
    learned.pair()
    return margin.may_be_pair(*[one.margin for one in learned.models])


def _holders(learned: Learned) -> Sequence[tuple[object, Sequence[Field]]]:
    one, other = learned.models
    fields = _of_model(len(one.offsets))
    return ((learned, _BOTH), (one, fields), (other, fields), (one.margin, _OF_PAIR))


def _part(holder: object, field: Field) -> object:
    return getattr(holder, field.part) if field.part else holder


def _fingerprint(geometry: dict[str, Any]) -> int:
    """Of what the learned values hold for: the beams' places, the ball, the track."""
    beams = ",".join([str(degrees) for degrees in geometry["rim_deg"]])
    of = "{};{};{}".format(beams, geometry["ball_mm"], geometry["track_radius_mm"])
    return crc32(of.encode())


def _checksum(values: Sequence[int]) -> int:
    return crc32(",".join([str(value) for value in values]).encode())
