"""`cylindre config apply` on a wheel that plays: a real controller under a small supervisor."""

import contextlib
import datetime
import hashlib
import json
import os
import shlex
import signal
import sys
from pathlib import Path

import pytest
from config_bench import DIRECTORS_PIN, PIN, Run, Wheel, begun, end_the_next_coup
from patience import LAST_RESORT_S

from firmware.lib.errors import CONFIGURATION, FAILED, INTERRUPTED, NO_DEVICE, OK, USAGE, Failure
from firmware.services.configuring import health_check
from firmware.services.configuring.apply import How, apply, prepare

BETTER = "[level]\nwarn_deg = 0.2\n"
NO_SUCH_PORT = '[bus]\nport = "/dev/ttyNONE7"\n'  # no mistake of the file: the wheel is without it


@pytest.mark.smoke
def test_a_sound_configuration_holds_once_the_wheel_came_up_and_the_journal_says_who(
    wheel: Wheel, run: Run
) -> None:
    new, before = wheel.write("new.toml", BETTER), wheel.pid()
    done = run("apply", str(new), "--as", "weber", "--json", *wheel.options)
    assert done.returncode == OK, done.stderr
    told = json.loads(done.stdout)
    assert told["changes"] == [{"section": "level", "key": "warn_deg", "from": 0.1, "to": 0.2}]
    assert wheel.file.read_bytes() == new.read_bytes()
    assert wheel.pid() != before
    assert {path.name for path in wheel.folder.glob("wheel.toml.*")} == {
        "wheel.toml.good",
        "wheel.toml.lock",
    }
    assert (wheel.folder / "wheel.toml.good").read_bytes() == new.read_bytes()
    (act,) = wheel.acts()
    assert (act["who"], act["role"]) == ("weber", "supervisor")
    assert act["sha256"] == hashlib.sha256(new.read_bytes()).hexdigest() == told["sha256"]
    assert "level.warn_deg 0.2" in act["detail"]


def test_a_wheel_that_does_not_come_up_goes_back_by_itself(wheel: Wheel, run: Run) -> None:
    new, before = wheel.write("new.toml", NO_SUCH_PORT), wheel.file.read_bytes()
    done = run("apply", str(new), "--as", "weber", *wheel.options)
    assert done.returncode == FAILED
    last = done.stderr.splitlines()[-1]
    assert "ttyNONE7" in last
    assert "is the last good one again, and the wheel plays with it." in last
    assert wheel.file.read_bytes() == before
    assert not (wheel.folder / "wheel.toml.trying").exists()
    assert wheel.status()["loop_age_ms"] < 1_000
    tried, went_back = wheel.acts()
    assert "is tried" in tried["detail"]
    assert "went back" in went_back["detail"]


@pytest.mark.parametrize(
    ("more", "typed", "exit_code", "told"),
    [
        ("[boule]\ncups = 9\n[cal]\n", PIN, CONFIGURATION, "is no boule board"),
        (BETTER, "111222", FAILED, "the name or the PIN is wrong"),
        ("", PIN, OK, ""),
    ],
)
def test_what_is_refused_changes_nothing(
    wheel: Wheel, run: Run, more: str, typed: str, exit_code: int, told: str
) -> None:
    new, pid, before = wheel.write("new.toml", more), wheel.pid(), wheel.file.read_bytes()
    done = run("apply", str(new), "--as", "weber", *wheel.options, typed=typed)
    assert (done.returncode, told in done.stderr) == (exit_code, True)
    assert (wheel.pid(), wheel.file.read_bytes()) == (pid, before)
    assert wheel.acts() == []


def test_what_somebody_else_applied_meanwhile_is_not_undone(wheel: Wheel) -> None:
    """Prepared, then the other one's was applied: it was compared with what is there no more."""
    change = prepare(wheel.write("new.toml", BETTER), wheel.file)
    others = wheel.write("others.toml", "[pace]\ncoup_s = 30\n").read_bytes()
    wheel.file.write_bytes(others)
    how = How(wheel.sockets, "weber", PIN, False, ("false",), 1.0, print)
    with pytest.raises(Failure, match="was changed meanwhile: nothing is changed"):
        apply(change, how)
    assert wheel.file.read_bytes() == others
    assert wheel.acts() == []


LIMITS = '[stakes]\nminimum_cents = 500\nseason = "2026-27"\n'
BOTH = f"{PIN}\n{DIRECTORS_PIN}"


@pytest.mark.req("LU-37-3.director")
def test_limits_change_once_a_director_has_signed_them(wheel: Wheel, run: Run) -> None:
    """Art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de saison, pour
    tout ou partie des tables, le minimum des mises fixé par l'arrêté d'autorisation »."""
    new, before = wheel.write("new.toml", LIMITS), wheel.file.read_bytes()
    signed = ("--as", "weber", "--director", "thill", *wheel.options)
    # It is the director who signs, with his own PIN.
    for options, typed in (
        (("--as", "weber", "--director", "weber", *wheel.options), f"{PIN}\n{PIN}"),
        (signed, f"{PIN}\n{PIN}"),
    ):
        done = run("apply", str(new), *options, typed=typed)
        assert done.returncode == FAILED, done.stderr
        assert wheel.file.read_bytes() == before
    # The first limits of a wheel need nobody.
    done = run("apply", str(new), "--as", "weber", *wheel.options)
    assert done.returncode == OK, done.stderr
    changed = dated(wheel)
    done = run("apply", str(changed), "--as", "weber", *wheel.options)
    assert done.returncode == FAILED
    assert done.stderr.splitlines()[-1].startswith("[stakes] art. 37-3: « le directeur responsable")
    assert done.stderr.endswith("Let one sign, with --director NAME.\n")
    done = run("apply", str(changed), *signed, typed=BOTH)
    assert done.returncode == OK, done.stderr
    assert wheel.file.read_bytes() == changed.read_bytes()
    (act,) = wheel.acts("limits")
    assert (act["who"], act["role"]) == ("thill", "director")
    assert act["detail"].startswith("season_from ")
    assert [row.get("director") for row in wheel.rows("opening")] == [None, "thill"]


def dated(wheel: Wheel) -> Path:
    """The season is given its days: what may change on the day of an opening."""
    year = datetime.date.today().year
    days = f'season_from = "{year - 1}-01-01"\nseason_to = "{year + 1}-12-31"\n'
    return wheel.write("changed.toml", LIMITS + days)


def test_a_limit_that_is_no_number_is_refused(wheel: Wheel, run: Run) -> None:
    new = wheel.write("new.toml", BETTER)
    done = run("apply", str(new), "--as", "weber", *wheel.options, "--limit", "nan")
    assert (done.returncode, "'nan' is not a number" in done.stderr) == (USAGE, True)


def test_a_wheel_that_was_not_restarted_has_not_come_up(wheel: Wheel) -> None:
    why = health_check.wait(wheel.sockets, 0.2, old_pid=wheel.pid())
    assert why == "the controller was not restarted"
    assert health_check.wait(wheel.sockets, LAST_RESORT_S, old_pid=1) is None
    assert health_check.wait(wheel.folder, 0.2) == f"no controller answers at {wheel.folder}"


def test_nobody_applies_unnamed_while_a_controller_runs(wheel: Wheel, run: Run) -> None:
    done = run("apply", str(wheel.write("new.toml", BETTER)), "--offline", *wheel.options)
    assert "--as NAME" in done.stderr
    assert "warn_deg" not in wheel.file.read_text()


def test_a_dry_run_says_what_would_change_and_changes_nothing(wheel: Wheel, run: Run) -> None:
    new, pid, before = wheel.write("new.toml", BETTER), wheel.pid(), wheel.file.read_bytes()
    done = run("apply", str(new), "--dry-run", *wheel.options)
    assert done.returncode == OK
    assert "+warn_deg = 0.2" in done.stdout
    assert "level.warn_deg: 0.1 -> 0.2" in done.stdout
    assert (wheel.pid(), wheel.file.read_bytes()) == (pid, before)
    assert not list(wheel.folder.glob("wheel.toml.*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_interrupted_it_goes_back(wheel: Wheel, number: int) -> None:
    """Ctrl-C, or a connection that is lost, while the wheel is coming up."""
    new, before = wheel.write("new.toml", BETTER), wheel.file.read_bytes()
    command = ("apply", str(new), "--as", "weber", *wheel.options)
    with begun(wheel.folder, *command) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if line.startswith("Waiting for the wheel"))
        process.send_signal(number)
        said = process.stderr.read()
        assert process.wait(LAST_RESORT_S) == INTERRUPTED, said
    assert wheel.file.read_bytes() == before
    assert wheel.status()["loop_age_ms"] < 1_000
    assert not (wheel.folder / "wheel.toml.trying").exists()


def test_killed_in_the_middle_it_leaves_a_whole_one_that_the_next_apply_knows_was_not_proven(
    wheel: Wheel, run: Run
) -> None:
    new, before = wheel.write("new.toml", BETTER), wheel.file.read_bytes()
    options = list(wheel.options)
    options[options.index("--restart") + 1] = (
        f"{sys.executable} -c 'import os; os.kill(os.getppid(), 9)'"
    )
    done = run("apply", str(new), "--as", "weber", *options)
    assert done.returncode == -signal.SIGKILL
    assert wheel.file.read_bytes() == new.read_bytes()
    assert (wheel.folder / "wheel.toml.trying").exists()
    other = wheel.write("other.toml", "[level]\nwarn_deg = 0.3\n" + NO_SUCH_PORT)
    done = run("apply", str(other), "--as", "weber", *wheel.options)
    assert done.returncode == FAILED
    assert "had not proved itself" in done.stderr
    assert wheel.file.read_bytes() == before


def test_two_technicians_at_once_the_second_gets_one_sentence(wheel: Wheel, run: Run) -> None:
    first, second = wheel.write("first.toml", BETTER), wheel.write("second.toml", NO_SUCH_PORT)
    gate = wheel.folder / "gate"
    os.mkfifo(gate)
    options = list(wheel.options)
    options[options.index("--restart") + 1] = f"cat {gate}"  # waits until somebody opens it
    command = ("apply", str(first), "--as", "weber", *options)
    with begun(wheel.folder, *command) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if line.startswith("Restarting"))
        done = run("apply", str(second), "--as", "weber", *wheel.options)
        process.kill()
        os.close(os.open(gate, os.O_WRONLY))  # lets the restart end
    assert done.returncode == FAILED
    assert done.stderr == (
        f"weber is applying a configuration to {wheel.file} now. Wait for its end.\n"
    )
    assert wheel.file.read_bytes() == first.read_bytes()


def test_without_a_controller_it_is_not_applied_unless_one_says_so(
    tmp_path: Path, run: Run
) -> None:
    bare = Wheel(tmp_path)
    new = bare.write("new.toml", BETTER)
    done = run("apply", str(new), "--as", "weber", *bare.options)
    assert done.returncode == NO_DEVICE
    assert "--offline" in done.stderr
    assert not bare.file.exists()


def test_offline_the_act_is_written_down_once_the_wheel_is_up(wheel: Wheel, run: Run) -> None:
    new = wheel.write("new.toml", BETTER)
    wheel.stop()
    done = run("apply", str(new), "--as", "weber", "--offline", *wheel.options)
    assert done.returncode == OK, done.stderr
    assert wheel.file.read_bytes() == new.read_bytes()
    (act,) = wheel.acts()
    assert (act["who"], "applied offline" in act["detail"]) == ("weber", True)


def test_offline_a_wrong_pin_is_noticed_once_the_wheel_is_up_and_it_goes_back(
    wheel: Wheel, run: Run
) -> None:
    new, before = wheel.write("new.toml", BETTER), wheel.file.read_bytes()
    wheel.stop()
    options = ("--as", "weber", "--offline", *wheel.options)
    done = run("apply", str(new), *options, typed="111222")
    assert done.returncode == FAILED
    assert "This cannot be written down: weber: the name or the PIN is wrong" in done.stderr
    assert wheel.file.read_bytes() == before
    assert wheel.status()["loop_age_ms"] < 1_000


@pytest.mark.parametrize("faults", [("S16",), ("S10",), ("S16", "S10")], ids="+".join)
def test_offline_somebody_logs_in_all_the_same_but_where_safe_mode_has_no_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: tuple[str, ...]
) -> None:
    wheel = Wheel(tmp_path)
    seen = health_check.Seen(7, {"loop_age_ms": None, "state": "SERVICE", "faults": list(faults)})
    waited: list[int | None] = []

    def wait(folder: Path, limit_s: float, *, old_pid: int | None, may_be_locked: bool) -> None:
        waited.append(old_pid)

    monkeypatch.setattr(health_check, "find_controller", lambda folder: seen)
    monkeypatch.setattr(health_check, "wait", wait)
    how = How(wheel.sockets, None, None, True, ("true",), 1.0, lambda _: None)
    change = prepare(wheel.write("new.toml", BETTER), wheel.file)
    if len(faults) == 2:
        assert "plays with" in apply(change, how)
        assert waited == [7], "another process than safe mode's"
        return
    with pytest.raises(Failure, match="say who applies this"):
        apply(change, how)
    assert not wheel.file.exists()


def test_what_the_service_page_has_recorded_needs_nobody_to_log_in_again(wheel: Wheel) -> None:
    new = wheel.write("new.toml", BETTER)
    words = tuple(shlex.split(wheel.options[wheel.options.index("--restart") + 1]))
    how = How(wheel.sockets, None, None, False, words, LAST_RESORT_S, lambda _: None, recorded=True)
    assert "plays with" in apply(prepare(new, wheel.file), how)
    assert wheel.file.read_bytes() == new.read_bytes()
    assert wheel.acts() == []


def test_an_open_coup_is_waited_for(wheel: Wheel, run: Run) -> None:
    new = wheel.write("new.toml")
    new.write_text(new.read_text().replace("coup_s = 600", "coup_s = 0"))  # else none begins now
    done = run("apply", str(new), "--as", "weber", *wheel.options)
    assert done.returncode == OK, done.stderr
    command = ("apply", str(wheel.write("other.toml", "")), "--as", "weber", *wheel.options)
    pid = wheel.pid()
    with contextlib.ExitStack() as stack:
        started = []

        def waits() -> None:
            process = stack.enter_context(begun(wheel.folder, *command))
            started.append(process)
            assert process.stderr is not None
            assert process.stderr.readline() == "Waiting for the end of the coup ...\n"
            assert wheel.pid() == pid

        end_the_next_coup(wheel.sockets, waits)
        assert started[0].wait(LAST_RESORT_S) == OK
    assert wheel.pid() != pid


def test_a_first_configuration_that_does_not_come_up_leaves_none(tmp_path: Path, run: Run) -> None:
    bare = Wheel(tmp_path)
    options = list(bare.options)
    options[options.index("--restart") + 1] = "false"
    done = run("apply", str(bare.write("new.toml", BETTER)), "--offline", *options)
    assert done.returncode == FAILED
    assert "false failed (1)" in done.stderr
    assert not bare.file.exists()
    assert (tmp_path / "wheel.toml.failed").exists()
