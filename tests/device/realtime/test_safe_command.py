"""`cylindre safe`: displays told for as long as it runs, for people and for programs."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from device_rig import ROOT, environment

from firmware.keys import folder
from firmware.lib.errors import FAILED, INTERRUPTED, OK

MISTAKEN = '[wheel]\nboard = "roulette_ref"\n[bus]\nbauds = 9600\n'


@pytest.mark.parametrize(
    ("options", "number", "code"),
    [
        (("--board", "roulette_ref"), signal.SIGTERM, OK),
        (("--board", "roulette_ref"), signal.SIGINT, INTERRUPTED),
        (("--config", "wheel.toml"), signal.SIGTERM, OK),  # whatever keeps the controller down
    ],
)
def test_it_says_that_the_wheel_is_out_of_service_until_it_is_stopped(
    tmp_path: Path, options: tuple[str, ...], number: int, code: int
) -> None:
    folder.provision(tmp_path / "keys", displays=1, terminals=0)
    master, line = pty.openpty()
    words = ("safe", *options, "--port", os.ttyname(line), "--keys", "keys")
    (tmp_path / "wheel.toml").write_text(MISTAKEN)
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "tools.cli", *words, "--json"],
        cwd=tmp_path,
        env=environment() | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        told = json.loads(process.stdout.readline())
        process.send_signal(number)
        said = process.stderr.read()
    os.close(master)
    os.close(line)
    assert (told["event"], told["port"]) == ("out_of_service", words[4])
    assert process.returncode == code
    mistaken = options[0] == "--config"
    assert ("Not regarded: wheel.toml:4: " in said) == mistaken
    assert said.count("\n") == (code == INTERRUPTED) + mistaken and "Traceback" not in said


def test_where_its_sockets_cannot_be_made_the_displays_are_told_all_the_same(
    tmp_path: Path,
) -> None:
    folder.provision(tmp_path / "keys", displays=1, terminals=0)
    (tmp_path / "run").write_text("no folder\n")
    words = ("safe", "--board", "roulette_ref", "--keys", "keys", "--socket", "run")
    command = [sys.executable, "-P", "-m", "tools.cli", *words, "--journal", "j.db", "--json"]
    env = environment() | {"PYTHONPATH": str(ROOT)}
    master, line = pty.openpty()
    with subprocess.Popen(
        [*command, "--port", os.ttyname(line)],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        told = [json.loads(process.stdout.readline()) for _ in range(2)]
        os.set_blocking(master, True)
        assert os.read(master, 1), "the line is polled"
        process.send_signal(signal.SIGTERM)
        said = process.stderr.read()
    os.close(master)
    os.close(line)
    assert [each["event"] for each in told] == ["out_of_service", "no_desk"]
    assert told[1]["text"].startswith("Cannot open the controller's socket in run: ")
    assert (process.returncode, said) == (OK, "")
    # Without a line nothing is left to do.
    done = subprocess.run(
        [*command, "--port", "/dev/ttyNONE7"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == FAILED
    assert "Cannot open the controller's socket in run: " in done.stderr
