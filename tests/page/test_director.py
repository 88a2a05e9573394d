"""A configuration with other limits on the service page: Luxembourg art. 37-3."""

from __future__ import annotations

from typing import Any

import pytest
from page_bench import PINS, Table
from patience import LAST_RESORT_S, until

from firmware.config import parse, table_limits
from tools.bench.page.client import Client

STAKES = "[stakes]\nminimum_cents = 500\n"
RAISED = STAKES + "table_minimum_cents = 1000\n"


@pytest.fixture
def weber(table: Table) -> Any:
    """A supervisor at the page of a wheel whose table is open."""
    table.config.write_text(table.config.read_text() + STAKES)
    table.play()
    table.serve()
    found = Client(table.port, LAST_RESORT_S)
    found.log_in("weber", PINS["weber"])
    return found


@pytest.mark.req("LU-37-3.director")
def test_a_director_signs_the_limits_that_a_supervisor_applies(weber: Any, table: Table) -> None:
    """Art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de saison, pour
    tout ou partie des tables, le minimum des mises »."""
    head = table.config.read_text().removesuffix(STAKES)
    asked = {"text": head + RAISED}
    other = {"text": head + STAKES + "[pace]\ncoup_s = 72\n"}
    assert weber.ask("/api/config/check", other)[1] == {"mistakes": [], "limits": None}
    assert weber.ask("/api/config/check", asked)[1] == {"mistakes": [], "limits": {"must": True}}
    status, told = weber.ask("/api/config/apply", asked)
    assert (status, told["error"]["code"]) == (409, "no_director")
    assert told["error"]["text"].startswith("[stakes] art. 37-3: « le directeur responsable")
    assert told["error"]["remedy"] == "Let a director sign, with name and PIN."
    for name, code in (("thill", "wrong_pin"), ("klein", "wrong_role")):
        pin = PINS["klein"]
        status, told = weber.ask(
            "/api/config/apply", asked | {"director": name, "director_pin": pin}
        )
        assert (status, told["error"]["code"]) == (403, code)
    assert not list((table.state / "orders").glob("*.order"))
    until(lambda: _signed(weber, asked), "the director's PIN is heard again")
    assert len(list((table.state / "orders").glob("*.order"))) == 1
    acts = [row["said"] for row in weber.ask("/api/log?n=50")[1]["rows"] if row["kind"] == "act"]
    (signed,) = [act for act in acts if act["what"] == "limits"]
    change = table_limits.change(parse(head + STAKES), parse(asked["text"]))
    assert change is not None
    assert (signed["who"], signed["role"], signed["detail"], signed["sha256"]) == (
        "thill",
        "director",
        "table_minimum_cents 1000",
        change.sha256,
    )


def _signed(weber: Any, asked: dict[str, str]) -> bool:
    sign = {"director": "thill", "director_pin": PINS["thill"]}
    status, told = weber.ask("/api/config/apply", asked | sign)
    assert status == 200 or told["error"]["code"] == "too_soon"
    return bool(status == 200)
