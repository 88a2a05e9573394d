"""The processes of one stage, and the files that they share."""

from __future__ import annotations

import contextlib
import shutil
import signal
from pathlib import Path

from firmware.config import Config
from firmware.config.game import choose
from firmware.keys import folder as keys
from firmware.lib.places import CONTROL
from firmware.run.open_journal import open_journal
from tools.hil.scenario import Scenario
from tools.hil.scenario_file import write
from tools.hil.stage import Medium
from tools.hil.stage.child_process import CYLINDRE, MODULE, ChildProcess, close_all

ERRORS, FRAM = "controller.err", "fram"
DISK = "disk"  # the journal's folder, which may be a file system of its own
_PATIENCE_S = 10.0  # a record takes some milliseconds


def control_in(folder: Path) -> Path:
    """The socket in a stage's folder where its controller may be asked for something."""
    return folder / "s" / CONTROL


class StageProcesses:
    """Wheel, controller, displays and whoever disturbs them. All are gone after `close`."""

    def __init__(self, scenario: Scenario, medium: Medium, folder: Path, displays: int) -> None:
        """Makes the files in `folder`; starts nobody. `displays`: how many have a key."""
        self.folder = folder
        self.journal = folder / DISK / "journal.db"
        self.journal.parent.mkdir(exist_ok=True)
        self.keys = folder / "keys"
        self.errors = folder / ERRORS
        self.control = control_in(folder)
        self.starts = 0  # of the controller
        self._scenario = scenario
        self._medium = medium
        self._file = folder / f"{scenario.name}.toml"
        self._file.write_text(write(scenario))
        self._config = folder / "cylindre.toml"
        self._layout = medium.layout(scenario.apparatus, folder)
        self._config.write_text(_configuration(scenario, self._layout))
        self._displays = displays
        if not self.keys.exists():  # a table that was there before goes on with its own
            keys.provision(self.keys, displays=displays)
        self._started: list[ChildProcess] = []

    def teach(self, learned: object) -> None:
        """The journal says that so much has been learned of the call."""
        layout = None if self._layout is None else str(self._layout)
        game = choose(self._medium.board(self._scenario.apparatus), Config(layout=layout))
        with contextlib.ExitStack() as stack:
            journal = open_journal(
                game,
                Config().wheel_id,
                journal=self.journal,
                folder=self.keys,
                fram=self.folder / FRAM,
                stack=stack,
            )
            journal.put(0, "learned", {"learned": learned})
            journal.close(_PATIENCE_S)

    def wheel(self) -> ChildProcess:
        """The wheel's process."""
        command = self._medium.wheel_command(self._file, self.folder)
        return self.start(command, "wheel.err", handles=self._medium.handles)

    def controller(self, port: str | None, cut: int | None) -> ChildProcess:
        """The controller's. `port`: of its displays. `cut`: the step at which it may be told to
        die (tools.hil.stage.kill_at_step)."""
        self.starts += 1
        options = [
            "run", "--board", self._medium.board(self._scenario.apparatus), "--json",
            "--config", self._config, "--journal", self.journal, "--keys", self.keys,
            "--socket", self.control.parent,
        ]  # fmt: skip
        fram = self._medium.fram(self.folder)
        options += [] if fram is None else ["--fram", fram]
        options += [] if port is None else ["--port", port]
        options += self._medium.controller_options()
        command = CYLINDRE if cut is None else (*MODULE, "tools.hil.stage.kill_at_step", str(cut))
        return self.start([*command, *map(str, options)], ERRORS)

    def display(self, place: int, port: str, address: int, key_of: int) -> ChildProcess:
        """The display at that place, with that address and that display's key."""
        folder = self.folder / f"keys-{place}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(keys.public_file(self.keys), folder)
        shutil.copy(keys.display_file(self.keys, key_of), keys.display_file(folder, address))
        options = ["display", "--port", port, "--keys", str(folder), "--address", str(address)]
        return self.start([*CYLINDRE, *options, "--json"], f"display-{place}.err")

    def start(
        self, argv: list[str], errors: str = "other.err", **kept: tuple[int, ...]
    ) -> ChildProcess:
        """One more. Raises OSError."""
        self._started.append(ChildProcess(argv, self.folder, self.folder / errors, **kept))
        return self._started[-1]

    def is_playing(self) -> bool:
        """Whether the controller has begun to play, after each of its starts."""
        return self.errors.read_bytes().count(b"Playing on ") >= self.starts

    def last_words(self) -> str:
        """What the controller said last on standard error."""
        lines = self.errors.read_text(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Ends all that still run, however they are."""
        close_all(self._started)


def stop(process: ChildProcess) -> None:
    """Asks it to end, also if it stands still."""
    process.send(signal.SIGTERM)
    process.send(signal.SIGCONT)


def _configuration(scenario: Scenario, layout: Path | None) -> str:
    lines = [
        "[call]",
        "call_s = 0.0",  # it takes no time, as in the virtual place
        "[confirm]",
        f'mode = "{scenario.confirm}"',
        "[manual]",
        'undetected = "void"',
    ]
    if layout is not None:
        lines += ["[game]", f'layout = "{layout}"']
    if scenario.hand:
        lines += ["[rotor]", 'drive = "hand"']
    return "\n".join(lines) + "\n"
