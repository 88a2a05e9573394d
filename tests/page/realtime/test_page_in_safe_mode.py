"""The page beside safe mode: a technician logs in, reads, and leaves what root carries out."""

from __future__ import annotations

from typing import Any

from page_bench import PINS, Table
from patience import LAST_RESORT_S, until

from tools.bench.page.client import Client


def test_at_the_page_in_safe_mode_a_technician_reads_and_repairs(table: Table) -> None:
    table.play()
    until(lambda: table.status()["coup"])
    assert table.controller is not None
    table.controller.end(15)  # SIGTERM: it has left a journal and keys
    state = table.state
    safe = ("safe", "--config", str(table.config), "--keys", str(state / "keys"))
    table._start(*safe, "--journal", str(state / "journal.db"), "--socket", str(state))
    until((state / "cylindre.sock").exists)
    table.serve()
    client = Client(table.port, LAST_RESORT_S)
    status, _ = client.log_in("weber", PINS["weber"])
    assert status == 200

    def asked(path: str, *body: Any) -> Any:
        found, told = client.ask(path, *body)
        assert found == 200, told
        return told

    assert "journal" in asked("/api/parts")["parts"]
    assert asked("/api/coups?n=5")["coups"]
    assert "roulette_ref" in asked("/api/config")["text"]
    assert asked("/api/act", {"what": "note", "detail": "cable 3 replaced"})["ok"]
    config = table.config.read_text() + "[pace]\ncoup_s = 60\n"
    order = asked("/api/config/apply", {"text": config})["order"]
    assert order in [each["name"] for each in asked("/api/orders")["orders"]]

    def acts() -> list[Any]:
        rows = asked("/api/log?n=50")["rows"]
        return [row["said"]["what"] for row in rows if row["kind"] == "act"]

    until(lambda: {"login", "note", "config"} <= set(acts()), told=acts)
    status, told = client.ask("/api/service", {"on": True, "why": "check"})
    assert status == 409
    assert "in safe mode, where nothing is played" in told["error"]["text"]
    french = told["error"]["translations"]["fr"]["text"]
    assert "en mode sûr, où rien ne se joue" in french
