"""Reads what really happened in a trace: the truths of its coups, each checked where it enters.

Two forms are known: the array that lies beside a shared trace (docs/simulator.md), times in
seconds; and the lines of `cylindre sim --json` and `cylindre hil run --json`, those of the trace
that the same command wrote, of which the lines "judged" carry a truth.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from firmware.lib.errors import FAILED, USAGE, Failure, cause
from firmware.lib.language import N_, Message, listed
from firmware.lib.mistakes import limited
from firmware.lib.named_file import read_named
from tools.sim.truth import CoupTruth

FILE_MAX = 2**26  # bytes; a coup has 2 000 at the most, with the lines of its events
SECONDS_MAX = 1e9  # thirty years: microseconds stay exact
NUMBER, VOID, ANY = "result", "void", "any"  # what a file expects of a coup
# Keys of the array: what must stand there, when what happened, and what is the generator's own.
_REQUIRED = ("kind", "expect", "number", "compartment", "t_start")
_TIMES = ("t_start", "t_launch", "t_drop", "t_settle", "t_remove", "t_end")  # in this order
_UNUSED = ("t_move", "hop_seen", "rotor", "laps")
_KEYS = {*_REQUIRED, *_TIMES, "hop_t", "number_before_hop", *_UNUSED}
_FIELDS = get_type_hints(CoupTruth)


class KnownTruth(NamedTuple):
    """One coup as it was. None: the file does not say."""

    truth: CoupTruth
    kind: str | None = None  # what is wrong with the coup; "clean": nothing
    expect: str | None = None  # NUMBER or VOID, or ANY where both are honest


class _Wrong(Exception):
    """What is wrong with a truth, for the sentence that names its coup."""


def load(path: Path, layout: Sequence[int]) -> list[KnownTruth]:
    """Returns the truths in `path`, in order of time.

    `layout`: the number of each compartment. Raises Failure with a sentence for each coup that
    cannot be used.
    """
    text = _text(path)
    make: Callable[[int, Any, Sequence[int]], KnownTruth]
    if text.lstrip().startswith("["):
        found, make = _array(path, text), _generated
    else:
        found, make = _judged(path, text), _simulated
    if not found:
        raise Failure(FAILED, Message("{path}: there is no truth of a coup in it.", path=path))
    truths: list[KnownTruth] = []
    mistakes = []
    for coup, told in enumerate(found, 1):
        try:
            known = make(coup, told, layout)
            if truths and known.truth.t_start_us <= truths[-1].truth.t_start_us:
                raise _Wrong(N_("it does not begin after the one before."))
        except _Wrong as wrong:
            what = Message(wrong.args[0])
            mistakes.append(Message("{path}: coup {coup}: {what}", path=path, coup=coup, what=what))
        else:
            truths.append(known)
    if mistakes:
        raise Failure(FAILED, listed(limited(mistakes), "\n"))
    return truths


def _text(path: Path) -> str:
    try:
        return read_named(path, FILE_MAX, own_handles=True).decode()
    except OSError as error:
        why = cause(error)
        sentence = Message(
            "{path}: {why}. Give a file of truths that can be read.", path=path, why=why
        )
        raise Failure(FAILED, sentence) from None
    except UnicodeDecodeError:
        sentence = Message("{name}: this is not UTF-8 text. Save it as UTF-8.", name=path)
        raise Failure(FAILED, sentence) from None
    except ValueError:
        raise Failure(USAGE, N_("The name of a file has no null character.")) from None


def _loads(path: Path, text: str, line: int) -> Any:
    """`line`: the one before the first of `text`."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        where = f"{path}:{line + error.lineno}"
        why = error.msg[:1].lower() + error.msg[1:]
    except RecursionError:
        where, why = f"{path}:{line + 1}", N_("it is nested too deep")
    except ValueError as error:  # a key that stands twice, a constant; a number of too many digits
        where, why = f"{path}:{line + 1}", str(error)
    sentence = Message("{where}: this is not JSON: {lower}.", where=where, lower=Message(why))
    raise Failure(FAILED, sentence)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(N_("a key stands twice in an object"))
    return found


def _no_number(constant: str) -> None:
    raise ValueError(N_("a value is no number"))


def _array(path: Path, text: str) -> list[Any]:
    found: list[Any] = _loads(path, text, 0)
    return found


def _judged(path: Path, text: str) -> list[Any]:
    """The truth of each coup, once; those of a coup that was begun again are the same."""
    truths: dict[int | str, Any] = {}
    for line, row in enumerate(text.splitlines()):
        told = _loads(path, row, line)
        if not isinstance(told, dict) or "event" not in told:
            raise Failure(
                FAILED,
                Message(
                    "{where}: this is neither an array of truths nor a line of"
                    " cylindre sim --json.",
                    where=f"{path}:{line + 1}",
                ),
            )
        truth = told.get("truth") if told["event"] == "judged" else None
        if truth is not None:
            coup = truth.get("coup") if isinstance(truth, dict) else None
            truths[coup if type(coup) is int else row] = truth
    return list(truths.values())


def _generated(coup: int, told: Any, layout: Sequence[int]) -> KnownTruth:
    """A truth of the array."""
    _check_keys(told, _KEYS, _REQUIRED)
    times = {key: at for key in _TIMES if (at := _seconds(told, key)) is not None}
    if "t_start" not in times:
        raise _Wrong(Message("{key} must be a number of seconds.", key="t_start"))
    if [*times.values()] != sorted(times.values()):
        raise _Wrong(Message("the times {keys} do not follow one another.", keys=", ".join(_TIMES)))
    if not isinstance(told["kind"], str) or told["expect"] not in (NUMBER, VOID, ANY):
        raise _Wrong(N_('kind must be a text, and expect "result", "void" or "any".'))
    truth = CoupTruth(
        coup=coup,
        t_start_us=times["t_start"],
        t_launch_us=times.get("t_launch"),
        t_drop_us=times.get("t_drop"),
        t_rest_us=times.get("t_settle"),
        t_lift_us=times.get("t_remove", times.get("t_end")),
        compartment=told["compartment"],
        number=told["number"],
        # No number is right of a coup that must be void.
        spoiled=told["expect"] == VOID,
        lay=_before_hop(told, layout),
    )
    _place(truth, layout)
    if told["expect"] == NUMBER and truth.compartment is None:
        raise _Wrong(N_("it is to have a result, and its compartment is missing."))
    return KnownTruth(truth, told["kind"], told["expect"])


def _before_hop(told: dict[str, Any], layout: Sequence[int]) -> tuple[tuple[int, int, int], ...]:
    """Where the ball lay before it hopped on: of a number with several compartments, each."""
    hop_us, number = _seconds(told, "hop_t"), told.get("number_before_hop")
    if hop_us is None:
        return ()
    places = [at for at, each in enumerate(layout) if each == number and type(number) is int]
    if not places:
        raise _Wrong(N_("hop_t needs the number_before_hop of this wheel."))
    return tuple((hop_us, at, layout[at]) for at in places)


def _simulated(coup: int, told: Any, layout: Sequence[int]) -> KnownTruth:
    """A truth of the simulator."""
    _check_keys(told, _FIELDS.keys(), ("coup", "t_start_us"))
    for key, value in told.items():
        if key == "lay":
            right = isinstance(value, list) and all(map(_is_place, value))
        else:
            right = isinstance(value, _FIELDS[key]) and (
                key == "spoiled" or type(value) is not bool
            )
        if not right:
            raise _Wrong(Message("{key} is not what the simulator writes.", key=key))
    truth = CoupTruth(**told | {"lay": tuple(map(tuple, told.get("lay", ())))})
    _place(truth, layout)
    return KnownTruth(truth)


def _is_place(value: Any) -> bool:
    return isinstance(value, list) and [type(each) for each in value] == [int] * 3


def _check_keys(told: Any, known: Any, required: Sequence[str]) -> None:
    if not isinstance(told, dict):
        raise _Wrong(N_("it must be an object."))
    for key in told:
        if key not in known:
            raise _Wrong(Message("there is no key {key}.", key=json.dumps(key)))
    for key in required:
        if key not in told:
            raise _Wrong(Message("{key} is missing.", key=key))


def _seconds(told: dict[str, Any], key: str) -> int | None:
    """That time in microseconds; None: it is not known, or that never was."""
    value = told.get(key)
    if value is None:
        return None
    if type(value) is bool or not isinstance(value, int | float) or not 0 <= value <= SECONDS_MAX:
        raise _Wrong(Message("{key} must be a number of seconds.", key=key))
    return round(value * 1e6)


def _place(truth: CoupTruth, layout: Sequence[int]) -> None:
    """Fills in the number of the compartment; checks that both are of this wheel."""
    at, number = truth.compartment, truth.number
    if at is None:
        if number is not None:
            raise _Wrong(N_("it has a number, and no compartment."))
        return
    if type(at) is not int or not 0 <= at < len(layout):
        raise _Wrong(Message("compartment must be one of 0 to {last}.", last=len(layout) - 1))
    if number is None:
        truth.number = layout[at]
    elif type(number) is not int or number != layout[at]:
        raise _Wrong(
            Message(
                "compartment {at} of this wheel has the number {number}.", at=at, number=layout[at]
            )
        )
