"""How the table stands, as the gateway takes it from the controller's `status` answer."""

from typing import Any, NamedTuple

CLOCKWISE = "cw"


class Facts(NamedTuple):
    """What a status answer says that the ASCII lines can say too.

    `number` is None unless confirmed; `result_age_ms` is None where the number shown is no news
    (it stood before the controller's restart). `rotor`, `ball`: "cw", "ccw" or None.
    """

    state: str | None
    coup: int
    open: bool
    rotor: str | None
    ball: str | None
    rotor_rpm: float | None
    number: int | None
    last_number: int | None  # of the last coup that has one; it changes with the state
    result_age_ms: int | None
    reason: str | None
    faults: tuple[str, ...]
    game: str | None
    loop_age_ms: int | None


_WORD = (str, type(None))
_COUNT = (int, type(None))
# fmt: off
_TYPES = (
    ("state", _WORD), ("coup", (int,)), ("open", (bool,)), ("rotor", _WORD), ("ball", _WORD),
    ("rotor_rpm", (int, float, type(None))), ("number", _COUNT), ("last_number", _COUNT),
    ("result_age_ms", _COUNT), ("reason", _WORD), ("faults", (list,)), ("game", _WORD),
    ("loop_age_ms", _COUNT),
)
# fmt: on


def facts(status: dict[str, Any]) -> Facts:
    """Returns the facts of a status answer.

    Raises ValueError, naming what is missing or no such thing.
    """
    found = {}
    for key, kinds in _TYPES:
        if type(status.get(key)) not in kinds or (key not in status):
            raise ValueError(key)
        found[key] = status[key]
    found["faults"] = tuple(str(code) for code in status["faults"])
    return Facts(**found)
