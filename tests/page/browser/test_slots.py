"""Both slots in the update view, and the way back: asked, confirmed, left for root, carried out."""

from pathlib import Path
from typing import Any

import pytest
from display_page.conftest import Browser
from page_bench import PINS, Page, Table
from patience import LAST_RESORT_S
from update.conftest import machine  # noqa: F401

from firmware.lib.order_folder import ROLLBACK
from firmware.services.device.order_runner import Orders
from firmware.services.update import rollback, slot_status, state
from firmware.services.update.state import GOOD, NEW, Known
from tools.bench.page.client import Client

NEXT = "document.getElementById('slots')?.innerText.includes(arguments[0])"


@pytest.fixture
def slotted(table: Table, machine: Path) -> Table:  # noqa: F811
    """Its machine runs 1.0.0 from slot A; 0.9.0 in slot B has proved itself before."""
    now = state.load(machine)
    state.save(machine, now._replace(slots={**now.slots, "B": Known(GOOD, "0.9.0")}))
    slot_status.publish(machine)
    table.play()
    table.serve(slots=machine)
    return table


def carried_out(table: Table, root: Path) -> list[dict[str, Any]]:
    """What the unit does, as root."""

    def deed(path: Path) -> str:
        try:
            return rollback.carry_out(root, rollback.parse(path.read_bytes()))
        finally:
            slot_status.publish(root)

    folders = table.state / "orders", table.state / "journal.db", table.state / "keys"
    return Orders(*folders, {ROLLBACK: deed}, LAST_RESORT_S).carry_out()


def test_a_supervisor_goes_back_to_the_other_slot(
    browser: Browser,
    slotted: Table,
    machine: Path,  # noqa: F811
) -> None:
    page = Page(browser, slotted)
    page.open("update", language="fr")
    page.logged_in()
    page.until(NEXT, "en marche, démarre la prochaine fois")
    assert "B\t0.9.0\tbon" in page.text("#slots")
    page.until("!document.getElementById('rollback').disabled")
    page.click("#rollback")
    page.until("document.querySelector('dialog[open]')")
    assert "Revenir à la version 0.9.0 ?" in page.text("dialog[open]")
    assert not list((slotted.state / "orders").glob("*"))  # it was only asked whether
    page.photograph("rollback-fr")
    page.click("#rollback-sure")
    page.until("document.querySelector('.orders .not-tested')")
    assert "retour à l'autre emplacement" in page.text(".orders")
    (found,) = carried_out(slotted, machine)
    assert found["ok"], found
    assert state.load(machine).trial == "B"
    page.until("document.querySelector('.orders .passed')")
    said = "Le prochain démarrage essaie l'emplacement B, version 0.9.0, une fois."
    assert said in page.text(".orders")
    page.until(NEXT, "essayé au prochain démarrage")
    page.until("document.getElementById('rollback').disabled")
    assert "B est déjà essayé" in page.text("#rollback-why")
    page.photograph("rollback-left-fr")


def test_a_technician_sees_the_slots_and_goes_nowhere(browser: Browser, slotted: Table) -> None:
    page = Page(browser, slotted)
    page.open("update")
    page.logged_in("anna")
    page.until(NEXT, "running, starts next")
    assert page.run("return document.getElementById('rollback').disabled")
    assert page.text("#rollback-why") == "For a supervisor only."


def test_what_was_shown_is_what_is_gone_back_to(slotted: Table, machine: Path) -> None:  # noqa: F811
    weber = Client(slotted.port, LAST_RESORT_S)
    weber.log_in("weber", PINS["weber"])
    status, told = weber.ask("/api/update/rollback", {"slot": "B", "version": "0.8.0"})
    assert (status, told["error"]["code"]) == (409, "not_now")
    assert "as they were shown" in told["error"]["text"]
    now = state.load(machine)
    state.save(machine, now._replace(slots={**now.slots, "B": Known(NEW, "0.9.0")}))
    slot_status.publish(machine)
    status, told = weber.ask("/api/update/rollback", {"slot": "B", "version": "0.9.0"})
    assert told["error"]["text"] == "There is no slot to go back to now."
    assert weber.ask("/api/orders")[1] == {"orders": []}
    assert not list((slotted.state / "orders").glob("*"))


def test_where_there_are_no_slots_there_is_none_to_go_back_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slot_status, "ROOT", tmp_path)
    assert slot_status.ask_status() is None
