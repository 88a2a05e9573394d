"""What single keys cannot show: whether the choices of a configuration go together."""

import errno
import os
from pathlib import Path

import pytest

import boards
import rules
from firmware.config import Source, survey
from firmware.keys import folder as keys
from firmware.services.configuring.cross_checks import Checked, check
from rules.limits import names

LIVE = "".join(f"{bet} = 50\n" for bet in names(rules.load("roulette_live")))


def checked(folder: Path, text: str, board: str | None = None) -> Checked:
    path = folder / "wheel.toml"
    path.write_text(text)
    return check(survey(path), board)


def told(folder: Path, text: str, board: str | None = None) -> list[tuple[int, str]]:
    """The mistakes, with their lines."""
    return [(mistake.line, mistake.text) for mistake in checked(folder, text, board).mistakes]


@pytest.mark.parametrize("board", boards.WHEELS)
def test_a_board_alone_is_a_configuration_except_where_the_order_is_not_verified(
    tmp_path: Path, board: str
) -> None:
    found = told(tmp_path, f'[wheel]\nboard = "{board}"\n')
    if board == "vingt_trois_pi4":
        ((line, text),) = found
        assert line == 0
        assert "nobody has verified the order" in text
    else:
        assert found == []


def test_every_mistake_is_found_at_once_whatever_finds_it(tmp_path: Path) -> None:
    text = f"""[wheel]
board = "roulette_ref"
[boule]
cups = 9
[game]
rules = "boule_fr"
layout = "{tmp_path}/none.toml"
[stakes]
season = "2026-27"
[bus]
displays = 32
baud = 9600
[people]
file = "{tmp_path}/people.jsonl"
[pace]
coup_s = "long"
[cal]
"""
    (tmp_path / "people.jsonl").write_text("no json\n")
    (tmp_path / "people.jsonl").chmod(0o600)
    found = told(tmp_path, text)
    assert [line for line, _ in found] == [4, 6, 7, 9, 11, 14, 16, 17]
    said = "\n".join(sentence for _, sentence in found)
    for words in (
        "cups: roulette_ref is no boule board",
        "use roulette_lu or roulette_live",
        "none.toml: no such file",
        "minimum_cents is missing",
        "a line of 9600 baud has time for",
        "people.jsonl:1: this is not JSON",
        "coup_s must be a number of seconds",
        'Did you mean "call"?',
    ):
        assert words in said


def test_what_is_doubtful_is_not_judged(tmp_path: Path) -> None:
    """A minimum that is misspelt is no missing minimum."""
    text = '[wheel]\nboard = "roulette_ref"\n[stakes]\nminimum_cent = 500\nseason = "a"\n'
    ((line, _),) = told(tmp_path, text)
    assert line == 4


def test_a_layout_that_is_no_path_is_no_missing_layout(tmp_path: Path) -> None:
    ((line, _),) = told(tmp_path, '[wheel]\nboard = "vingt_trois_pi4"\n[game]\nlayout = 5\n')
    assert line == 4


def test_a_broken_line_leaves_the_other_sections_to_be_judged(tmp_path: Path) -> None:
    text = '[wheel]\nboard = "roulette_ref"\n[call]\ncall_s = one\n[boule]\ncups = 9\n'
    assert [line for line, _ in told(tmp_path, text)] == [4, 6]


def test_without_a_board_what_depends_on_it_is_not_judged_and_that_is_said(tmp_path: Path) -> None:
    found = checked(tmp_path, "[boule]\ncups = 9\n")
    assert found.mistakes == []
    assert "no board is named" in found.notices[0].text
    assert told(tmp_path, "[boule]\ncups = 9\n", "pi4") == [
        (2, "cups: pi4 is no boule board. Leave the key out.")
    ]


@pytest.mark.parametrize(
    ("game", "more", "line", "words"),
    [
        ("roulette_lu", "[maxima]\nplein = 30\n", 9, "plein must be 20"),
        ("roulette_live", "[maxima]\nplein = 30\n", 9, "leaves the maxima to the house"),
        ("roulette_lu", "table_minimum_cents = 400\n", 8, "must be minimum_cents, 500, or more"),
    ],
)
def test_limits_are_those_that_the_rules_allow(
    tmp_path: Path, game: str, more: str, line: int, words: str
) -> None:
    """Art. 37-3; live rules, section 1.2."""
    text = f'[wheel]\nboard = "roulette_ref"\n[game]\nrules = "{game}"\n[stakes]\n'
    found = told(tmp_path, text + 'minimum_cents = 500\nseason = "a"\n' + more)
    assert [at for at, _ in found] == [line]
    assert words in found[0][1]


def test_a_maximum_of_a_bet_of_another_game_is_told(tmp_path: Path) -> None:
    text = '[wheel]\nboard = "boule_ref"\n[stakes]\nminimum_cents = 500\nseason = "a"\n'
    ((line, said),) = told(tmp_path, text + "[maxima]\ncheval = 10\n")
    assert (line, said[:49]) == (7, 'there is no bet "cheval" in boule_fr: its bets ar')


def test_a_live_table_with_all_its_maxima_is_sound(tmp_path: Path) -> None:
    text = '[wheel]\nboard = "roulette_ref"\n[game]\nrules = "roulette_live"\n[stakes]\n'
    assert told(tmp_path, text + "minimum_cents = 500\n[maxima]\n" + LIVE) == []


def test_a_table_without_a_season_is_a_notice(tmp_path: Path) -> None:
    text = '[wheel]\nboard = "roulette_ref"\n[stakes]\nminimum_cents = 500\n'
    found = checked(tmp_path, text)
    assert found.mistakes == []
    assert "there is no season" in found.notices[0].text
    named = text + 'season = "2026-27"\n'
    assert "any other may begin on the next" in checked(tmp_path, named).notices[0].text
    dated = named + 'season_from = "2026-10-01"\nseason_to = "2027-09-30"\n'
    assert checked(tmp_path, dated).notices == []


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2026-10-01", "2026-09-30", "the first not after the last"),
        ("2026-13-01", "2027-09-30", '"2026-13-01" is no day: give one as "2026-10-01"'),
        ("soon", "2027-09-30", '"soon" is no day'),
        ("20261001", "2027-09-30", '"20261001" is no day'),
        ("2026-W40-4", "2027-09-30", '"2026-W40-4" is no day'),
        ("2026-10-01", "", "a season has a name, a first and a last day"),
    ],
)
def test_a_season_has_two_days_in_their_order(
    tmp_path: Path, first: str, last: str, words: str
) -> None:
    text = '[wheel]\nboard = "roulette_ref"\n[stakes]\nminimum_cents = 500\nseason = "a"\n'
    text += f'season_from = "{first}"\n' + (f'season_to = "{last}"\n' if last else "")
    ((line, said),) = told(tmp_path, text)
    assert (line, words in said) == (6, True)


@pytest.mark.parametrize("cents", [25, 333])
def test_a_minimum_that_cannot_be_staked_is_a_mistake(tmp_path: Path, cents: int) -> None:
    text = f'[wheel]\nboard = "roulette_ref"\n[stakes]\nminimum_cents = {cents}\n'
    ((line, said),) = told(tmp_path, text)
    assert (line, "cannot be staked on deux_douzaines" in said) == (4, True)


def test_two_keys_do_not_name_one_file(tmp_path: Path) -> None:
    text = f'[store]\njournal = "{tmp_path}/a"\nfram = "{tmp_path}/b/../a"\n'
    assert told(tmp_path, text, "pi4") == [
        (3, "fram names the file of [store] journal. Each needs one of its own.")
    ]


def test_displays_and_terminals_that_are_counted_have_keys(tmp_path: Path) -> None:
    keys.provision(tmp_path / "keys", terminals=1, displays=2)
    line = f'[bus]\nkeys = "{tmp_path}/keys"\ndisplays = '
    assert told(tmp_path, line + "2\n", "pi4") == []
    ((at, text),) = told(tmp_path, line + "3\n", "pi4")
    assert (at, "display-03.key" in text) == (3, True)
    stakes = '[stakes]\nminimum_cents = 500\nseason = "a"\nterminals = 2\n'
    ((at, text),) = told(tmp_path, line + "2\n" + stakes, "pi4")
    assert (at, "terminal-02.key" in text) == (7, True)


def test_a_layout_of_another_apparatus_is_told_with_its_line(tmp_path: Path) -> None:
    own = tmp_path / "cases.toml"
    own.write_text('apparatus = "boule"\nsource = "x"\nnumbers = [1]\ncolours = ["red"]\n')
    text = f'[wheel]\nboard = "vingt_trois_pi4"\n[game]\nlayout = "{own}"\n'
    ((line, said),) = told(tmp_path, text)
    assert line == 4
    assert said == f"{own}:1: This layout is for boule, not vingt_trois."


def test_people_that_cannot_enter_a_number_are_a_notice(tmp_path: Path) -> None:
    text = f'[manual]\nundetected = "manual"\n[people]\nfile = "{tmp_path}/people.jsonl"\n'
    found = checked(tmp_path, text, "roulette_ref")
    assert found.mistakes == []
    assert "nobody can enter a number yet" in found.notices[0].text
    assert checked(tmp_path, text, "pi4").notices == []  # it has keys


@pytest.mark.parametrize(
    ("section", "key"),
    [("people", "file"), ("store", "journal"), ("store", "fram"), ("stakes", "orphelins")],
)
def test_what_the_wheel_writes_does_not_lie_where_it_may_only_read(section: str, key: str) -> None:
    named = f'[wheel]\nboard = "roulette_ref"\n[{section}]\n{key} = "x.db"\n'
    if section == "stakes":
        named += "minimum_cents = 500\n"
    found = check(survey(Path("/etc/cylindre/wheel.toml"), Source("new.toml", named)))
    assert found.mistakes == []
    assert [notice.text for notice in found.notices if "write" in notice.text] == [
        "/etc/cylindre/x.db: the wheel may not write there. Give /var/lib/cylindre/x.db."
    ]


def test_keys_that_are_not_for_who_checks_are_no_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys.provision(tmp_path / "keys", displays=1, terminals=0)

    def closed(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "keys/wheel.key")

    for name in ("read_private", "read_displays", "read_terminals"):
        monkeypatch.setattr(keys, name, closed)
    monkeypatch.setattr(os, "access", lambda *_: False)
    found = checked(tmp_path, f'[wheel]\nboard = "pi4"\n[bus]\nkeys = "{tmp_path}/keys"\n')
    assert found.mistakes == []
    assert [notice.text for notice in found.notices] == [
        f"{tmp_path}/keys/wheel.key is not for you to read, so it is not checked."
    ]
