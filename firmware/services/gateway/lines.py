"""The lines of the established ASCII status protocol, byte for byte, and its polls.

9600 8N1, no checksum; the other end may poll, and nothing else. Written from the interface facts
that the trade knows; what each field can say of our wheels is in docs/gateway.md.
"""

from typing import NamedTuple

END = b"\r\n"
LENGTH = 19  # of a status line, without its end
EXTENDED_LENGTH = 38

# What `s` says.
START = 1
PLACE_BETS = 2
BALL_IN_RIM = 3
NO_MORE_BETS = 4
WINNING_NUMBER = 5
TABLE_CLOSED = 6
DEALER_LOCK = 7

# What `f` sums up.
SPEED_OUTSIDE = 1
SAME_DIRECTION = 2
SENSOR_FAULT = 4
NO_SPIN = 8

# What `ffff` sums up.
STOPPED = 0x1
LEGAL_SPEED = 0x2
FAST = 0x4
SLOW = 0x8
TURNS_CW = 0x10
TURNS_CCW = 0x20
TURN_UNKNOWN = 0x40
NO_BALL = 0x80
IN_POCKET = 0x100

# `ggg` counts to 256 and begins again, one way or the other.
GAMES_1_256 = "1-256"
GAMES_0_255 = "0-255"
_GAMES = 256

RPM_MIN = 2.0  # below, and above RPM_MAX, the speed is given as 000
RPM_MAX = 60.0
NUMBER_MAX = 37  # 38 and 39 stand for 000 and 0000, which none of our wheels has


class Line(NamedTuple):
    """One status line. `games`: so far, counted from 1; `rpm`: None if not known."""

    state: int
    games: int
    number: int | None
    flags: int
    rpm: float | None
    anticlockwise: bool


class More(NamedTuple):
    """What an extended line has besides. `ball_ccw`: None if its way is not known."""

    flags: int
    ball_ccw: bool | None
    pocket: int | None


def status(line: Line, count: str) -> bytes:
    """Returns `*X;s;ggg;nn;f;rrr;d`, without its end."""
    return b"*X;%d;%03d;%s;%X;%03d;%d" % (
        line.state,
        _games(line.games, count),
        b"  " if line.number is None else number(line.number),
        line.flags,
        _tenths(line.rpm),
        line.anticlockwise,
    )


def extended(line: Line, more: More, count: str) -> bytes:
    """Returns the same with `;ffff;cc;b;ttttt;pp`.

    `cc` is always 00 and `ttttt` always ?????: how fast the ball runs, and how far it has run, is
    what a prediction is made of.
    """
    ball = b"?" if more.ball_ccw is None else b"%d" % more.ball_ccw
    pocket = b"??" if more.pocket is None else number(more.pocket)
    return status(line, count) + b";%04X;00;%s;?????;%s" % (more.flags, ball, pocket)


def number(value: int) -> bytes:
    """Returns `nn`: two characters, right-justified."""
    assert 0 <= value <= NUMBER_MAX, value
    return b"%2d" % value


def _games(games: int, count: str) -> int:
    return games % _GAMES if count == GAMES_0_255 else (games - 1) % _GAMES + 1


def _tenths(rpm: float | None) -> int:
    return round(rpm * 10) if rpm is not None and RPM_MIN <= rpm <= RPM_MAX else 0


POLL_US = 100_000  # one that comes oftener is not answered
_POLL = b"*X"


class Polls:
    """Finds polls in what comes, however it is cut. Anything else is heeded no further."""

    def __init__(self) -> None:
        self._before = b""
        self._answered_us: int | None = None

    def is_polled(self, data: bytes, now_us: int) -> bool:
        """Returns whether a poll has come that is to be answered now."""
        came = self._before + data
        # Half a poll waits for its other half; a whole one is not found twice.
        self._before = b"*" if came.endswith(b"*") else b""
        if _POLL not in came:
            return False
        if self._answered_us is not None and now_us - self._answered_us < POLL_US:
            return False
        self._answered_us = now_us
        return True
