"""A short talk between controller and display, printed: the same lines on CPython and MicroPython.

Not a test by itself. test_bus_script.py holds CPython to the golden lines; `make micropython` runs
the same file on the device's interpreter and compares. Signatures are verified by our own code.
"""

from firmware.bus import ed25519, frame, message_bytes
from firmware.bus.display_host import DisplayHost
from firmware.bus.line import TableLine
from firmware.bus.messages import Call, Table
from firmware.bus.receiver import Receiver

KEY = bytes(range(32))
ROOT = bytes.fromhex("29acbae141bccaf0b22e1a94d34d0bc7361e526d0bfe12c89794bc9322966dd7")
KID = bytes.fromhex("24f6ed6acbfe1009")
# Signed by tools.bench.busbench.Ledger: 17, a void, 17 corrected to 20, 18 by the next key; and the
# rotation to that key.
RECORDS = (
    (
        "d2844da20127044856475aa75463474ca05890b7010102677461626c65203703010401050106010711080509"
        "020b010c200d1907d00e390f9f0f1a0016e36011582000000000000000000000000000000000000000000000"
        "00000000000000000000126b726f756c657474655f6c75134872756c657320202014f515486669726d776172"
        "65161a6b01e20e170318185000000000000000000000000000000000181f045840bcecc9613b31554c7cbad9"
        "f559501035506741abfc8ee7eb6272185bb4983106dffeec4202556fd8566a8087acf89a17c4109d76cdbdf4"
        "6593a97fb40d346702"
    ),
    (
        "d2844da20127044856475aa75463474ca05863b1010202677461626c65203703010402050206010a060b010c"
        "00126b726f756c657474655f6c75134872756c657320202014f515486669726d77617265161a6b01e20e1703"
        "181850000000000000000000000000000000001820488e5c769554f2381e5840cbabd8ca48f536cd6504a355"
        "0ee1f3288bc679ed57282eded9360c30f5179023d1ccea2acb318827bcec8a85c5cbae4aa2cd229b8c24916e"
        "a66fbea91bcc0d01"
    ),
    (
        "d2844da20127044856475aa75463474ca0586ab2010302677461626c65203703010403050106010714090210"
        "8261616162126b726f756c657474655f6c75134872756c657320202014f515486669726d77617265161a6b01"
        "e20e17031818500000000000000000000000000000000018190118204873226ebe558d7bff5840fc183dc85b"
        "70865e3fc144cbe3056de7c1ee40f3176ac7ded06769d795e0f3884518195dbc9386e1de22b63b0d906ddc44"
        "52a2768711a363a3bd76972da91708"
    ),
    (
        "d2844da20127044824f6ed6acbfe1009a0589cb818010102677461626c652037030104040503060107120805"
        "09010b010c200d1907d00e390f9f0f1a0016e360115820000000000000000000000000000000000000000000"
        "0000000000000000000000126b726f756c657474655f6c75134872756c657320202014f515486669726d7761"
        "7265161a6b01e20e170318185000000000000000000000000000000000181f041820485b965a96f22d747858"
        "406a694482423b1d6932afae314a6611260a7cecba4b6b717617b8f6dcb093e8d651cd40e9d1da4980b7af06"
        "14e8812348fb4cd14d2fed4b27337400b18c796405"
    ),
    (
        "d2844da20127044856475aa75463474ca0583ca7010402677461626c65203703010403161a6b01e20e170318"
        "1a582029acbae141bccaf0b22e1a94d34d0bc7361e526d0bfe12c89794bc9322966dd75840e6100a0bd3986f"
        "86ef2e47431fb1fb07efe2daf0dd3bbfa269ead0d00d77cc478bd5b4a3d6f56023402b23ce0aee63d2630f15"
        "046a79928a7519b0bfc6bfc10d"
    ),
)
TABLE = Table(
    "roulette_lu", "table 7", 500, 500, (("plein", 20), ("rouge", 360)), Call(3, 520, "learning")
)
# fmt: off
VIEWS = (
    ("BETS_OPEN", 1, 0, 0, None, None, None),
    ("CONFIRMED", 1, 1, -1, 17, "black", None),
    ("VOID", 2, 2, 1, None, None, "two_balls"),
    ("VOID", 2, 3, 1, None, None, "two_balls"),
    ("DETECTED", 3, 3, 1, 18, "red", None),
    ("CONFIRMED", 3, 4, 1, 18, "red", None),
)
# fmt: on


def record_of(seq):
    """The signed record of an outcome."""
    return bytes.fromhex(RECORDS[seq - 1]) if seq in (1, 2, 3, 4) else None


def lines():
    """Every frame of the talk in hexadecimal, and what the display lights after it."""
    receiver = Receiver(3, KEY, ROOT, 0x1122334455667788, ed25519.verify)
    display_host = DisplayHost(
        0x0102030405060708,
        {3: KEY},
        record_of,
        kid=KID,
        rotations=(bytes.fromhex(RECORDS[4]),),
        table=TABLE,
    )
    line = TableLine(display_host)
    now_us = 0
    for view in VIEWS:
        display_host.set_view(*view)
        told = ""
        for _ in range(120):
            came = b""
            for sent in line.exchange(b"", now_us):
                yield "> " + sent.hex()
                # One byte at a time, behind noise that ends in the middle of a frame.
                for byte in b"\x05noise" + sent:
                    came += receiver.feed(bytes([byte]), now_us)
                while receiver.work():
                    pass
                receiver.tick(now_us)
            now_us += 5000
            if came:
                yield "< " + came.hex()
                for sent in line.exchange(came, now_us):
                    receiver.feed(sent, now_us)
            if str(plain(receiver.lit)) != told:
                told = str(plain(receiver.lit))
                yield told
    for code, detail in line.troubles():
        yield code + " " + detail
    receiver.tick(receiver.deadline_us)
    yield plain(receiver.lit)
    flipped = bytearray(frame.encode(b"\0" * 300))
    flipped[7] ^= 1
    yield str(frame.Deframer().feed(bytes(flipped)))
    yield str(message_bytes.open_table(bytes([5, 5]), bytes(8)))
    for name in ("paul", "\u202eluap", "pa\x07ul"):
        notice = message_bytes.notice_bytes(7, 1, name)
        payload = message_bytes.answered(notice, [(1, KEY, b"challeng")])
        yield payload.hex()
        yield plain(message_bytes.open_notice(payload, 1, KEY, [b"another.", b"challeng"]))


def plain(value):
    """A value in words: what `repr` makes of names and texts differs."""
    if isinstance(value, tuple):
        return "(" + ", ".join([plain(part) for part in value]) + ")"
    return str(value)


if __name__ == "__main__":
    for one in lines():
        print(one)
