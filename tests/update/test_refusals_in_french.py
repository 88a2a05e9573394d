"""An update that is refused, or not kept, says why in the language of who reads it."""

import json
import re

import pytest
from update.slots_here import BOARD, runs

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import FRENCH, listed, translated, unpacked
from firmware.services.device import order_runner
from firmware.services.page.translation import with_translations
from firmware.services.update import (
    installing,
    overview,
    rauc,
    rauc_calls,
    release,
    rollback,
    slots,
    state,
)
from firmware.services.update.commit import Check, settle
from firmware.services.update.release import Release
from firmware.services.update.state import GOOD, HALF, NEW, Known

ENGLISH = re.compile(r"\b(the|is|are|was|not|and|which|it|get|half|failed|again|or)\b", re.I)


def older(machine):
    state.admit(machine, Release("0.9.0", BOARD))


def older_with_a_way_back(machine):
    now = state.load(machine)
    state.save(machine, now.with_slot(slots.other(slots.running_slot(machine)), Known(GOOD, "0.9")))
    state.admit(machine, Release("0.8.0", BOARD))


def another_board(machine):
    state.admit(machine, Release("2.0.0", "boule_ref"))


def on_trial(machine):
    state.save(machine, state.load(machine)._replace(trial="A"))
    state.proved_slot(machine)


def half(machine):
    here = slots.running_slot(machine)
    state.save(machine, state.load(machine).with_slot(slots.other(here), Known(HALF)))
    installing.way_back(machine)


def no_slots(machine):
    (machine / "proc/cmdline").write_text("quiet")
    slots.running_slot(machine)


def two_at_once(machine):
    with installing.alone(machine), installing.alone(machine):
        pass


def no_order(machine):
    rollback.parse(b"{}")


def others_stand(machine):
    rollback.carry_out(machine, rollback.Back("A", "1.1.0", "B", "0.9.0"))


@pytest.mark.parametrize(
    "refuse",
    [
        older,
        older_with_a_way_back,
        another_board,
        on_trial,
        half,
        no_slots,
        two_at_once,
        no_order,
        others_stand,
    ],
)
def test_an_updates_refusal_comes_in_the_readers_language(machine, refuse):
    with pytest.raises(Failure) as refused:
        refuse(machine)
    french = translated(refused.value.sentence, FRENCH)
    assert french != refused.value.sentence
    assert not ENGLISH.search(french), french


def test_what_rauc_asked_and_was_refused_keeps_its_template(machine, monkeypatch):
    """RAUC hands on that it was refused, not why: that goes through a file."""
    with pytest.raises(Failure) as refused:
        rauc_calls.pre_install(machine, bundled(machine, "0.9.0"))
    sentence = refused.value.sentence

    def install(bundle, told):
        installing.refused(machine, sentence)
        raise Failure(FAILED, "RAUC said no.")

    monkeypatch.setattr(rauc, "install", install)
    plan = installing.Plan(
        machine, Release("0.9.0", BOARD), release.running(machine), slots.named("B")
    )
    with pytest.raises(Failure) as handed_on:
        installing.install(machine, plan, lambda *_: None)
    assert handed_on.value.sentence == sentence
    assert handed_on.value.sentence.template == sentence.template


def bundled(machine, version):
    (machine / release.NAME).write_text(release.text(Release(version, BOARD)))
    return machine


def test_what_a_slot_failed_by_is_told_at_the_page_in_its_language(machine):
    now = state.load(machine).with_slot(slots.named("B"), Known(NEW, "2.0.0"))
    state.save(machine, now._replace(trial="B"))
    runs(machine, "B", "2.0.0")
    said = "The controller answers, and its loop stands still."
    ill = Check("controller", ("sh", "-c", f"echo '{said}' >&2; exit 1"))
    assert not settle(machine, [ill], limit_s=0.0, pause_s=0.0).kept
    (slot,) = [each for each in overview.read_overview(machine)["slots"] if each["why"]]
    assert slot["why"] == f"controller: {said}"
    slot = with_translations(json.loads(json.dumps(slot)))
    assert slot["translations"][FRENCH]["why"].endswith(
        " : Le contrôleur répond, et sa boucle est arrêtée."
    )
    lines = translated(listed(overview.lines(overview.read_overview(machine)), "\n"), FRENCH)
    assert not ENGLISH.search(lines.replace("controller", "")), lines


def test_what_became_of_an_order_is_told_at_the_page_with_its_template(machine, tmp_path):
    with pytest.raises(Failure) as refused:
        older(machine)
    sentence, path = refused.value.sentence, tmp_path / "1.order"
    orders = order_runner.Orders(tmp_path, tmp_path, tmp_path, {})
    orders._answer(path, {"ok": False, "text": sentence})
    told = json.loads(path.with_suffix(".done").read_text())
    assert unpacked(told["said"]["text"], told["text"]).template == sentence.template
    assert with_translations(told)["translations"][FRENCH]["text"] == translated(sentence, FRENCH)
