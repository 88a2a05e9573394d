"""What `cylindre run` opens on a real machine, with the machine replaced."""

import contextlib
import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from firmware.config import Config
from firmware.config.game import choose
from firmware.core.facts import CoupStarted, Result, Void
from firmware.lib.errors import NO_DEVICE, Failure
from firmware.lib.places import CONTROL, RUN, STATUS_ONLY
from firmware.run import app, parts, play
from firmware.run.bus_line import open_line
from firmware.run.paced import PromptStore, RealTimeBus
from firmware.shims import pi
from tools.sim.pace import PacedClock
from tools.virtual.provider import BuiltIn


def choices(**changes: Any) -> parts.RunOptions:
    found = parts.RunOptions(
        game=choose("pi4", Config()),
        config=Config(),
        port=None,
        journal=Path("journal"),
        sockets=Path("sockets"),
        coups=None,
        line=str,
        started_us=0,
        keys=Path("keys"),
        virtual=BuiltIn(),
    )
    return found._replace(**changes)


def test_a_line_that_is_high_when_a_real_wheel_starts_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = SimpleNamespace(edges=SimpleNamespace(initial_levels=(0, 1, 0)), close=lambda: None)
    monkeypatch.setattr(pi, "open_machine", lambda board: machine)
    with contextlib.ExitStack() as stack:
        hardware = parts.open_hardware(choices(), stack).hardware
    assert hardware == app.Hardware(machine, machine.edges, (0, 1, 0))


def test_two_starts_are_two_sessions_however_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions: list[int] = []

    def display_line(*_: object, session: int, **_more: object) -> Any:
        sessions.append(session)
        return SimpleNamespace(close=lambda: None)

    monkeypatch.setattr(app, "display_line", display_line)
    journal: Any = SimpleNamespace()
    for _ in range(2):
        with contextlib.ExitStack() as stack:
            way_out: Any = (lambda: None, "port")
            open_line(way_out, choices(), journal, stack, displays={}, terminals=None)
    assert len(set(sessions)) == 2


def test_a_sensor_bus_that_is_not_enabled_is_no_device_and_says_so() -> None:
    def refuse(number: int) -> Any:
        raise OSError(errno.ENOENT, f"I2C bus {number} cannot be opened")

    hardware: Any = SimpleNamespace(machine=SimpleNamespace(I2C=refuse))
    with contextlib.ExitStack() as stack, pytest.raises(Failure, match="I2C bus 1") as caught:
        parts.open_slow_sensors(choices(), hardware, stack)
    assert caught.value.exit_code == NO_DEVICE


def test_the_virtual_wheel_has_no_attendant() -> None:
    virtual = choices(game=choose("roulette_ref", Config()))
    with contextlib.ExitStack() as stack:
        hardware = parts.open_hardware(virtual, stack).hardware
        assert parts.open_slow_sensors(virtual, hardware, stack) is None


def test_a_coup_that_a_crash_left_is_not_one_of_those_to_play() -> None:
    stopped: list[int] = []
    counter = play.Counter(2)
    counter.stop = lambda: stopped.append(len(told))
    told: list[Any] = []
    for fact in (
        Void(1, 4, 4, "interrupted"),
        CoupStarted(2, 5, 0),
        Void(3, 5, 5, "croupier"),
        CoupStarted(4, 6, 0),
        Result(5, 6, 6, 17, 8, "black", True, True),
    ):
        told.append(fact)
        counter.take_fact(fact)
    assert stopped == [5]


def test_a_second_virtual_wheel_has_its_sockets_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    virtual = choices(game=choose("roulette_ref", Config()), sockets=tmp_path)
    with contextlib.ExitStack() as stack:
        hardware = parts.open_hardware(virtual, stack).hardware
        parts.open_service(virtual, hardware, stack)
        with pytest.raises(Failure, match="Stop the other controller"):
            parts.open_service(virtual, hardware, stack)
        parts.open_service(virtual._replace(elsewhere=True), hardware, stack)
        said = capsys.readouterr().err
        assert f"No sockets can be made in {tmp_path}: they lie in " in said
        folder = Path(said.split()[-1].rstrip("."))
        assert sorted(path.name for path in folder.iterdir()) == [CONTROL, RUN, STATUS_ONLY]
    assert not folder.exists()


@pytest.mark.parametrize("clock", [None, PacedClock(5)])
def test_line_and_storage_of_a_quick_wheel_have_our_time(clock: PacedClock | None) -> None:
    journal = SimpleNamespace(put=None, trouble=None)
    line = SimpleNamespace(show_view=None, due_us=None, is_behind=None)
    slow_down = None if clock is None else clock.slow_down
    opened = parts.Opened(cast(Any, None), "", slow_down=slow_down)
    store, bus = play._at_pace(opened, cast(Any, journal), cast(Any, line))
    if clock is None:
        assert (store, bus) == (journal, line)
    else:
        assert (type(store), type(bus)) == (PromptStore, RealTimeBus)
    assert play._at_pace(opened, cast(Any, journal), None)[1] is None
