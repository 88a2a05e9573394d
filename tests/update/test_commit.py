"""Every start keeps the slot that runs, or leaves it. The checks are real commands."""

import os

import pytest
from update.slots_here import installs, known, runs, starts

from firmware.lib.errors import Failure
from firmware.lib.partitions import STATE_COPY, STATE_FILE, TRIES
from firmware.services.update import bootenv, commit, installing, rauc_calls, state
from firmware.services.update.commit import Check, device_checks, first_failure, settle, started
from firmware.services.update.slots import FIRMWARE, RELEASE, STATE, named
from firmware.services.update.state import FAILED_TRY, GOOD, HALF, NEW, TRIED, Known, State

WELL = Check("self-test", ("true",))
ILL = Check("journal", ("sh", "-c", "echo row 7 is not as it was signed >&2; exit 1"))
A, B = named("A"), named("B")


def decide(machine, *checks, limit_s=0.0):
    """Both steps of a start."""
    return started(machine) or settle(machine, checks, limit_s=limit_s, pause_s=0.01)


def tried(machine, version="2.0.0"):
    """As after an installation into B, and the start that tries it."""
    installs(machine, version)
    assert known(machine, "B") == Known(NEW, version)
    assert starts(machine) == "B"
    runs(machine, "B", version)


def test_what_proves_itself_is_kept(machine):
    tried(machine)
    found = decide(machine, WELL)
    assert (found.slot, found.version, found.kept, found.trial) == ("B", "2.0.0", True, True)
    assert bootenv.choice(bootenv.read(machine)) == (("B", "A"), {"A": TRIES, "B": TRIES})
    assert known(machine, "A") == Known(GOOD, "1.0.0")
    assert known(machine, "B") == Known(GOOD, "2.0.0")
    assert state.load(machine).highest == "2.0.0"
    assert starts(machine) == "B"


@pytest.mark.req("IEC-EDR-3.10")
def test_what_does_not_is_left_and_says_why(machine):
    tried(machine)
    found = decide(machine, WELL, ILL)
    assert not found.kept
    assert found.why == "journal: row 7 is not as it was signed"
    assert starts(machine) == "A"
    runs(machine, "A", "1.0.0")
    assert decide(machine, ILL).kept  # what has proved itself is not asked again
    assert known(machine, "B") == Known(FAILED_TRY, "2.0.0", found.why)
    assert state.load(machine).highest == "1.0.0"


@pytest.mark.parametrize("step", ["before it decides", "while it decides"])
def test_a_trial_that_is_cut_off_is_over(machine, step):
    tried(machine)
    if step == "while it decides":
        state.save(machine, state.load(machine).with_slot(B, Known(TRIED, "2.0.0")))
    assert starts(machine) == "A"
    runs(machine, "A", "1.0.0")
    assert decide(machine).kept
    assert known(machine, "B").kind == FAILED_TRY
    assert state.load(machine).trial is None
    assert [starts(machine) for _ in range(2)] == ["A", "A"]


def test_a_cut_between_the_two_writes_of_a_commit_is_asked_again(machine):
    """The boot words say B, the state still says trial."""
    tried(machine)
    before = state.load(machine)
    assert decide(machine, WELL).kept
    state.save(machine, before)
    assert starts(machine) == "B"
    found = decide(machine, WELL)
    assert found.kept and found.trial
    assert known(machine, "B") == Known(GOOD, "2.0.0")


def test_a_kept_slot_that_fails_thrice_in_a_row_gives_way_to_the_other(machine):
    tried(machine)
    decide(machine, WELL)
    assert [starts(machine) for _ in range(TRIES + 1)] == ["B"] * TRIES + ["A"]
    runs(machine, "A", "1.0.0")
    assert decide(machine, ILL).kept
    assert bootenv.choice(bootenv.read(machine)).order == ("A",)
    assert starts(machine) == "A"
    assert state.load(machine).highest == "2.0.0"
    assert installing.way_back(machine) == (B, "2.0.0")


class Cut(BaseException):
    """The power is gone."""


def cut(*_, **__):
    raise Cut


@pytest.fixture
def both(machine):
    """B runs 2.0.0 and is kept; A holds 1.0.0, which was good before."""
    tried(machine)
    assert decide(machine, WELL).kept
    return machine


def go_back(machine):
    installing.go_back(machine, installing.way_back(machine)[0])


@pytest.mark.parametrize("when", ["before it is chosen", "while it starts", "while it is asked"])
def test_a_power_cut_does_not_take_the_way_back(both, monkeypatch, when):
    with monkeypatch.context() as patch:
        if when == "before it is chosen":
            patch.setattr(bootenv, "choose", cut)
            with pytest.raises(Cut):
                go_back(both)
        else:
            go_back(both)
            assert starts(both) == "A"
        if when == "while it is asked":
            runs(both, "A", "1.0.0")
            patch.setattr(commit, "first_failure", cut)
            with pytest.raises(Cut):
                decide(both, WELL)
    assert starts(both) == "B"
    runs(both, "B", "2.0.0")
    assert decide(both, ILL).kept
    assert known(both, "A") == Known(GOOD, "1.0.0", "it did not come up, or lost its power")
    go_back(both)
    assert starts(both) == "A"
    runs(both, "A", "1.0.0")
    assert decide(both, WELL).kept
    assert known(both, "A") == Known(GOOD, "1.0.0")


def test_displays_that_are_switched_off_do_not_take_the_way_back(both):
    """Nor is what failed its last check what starts without one, after three short power cuts."""
    go_back(both)
    assert starts(both) == "A"
    runs(both, "A", "1.0.0")
    assert not decide(both, ILL).kept
    assert starts(both) == "B"
    runs(both, "B", "2.0.0")
    assert decide(both).kept
    assert known(both, "A") == Known(GOOD, "1.0.0", "journal: row 7 is not as it was signed")
    assert bootenv.choice(bootenv.read(both)) == (("B",), {"A": 0, "B": TRIES})
    assert installing.way_back(both) == (A, "1.0.0")
    go_back(both)  # and what comes of that is told anew
    assert [starts(both), starts(both)] == ["A", "B"]
    assert decide(both).kept
    assert known(both, "A").why == "it did not come up, or lost its power"


def test_what_has_just_failed_is_not_kept_before_the_old_one_starts(both):
    """It was good before, and still runs until the machine has restarted."""
    go_back(both)
    assert starts(both) == "A"
    runs(both, "A", "1.0.0")
    assert not decide(both, ILL).kept
    before = bootenv.read(both), state.load(both)
    assert started(both) is None
    for change in (go_back, lambda machine: rauc_calls.withdraw(machine, B)):
        with pytest.raises(Failure, match="slot A has not proved itself yet"):
            change(both)
    with pytest.raises(Failure, match="Slot A has not proved itself"):
        rauc_calls.bootloader(both, ("set-state", "A", "good"))
    assert (bootenv.read(both), state.load(both)) == before


def test_every_start_gives_a_kept_slot_its_starts_back(machine):
    for _ in range(5 * TRIES):
        assert starts(machine) == "A"
        assert decide(machine).kept


def test_a_trial_without_its_data_partition_is_a_trial(machine):
    tried(machine)
    (machine / STATE / state.NAME).unlink()
    assert not decide(machine, ILL).kept
    assert starts(machine) == "A"


def test_a_trial_that_cannot_write_its_state_goes_back(machine):
    tried(machine)
    (machine / STATE / state.NAME).unlink()
    (machine / STATE).rmdir()
    (machine / STATE).write_text("no folder")
    found = decide(machine, WELL)
    assert not found.kept
    assert "cannot be written" in str(found.why)
    assert starts(machine) == "A"


def test_a_trial_without_its_release_goes_back(machine):
    tried(machine)
    (machine / RELEASE).unlink()
    found = decide(machine, WELL)
    assert not found.kept and "what software this is" in str(found.why)


@pytest.mark.parametrize("cuts", range(2 * TRIES))
def test_a_wheel_as_flashed_never_starts_the_slot_that_holds_nothing(flashed, cuts):
    """So many power cuts before the first start came far enough to decide; no controller runs."""
    for _ in range(cuts):
        starts(flashed)
    if starts(flashed) == "B":  # which does not start
        assert starts(flashed) == "A"
    assert decide(flashed, ILL).kept
    assert bootenv.choice(bootenv.read(flashed)) == (("A",), {"A": TRIES, "B": 0})
    assert known(flashed, "A") == Known(GOOD, "1.0.0")


def test_nothing_is_installed_over_the_good_slot_while_the_new_one_is_tried(machine, bundle):
    tried(machine)
    before = bootenv.read(machine), state.load(machine)
    for change in (
        lambda: rauc_calls.pre_install(machine, bundle("2.0.0")),
        lambda: rauc_calls.withdraw(machine, A),
        lambda: rauc_calls.arm(machine, A),
        lambda: installing.way_back(machine),
        lambda: installing.plan(machine, machine / "no.raucb"),
    ):
        with pytest.raises(Failure, match="slot B has not proved itself yet"):
            change()
    assert (bootenv.read(machine), state.load(machine)) == before
    assert not decide(machine, ILL).kept
    assert starts(machine) == "A"


def test_starts_that_are_left_do_not_prove_a_slot(machine):
    """Whoever wrote these words: nothing was ever checked."""
    tried(machine)
    bootenv.choose(machine, "B")
    for kind in (NEW, TRIED, FAILED_TRY, HALF):
        state.save(machine, State({"A": Known(GOOD, "1.0.0"), "B": Known(kind, "2.0.0")}))
        assert started(machine) is None
        assert not settle(machine, [ILL], limit_s=0.0, pause_s=0.01).kept
        assert bootenv.choice(bootenv.read(machine)).order == ("A",)


def test_what_came_while_it_was_checked_is_not_written_over(machine):
    """The state is read again, once the checks have passed."""
    tried(machine)
    half = state.load(machine).with_slot(A, Known(HALF))

    def checks(*_):
        state.save(machine, half)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commit, "first_failure", checks)
        assert decide(machine, WELL).kept
    assert known(machine, "A").kind == HALF
    assert bootenv.choice(bootenv.read(machine)).order == ("B",)


def test_a_kept_slot_has_its_starts_back_before_the_controller_is_up(machine):
    """Three short power cuts, each before cylindre.service was up, bring nothing old back."""
    tried(machine)
    assert decide(machine, WELL).kept
    for _ in range(5 * TRIES):
        assert starts(machine) == "B"
        assert started(machine).kept
    assert known(machine, "A").kind == GOOD


def test_the_early_step_leaves_a_trial_alone(machine):
    tried(machine)
    before = bootenv.read(machine), state.load(machine)
    assert started(machine) is None
    assert (bootenv.read(machine), state.load(machine)) == before


def test_the_late_step_leaves_what_was_installed_meanwhile_alone(machine):
    starts(machine)
    assert started(machine).kept
    installs(machine)
    assert settle(machine, [ILL], limit_s=0.0, pause_s=0.01).kept
    assert (starts(machine), known(machine, "B")) == ("B", Known(NEW, "2.0.0"))


def test_there_is_no_going_back_to_what_is_not_whole(machine):
    tried(machine)
    state.save(machine, state.load(machine).with_slot(A, Known(HALF)))
    with pytest.raises(Failure, match="no better"):
        decide(machine, ILL)
    assert bootenv.choice(bootenv.read(machine)).order[0] == "B"


def test_a_machine_without_slots_says_so(machine):
    (machine / "proc/cmdline").write_text("root=/dev/sda1\n")
    with pytest.raises(Failure, match="not started from a slot"):
        decide(machine)


def test_a_card_whose_words_are_gone_says_so(machine):
    for name in (STATE_FILE, STATE_COPY):
        (machine / FIRMWARE / name).unlink()
    with pytest.raises(Failure, match="which slot starts"):
        decide(machine)


def test_what_is_not_ready_yet_is_asked_again(tmp_path):
    """Fails twice, as a controller that is starting."""
    script = f"echo >>{tmp_path}/asked; test $(wc -l <{tmp_path}/asked) -ge 3"
    said = []
    check = Check("controller", ("sh", "-c", script))
    assert first_failure([check], 60.0, 0.001, said.append) is None
    assert said == ["controller: passed"]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("false",), "ended with 1"),
        (("/there/is/no/such/program",), "no such file"),
        (("sh", "-c", "echo it is broken >&2; exit 5"), "it is broken"),
    ],
)
def test_why_a_check_fails_is_told(command, why):
    found = first_failure([Check("part", command)], 0.0, 0.01, lambda _: None)
    assert found is not None and found.startswith("part: ") and why in found


def test_a_check_that_hangs_is_ended():
    found = first_failure([Check("part", ("sleep", "600"))], 0.0, 0.01, lambda _: None)
    assert found == "part: no answer in time."


def test_a_wheel_is_asked_for_all_three():
    checks = device_checks("/k", "/j.db", "/s")
    assert [check.name for check in checks] == ["self-test", "journal", "controller"]
    assert all(check.command[0] == "cylindre" for check in checks)


@pytest.mark.needs("root")
def test_a_state_that_may_not_be_read_is_not_taken_for_none(machine):
    (machine / STATE).chmod(0o700)
    os.seteuid(65534)
    try:
        with pytest.raises(Failure, match=r"state\.json: permission denied\."):
            state.load(machine)
    finally:
        os.seteuid(0)


def test_a_state_that_is_garbage_is_as_none(machine):
    for garbage in (b"", b"[]", b'{"slots": 7}', b"[" * 9000, b'{"slots": {"A": {"kind": []}}}'):
        (machine / STATE / state.NAME).write_bytes(garbage)
        found = state.load(machine)
        assert found.of(A) == Known()
        assert found == State(found.slots)
