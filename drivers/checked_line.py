"""Lines of text with a check character, as barcode readers and small keyboards send them.

    S17-0345-TH*7

Fields of A to Z and 0 to 9 with `-` between them, `*`, one check character, and the end of the
line. The check is the arithmetic of ISO 7064, MOD 37-2: each character has a value (0 to 9, A to Z
10 to 35, `-` 36) and a weight that is a power of 2, and all of it is 1 more than a multiple of 37,
a prime. So any one wrong character is found, and any two neighbours that changed places: no two of
the values, and no two neighbouring weights, are the same modulo 37.
"""

from firmware.shims.typed import Sequence

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-"
_MODULUS = len(ALPHABET)
LINE_MAX = 40  # characters before the end of a line; a longer one is no line of ours
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}


def check_of(text: str) -> str:
    """Gives the check character of a text. Raises KeyError for one outside ALPHABET."""
    total = 0
    for letter in text:
        total = (total + _VALUES[letter]) * 2 % _MODULUS
    return ALPHABET[(1 - total) % _MODULUS]


def written(fields: "Sequence[str]") -> str:
    """Gives the line that has these fields, without its end."""
    text = "-".join(fields)
    return text + "*" + check_of(text)


def fields_of(line: str) -> "list[str] | None":
    """Gives the fields of a line; None if its check is not right."""
    text, star, check = line[:-2], line[-2:-1], line[-1:]
    if not text or star != "*" or not all(letter in _VALUES for letter in text):
        return None
    return text.split("-") if check == check_of(text) else None


class Lines:
    """Finds the lines in a stream of bytes, however it is cut. Each ends with CR, LF or both."""

    def __init__(self) -> None:
        self._held = b""
        self._is_too_long = False

    def feed(self, data: bytes) -> "list[str]":
        """Takes the bytes that came; gives the lines they complete, in order, without empty ones.

        Where one is too long, or no ASCII, there stands "", which is no line of ours.
        """
        parts = bytes(data).replace(b"\r", b"\n").split(b"\n")
        found = []
        for part in parts[:-1]:
            self._add(part)
            if self._held or self._is_too_long:
                found.append("" if self._is_too_long else _text(self._held))
            self._held = b""
            self._is_too_long = False
        self._add(parts[-1])
        return found

    def _add(self, part: bytes) -> None:
        if len(self._held) + len(part) > LINE_MAX:
            self._held = b""
            self._is_too_long = True
        elif not self._is_too_long:
            self._held += part


def _text(line: bytes) -> str:
    return line.decode() if all(byte < 0x80 for byte in line) else ""
