"""Going back to the other slot, as ordered on the service page: once, and no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from order_bench import Bench
from update.conftest import machine  # noqa: F401
from update.slots_here import runs, starts

from firmware.lib.errors import Failure
from firmware.lib.order_folder import ROLLBACK, UPDATE, detail, state
from firmware.lib.partitions import SLOTS
from firmware.services.device.order_runner import Orders
from firmware.services.update import bootenv, overview, rollback, slot_status
from firmware.services.update.rollback import Back
from firmware.services.update.state import GOOD, NEW, TRIED, Known, save
from firmware.services.update.state import load as load_state
from tools.commands import orders as orders_command
from tools.commands import update

BACK = Back("A", "1.0.0", "B", "0.9.0")
FILE = ".rollback.json"


class Wheel:
    """A machine with two slots, and orders for it."""

    def __init__(self, root: Path, orders: Bench) -> None:
        self.root = root
        self.orders = orders

    def order(self, back: Back = BACK, **other: Any) -> Path:
        """An order with the act of a supervisor; `other`: what is wrong with that."""
        data = rollback.text(back)
        path = self.orders.order(data, ROLLBACK)
        said = {"what": "update", "detail": detail(path.with_suffix(FILE), len(data))}
        self.orders.act(path, data, **(said | other))
        return path

    def carry_out(self) -> list[dict[str, Any]]:
        def deed(path: Path) -> str:
            return rollback.carry_out(self.root, rollback.parse(path.read_bytes()))

        own = self.orders
        return Orders(own.folder, own.journal, own.keys, {ROLLBACK: deed}, 0.0).carry_out()

    def next(self) -> str | None:
        """The slot whose next start is a try."""
        return load_state(self.root).trial

    def knows(self, slot: int, kind: str, version: str) -> None:
        """What is known of a slot."""
        name = SLOTS[slot].bootname
        now = load_state(self.root)
        save(self.root, now._replace(slots={**now.slots, name: Known(kind, version)}))


@pytest.fixture
def wheel(machine: Path, bench: Bench) -> Wheel:  # noqa: F811
    """It runs 1.0.0 from A; 0.9.0 in B has proved itself before."""
    made = Wheel(machine, bench)
    made.knows(1, GOOD, "0.9.0")
    return made


def test_what_a_supervisor_ordered_is_tried_at_the_next_start(wheel: Wheel) -> None:
    wheel.order()
    (found,) = wheel.carry_out()
    assert (found["ok"], found["text"]) == (
        True,
        "The next restart tries slot B, version 0.9.0, once.",
    )
    assert wheel.next() == "B"
    assert bootenv.choice(bootenv.read(wheel.root)) == (("B", "A"), {"A": 3, "B": 1})
    assert [path.suffix for path in wheel.orders.folder.iterdir()] == [".done"]
    assert state(wheel.orders.folder)[0]["ok"] is True


@pytest.mark.parametrize(
    "other", [{"role": "technician"}, {"what": "config"}, {"sha256": "0" * 64}, {"detail": "x"}]
)
def test_an_act_of_another_role_kind_or_file_goes_nowhere(
    wheel: Wheel, other: dict[str, Any]
) -> None:
    wheel.order(**other)
    (found,) = wheel.carry_out()
    assert "No supervisor's act" in found["text"]
    assert wheel.next() is None


def test_without_an_act_nothing_is_gone_back_to(wheel: Wheel) -> None:
    wheel.orders.order(rollback.text(BACK), ROLLBACK)
    assert not wheel.carry_out()[0]["ok"]
    assert wheel.next() is None


def test_the_act_of_an_update_does_not_order_to_go_back(wheel: Wheel) -> None:
    """Both are acts of the kind `update`: the name of the file in it keeps them apart."""
    data = rollback.text(BACK)
    path = wheel.orders.order(data, UPDATE)
    bundle = path.with_suffix(".bundle.raucb")
    act = {"what": "update", "detail": detail(bundle, len(data))}
    wheel.orders.act(path, data, **act)
    told = json.loads(path.read_text()) | {"what": ROLLBACK}
    path.write_text(json.dumps(told))
    bundle.rename(path.with_suffix(FILE))
    assert "No supervisor's act" in wheel.carry_out()[0]["text"]
    assert wheel.next() is None


def test_an_order_that_was_carried_out_is_no_order_again(wheel: Wheel) -> None:
    path = wheel.order()
    kept = path.read_bytes(), path.with_suffix(FILE).read_bytes()
    assert wheel.carry_out()[0]["ok"]
    save(wheel.root, load_state(wheel.root)._replace(trial=None))
    path.write_bytes(kept[0])
    path.with_suffix(FILE).write_bytes(kept[1])
    assert "No supervisor's act" in wheel.carry_out()[0]["text"]
    assert wheel.next() is None


def test_of_two_who_order_it_the_second_is_told(wheel: Wheel) -> None:
    wheel.order()
    wheel.order()
    first, second = wheel.carry_out()
    assert first["ok"]
    assert second["text"] == "Slot B is tried at the next start already."
    assert wheel.next() == "B"


def test_an_order_from_before_the_restart_does_nothing_after_it(wheel: Wheel) -> None:
    """Or the wheel would go back and forth."""
    wheel.order()
    assert wheel.carry_out()[0]["ok"]
    assert starts(wheel.root) == "B"
    runs(wheel.root, "B", "0.9.0")
    save(wheel.root, load_state(wheel.root)._replace(trial=None))
    before = bootenv.read(wheel.root)
    wheel.order()  # of a page that still shows what was
    assert "slot B runs" in wheel.carry_out()[0]["text"]
    assert (wheel.next(), bootenv.read(wheel.root)) == (None, before)


def test_another_version_in_the_other_slot_is_not_what_was_ordered(wheel: Wheel) -> None:
    wheel.order()
    wheel.knows(1, GOOD, "0.8.0")
    assert "slot B holds 0.8.0" in wheel.carry_out()[0]["text"]
    assert wheel.next() is None


@pytest.mark.parametrize(
    ("slot", "kind", "sentence"),
    [
        (1, NEW, "nothing that has proved itself (installed, not tried"),
        (0, TRIED, "has not proved itself yet"),
    ],
)
def test_what_the_deed_refuses_is_answered(
    wheel: Wheel, slot: int, kind: str, sentence: str
) -> None:
    wheel.order()
    wheel.knows(slot, kind, BACK.version if slot == 0 else BACK.to_version)
    (found,) = wheel.carry_out()
    assert not found["ok"] and sentence in found["text"]
    assert wheel.next() is None


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"\xff", b'"A"', rollback.text(BACK).replace(b'"A"', b"1"),
     rollback.text(BACK).replace(b"}", b',"x":"y"}'), b" " * 2000 + rollback.text(BACK)],
)  # fmt: skip
def test_what_says_no_slot_is_refused(data: bytes) -> None:
    with pytest.raises(Failure, match="does not say which slot"):
        rollback.parse(data)
    assert rollback.parse(rollback.text(BACK)) == BACK


def test_the_way_back_that_is_shown_is_the_one_that_is_gone(wheel: Wheel) -> None:
    assert rollback.of(overview.read_overview(wheel.root)) == BACK
    for slot, kind in ((0, TRIED), (1, NEW)):
        wheel.knows(slot, kind, "1.0.0")
        assert rollback.of(overview.read_overview(wheel.root)) is None
        wheel.knows(0, GOOD, "1.0.0")
        wheel.knows(1, GOOD, "0.9.0")
    save(wheel.root, load_state(wheel.root)._replace(trial="B"))
    assert rollback.of(overview.read_overview(wheel.root)) is None


def test_the_command_goes_back_and_leaves_how_the_slots_stand_now(
    wheel: Wheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders_command, "_ROOT", wheel.root)
    slot_status.publish(wheel.root)
    wheel.order()
    own = wheel.orders
    given = {"--folder": own.folder, "--journal": own.journal, "--keys": own.keys}
    words = [str(word) for pair in given.items() for word in pair]
    result = CliRunner().invoke(orders_command.command, [*words, "--json"])
    assert json.loads(result.stdout)["ok"], result.stdout
    left = slot_status.read(wheel.root)
    assert left == overview.read_overview(wheel.root)
    assert [slot["trial"] for slot in left["slots"]] == [False, True]
    assert (wheel.root / slot_status.FILE).stat().st_mode & 0o777 == 0o644


def test_what_cannot_be_told_any_more_is_not_left(wheel: Wheel) -> None:
    slot_status.publish(wheel.root)
    assert slot_status.read(wheel.root) is not None
    (wheel.root / "proc/cmdline").write_text("quiet\n")
    slot_status.publish(wheel.root)
    assert slot_status.read(wheel.root) is None
    (wheel.root / slot_status.FILE).write_bytes(b"\xff[")
    assert slot_status.read(wheel.root) is None


@pytest.mark.parametrize("words", [["started"], ["settle"], ["rollback"]])
def test_each_command_that_changes_the_slots_leaves_how_they_stand(
    wheel: Wheel, monkeypatch: pytest.MonkeyPatch, words: list[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(update, "_ROOT", wheel.root)
    monkeypatch.setattr("tools.commands.update.os.geteuid", lambda: 0)
    if words == ["rollback"]:
        words = [*words, "--socket", str(tmp_path / "none")]
    result = CliRunner().invoke(update.command, words)
    assert result.exit_code == 0, repr(result.exception)
    assert slot_status.read(wheel.root) == overview.read_overview(wheel.root)
