"""Files that would grow in a program that reads them: by name, and drawn at random."""

from hypothesis import strategies as st

SIZE = 65_536  # bytes: what a configuration may have

# Each as long as a file may be, or as long as was found to do harm.
# fmt: off
SHAPES = {
    "a key of 12 000 parts": ".".join("a" * 12_000) + "=1",
    "a key of 4 000 parts": ".".join("a" * 4_000) + "=1",
    "keys of 4 000 parts": "\n".join(".".join(f"{name}" * 4_000) + "=1" for name in "abcdefgh"),
    "keys of many quoted parts": "\n".join(
        ".".join(f'"{name}"' for _ in range(1_000)) + "=1" for name in "abcdefghijklmnop"),
    "a section of 12 000 parts": "[" + ".".join("a" * 12_000) + "]",
    "parts in a text of many lines": 'a="""\n' + (".".join("a" * 4_000) + "=1\n") * 8 + '"""',
    "parts after a broken text": '"""\n' + (".".join("a" * 4_000) + "=1\n") * 8,
    "braces in each other": "a=" + "{a=" * 8_000 + "1" + "}" * 8_000,
    "brackets in each other": "a=" + "[" * 30_000 + "]" * 30_000,
    "brackets on lines of their own": "a=" + "[\n" * 15_000 + "]\n" * 15_000,
    "unknown keys": "\n".join(f"key_{number}=1" for number in range(5_000)),
    "keys almost known": "[maxima]\n" + "\n".join(f"deux_colonne{n}=1" for n in range(3_200)),
    "keys almost known, as many as are read": "[maxima]\n" + "\n".join(
        f"deux_colonne{number}=1" for number in range(1_900)),
    "sections": "\n".join(f"[section_{number}]" for number in range(4_000)),
    "sections, as many as are read": "\n".join(f"[a.b.c.d.e.f.g.h{n}]" for n in range(1_900)),
    "a table in one line": "a={" + ",".join(f"b{number}=1" for number in range(7_000)) + "}",
    "tables of one name": "[[a]]\n" * 10_000,
    "tables in a list": "a=[" + "{}," * 20_000 + "]",
    "a list of numbers": "[call]\ncall_s=[" + "1,\n" * 20_000 + "]",
    "broken lines": "x\n" * 30_000,
    "broken lines of some length": ("x" * 60 + "\n") * 1_000,
    "broken lines behind what takes long": (
        "a=[" + "1.5,\n" * 1_900 + "]\n" + ("x" * 8_000 + "\n") * 6),
    "spaces": "a" + " " * 60_000,
    "spaces on eight lines": ("a" + " " * 8_000 + "\n") * 8,
    "spaces in headers": ("[ a" + " " * 8_000 + "\n") * 8,
    "a long text": "[wheel]\nid='" + "x" * 60_000 + "'",
    "a text of many lines": "[wheel]\nid='''" + "x\n" * 30_000 + "'''",
    "a text of escapes": '[wheel]\nid="' + "\\u00e9" * 10_000 + '"',
    "lines of escapes": '[wheel]\nid="""' + ("\\U0001F3B0" * 800 + "\n") * 8 + '"""',
    "quotes": '"' * 60_000,
    "pairs of quotes": '""\n' * 20_000,
    "a whole number of 60 000 digits": "[call]\ncall_s=" + "9" * 60_000,
    "a whole number of 4 000 digits": "[call]\ncall_s=" + "9" * 4_000,
    "a hexadecimal number of 6 000 digits": "[call]\ncall_s=0x" + "f" * 6_000,
    "a format of 6 000 digits": "format=0x" + "f" * 6_000,
    "dates": "a=[" + "2026-11-25T13:00:00.999999+01:00," * 1_800 + "]",
    "comments": "#" * 8_000 + "\n" + "# a.b.c.d=1\n" * 4_000,
    "dots": ".\n" * 30_000,
    "beyond the plane": "\U0001f3b0" * 16_000,
}
# fmt: on

_KEYS = st.sampled_from(["a", "call", "call_s", "maxima", "plein", '"x"', "'y'", "format", "wheel"])
_PIECES = st.one_of(
    _KEYS,
    st.sampled_from(
        [".", "=", "\n", "[", "]", "{", "}", ",", '"', "'", '"""', "'''", "#", "\\", " ", "\r\n"]
    ),
    st.sampled_from(
        ["1", "0x" + "f" * 50, "9" * 50, "2026-11-25", "07:32:00.5", "1e9", "nan", "\\u00e9", "é"]
    ),
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Some pieces, each many times, up to the size of a file."""
    runs = draw(
        st.lists(
            st.tuples(
                st.lists(_PIECES, min_size=1, max_size=6), st.sampled_from([1, 9, 900, 9000])
            ),
            min_size=1,
            max_size=5,
        )
    )
    numbered = draw(st.booleans())
    text = ""
    for pieces, times in runs:
        piece = "".join(pieces)
        text += (
            "".join(f"{piece}{number}" for number in range(times)) if numbered else piece * times
        )
    return text.encode()[:SIZE].decode(errors="ignore")
