"""What takes a player's money and reads his card at a terminal, and the simulated one.

A note lies in escrow until it is stacked or given back. It is stacked before it is entered: one
that is given back when the power fails would be money twice. What was stacked and not entered is
found when the box is counted. A card is in or out. MicroPython-compatible.

A driver of a real acceptor (ccTalk, MDB, ID003) has the same calls.
"""

from firmware.shims.typed import NamedTuple, Protocol, Sequence

# What happens at an acceptor. `secret`: what stands on the card beside the account's number.
Inserted = NamedTuple("Inserted", [("cents", int)])
CardIn = NamedTuple("CardIn", [("account", int), ("secret", str)])
CardOut = NamedTuple("CardOut", [])


class Acceptor(Protocol):
    """One acceptor with its reader. Its calls return at once."""

    @property
    def escrow_cents(self) -> int:
        """Returns what lies in it and is neither stacked nor given back."""
        ...

    def take_events(self) -> "Sequence[Inserted | CardIn | CardOut]":
        """Returns what happened since the last call, in order."""
        ...

    def stack(self) -> None:
        """Keeps what lies in escrow."""
        ...

    def give_back(self) -> None:
        """Gives back what lies in escrow."""
        ...


class SimulatedAcceptor:
    """An Acceptor that somebody plays with."""

    def __init__(self) -> None:
        """Empty, without a card."""
        self.escrow_cents = 0
        self.stacked_cents = 0
        self.has_card = False
        self._happened: list[Inserted | CardIn | CardOut] = []

    def insert(self, cents: int) -> bool:
        """Puts a note in. Returns False while another lies in escrow: it is not taken in."""
        if self.escrow_cents or cents <= 0:
            return False
        self.escrow_cents = cents
        self._happened.append(Inserted(cents))
        return True

    def put_card(self, account: int, secret: str) -> bool:
        """Puts a card in. Returns False while another is in."""
        if self.has_card:
            return False
        self.has_card = True
        self._happened.append(CardIn(account, secret))
        return True

    def pull_card(self) -> bool:
        """Pulls the card out. Returns False where none is in."""
        if not self.has_card:
            return False
        self.has_card = False
        self._happened.append(CardOut())
        return True

    def take_events(self) -> "Sequence[Inserted | CardIn | CardOut]":
        """Returns what happened since the last call, in order."""
        happened = self._happened
        self._happened = []
        return happened

    def stack(self) -> None:
        """Keeps what lies in escrow."""
        self.stacked_cents += self.escrow_cents
        self.escrow_cents = 0

    def give_back(self) -> None:
        """Gives back what lies in escrow."""
        self.escrow_cents = 0
