"""Other limits of a table, signed by a director on the page, in real Chromium."""

from __future__ import annotations

import json

import pytest
from page_bench import PINS, Browser, Page, Table
from patience import until

STAKES = "[stakes]\nminimum_cents = 500\n"


@pytest.mark.req("LU-37-3.director")
def test_a_director_signs_new_limits_beside_the_supervisor(browser: Browser, table: Table) -> None:
    """Art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de saison, pour
    tout ou partie des tables, le minimum des mises »."""
    head = table.config.read_text()
    table.config.write_text(head + STAKES)
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("config")
    page.logged_in()
    page.until("document.getElementById('config')?.value.includes('minimum_cents')")
    page.fill("config", head + STAKES + "table_minimum_cents = 1000\n")
    page.until("!document.getElementById('apply').disabled")
    page.click("#apply")
    page.until("document.getElementById('limits')?.innerText.includes('a director signs them')")
    page.photograph("config-limits")
    page.click("#apply-sure")  # the fields are empty: the browser lets nothing go
    page.fill("field-director", "thill")
    page.fill("field-director_pin", PINS["thill"])
    page.click("#apply-sure")
    orders = table.state / "orders"
    until(lambda: list(orders.glob("*.order")), "the order")
    (order,) = orders.glob("*.order")
    assert json.loads(order.read_text())["who"] == "weber"
