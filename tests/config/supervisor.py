"""What systemd is on a wheel: keeps a controller, restarts it when asked, says whether it began.

supervisor.py SOCKET COMMAND...    keeps the command running
supervisor.py SOCKET               asks for a restart; fails if the command ends at once
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

BEGUN = "Playing on"  # what cylindre run says on standard error


def keep(path: str, command: list[str]) -> None:
    process, said = begin(command)
    if said:
        sys.exit(said)
    with socket.socket(socket.AF_UNIX) as listener, contextlib.suppress(KeyboardInterrupt):
        listener.bind(path)
        listener.listen()
        while True:
            asked, _ = listener.accept()
            with asked:
                end(process)
                process, said = begin(command)
                asked.sendall(said.encode())
    end(process)


def end(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGTERM)
    process.communicate()


def begin(command: list[str]) -> tuple["subprocess.Popen[str]", str]:
    """Starts it, and waits until it says that it plays, or has ended."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said = line
        if line.startswith(BEGUN):
            return process, ""
    return process, said


def ask(path: str) -> int:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        said = line.makefile().read()
    sys.stderr.write(said)
    return 1 if said else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if len(sys.argv) == 2:
        sys.exit(ask(sys.argv[1]))
    Path(sys.argv[1]).unlink(missing_ok=True)
    os.setpgid(0, 0)
    keep(sys.argv[1], sys.argv[2:])
