"""A machine in a folder, as the tests of updates start it and look at it."""

from pathlib import Path

from tools.image.layout import STATE_COPY, STATE_FILE
from tools.update import bootenv, release, state
from tools.update.release import Release
from tools.update.slots import FIRMWARE, RELEASE, named
from tools.update.state import Known

BOARD = "roulette_ref"


def runs(root: Path, slot: str, version: str) -> None:
    """As if that slot had been started, with that version in it."""
    (root / "proc/cmdline").write_text(f"root=/dev/x rauc.slot={slot} quiet\n")
    (root / RELEASE).write_text(release.text(Release(version, BOARD)))


def starts(root: Path) -> str:
    """What U-Boot does: the slot that starts, one of its starts used up."""
    order, left = bootenv.choice(bootenv.read(root))
    name = next(name for name in order if left[name])
    left[name] -= 1
    data = bootenv.text(bootenv.words(order, left))
    for file in (STATE_FILE, STATE_COPY):
        (root / FIRMWARE / file).write_bytes(data)
    return name


def known(root: Path, name: str) -> Known:
    slot = named(name)
    assert slot is not None
    return state.load(root).of(slot)
