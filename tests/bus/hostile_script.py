"""Does to displays what a file says, printed: the same lines on CPython and MicroPython.

    hostile_script.py attacks.txt

Not a test by itself. tests/micropython/test_hostile.py writes the file and compares. Which
signatures are right is told there, too: whether our own code agrees, record_script.py shows.
"""

import gc
import hashlib
import sys

from firmware.bus.receiver import Receiver


def plain(value):
    """A value in words: what `repr` makes of names and texts differs."""
    if isinstance(value, tuple):
        return "(" + ", ".join([plain(part) for part in value]) + ")"
    return str(value)


def lines(path):
    """What each display answers, and lights where that changes."""
    right = []  # of this display

    def verify(public, signature, message):
        return hashlib.sha256(public + signature + message).digest()[:8] in right

    with open(path) as file:
        for line in file:
            words = line.split()
            kind = words[0]
            if kind == "display":
                address, boot = int(words[1]), int(words[2])
                key, root = bytes.fromhex(words[3]), bytes.fromhex(words[4])
                receiver = Receiver(address, key, root, boot, verify)
                del right[:]
                lit = ""
                gc.collect()
                yield "display"
            elif kind == "signed":
                right.append(bytes.fromhex(words[1]))
            elif kind == "drop":
                receiver.drop()
            elif kind == "tick":
                receiver.tick(int(words[1]))
            else:
                reply = receiver.feed(
                    bytes.fromhex(words[2]) if len(words) > 2 else b"", int(words[1])
                )
                checked = 0
                while receiver.work():
                    checked += 1
                receiver.tick(int(words[1]))
                if reply or checked:
                    # MicroPython makes bytes of no bytes.
                    said = reply.hex() if reply else ""
                    yield "< " + said + " " + str(checked)
            if kind != "signed" and plain(receiver.lit) != lit:
                lit = plain(receiver.lit)
                yield lit


if __name__ == "__main__":
    for one in lines(sys.argv[1]):
        print(one)
