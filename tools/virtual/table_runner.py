"""`make run`: the controller and a table display as two processes, joined by a real serial line; at
a card table the croupier's guide beside them.

The line is two pseudo-terminals whose masters this process joins byte by byte, so that each side
sees an ordinary tty. All processes end with this one, however it ends.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from firmware.client.ask import ask_status
from firmware.keys import folder as keys
from firmware.lib import parent_death_signal
from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure, cause
from firmware.lib.language import N_, VARIABLES, Message, current, echo
from firmware.lib.places import GUIDE_PORT, HOST, JOURNAL, KEYS
from firmware.services.display.start import PAGE_PORT
from tools.virtual.joined_line import JoinedLine

CLI = "tools.cli"
GUIDE_LOG = "guide.log"
POLL_S = 0.1  # how soon a process that has ended is noticed
# The controller sends and records what is left in some 0.4 s; together they must end within 2 s.
STOP_S = 1.2


def play_table(
    run_options: Sequence[str],
    folder: Path,
    *,
    key_folder: Path | None,
    page_port: int | None,
    has_guide: bool = False,
) -> int:
    """Plays until interrupted, or until one of the processes ends; returns the exit code.

    `run_options` go to `cylindre run`, whose output lands in run.log in `folder`. `key_folder`
    None: one within `folder`, made if need be. `page_port`: of the display's page; None: the
    usual one, or any if that is in use. `has_guide`: it is a card table's, and plays on where its
    guide stops; what that says lands in guide.log there. Raises Failure.
    """
    browser = _browser()
    demo = f"demo --board {folder.name}" if has_guide else "demo"
    tell_next(
        (
            (N_("what the controller tells"), "watch"),
            (N_("what was recorded"), f"journal tail {folder / JOURNAL}"),
            (N_("the service page too, and a guest who plays"), demo),
            (N_("all there is"), "--help"),
        )
    )
    if key_folder is None:
        key_folder = _own_keys(folder / KEYS, shoe=has_guide)
    port = page_port or free_port(PAGE_PORT if page_port is None else 0)
    guide_port = free_port(GUIDE_PORT if page_port is None else 0) if has_guide else None
    if guide_port is not None:
        address = f"http://{HOST}:{guide_port}/"
        echo(Message("The croupier's guide: {address}", address=address), err=True)
        echo(N_("Shoe, croupier and players are simulated."), err=True)
    line = JoinedLine()
    started: list[tuple[str, subprocess.Popen[bytes]]] = []
    guide: subprocess.Popen[bytes] | None = None
    caught: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, lambda got, _: caught.append(got)) for number in numbers]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "run.log").open("wb") as log:
            options = ["run", "--port", line.ends[0], "--keys", str(key_folder), *run_options]
            # Its own group: Ctrl-C comes through us, so that nobody is interrupted twice.
            started.append(("controller", start(options, log.fileno(), own_group=True)))
        options = ["display", "--port", line.ends[1], "--keys", str(key_folder)]
        options += ["--page-port", str(port), *([] if browser else ["--terminal"])]
        started.append(("display", start(options, None)))
        while not caught and all(process.poll() is None for _, process in started):
            line.forward(POLL_S)
            if guide_port is not None and is_answered(folder):
                options = ["guide", "--socket", str(folder), "--page-port", str(guide_port)]
                with (folder / GUIDE_LOG).open("wb") as log:
                    guide = start(options, log.fileno())
                guide_port = None
            if guide is not None and guide.poll() is not None and not caught:
                tell_stopped(guide.returncode, folder / GUIDE_LOG)
                guide = None
            if browser is not None and is_served(port):
                browser.open(f"http://{HOST}:{port}/")
                browser = None
        ended = [(name, code) for name, process in started if (code := process.poll()) is not None]
    except OSError as error:
        why = cause(error)
        what = Message("{}: {}", error.filename, Message(why)) if error.filename else why
        raise Failure(FAILED, Message("Cannot start the table: {what}.", what=what)) from error
    finally:
        processes = [*(process for _, process in started), *([] if guide is None else [guide])]
        stop(processes, line, was_interrupted=bool(caught))
        line.close()
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    interrupted = N_("Interrupted: the rotor is off.")
    if has_guide:
        interrupted = N_("Interrupted: no card counts any more.")
    if signal.SIGINT in caught:
        raise Failure(INTERRUPTED, interrupted)
    if caught:
        return OK
    return _judge(ended, folder / "run.log", interrupted)


def tell_next(steps: Sequence[tuple[str, str]]) -> None:
    """Says on standard error how to stop, and what to try next: what, and words for `cylindre`."""
    own = os.path.relpath(sys.argv[0])
    called = (
        own if Path(own).name == "cylindre" and shutil.which("cylindre") is None else "cylindre"
    )
    echo(N_("Ctrl-C stops. To try next, in another window:"), err=True)
    for what, words in steps:
        echo(Message("  {what}: {words}", what=Message(what), words=f"{called} {words}"), err=True)


def tell_stopped(code: int, log: Path) -> None:
    """Says on standard error that the guide has stopped, and why."""
    text = Message(
        "The croupier's guide stopped with exit code {code}; see {log}. {last}",
        code=code,
        log=log,
        last=last_line(log),
    )
    echo(text, err=True)


def _browser() -> webbrowser.BaseBrowser | None:
    """One with windows, if there is a screen for them; else the terminal shows the table."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return None
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return None
    # A browser for the terminal would take it away.
    return None if type(found) is webbrowser.GenericBrowser else found


def _own_keys(folder: Path, *, shoe: bool) -> Path:
    """The keys of a table that plays here: of the wheel, one display and its `shoe`, made once."""
    if not keys.display_file(folder, 1).exists():
        keys.provision(folder, displays=1)
    if shoe and not keys.shoe_file(folder).exists():
        keys.provision(folder, shoe=True)
    return folder


def is_answered(folder: Path) -> bool:
    """Whether a controller answers at the sockets there."""
    try:
        ask_status(folder)
    except (Failure, OSError):
        return False
    return True


def free_port(port: int) -> int:
    """`port` if it is free, else another that is."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            probe.bind((HOST, 0))
        number: int = probe.getsockname()[1]
        return number


def is_served(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def _judge(ended: list[tuple[str, int]], log: Path, interrupted: str) -> int:
    """What it means that one of them ended by itself; `interrupted`: in words."""
    if INTERRUPTED in [code for _, code in ended]:
        raise Failure(INTERRUPTED, interrupted)
    name, code = ended[0]
    if code == OK:
        return OK
    why = Message("see {log}", log=log) if name == "controller" else Message("see above")
    last = last_line(log) if name == "controller" and code > 0 else ""
    raise Failure(
        FAILED,
        Message(
            "The {name} stopped with exit code {code}; {why}. {last}",
            name=name,
            code=code,
            why=Message(why),
            last=last,
        ).strip(),
    )


def last_line(log: Path) -> str:
    """The last words of a log."""
    lines = log.read_text(errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), "")


def start(
    options: list[str],
    output: int | None,
    errors: int | None = None,
    *,
    own_group: bool = False,
    module: str = CLI,
) -> subprocess.Popen[bytes]:
    """Starts `cylindre OPTIONS` in our language; it gets SIGTERM should this process die.

    `output` None: where ours goes; `errors` None: with the output; `module`: another program.
    """
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *options],
        env={**os.environ, VARIABLES[0]: current()},
        stdin=subprocess.DEVNULL if output is not None else None,
        stdout=output,
        stderr=output if errors is None else errors,
        process_group=0 if own_group else None,
        preexec_fn=parent_death_signal.preexec(signal.SIGTERM),
    )


def stop(
    processes: list[subprocess.Popen[bytes]], line: JoinedLine, *, was_interrupted: bool
) -> None:
    """Stops what still runs, carrying its last frames, and waits; kills what does not stop."""
    # A display that the terminal's Ctrl-C reached is putting the screen back; leave it alone.
    for process in processes[:1] if was_interrupted else processes:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    asked_all = not was_interrupted
    began_s = time.monotonic()
    while any(process.poll() is None for process in processes):
        spent_s = time.monotonic() - began_s
        if not asked_all and spent_s > STOP_S / 2:
            asked_all = True
            for process in processes:
                if process.poll() is None:
                    process.terminate()
        if spent_s > STOP_S:
            for process in processes:
                process.kill()
        line.forward(POLL_S / 4)
