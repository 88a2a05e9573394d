"""What RAUC asks of a wheel."""

import json

import pytest
from update.slots_here import installs, known, runs, wrote

from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.services.update import (
    bootenv,
    commit,
    installing,
    later_results,
    rauc_calls,
    release,
    state,
)
from firmware.services.update import bundle as bundle_step
from firmware.services.update.slots import STATE, named
from firmware.services.update.state import (
    FAILED_TRY,
    GOOD,
    HALF,
    NEW,
    TRIED,
    UNKNOWN,
    Known,
    State,
)

A, B = named("A"), named("B")


def test_an_installation_goes_half_new_tried(machine, bundle):
    rauc_calls.pre_install(machine, bundle("2.0.0"))
    assert rauc_calls.bootloader(machine, ("set-state", "B", "bad")) is None
    assert known(machine, "B") == Known(HALF)
    assert rauc_calls.bootloader(machine, ("get-state", "B")) == "bad"
    assert rauc_calls.bootloader(machine, ("get-primary",)) == "A"
    wrote(machine)
    rauc_calls.bootloader(machine, ("set-primary", "B"))
    assert known(machine, "B") == Known(NEW, "2.0.0")
    assert rauc_calls.bootloader(machine, ("get-primary",)) == "B"
    assert bootenv.choice(bootenv.read(machine)) == (("B", "A"), {"A": 3, "B": 1})
    assert rauc_calls.bootloader(machine, ("get-state", "B")) == "good"


def test_a_slot_that_is_being_written_is_never_started(machine):
    rauc_calls.bootloader(machine, ("set-state", "B", "bad"))
    assert bootenv.choice(bootenv.read(machine)) == (("A",), {"A": 3, "B": 0})


@pytest.mark.parametrize("version", ["0.9.9", "1.0", "1.0.0.0", "1.0.1", "10.0"])
def test_an_older_version_is_refused_before_anything_is_written(machine, bundle, version):
    if version == "0.9.9":
        with pytest.raises(Failure, match=r"older than 1\.0\.0") as found:
            rauc_calls.pre_install(machine, bundle(version))
        assert found.value.exit_code == FAILED
        assert state.load(machine).incoming is None
    else:
        assert rauc_calls.pre_install(machine, bundle(version)) == version


def test_older_than_what_was_ever_kept_is_refused_though_an_older_one_runs(machine, bundle):
    state.save(machine, state.load(machine)._replace(highest="2.0.0"))
    with pytest.raises(Failure, match=r"older than 2\.0\.0"):
        rauc_calls.pre_install(machine, bundle("1.5.0"))
    assert rauc_calls.pre_install(machine, bundle("2.0.0")) == "2.0.0"


def test_another_board_is_refused(machine, bundle):
    with pytest.raises(Failure, match="for the board boule_ref, and this is roulette_ref"):
        rauc_calls.pre_install(machine, bundle("2.0.0", "boule_ref"))


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "7", '{"version": "2.0.0"}', '{"version": 2, "board": "roulette_ref"}',
     '{"version": "2", "board": ""}', '{"version": "2", "board": "' + "x" * 65 + '"}', "x" * 9000],
)  # fmt: skip
def test_a_bundle_that_does_not_say_what_it_is_is_refused(machine, tmp_path, text):
    (tmp_path / release.NAME).write_text(text)
    with pytest.raises(Failure, match="does not say what software"):
        rauc_calls.pre_install(machine, tmp_path)


def test_the_slot_that_runs_is_neither_withdrawn_nor_tried(machine):
    with pytest.raises(Failure, match="runs here"):
        rauc_calls.bootloader(machine, ("set-state", "A", "bad"))
    with pytest.raises(Failure, match="not the other slot"):
        rauc_calls.bootloader(machine, ("set-primary", "A"))
    assert bootenv.choice(bootenv.read(machine)).order == ("A",)


def test_rauc_cannot_make_a_slot_good_that_has_not_proved_itself(machine):
    """`rauc status mark-good` is no way round the checks of the first start."""
    installs(machine)
    runs(machine, "B", "2.0.0")
    with pytest.raises(Failure, match="has not proved itself"):
        rauc_calls.bootloader(machine, ("set-state", "B", "good"))
    assert known(machine, "B").kind == NEW
    assert rauc_calls.bootloader(machine, ("set-state", "A", "good")) is None


@pytest.mark.parametrize("status", ["update", "failed", "pending", ""])
def test_a_slot_that_rauc_did_not_write_whole_is_never_tried(machine, bundle, status):
    """dm-verity refused the bundle in the middle; then `rauc status mark-active other`."""
    wrote(machine)  # an installation of long ago
    rauc_calls.pre_install(machine, bundle("2.0.0"))
    rauc_calls.withdraw(machine, B)
    wrote(machine, status)
    before = bootenv.read(machine), state.load(machine)
    with pytest.raises(Failure, match="not whole"):
        rauc_calls.bootloader(machine, ("set-primary", "B"))
    assert (bootenv.read(machine), state.load(machine)) == before


def test_an_installation_that_a_power_cut_ended_is_never_tried(machine, bundle):
    """Whatever RAUC's note says: it was not always on the card by then."""
    rauc_calls.pre_install(machine, bundle("2.0.0"))
    rauc_calls.withdraw(machine, B)
    wrote(machine)
    assert commit.started(machine)
    with pytest.raises(Failure, match="not whole"):
        rauc_calls.arm(machine, B)


@pytest.mark.parametrize("kind", [UNKNOWN, FAILED_TRY, TRIED])
def test_what_was_never_whole_or_has_failed_is_not_tried(machine, kind):
    state.save(machine, state.load(machine).with_slot(B, Known(kind, "1.5.0")))
    with pytest.raises(Failure, match="nothing to try"):
        rauc_calls.arm(machine, B)
    assert bootenv.choice(bootenv.read(machine)).order == ("A",)


@pytest.mark.parametrize("lacks", [bundle_step.BOOT, bundle_step.ROOT])
def test_a_bundle_of_half_a_slot_is_refused(machine, bundle, lacks):
    """A kernel of another version would start with this root, or none at all."""
    mounted = bundle("2.0.0")
    (mounted / lacks).unlink()
    with pytest.raises(Failure, match=f"holds no {lacks}"):
        rauc_calls.pre_install(machine, mounted)
    assert state.load(machine).incoming is None


@pytest.mark.parametrize("words", [(), ("get-primary", "A"), ("set-state", "B", "fine"), ("x",)])
def test_what_rauc_does_not_ask_is_refused(machine, words):
    with pytest.raises(Failure) as found:
        rauc_calls.bootloader(machine, words)
    assert found.value.exit_code == USAGE


def test_a_slot_that_is_not_there_is_refused(machine):
    with pytest.raises(Failure, match="no slot C"):
        rauc_calls.bootloader(machine, ("get-state", "C"))


@pytest.mark.parametrize(("kind", "told"), [(GOOD, "good"), (FAILED_TRY, "bad")])
def test_a_slots_state_is_told(machine, kind, told):
    state.save(machine, state.load(machine).with_slot(B, Known(kind, "1.0.0")))
    assert rauc_calls.bootloader(machine, ("get-state", "B")) == told


def says(monkeypatch, *told):
    """What the controller tells, one answer a question."""
    answers = iter(told)
    monkeypatch.setattr(later_results, "ask", lambda *_, **__: {"status": next(answers)})


def test_who_knew_of_later_results_before_a_try_is_kept_with_it(machine, monkeypatch):
    """Asked anew for each try, by whichever way it comes: RAUC's own, or back."""
    says(monkeypatch, {"displays_later": [3, 1]}, {"displays_later": []}, {"displays_later": [2]})
    installs(machine, "2.0.0")
    assert state.load(machine).told_later == (1, 3)
    installs(machine, "2.0.1")
    assert state.load(machine).told_later == ()
    state.save(machine, State({"A": Known(GOOD, "1.0.0"), "B": Known(GOOD, "2.0.1")}))
    installing.go_back(machine, B)
    assert state.load(machine).told_later == (2,)


def test_where_no_controller_tells_who_knew_nobody_did(machine, monkeypatch):
    installs(machine)  # there is no socket
    assert state.load(machine).told_later == ()
    says(monkeypatch, None, {})
    for _ in range(2):
        installs(machine)
        assert state.load(machine).told_later == ()


def test_a_state_of_an_older_version_or_garbage_tells_of_nobody(machine):
    path = machine / STATE / state.NAME
    found = json.loads(path.read_text())
    del found["told_later"]
    for text in (found, *({**found, "told_later": odd} for odd in (None, 7, {"1": 1}, [[1], "2"]))):
        path.write_text(json.dumps(text))
        assert state.load(machine).told_later == ()
        assert known(machine, "A") == Known(GOOD, "1.0.0")
