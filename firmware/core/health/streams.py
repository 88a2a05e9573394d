"""What is judged as one: its evidence, its line, and the acts that begin it anew."""

from firmware.core.health.any_shape import AnyShape
from firmware.core.health.bank import Bank
from firmware.core.health.budget import Grants
from firmware.core.health.facts import UNEVEN, Epoch, Notice
from firmware.shims.typed import Any, Iterator, Sequence

ANY_SHARE = 0.1  # of what numbers begin with, for shapes that the bank does not have


class Numbers:
    """The sets of the bank, and any other shape: one evidence."""

    def __init__(self, bank: Bank, compartments: int) -> None:
        """Begins without evidence."""
        self._bank = bank
        self._any = AnyShape(compartments)
        self._sum()

    @property
    def counts(self) -> Sequence[int]:
        """Returns how often each compartment came."""
        return self._any.counts

    def start_over(self, grant: float) -> None:
        """Forgets all evidence, and begins anew with `grant`."""
        self._bank.start_over((1.0 - ANY_SHARE) * grant)
        self._any.start_over(2.0 * ANY_SHARE * grant)  # no coup adds to it: acts may give it all
        self._sum()

    def add(self, place: int, spent: float) -> None:
        """Takes the compartment of a coup."""
        self._bank.add(place, (1.0 - ANY_SHARE) * spent)
        self._any.add(place)
        self._sum()

    def _sum(self) -> None:
        self.total = self._bank.total + self._any.total

    def strongest(self) -> "tuple[str, int | None, float]":
        """Returns the kind of notice that has most of the evidence, its place, its evidence."""
        found = self._bank.strongest()
        return (UNEVEN, None, self._any.total) if self._any.total > found[2] else found

    def save(self, into: list[float]) -> None:
        """Adds what is known to a state."""
        self._bank.save(into)
        self._any.save(into)

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        self._bank.restore(state)
        self._any.restore(state)
        self._sum()


class Stream:
    """One evidence, told once it reaches its line."""

    def __init__(
        self,
        name: str,
        judge: Any,
        *,
        family: str,
        share: float,
        acts: Sequence[str],
        named: "tuple[str, int | None] | None" = None,
    ) -> None:
        """`judge`: any of this package that has begin, add, total, strongest, keep and take.

        `family`: of streams that are told once. `share`: of years in which it may be told for
        nothing. `acts`: of service, that begin it anew. `named`: the kind of its notice and the
        place, whatever the judge's.
        """
        self.name = name
        self.family = family
        self.judge = judge
        self.line = 1.0 / share
        self.told = False
        self.coups = 0
        self.most = 0.0
        self.most_at = 0
        self._acts = acts
        self._named = named
        self._grants = Grants()

    def start_over(self, year: int) -> None:
        """Begins anew, as at an act of that year of coups."""
        self.judge.start_over(self._grants.grant(year))
        self.told = False
        self.coups = self.most_at = 0
        self.most = self.judge.total

    def act(self, kind: str, year: int) -> Epoch | None:
        """Takes a service act. Returns what was judged until now, if that begins it anew."""
        if kind not in self._acts:
            return None
        counts = tuple(self.judge.counts) if isinstance(self.judge, Numbers) else ()
        ended = Epoch(self.name, self.coups, self.most, self.most_at, self.told, counts)
        self.start_over(year)
        return ended

    def add(self, seen: Any, spent: float) -> bool:
        """Takes what a coup shows to the judge. Returns whether its evidence reaches the line."""
        self.judge.add(seen, spent)
        self.coups += 1
        if self.judge.total > self.most:
            self.most, self.most_at = self.judge.total, self.coups
        return bool(self.judge.total >= self.line)

    def notice(self) -> Notice:
        """Returns what is to be told, which then counts as told."""
        self.told = True
        strongest = self.judge.strongest()
        kind, place = self._named or strongest[:2]
        return Notice(kind, place, self.name)

    def save(self, into: list[float]) -> None:
        """Adds what is known to a state."""
        into += [float(self.told), float(self.coups), self.most, float(self.most_at)]
        self._grants.save(into)
        self.judge.save(into)

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        self.told = bool(next(state))
        self.coups = int(next(state))
        self.most = next(state)
        self.most_at = int(next(state))
        self._grants.restore(state)
        self.judge.restore(state)
