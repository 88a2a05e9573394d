"""A journal for tests: a wheel's name and key, records as the core makes them."""

from pathlib import Path
from typing import Any

from firmware.core.facts import CCW, CW
from firmware.store.clock import BUILT_S, Reading
from firmware.store.identity import Identity
from firmware.store.journal import Journal
from firmware.store.signing import Signer

PRIVATE = bytes(range(32))
SIGNER = Signer(PRIVATE)
WHEEL = Identity(
    wheel="wheel-1",  # as a configuration has it that does not say
    game="roulette",
    rules="roulette_lu",
    rules_hash=b"rulesrul",
    layout_verified=True,
    firmware=b"firmware",
    board="virtual",
)
NOW = Reading(BUILT_S + 1_000_000, True)
COLOURS = {0: "green", 5: "red", 7: "red", 17: "black"}


class Waiting:
    """A journal that is waited for: virtual time would leap away from the disk."""

    def __init__(self, journal: Any) -> None:
        self._journal = journal
        self._done: list[int] = []

    def put(self, ticket: int, kind: str, body: Any) -> None:
        self._journal.write(kind, body)
        self._done.append(ticket)

    def done(self) -> tuple[int, ...]:
        found, self._done = self._done, []
        return tuple(found)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


def opened(path: Path, **choices: Any) -> Journal:
    """The journal at `path`, gone on with or made."""
    given = {"signer": SIGNER, "identity": WHEEL, "clock": lambda: NOW} | choices
    return Journal(path, **given)


def keys(folder: Path) -> None:
    """The folder of keys that a journal of `opened` goes with."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wheel.key").touch(mode=0o600)
    (folder / "wheel.key").write_text(PRIVATE.hex() + "\n")
    (folder / "wheel.pub").write_text(SIGNER.public.hex() + "\n")


def result(coup: int, number: int = 17, **more: Any) -> tuple[str, dict[str, Any]]:
    """A result's record, of a coup whose seq is its own number."""
    body = {
        "coup": coup,
        "seq": coup,
        "number": number,
        "compartment": number,
        "colour": COLOURS.get(number, "black"),
        "rotor": CW if coup % 2 else CCW,
        "ball": CCW if coup % 2 else CW,
        "rules": "roulette_lu",
        "layout_verified": True,
    }
    return "result", body | more


def void(coup: int, reason: str = "croupier", **more: Any) -> tuple[str, dict[str, Any]]:
    """A void's record."""
    body = {"coup": coup, "seq": coup, "reason": reason, "rotor": CW if coup % 2 else CCW}
    return "void", body | {"ball": 0, "rules": "roulette_lu", "layout_verified": True} | more


def correction(coup: int, seq: int, corrects: int, **what: Any) -> tuple[str, dict[str, Any]]:
    """A correction's record; `what`: number, compartment and colour, or reason."""
    body = {"coup": coup, "seq": seq, "corrects": corrects, "manual": ["anna", "weber"]}
    return "correction", body | what


def actuation(coup: int, way: int) -> tuple[str, dict[str, Any]]:
    """The rotor was set in motion."""
    return "actuation", {"coup": coup, "rotor": way, "by": "command"}


def add_coups(journal: Journal, first: int, end: int) -> None:
    """Coups `first` to `end`, without it, every tenth void; with their evidence."""
    for coup in range(first, end):
        kind, body = result(coup, coup % 37) if coup % 10 else void(coup)
        drop = {"at_us": 18_250_000 + coup * 1000, "seen_us": 18_100_000 + coup * 1000}
        times = {"call": {"at_us": 18_000_000}, "drop": drop}
        journal.write("evidence", {"coup": coup, "seq": coup, "at_us": 25_000_000, **times})
        journal.write(kind, body)
