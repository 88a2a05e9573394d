"""A short talk between a shoe and its table, printed: the same lines on CPython and MicroPython.

Not a test by itself. test_shoe_script.py holds CPython to the golden lines; `make micropython` runs
the same file on the device's interpreter and compares.
"""

from drivers import shoe_messages as messages
from drivers.card_keys import CardKeys
from drivers.checked_line import written
from drivers.croupier_keyboard import CroupierKeys, SerialKeyboard
from drivers.shoe_barcode import ShoeBarcode
from drivers.shoe_end import ShoeEnd
from drivers.shoe_serial import ShoeSerial

KEY = bytes(range(32))
SESSION = 0x0102030405060708
BOOTS = (0x1122334455667788, 0x99AABBCCDDEEFF01)
STEP_US = 20_000
# What happens at the shoe, at which step: an edge, or a card as both readers read it.
# fmt: off
STORY = (
    (20, "in"), (22, 22, 22, "S17-0345"), (25, "out"),
    (40, "in"), (41, 5, 6, ""), (42, "out"),
    (50, "in"), (51, 7, 7, ""), (230, "in"), (231, 7, 7, ""), (233, "out"),
    (240, "out"), (241, 7, 7, ""), (242, "in"),
    (250, "in"), (251, "cut"), (252, "out"), (253, "jam"), (254, "empty"),
    (300, "start"),
    (340, "in"), (341, 51, 51, ""), (342, "out"),
)
# fmt: on
STEPS = 440
DEAF = (360, 415)  # steps in which the table hears nothing


def lines(key):
    """Every frame of the talk in hexadecimal, and what the table is told."""
    table = ShoeSerial(SESSION, 0, key)
    shoe = ShoeEnd("script", "0001", 6, boot=BOOTS[0], key=key)
    table.release(True)
    story = list(STORY)
    for step in range(STEPS):
        now_us = step * STEP_US
        while story and story[0][0] == step:
            happened = story.pop(0)
            if happened[1] == "start":
                shoe = ShoeEnd("script", "0001", 6, boot=BOOTS[1], key=key)
            else:
                happen(shoe, happened, now_us)
        out = shoe.take_bytes(now_us)
        if out:
            yield "> " + out.hex()
        heard = b"" if DEAF[0] <= step < DEAF[1] else out
        # One byte at a time, behind noise that ends in the middle of a frame.
        told = table.receive(b"\x05noise" + heard[:9], now_us)
        for byte in heard[9:]:
            told = told + table.receive(bytes([byte]), now_us)
        for fact in told:
            yield plain(fact)
        back = table.take_bytes()
        if back:
            yield "< " + back.hex()
        shoe.receive(back, now_us)
    yield plain((shoe.is_released(now_us), table.is_authenticated))


def happen(shoe, happened, now_us):
    """One row of the story."""
    what = happened[1]
    if what == "in":
        shoe.edge(messages.IN, now_us)
    elif what == "out":
        shoe.edge(messages.OUT, now_us)
    elif what in ("cut", "jam", "empty"):
        getattr(shoe, what)(now_us)
    else:
        shoe.card(what, happened[3], what, happened[2], now_us)


def other_lines():
    """What is made of the lines of a barcode reader, of keys for cards, and of a keyboard."""
    barcode = ShoeBarcode()
    for line in ("S17-0345-TH*Y", "S17-0345-HT*Y", "S17-0000-XX*G"):
        yield plain(tuple(barcode.receive(line.encode() + b"\r\n", 7)))
    keys = CardKeys()
    for at_us, key in enumerate(("T", "H", "ok", "back", "K", "back", "ok")):
        yield plain(tuple(keys.press(key, at_us)))
    keyboard = SerialKeyboard(CroupierKeys())
    for number, change in enumerate(
        ("CARTE-D", "CARTE-U", "S-D", "RESTE-D", "DOUBLE-D", "RESTE-U")
    ):
        fields = change.split("-")
        fields.append("00" + str(number))
        line = written(fields)
        yield line + " " + plain(tuple(keyboard.receive(line.encode() + b"\n", number * 90_000)))


def plain(value):
    """A value in words: what `repr` makes of names and texts differs."""
    if isinstance(value, tuple):
        name = type(value).__name__
        values = ", ".join([plain(part) for part in value])
        return ("" if name == "tuple" else name) + "(" + values + ")"
    return str(value)


if __name__ == "__main__":
    for of_key in (KEY, None):
        for one in lines(of_key):
            print(one)
    for one in other_lines():
        print(one)
