"""Who may have a connection to a page, and who gives way where there are no more places.

Pure: times are arguments. Whoever comes gets in, at the cost of somebody who counts less:

- Whoever has shown a cookie that is known (an *owner*) gives way to nobody who has not.
- Of the others one goes from the address that has most connections: ten addresses with sixteen
  each lose theirs before the one tablet that has six. Addresses where a known cookie was shown
  come after all others, so that a person's next connection lives until it shows its own.
- At one address, first whose TLS handshake is not finished, then who idles, then who is being
  answered, the longest first; then who came or did something just now, and may yet show a cookie;
  last for whom work is being done: a PIN takes its time.
- Whose handshake is not finished has half of the places at most: they give way to one another, for
  to knock costs nothing.
- Between owners alone, one goes that idles, from who has most; who is being answered stays, unless
  that owner has more connections than one address may have.
"""

from __future__ import annotations

from collections import Counter, OrderedDict

GRACE_S = 2.0  # for a handshake and a request's head: three round trips, at a page that is busy
ADDRESSES_KEPT = 64  # where owners were seen: twice as many as may be logged in
# How far a connection is.
SHAKING = 0  # hands: its TLS is not there yet
IDLE = 1  # a request is awaited
WORKING = 2  # what it asked for is being done
BUSY = 3  # it is being answered, or a stream is open


class Guest:
    """One connection."""

    __slots__ = ("address", "owner", "since_s", "stage")

    def __init__(self, address: str, since_s: float, stage: int = IDLE) -> None:
        """`address`: as whom it counts. `since_s`: when it came, or when its stage changed."""
        self.address = address
        self.since_s = since_s
        self.stage = stage
        self.owner: str | None = None

    def move(self, stage: int, now_s: float) -> None:
        """Notes how far it is."""
        self.stage = stage
        self.since_s = now_s


class Places:
    """The connections that there are, and the addresses where owners were seen."""

    def __init__(self, most: int, of_address: int | None = None) -> None:
        """`of_address`: how many one address may have; None: all."""
        self.most = most
        self.of_address = of_address
        self._guests: dict[Guest, None] = {}  # the oldest first
        self._homes: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._guests)

    def __contains__(self, guest: Guest) -> bool:
        return guest in self._guests

    def admit(self, guest: Guest, now_s: float) -> Guest | None:
        """Takes one in; returns who gives way to it, who is then none of them any more.

        That is the guest itself where nobody counts less.
        """
        gone = self._who_gives_way(guest, now_s)
        if gone is not guest:
            self._guests[guest] = None
        if gone is not None:
            self.leave(gone)
        return gone

    def leave(self, guest: Guest) -> None:
        """Takes one out, if it is there."""
        self._guests.pop(guest, None)

    def belongs(self, guest: Guest, owner: str | None) -> None:
        """Notes whose a connection is, by what it showed last; None: nobody's that is known."""
        guest.owner = owner
        if owner is not None:
            self._homes[guest.address] = None
            self._homes.move_to_end(guest.address)
            while len(self._homes) > ADDRESSES_KEPT:
                self._homes.popitem(last=False)

    def _who_gives_way(self, guest: Guest, now_s: float) -> Guest | None:
        if self.of_address is not None:
            neighbours = [each for each in self._guests if each.address == guest.address]
            if len(neighbours) >= self.of_address:
                return self._least(neighbours, now_s) or guest
        if len(self._guests) >= self.most:
            return self._least(list(self._guests), now_s) or self._greediest() or guest
        return None

    def _least(self, guests: list[Guest], now_s: float) -> Guest | None:
        """Returns who of these counts least; None: each is an owner's, and being answered."""
        strangers = [each for each in guests if each.owner is None]
        if not strangers:
            resting = [each for each in guests if each.stage < WORKING]
            owns = Counter(each.owner for each in guests)
            return min(resting, key=lambda each: (-owns[each.owner], each.since_s), default=None)
        shaking = [each for each in strangers if each.stage == SHAKING]
        if 2 * len(shaking) >= len(guests):
            strangers = shaking
        many = Counter(each.address for each in strangers)

        def counts(each: Guest) -> tuple[float, ...]:
            at_home = each.address in self._homes
            return (at_home, -many[each.address], _rank(each, now_s), each.since_s)

        return min(strangers, key=counts)

    def _greediest(self) -> Guest | None:
        """Returns the oldest of the owner who has more than one address may have, if any does."""
        ((owner, count),) = Counter(each.owner for each in self._guests).most_common(1)
        if self.of_address is None or count <= self.of_address:
            return None
        return next(each for each in self._guests if each.owner == owner)


def _rank(guest: Guest, now_s: float) -> int:
    """Returns how late one gives way among those of its address."""
    if now_s - guest.since_s < GRACE_S:
        return BUSY + 2 if guest.stage == WORKING else BUSY + 1
    return guest.stage
