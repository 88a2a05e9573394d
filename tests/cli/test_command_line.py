"""The command line: its help, its refusals, its endings. Each one sentence and an exit code."""

import errno
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import boards
from firmware.lib import process_start
from firmware.lib.errors import CONFIGURATION, FAILED, INTERRUPTED, NO_DEVICE, OK, USAGE, Failure
from tools import cli
from tools.commands import group

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def one_sentence(done: "subprocess.CompletedProcess[str]") -> str:
    """What a refusal says: one line on standard error, nothing else anywhere."""
    assert done.stdout == ""
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1
    return done.stderr.strip()


def test_help_names_every_command(cylindre: Run) -> None:
    done = cylindre("--help")
    assert done.returncode == OK
    for name, short in group.COMMANDS:
        assert f"  {name} " in done.stdout
        assert short in done.stdout


def test_help_imports_no_command_and_no_firmware() -> None:
    code = (
        "import sys; from tools.cli import main; main(['--help'])\n"
        "print([name for name in sys.modules if name.split('.')[0] in"
        " ('drivers', 'boards', 'rules', 'dataclasses', 'serial')"
        " or name.startswith('tools.commands.') and name != 'tools.commands.group'"
        " or name.startswith('firmware.') and not name.startswith('firmware.lib')])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", [name for name, _ in group.COMMANDS])
def test_every_command_has_help_with_examples(cylindre: Run, name: str) -> None:
    done = cylindre(name, "--help")
    assert done.returncode == OK
    assert f"Usage: cylindre {name}" in done.stdout
    assert f"cylindre {name}" in done.stdout.split("Examples:")[1]


def test_a_misspelt_command_is_told_what_was_meant(cylindre: Run) -> None:
    done = cylindre("bords")
    assert done.returncode == USAGE
    assert "Did you mean 'boards'?" in one_sentence(done)


def test_a_wrong_option_is_usage(cylindre: Run) -> None:
    done = cylindre("run", "--bord", "x")
    assert done.returncode == USAGE
    assert "--bord" in one_sentence(done)


def test_an_unknown_board_is_usage_and_leaves_nothing_behind(cylindre: Run, tmp_path: Path) -> None:
    done = cylindre("run", "--board", "roulette_reff")
    assert done.returncode == USAGE
    assert 'did you mean "roulette_ref"?' in one_sentence(done)
    assert list(tmp_path.iterdir()) == []


def test_run_without_a_board_asks_for_one(cylindre: Run) -> None:
    done = cylindre("run")
    assert done.returncode == USAGE
    assert "--board" in one_sentence(done)


def test_a_real_board_has_no_seed(cylindre: Run) -> None:
    done = cylindre("run", "--board", "pi4", "--seed", "1")
    assert done.returncode == USAGE
    assert "virtual" in one_sentence(done)


def test_a_real_board_on_another_machine_is_no_device(cylindre: Run) -> None:
    done = cylindre("run", "--board", "pi4")
    assert done.returncode == NO_DEVICE
    assert one_sentence(done)


@pytest.mark.parametrize("port", ["/dev/ttyNONE7", "/dev/null", "/"])
def test_a_missing_port_is_no_device_and_leaves_nothing_behind(
    cylindre: Run, tmp_path: Path, port: str
) -> None:
    done = cylindre("run", "--board", "roulette_ref", "--port", port)
    assert done.returncode == NO_DEVICE
    assert port in one_sentence(done)
    assert list(tmp_path.iterdir()) == []


def test_every_mistake_of_a_configuration_is_reported_with_its_line(
    cylindre: Run, tmp_path: Path
) -> None:
    (tmp_path / "wheel.toml").write_text('[wheel]\nbord = "pi4"\n[call]\ncall_s = 9\n')
    done = cylindre("run", "--board", "roulette_ref", "--config", "wheel.toml")
    assert done.returncode == CONFIGURATION
    lines = done.stderr.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["wheel.toml:2:", "wheel.toml:4:"]
    assert 'Did you mean "board"?' in lines[0]
    assert not (tmp_path / "var").exists()


def test_a_configuration_that_is_not_there_is_configuration(cylindre: Run) -> None:
    done = cylindre("run", "--config", "none.toml")
    assert done.returncode == CONFIGURATION
    assert "none.toml" in one_sentence(done)


def test_a_file_that_is_no_journal_is_refused_and_stays_as_it_is(
    cylindre: Run, tmp_path: Path
) -> None:
    (tmp_path / "j").write_text("nonsense\n")
    done = cylindre("run", "--board", "roulette_ref", "--journal", "j")
    assert done.returncode == FAILED
    assert "j is no journal of a wheel" in one_sentence(done)
    assert (tmp_path / "j").read_text() == "nonsense\n"


@pytest.mark.parametrize("name", ["status", "void", "confirm", "clear"])
def test_asking_where_no_controller_is_is_no_device(cylindre: Run, name: str) -> None:
    done = cylindre(name)
    assert done.returncode == NO_DEVICE
    assert "No wheel is here" in one_sentence(done)
    assert cylindre(name, "--socket", "nowhere").returncode == NO_DEVICE


def test_boards_lists_every_board(cylindre: Run) -> None:
    done = cylindre("boards", "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [board["board"] for board in found] == list(boards.NAMES)
    assert found[0]["missing"] == []
    assert done.stderr == ""


def test_a_board_shows_its_pins_and_what_is_missing_here(cylindre: Run) -> None:
    told = json.loads(cylindre("boards", "pi4", "--json").stdout)
    pins = {use["signal"]: use["pin"] for use in told["pins"]}
    assert pins["motor_enable"] == 19
    assert pins["displays tx"] == 14
    assert told["missing"]
    words = cylindre("boards", "pi4").stdout
    assert "motor_enable" in words
    assert "Missing on this machine:" in words
    # The package is private: a name on an index would be somebody else's.
    assert "cylindre[" not in words
    assert "in a checkout on the Pi: .venv/bin/pip install -e '.[pi]'" in words


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    code = "import sys; from tools.cli import main; sys.exit(main(['boards', 'pi4', '--json']))"
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait() == FAILED
    assert "Traceback" not in said
    assert "Exception ignored" not in said


# --- main: endings become exit codes -------------------------------------------------------------
@pytest.mark.parametrize(
    ("ending", "exit_code", "said"),
    [
        (Failure(NO_DEVICE, "No port."), NO_DEVICE, "No port."),
        (KeyboardInterrupt(), INTERRUPTED, "Interrupted."),
        (ZeroDivisionError("a\nb"), FAILED, "CYLINDRE_DEBUG=1"),
        (OSError(errno.ENOSPC, "No space left on device", "o.vcd"), FAILED, "o.vcd: no space left"),
        (OSError(errno.EMFILE, "Too many open files"), FAILED, "refuses to go on: too many open"),
    ],
)
def test_every_ending_is_one_sentence_and_its_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ending: BaseException,
    exit_code: int,
    said: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ending

    monkeypatch.delenv("CYLINDRE_DEBUG", raising=False)
    monkeypatch.setattr(group.cylindre, "main", fail)
    assert cli.main([]) == exit_code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_debugging_shows_where_a_mistake_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setenv("CYLINDRE_DEBUG", "1")
    monkeypatch.setattr(group.cylindre, "main", fail)
    with pytest.raises(ZeroDivisionError):
        cli.main([])


def test_a_process_that_has_just_begun_began_when_it_says_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its tick is rounded up, so that it may lie ahead."""
    ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    start_ns = (ticks + 1) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")
    for age_ns in (-3_000_000, 40_000_000):
        now_ns = 900_000_000 + age_ns
        monkeypatch.setattr("time.monotonic_ns", lambda now_ns=now_ns: now_ns)
        monkeypatch.setattr("time.clock_gettime_ns", lambda _, at_ns=start_ns + age_ns: at_ns)
        assert process_start.start_us() == 900_000


def test_times_count_from_the_start_of_the_process_not_from_the_end_of_its_imports() -> None:
    code = (
        "import time; began = time.monotonic_ns() // 1000\n"
        "from firmware.lib import process_start\n"
        "while time.monotonic_ns() // 1000 < began + 20_000: pass\n"  # more than a tick
        "print(process_start.start_us(), began)"
    )
    before_us = time.monotonic_ns() // 1000
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    start_us, began_us = map(int, done.stdout.split())
    assert before_us <= start_us <= began_us + 10_000  # what it is rounded up by
