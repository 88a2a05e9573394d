"""Layouts as data: counts, colours, opposition; ours and an establishment's own file."""

import hashlib
from pathlib import Path

import pytest

import rules
from firmware.config.layout_file import FILE_MAX, LayoutError, load
from firmware.lib import language
from firmware.lib.errors import CONFIGURATION
from rules import layouts
from tools import cli

CASES = layouts.VINGT_TROIS["layout"]
COLOURS = layouts.VINGT_TROIS["colours"]
BOULE = layouts.boule(18)
OURS = {
    "roulette": [layouts.EUROPEAN],
    "vingt_trois": [layouts.VINGT_TROIS],
    "boule": [layouts.boule(cups) for cups in (9, 18, 36)],
}
PAIRS = [(apparatus, layout) for apparatus, found in OURS.items() for layout in found]


def problems(apparatus: str, numbers: object, colours: object) -> list[tuple[int | None, str]]:
    return layouts.problems(apparatus, tuple(numbers), tuple(colours))  # type: ignore[call-overload]


@pytest.mark.parametrize(("apparatus", "layout"), PAIRS)
def test_every_layout_of_ours_is_sound(apparatus: str, layout: dict[str, object]) -> None:
    assert problems(apparatus, layout["layout"], layout["colours"]) == []


def test_vingt_trois_has_27_cases_4x1_7x2_3x3() -> None:
    counts = sorted(CASES.count(number) for number in set(CASES))
    assert (len(CASES), counts) == (27, [1] * 4 + [2] * 7 + [3] * 3)
    assert [COLOURS.count(colour) for colour in ("red", "black", "white")] == [12, 12, 3]


def test_only_the_order_that_no_source_gives_is_unverified() -> None:
    verified = {name: rules.load(name)["layout_verified"] for name in rules.WHEEL_GAMES}
    assert [name for name, known in verified.items() if not known] == ["vingt_trois_fr"]


def changed(at: int, number: int) -> list[int]:
    return [*CASES[:at], number, *CASES[at + 1 :]]


@pytest.mark.parametrize(
    ("apparatus", "numbers", "colours", "expected"),
    [
        (
            "vingt_trois", [*CASES, 14], [*COLOURS, "red"],
            [(None, "There are 28 compartments, not 27 (art. 47")],
        ),
        (
            "vingt_trois", changed(1, 5), COLOURS,
            [
                (None, "Number 1 stands 0 times, not 1"),
                (14, "Number 5 stands 3 times, not 2"),
            ],
        ),
        ("vingt_trois", changed(1, 15), COLOURS, [
            (1, "There is no number 15"), (None, "Number 1 stands 0 times, not 1"),
        ]),
        ("vingt_trois", CASES, ["red", *COLOURS[1:]], [(0, "Number 13 is white, not red")]),
        ("vingt_trois", CASES, ["white", "black", *COLOURS[2:]], [
            (1, "Number 1 is red, not black"),
        ]),
        ("vingt_trois", CASES, [*COLOURS[:-1], "red"], [
            (26, "Number 10 is once red and once black"),
        ]),
        ("vingt_trois", CASES, [*COLOURS[:15], "red", *COLOURS[16:]], [
            (25, "12 and 14 together are three times red and three times black"),
        ]),
        ("vingt_trois", CASES, COLOURS[:26], [(None, "There are 26 colours for 27 compartments")]),
        (
            "boule", BOULE["layout"][:17], BOULE["colours"][:17],
            [(None, "There are 17 compartments, not 9, 18 or 36 (art. 47")],
        ),
        (
            "boule", (2, 1, *BOULE["layout"][2:]), ("red", "black", *BOULE["colours"][2:]),
            [
                (9, "It has 1 and faces compartment 0, which has 2: each number faces itself"),
                (10, "It has 2 and faces compartment 1, which has 1"),
            ],
        ),
        ("boule", BOULE["layout"], ("black", "red", "black", "red", "red", *BOULE["colours"][5:]), [
            (4, "Number 5 is yellow, not red"),
        ]),
        (
            "roulette", [0, 32, *layouts.EUROPEAN["layout"][1:]],
            ["green", "red", *layouts.EUROPEAN["colours"][1:]],
            [(None, "There are 38 compartments, not 37 (art. 37-1")],
        ),
        (
            "roulette", [37, *layouts.EUROPEAN["layout"][1:]], layouts.EUROPEAN["colours"],
            [(0, "There is no number 37"), (None, "Number 0 stands 0 times, not 1")],
        ),
    ],
)  # fmt: skip
def test_a_layout_that_is_wrong_is_told_with_rule_and_place(
    apparatus: str, numbers: object, colours: object, expected: list[tuple[int | None, str]]
) -> None:
    found = problems(apparatus, numbers, colours)
    assert [place for place, _ in found] == [place for place, _ in expected]
    for (_, sentence), (_, start) in zip(found, expected, strict=True):
        assert sentence.startswith(start)
    assert len(found) == len(expected)


def test_of_too_few_compartments_only_what_is_no_consequence_is_said() -> None:
    assert [place for place, _ in problems("boule", [1, 0, 3], ["red"] * 3)] == [None, 1]


@pytest.mark.parametrize("name", rules.WHEEL_GAMES)
def test_no_source_points_at_a_file_that_nobody_has(name: str) -> None:
    assert ".md" not in rules.load(name)["layout_source"]


# An establishment's own file


def written(folder: Path, **changes: object) -> Path:
    values: dict[str, object] = {
        "apparatus": "vingt_trois",
        "source": "Casino de Z, cylinder 3",
        "numbers": list(CASES[9:] + CASES[:9]),
        "colours": list(COLOURS[9:] + COLOURS[:9]),
    } | changes
    rows = []
    for key, value in values.items():
        if isinstance(value, list):
            entries = "".join(f"  {str(entry).lower() if isinstance(entry, bool) else entry!r},\n"
                              for entry in value)  # fmt: skip
            rows.append(f"{key} = [  # clockwise\n{entries}]")
        elif value is not None:
            rows.append(f"{key} = {value!r}")
    path = folder / "cases.toml"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def sentences(
    path: Path, apparatus: str | None = None, compartments: int | None = None
) -> list[str]:
    with pytest.raises(LayoutError) as caught:
        load(path, apparatus, compartments)
    return [found.replace(str(path), "cases.toml") for found in caught.value.sentences]


def test_an_establishments_own_file_takes_the_place_of_ours(tmp_path: Path) -> None:
    path = written(tmp_path)
    game = rules.load("vingt_trois_fr", load(path, "vingt_trois", 27))
    assert game["layout"] == CASES[9:] + CASES[:9]
    assert game["colours"] == COLOURS[9:] + COLOURS[:9]
    assert game["layout_source"] == "Casino de Z, cylinder 3"
    assert game["layout_verified"] is True
    assert game["layout_hash"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert rules.load("vingt_trois_fr")["layout_verified"] is False


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"apparatus": "whist"}, [
            'cases.toml:1: apparatus must be one of "roulette", "vingt_trois", "boule", not',
        ]),
        ({"apparatus": ["boule"]}, ["cases.toml:1: apparatus must be one of"]),
        ({"source": ""}, ["cases.toml:2: source must be a text"]),
        ({"source": None}, ["cases.toml:1: source is missing"]),
        ({"numbers": "many"}, ["cases.toml:3: numbers must be a list of whole numbers"]),
        ({"numbers": [True, *CASES[1:]], "colours": list(COLOURS)}, [
            'cases.toml:4: compartment 0: "true" is no whole number.',
        ]),
        ({"numbers": list(CASES), "colours": ["pink", *COLOURS[1:]]}, [
            'cases.toml:33: compartment 0: there is no colour "pink", but red, black, green,',
        ]),
        ({"colours": [["red"]]}, [
            "cases.toml:3: There are 1 colours for 27 compartments.",
            "cases.toml:33: compartment 0: there is no colour this, but red",
        ]),
        # Every mistake, in the order of the lines, and none that follows from another.
        (
            {
                "apparatus": "whist", "source": "", "cases": 3,
                "numbers": ["x", 1.5, *CASES[2:25], 99, 1],
                "colours": ["white", "rot", *COLOURS[2:26], "green"],
            },
            [
                'cases.toml:1: apparatus must be one of "roulette", "vingt_trois", "boule",',
                'cases.toml:2: source must be a text that says where the order comes from, not "".',
                'cases.toml:4: compartment 0: "x" is no whole number.',
                "cases.toml:5: compartment 1: 1.5 is no whole number.",
                "cases.toml:29: compartment 25: There is no number 99",
                "cases.toml:30: compartment 26: Number 1 is red, not green.",
                'cases.toml:34: compartment 1: there is no colour "rot", but red, black',
                'cases.toml:61: There is no key "cases". Known: apparatus, source',
            ],
        ),
        ({"cases": 3}, ['cases.toml:61: There is no key "cases". Known: apparatus, source']),
        (
            {"numbers": [*CASES, 3], "colours": [*COLOURS, "red"]},
            ["cases.toml:3: There are 28 compartments, not 27 (art. 47"],
        ),
        (
            {"numbers": list(CASES), "colours": ["white", "black", *COLOURS[2:]]},
            ["cases.toml:5: compartment 1: Number 1 is red, not black"],
        ),
        ({"apparatus": "boule"}, ["cases.toml:1: This layout is for boule, not vingt_trois."]),
    ],
)  # fmt: skip
def test_a_file_with_a_mistake_is_refused_with_its_line(
    tmp_path: Path, changes: dict[str, object], expected: list[str]
) -> None:
    found = sentences(written(tmp_path, **changes), "vingt_trois")
    assert [told[: len(start)] for told, start in zip(found, expected, strict=True)] == expected


def test_a_dish_of_other_cups_is_told_beside_every_other_mistake(tmp_path: Path) -> None:
    numbers = ["x", *BOULE["layout"][1:]]
    path = written(tmp_path, apparatus="boule", numbers=numbers, colours=list(BOULE["colours"]))
    assert sentences(path, "boule", 36) == [
        "cases.toml:3: There are 18 compartments; this board has 36.",
        'cases.toml:4: compartment 0: "x" is no whole number.',
    ]


def test_every_mistake_of_a_layout_is_told_wherever_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    colours = ["white", "rot", *COLOURS[2:25], "rosé", COLOURS[26]]
    path = written(tmp_path, numbers=list(CASES), colours=colours)
    stakes = '{"rules": "vingt_trois_fr", "minimum_cents": 100, "number": 1, "stakes": []}'
    (tmp_path / "stakes.json").write_text(stakes)
    config = tmp_path / "wheel.toml"
    config.write_text(f'[wheel]\nboard = "vingt_trois_ref"\n[game]\nlayout = "{path}"\n')
    said = {
        "en": [
            f'{path}:{line}: compartment {at}: there is no colour "{colour}",'
            " but red, black, green, yellow, white."
            for line, at, colour in ((34, 1, "rot"), (58, 25, "rosé"))
        ],
        "fr": [
            f'{path}:{line} : case {at} : il n\'y a pas de couleur "{colour}", mais red'
            for line, at, colour in ((34, 1, "rot"), (58, 25, "rosé"))
        ],
    }
    for line in (
        ["rules", "vingt_trois_fr", "--layout", str(path)],
        ["settle", str(tmp_path / "stakes.json"), "--layout", str(path)],
        ["config", "check", str(config)],
        ["run", "--config", str(config)],
    ):
        for chosen, wanted in said.items():
            assert cli.main([*line, "--lang", chosen]) == CONFIGURATION
            told = capsys.readouterr().err.splitlines()
            assert len(told) == 2, told
            for sentence, start in zip(told, wanted, strict=True):
                assert start in sentence
    language.choose(None)


def test_a_layout_for_another_dish_is_refused(tmp_path: Path) -> None:
    numbers, colours = list(BOULE["layout"]), list(BOULE["colours"])
    path = written(tmp_path, apparatus="boule", numbers=numbers, colours=colours)
    assert load(path, "boule", 18)["layout"] == BOULE["layout"]
    assert sentences(path, "boule", 36) == [
        "cases.toml:3: There are 18 compartments; this board has 36."
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"apparatus = boule\n", "cases.toml:1: this is not TOML: invalid value"),
        (b"source = 'a'\nnumbers = [1,\n", "cases.toml:3: this is not TOML: "),
        (b"a = 1\nb = \xff\n", "cases.toml:2: this is not UTF-8 text. Save it as UTF-8."),
        (b"a = " + b"[" * 20_000, "cases.toml: this is not a layout: a value is too long."),
        (b"a = " + b"9" * 5_000, "cases.toml: this is not a layout: a value is too long."),
        (b"#" * (FILE_MAX + 1), f"cases.toml: longer than {FILE_MAX} bytes, so not a layout."),
    ],
)  # fmt: skip
def test_what_is_no_layout_file_is_one_sentence(
    tmp_path: Path, content: bytes, expected: str
) -> None:
    path = tmp_path / "cases.toml"
    path.write_bytes(content)
    (sentence,) = sentences(path)
    assert sentence.startswith(expected)


def test_an_empty_file_lacks_everything(tmp_path: Path) -> None:
    path = tmp_path / "cases.toml"
    path.write_bytes(b"")
    assert len(sentences(path)) == 4


def test_a_file_that_is_not_there_or_is_a_folder_is_said(tmp_path: Path) -> None:
    (found,) = sentences(tmp_path / "none.toml")
    assert "no such file or directory. Give a layout file" in found
    (found,) = sentences(tmp_path)
    assert "is a directory" in found
