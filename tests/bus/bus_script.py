"""A short talk between controller and display, printed: the same lines on CPython and MicroPython.

Not a test by itself. test_bus_script.py holds CPython to the golden lines; `make micropython` runs
the same file on the device's interpreter and compares. Signatures are verified by our own code.
"""

from firmware.bus import ed25519, frame, message_bytes, messages
from firmware.bus.card_messages import Cards
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


# A baccarat table of the same wheel's first key, signed likewise: 9 to 6, a void, 9 to 9, the same
# corrected to 9 to 8.
FIRST = bytes.fromhex("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")
FIRST_KID = bytes.fromhex("56475aa75463474c")
ROUNDS = (
    (
        "d2844da20127044856475aa75463474ca05891b4010102677461626c6520370301040105010605126d626163"
        "63617261745f6c697665134872756c657320202015486669726d77617265161a6b01e20e1703181850000000"
        "0000000000000000000000000018215820c1209dabf1de38101d3f8f62e99eee11e85ecf24ddfb07a4f72e42"
        "61e6f411761822081823f51824f5182546040e1f30140318260118270918280658402c04a5e9064b39271412"
        "10ea8c0ccc7b03cafff7808d1cfc7ff8d02efec2b31e978b0b08baaba70568632edb4948834801ca7d8cca62"
        "05a838e7364a68c1b601"
    ),
    (
        "d2844da20127044856475aa75463474ca0585fae010202677461626c65203703010402050206050a0d126d62"
        "616363617261745f6c697665134872756c657320202015486669726d77617265161a6b01e20e170318185000"
        "00000000000000000000000000000018204882ae52541dc5fb8d584060289f09c9364f361ce0dbe7f7084de6"
        "0d9b486fdfe8b3fd35fec55661b4167d03b705f7b5d28fa7415aec10b9a347993378603f6cc4b24e12344b8d"
        "1dc1fb06"
    ),
    (
        "d2844da20127044856475aa75463474ca058a9b6010102677461626c6520370301040305030605108266636c"
        "616972656564656e6973126d62616363617261745f6c697665134872756c657320202015486669726d776172"
        "65161a6b01e20e1703181850000000000000000000000000000000001820483fc8ddd8e9c6034a1821582090"
        "a2913d943ab55b139ca3c325b53b464ed6447716ff7d381341f890cbf252101822081823f51824f418254408"
        "2a261118260318270918280958409760c6fa110f7121ed3a31e4ff7a60220b301f59f0c0cc8d1f6353bb93e2"
        "58b18804509e1f2656b14fba59f9fcf4488731b834f8ad74ff1de308be7761ca120a"
    ),
    (
        "d2844da20127044856475aa75463474ca0589db5010302677461626c65203703010404050306051082616161"
        "62126d62616363617261745f6c697665134872756c657320202015486669726d77617265161a6b01e20e1703"
        "1818500000000000000000000000000000000018190318204800883ed07d49fece18215820f0f1fd2fb0b075"
        "4dd5c8417611fe06263466802aef04d173a4245039fc471e90182208182544082a2610182601182709182808"
        "5840f6e6c23c109ed33a1c59b54892cb7dadc1a93851c249689d2823f0fca84731d0107617c86d539b80fdee"
        "d103e44cff302facbd62de18ab978ea3da4ed237d20e"
    ),
)
# fmt: off
ROUND_VIEWS = (
    ("NO_SHOE", 0, 0, 0, None, None, None),
    ("DEALING", 1, 0, 0, None, None, None),
    ("DONE", 1, 0, 0, None, None, None),
    ("CONFIRMED", 1, 1, 0, None, None, None),
    ("VOID", 2, 2, 0, None, None, "foreign_card"),
    ("HOLD", 3, 2, 0, None, None, None),
    ("CONFIRMED", 3, 3, 0, None, None, None),
    ("CONFIRMED", 3, 4, 0, None, None, None),
)
FIRST_CARDS = (("P", None, (4, 31)), ("B", None, (14, -2)))
ALL_CARDS = (("P", "wins", (4, 31, 20)), ("B", "loses", (14, 48, 3)))
CARD_VIEWS = (
    (("BETS_OPEN", 1, 0, 0, None, None, None), Cards(1, 1, False, False, False, None, (), ())),
    (("DEALING", 1, 0, 0, None, None, None),
     Cards(1, 1, False, False, True, "B", FIRST_CARDS, ())),
    (("CONFIRMED", 1, 1, 0, None, None, None),
     Cards(1, 1, True, False, False, None, ALL_CARDS, (("dragon_4", "P"),))),
    (("BETS_OPEN", 2, 1, 0, None, None, None), Cards(2, 1, False, False, False, None, (), ())),
)
# fmt: on


def lines():
    """Every frame of the talks in hexadecimal, and what the display lights after it; then more."""
    rotation = bytes.fromhex(RECORDS[4])
    yield from talk(ROOT, RECORDS[:4], VIEWS, kid=KID, rotations=(rotation,), table=TABLE)
    yield from talk(FIRST, ROUNDS, ROUND_VIEWS, kid=FIRST_KID, game="baccarat")
    yield from apart()
    yield from cards_talk()


def talk(root, records, views, **told):
    """A display hears these views, one after the other, with the records that belong to them."""

    def record_of(seq):
        return bytes.fromhex(records[seq - 1]) if 0 < seq <= len(records) else None

    receiver = Receiver(3, KEY, root, 0x1122334455667788, ed25519.verify)
    display_host = DisplayHost(0x0102030405060708, {3: KEY}, record_of, **told)
    line = TableLine(display_host)
    now_us = 0
    for view in views:
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


def cards_talk():
    """A display of a card table hears what lies there, and how the round ended."""
    receiver = Receiver(3, KEY, FIRST, 0x1122334455667788, ed25519.verify)
    display_host = DisplayHost(
        0x0102030405060708,
        {3: KEY},
        lambda seq: bytes.fromhex(ROUNDS[0]) if seq == 1 else None,
        kid=FIRST_KID,
        game="baccarat",
        cards=True,
    )
    line = TableLine(display_host)
    now_us = 0
    for view, cards in CARD_VIEWS:
        display_host.set_view(*view)
        display_host.set_cards(cards)
        for _ in range(120):
            came = b""
            for sent in line.exchange(b"", now_us):
                payload = frame.decode(sent[1:-1])
                if message_bytes.kind(payload) == messages.CARDS:
                    yield "> " + sent.hex()
                came += receiver.feed(sent, now_us)
                while receiver.work():
                    pass
                receiver.tick(now_us)
            now_us += 5000
            if came:
                for sent in line.exchange(came, now_us):
                    receiver.feed(sent, now_us)
        yield plain(receiver.cards)
        end = receiver.round_end
        yield "-" if end is None else plain((end.winner, end.player_points, end.banker_points))
    receiver.tick(receiver.deadline_us)
    yield plain(receiver.cards)


def apart():
    """What needs no talk."""
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
