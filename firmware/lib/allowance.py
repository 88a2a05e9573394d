"""How many questions a client may ask: a token bucket for each of a bounded number of clients."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

CLIENTS_MAX = 1024  # some 200 kB; the one that asked longest ago is forgotten
_HOUSE = 64  # bits of an IPv6 address; the other 64 each device chooses as it likes (RFC 4291)


class Allowance:
    """Counts what each client asks. One that was never heard of may ask `burst` at once."""

    def __init__(
        self,
        per_s: float,
        burst: float,
        clients_max: int = CLIENTS_MAX,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`per_s`: what comes back each second, up to `burst`."""
        self._per_s = per_s
        self._burst = burst
        self._clients_max = clients_max
        self._clock_s = clock_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # and as of when

    def __len__(self) -> int:
        return len(self._left)

    def wait_s(self, client: str, cost: float = 1.0) -> float:
        """Returns the seconds that it must wait; 0: it may ask now, and this counts.

        What is refused costs nothing.
        """
        now_s = self._clock_s()
        left, as_of_s = self._left.pop(client, (self._burst, now_s))
        left = min(self._burst, left + (now_s - as_of_s) * self._per_s)
        may = left >= cost
        self._left[client] = (left - cost if may else left, now_s)
        while len(self._left) > self._clients_max:
            self._left.popitem(last=False)
        return 0.0 if may else (cost - left) / self._per_s


def client_of(address: str) -> str:
    """Returns as whom an address counts: an IPv6 one as its /64, for a device may have all of it.

    What is no address counts as itself.
    """
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{ipaddress.IPv6Address(int(found) >> _HOUSE << _HOUSE)}/{_HOUSE}"
