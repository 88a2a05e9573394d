"""What the table asks of whoever takes the stakes (firmware/stakes/book.py), as a Protocol."""

from firmware.shims.typed import Any, Protocol, Sequence


class Book(Protocol):
    """The stakes of one table. Its calls return at once and never raise."""

    def open_coup(self, coup: int) -> None:
        """Opens a coup: stakes may be placed."""
        ...

    def close(self, coup: int) -> dict[str, Any] | None:
        """Closes the stakes: what is accepted by now takes part, nothing else does.

        A dict {"coup", "seal", "count", "total_cents", "stakes"}, which is recorded at once and
        whose seal stands in the record of the coup's end; or None if there are no terminals.
        """
        ...

    def sealed(self, coup: int) -> str | None:
        """Returns the seal of what takes part in that coup; None before its call, and if none is.

        After a restart too, if the call was recorded before it.
        """
        ...

    def ended(self, body: dict[str, Any]) -> None:
        """Takes the coup's durable end. `body`: its record, with a `number` or a void's `reason`.

        After a restart it may be of a coup that this book never began.
        """
        ...

    def employee(self, who: str, present: bool) -> str | None:
        """Takes that an employee comes or leaves (Luxembourg art. 20-1: one at least at each coup).

        Returns why that is refused, as a sentence; None if it is not: then it is recorded.
        """
        ...

    def employees(self) -> Sequence[str]:
        """Returns who of the house is at the table, by name."""
        ...

    def unseat(self, terminal: int, why: str) -> dict[str, Any] | str:
        """Takes that an employee signs off whoever sits at a terminal. `why`: the reason in words.

        Returns what the record says of it beside who asked; or a sentence, why that is refused.
        """
        ...

    def corrected(self, body: dict[str, Any]) -> bool:
        """Takes a durable correction: what was paid for its coup is put right. `body`: its record.

        Returns False where it cannot be here, and people are to do it. After a restart it may be of
        a coup that this book never began.
        """
        ...

    def entry(self, what: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]] | str:
        """Takes what is asked of the players' accounts (firmware/stakes/accounts.py).

        Returns the kind, of accounts.ENTRIES, and the body of the row to record; or a sentence, why
        not.
        """
        ...

    def entered(self, kind: str, body: dict[str, Any]) -> None:
        """Takes that a row of `entry` is durable."""
        ...
