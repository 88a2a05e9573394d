"""What Linux says of a keyboard, `struct input_event` of linux/input.h: changes of keys.

There is a package for it (evdev), but none that comes built for our machines; this is all it takes.
"""

import struct

from firmware.shims.typed import Any

# Time as two words of the kernel, type, code, value.
_EVENT = "@LLHHi"
_EVENT_SIZE = struct.calcsize(_EVENT)
_EV_SYN, _EV_KEY = 0, 1
_SYN_REPORT, _SYN_DROPPED = 0, 3
_REPEATED = 2  # a key's value, by the kernel, while it is down


class InputEvents:
    """Finds the changes in a stream of bytes, however it is cut."""

    def __init__(self) -> None:
        self._held = b""
        self._is_dropping = False  # what comes before the next report is not whole

    def feed(self, data: bytes) -> "list[tuple[int, int | None, int]]":
        """Takes the bytes that came; gives (when, us; code of the key; 1 down or 0 up), in order.

        A code of None: changes were lost. The kernel stamps every event.
        """
        found: list[tuple[int, int | None, int]] = []
        self._held += data
        while len(self._held) >= _EVENT_SIZE:
            fields: Any = struct.unpack(_EVENT, self._held[:_EVENT_SIZE])
            self._held = self._held[_EVENT_SIZE:]
            s, us, kind, code, value = fields
            at_us = s * 1_000_000 + us
            if kind == _EV_SYN:
                if code == _SYN_DROPPED:
                    self._is_dropping = True
                    found.append((at_us, None, 0))
                elif code == _SYN_REPORT:
                    self._is_dropping = False
            elif kind == _EV_KEY and value != _REPEATED and not self._is_dropping:
                found.append((at_us, code, value))
        return found
