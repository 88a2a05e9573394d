"""Stakes as the core knows of them: a book that is begun, closed, sealed and ended."""

from __future__ import annotations

from typing import Any


class Ledger:
    """A book that notes what it is told."""

    def __init__(self, seal: str | None = "5ea1") -> None:
        self.seal = seal
        self.told: list[Any] = []
        self.closed: list[int] = []  # the coups whose call was recorded
        self.refusal: str | None = None

    def open_coup(self, coup: int) -> None:
        self.told.append(("begin", coup))

    def close(self, coup: int) -> Any:
        self.told.append(("close", coup))
        self.closed.append(coup)
        if self.seal is None:
            return None
        return {"coup": coup, "seal": self.seal, "count": 0, "total_cents": 0, "stakes": []}

    def sealed(self, coup: int) -> str | None:
        return self.seal if coup in self.closed else None

    def ended(self, body: Any) -> None:
        self.told.append(("ended", body["coup"], body.get("number"), body.get("reason")))

    def employee(self, who: str, present: bool) -> Any:
        self.told.append(("employee", who, present))
        return self.refusal

    def employees(self) -> Any:
        return [who for what, who, present in self.told if what == "employee" and present]

    def corrected(self, body: Any) -> bool:
        self.told.append(("corrected", body["coup"]))
        return self.refusal is None

    def entry(self, what: str, given: Any) -> Any:
        self.told.append(("entry", what))
        return self.refusal or ("money", given)

    def entered(self, kind: str, body: Any) -> None:
        self.told.append(("entered", kind))

    def unseat(self, terminal: int, why: str) -> Any:
        self.told.append(("unseat", terminal, why))
        return self.refusal or {"terminal": terminal, "player": "bert"}
