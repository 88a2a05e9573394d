"""How long whoever gave a wrong PIN waits: by name, and by where it was given.

What the network tries slows down nobody at the table. A name that nobody has is slowed down as one
that somebody has, so that nobody learns by asking who has a PIN.
"""

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

# After the first wrong PIN; doubled by each more. A day of guessing is then about 100 PINs.
DELAY_S = 1.0
DELAY_MAX_S = 900.0
# Known names have a table of their own: 500 people, each at the network, at the table as two or
# three users, at a few devices. Whoever floods it from the network has one entry a name.
KNOWN_MAX = 8192
# Names that nobody has. As many wrong PINs as that, a hash each, are a quarter of an hour's work
# of the controller before the first is forgotten; 1 MB.
UNKNOWN_MAX = 4096
_NAME_BYTES = 16
_Place = tuple[bytes, str]


class Delays:
    """Counts wrong PINs in a row, and says how long the next is not heard.

    All is forgotten at a restart: whoever may restart the controller may read the file of people.
    """

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        """Knows of no wrong PIN yet."""
        self._clock_s = clock_s
        self._secret = secrets.token_bytes(_NAME_BYTES)
        # By place: how many in a row, and when the next is heard.
        self._known: OrderedDict[_Place, tuple[int, float]] = OrderedDict()
        self._unknown: OrderedDict[_Place, tuple[int, float]] = OrderedDict()

    def wait_s(self, name: str, channel: str, *, known: bool) -> float:
        """Returns the seconds until a PIN for that name is heard there; 0.0: it is heard now."""
        _, heard_s = self._table(known).get(self._place(name, channel), (0, 0.0))
        return max(0.0, heard_s - self._clock_s())

    def wrong(self, name: str, channel: str, *, known: bool) -> int:
        """Takes a wrong PIN. Returns how many there were in a row."""
        table, place = self._table(known), self._place(name, channel)
        count = table.get(place, (0, 0.0))[0]
        delay_s = min(DELAY_S * 2 ** min(count, 20), DELAY_MAX_S)
        table[place] = (count + 1, self._clock_s() + delay_s)
        table.move_to_end(place)
        while len(table) > (KNOWN_MAX if known else UNKNOWN_MAX):
            table.popitem(last=False)
        return count + 1

    def right(self, name: str, channel: str) -> None:
        """Takes the right PIN: what was wrong there before is forgotten."""
        self._known.pop(self._place(name, channel), None)

    def _table(self, known: bool) -> OrderedDict[_Place, tuple[int, float]]:
        return self._known if known else self._unknown

    def _place(self, name: str, channel: str) -> _Place:
        """Returns a place of fixed size. A name that nobody has may be a PIN in the wrong place,
        which is not kept as it is.
        """
        text = name.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, key=self._secret, digest_size=_NAME_BYTES).digest(), channel
