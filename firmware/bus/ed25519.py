"""Whether a key made a signature: Ed25519 (RFC 8032, section 5.1.7), for MicroPython.

CPython asks a library (firmware/lib/signatures.py), to the same answers. Nothing secret passes
through here, so nothing needs to take the same time twice. Strict: a scalar that is not reduced, a
point not written in its one form, a key of small order, for which anybody could sign, and a
signature whose own point is of small order are refused. One verification is some 2700
multiplications modulo 2**255 - 19; the tables are made for each anew, 16 points, as a
microcontroller has more time than memory.
"""

from firmware.bus.sha512 import sha512
from firmware.shims.typed import Any, Sequence

KEY_SIZE = 32  # bytes of a public key
SIGNATURE_SIZE = 64

# Section 5.1: the field, the order of the base point, the curve's constant -121665/121666.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
_TWICE_D = 2 * D % P
_SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752
_BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960
_SIGN = 1 << 255  # the bit above a point's y: whether its x is odd
# Digits of a scalar are odd, -15 to 15, five bits apart at least: 8 multiples of a point suffice.
_WINDOW = 5
_BITS = 253  # digits of a scalar below L: that is so little above 2**252 that no carry leaves


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Tells whether the owner of the key `public` signed `message` so. Raises nothing."""
    if len(public) != KEY_SIZE or len(signature) != SIGNATURE_SIZE:
        return False
    key = decompress(int.from_bytes(public, "little"))
    s = int.from_bytes(signature[32:], "little")
    if key is None or s >= L or _is_small(key):
        return False
    k = int.from_bytes(sha512(signature[:32] + public + message), "little") % L
    base = decompress(_BASE_Y)
    assert base is not None
    x, y, _, t = key
    found = _sum(base, s, (P - x, y, 1, P - t), k)
    if _is_small((found[0], found[1], found[2], 0)):
        return False
    # R is compared as it is written: only its one form is equal.
    return compress(found) == int.from_bytes(signature[:32], "little")


def decompress(code: int) -> Any:
    """Gives the point (x, y, 1, x*y) that these 256 bits mean; None if none, or in another form."""
    odd = code >> 255
    y = code & (_SIGN - 1)
    if y >= P:
        return None
    # 5.1.3: x*x = u/v, and one exponentiation both divides and takes the root.
    u = (y * y - 1) % P
    v = (D * y * y + 1) % P
    v3 = v * v * v % P
    x = u * v3 * pow(u * v3 * v3 * v % P, (P - 5) // 8, P) % P
    square = v * x * x % P
    if square != u:
        if square != P - u:
            return None
        x = x * _SQRT_M1 % P
    if x == 0 and odd:
        return None
    if x & 1 != odd:
        x = P - x
    return x, y, 1, x * y % P


def compress(point: "tuple[int, int, int]") -> int:
    """Gives the 256 bits of a point (x, y, z) (5.1.2)."""
    x, y, z = point
    inverse = pow(z, P - 2, P)
    return (y * inverse % P) | ((x * inverse % P & 1) << 255)


def _is_small(point: Any) -> bool:
    """Tells whether eight times the point is nothing: then four times it has x = 0."""
    return bool(_double(_double(point))[0] == 0)


def _sum(first: Any, times: int, second: Any, more: int) -> Any:
    """`times` the first point and `more` the second, in one row of doublings (Straus).

    Without the fourth coordinate, which the last addition alone would leave right.
    """
    tables = (_odd_multiples(first), _odd_multiples(second))
    digits = (_digits(times), _digits(more))
    x, y, z = 0, 1, 1
    for at in range(_BITS - 1, -1, -1):
        # As _double, here for the sake of speed: most of the time goes by in these lines. The
        # fourth coordinate is worked out only where an addition needs it.
        a = x * x % P
        h = a + y * y % P
        e = (h - (x + y) * (x + y)) % P
        g = a + a - h
        f = (2 * z * z + g) % P
        x, y, z = e * f % P, g * h % P, f * g % P
        if digits[0][at] or digits[1][at]:
            point = (x, y, z, e * h % P)
            for which in (0, 1):
                if digits[which][at]:
                    point = _add(point, tables[which], digits[which][at])
            x, y, z, _ = point
    return x, y, z


def _odd_multiples(point: Any) -> "Sequence[Any]":
    """1, 3, 5 ... 15 times a point, each as _add wants it."""
    twice = _readied(_double(point))
    table = [_readied(point)]
    while len(table) < 1 << (_WINDOW - 2):
        point = _add(point, (twice,), 1)
        table.append(_readied(point))
    return table


def _readied(point: Any) -> Any:
    """Returns what an addition needs of a point, worked out once."""
    x, y, z, t = point
    return (y - x) % P, (y + x) % P, t * _TWICE_D % P, 2 * z % P


def _digits(scalar: int) -> "Sequence[int]":
    """Returns the scalar as _BITS digits, the least first, each 0 or odd: sum(digit * 2**at)."""
    digits = [0] * _BITS
    at = 0
    while scalar:
        if scalar & 1:
            digit = scalar & ((1 << _WINDOW) - 1)
            if digit >> (_WINDOW - 1):
                digit -= 1 << _WINDOW
            digits[at] = digit
            scalar -= digit
        scalar >>= 1
        at += 1
    return digits


def _double(point: Any) -> Any:
    """Twice a point (5.1.4)."""
    x, y, z, _ = point
    a = x * x % P
    h = a + y * y % P
    e = (h - (x + y) * (x + y)) % P
    g = a + a - h
    f = (2 * z * z + g) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def _add(point: Any, table: "Sequence[Any]", digit: int) -> Any:
    """Returns a point and `digit` times the point of the table (5.1.4)."""
    x, y, z, t = point
    less, more, t2, z2 = table[abs(digit) >> 1]
    if digit < 0:
        less, more, t2 = more, less, -t2
    a = (y - x) * less % P
    b = (y + x) * more % P
    c = t * t2 % P
    d = z * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P
