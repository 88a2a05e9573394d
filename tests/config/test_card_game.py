"""What a house chooses of a card table, judged by the rules of its game."""

from pathlib import Path

import pytest

from firmware.config import Config, ConfigError, load, survey
from firmware.config.card_game import open_card_table
from firmware.config.game import choose
from firmware.services.configuring.cross_checks import check

KEYBOARD = 'keyboard = "/dev/ttyS0"'
TABLE = """
[wheel]
board = "blackjack_ref"
[stakes]
minimum_cents = 1000
[cards]
decks = 8
maximum_multiple = 100
[house]
das = false
max_hands = 2
[side_bets]
perfect_pairs = true
super_gold = false
"""


def config(folder: Path, text: str) -> Config:
    path = folder / "table.toml"
    path.write_text(text)
    return load(path)


def refusal(board: str, chosen: Config) -> str:
    with pytest.raises(ConfigError) as raised:
        choose(board, chosen)
    return "\n".join(raised.value.sentences)


def test_a_house_chooses_decks_limits_side_bets_and_what_the_text_leaves_open(
    tmp_path: Path,
) -> None:
    chosen = config(tmp_path, TABLE)
    table = open_card_table(choose("blackjack_ref", chosen), chosen)
    assert (table.decks, table.floor_cents, table.ceiling_cents) == (8, 1000, 100_000)
    assert (table.house["das"], table.house["max_hands"], table.house["h17"]) == (False, 2, False)
    assert table.side_bets == ("perfect_pairs",)


def test_a_table_of_cards_plays_its_own_games_and_no_wheel_takes_its_keys(tmp_path: Path) -> None:
    assert choose("baccarat_ref", Config(rules="punto_2000")).rules["name"] == "punto_2000"
    assert "roulette_lu is not played on baccarat_ref" in refusal(
        "baccarat_ref", Config(rules="roulette_lu")
    )
    assert "punto_2000 is not played on roulette_ref" in refusal(
        "roulette_ref", Config(rules="punto_2000")
    )
    said = refusal("roulette_ref", config(tmp_path, TABLE))
    for key in ("[cards] decks", "[house] das", "[side_bets] perfect_pairs"):
        assert f"{key}: roulette_ref is no card table." in said


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("[house]\nh17 = true", "h17 must be false at blackjack_lu"),
        (
            "[house]\ndragon_two_card = true",
            'the house has no key "dragon_two_card" in blackjack_lu',
        ),
        ("[side_bets]\ndragon_player = true", '"dragon_player" is no side bet of blackjack_lu'),
        ("[cards]\nmaximum_multiple = 60", "maximum_multiple is of minimum_cents"),
        ("[stakes]\nminimum_cents = 100\n[cards]\nmaximum_multiple = 60", "must be 50, 100 or 200"),
    ],
)
def test_what_the_text_forbids_is_refused_with_its_article(
    tmp_path: Path, line: str, why: str
) -> None:
    assert why in refusal("blackjack_ref", config(tmp_path, line))


def test_config_check_tells_all_that_a_card_table_cannot_have_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        '[wheel]\nboard = "blackjack_ref"\n'
        "[house]\nh17 = true\ndragon_two_card = true\ndas = true\n"
        "[cards]\ndecks = 8\nmaximum_multiple = 7\n"
        '[stakes]\nminimum_cents = 500\nseason = "2026"\n'
        "[side_bets]\ndragon_player = true\n[maxima]\nplein = 3\n[call]\ncall_s = 1.5\n"
    )
    told = check(survey(path)).mistakes
    assert [(each.line, each.text.split(maxsplit=1)[0].rstrip(":")) for each in told] == [
        (4, "h17"), (5, "dragon_two_card"), (9, "maximum_multiple"), (12, "season"),
        (14, "dragon_player"), (16, "plein"), (18, "call_s"),
    ]  # fmt: skip
    assert "(II.1)" in told[0].text and "(art. 33)" in told[2].text


ODDS = 'source = "the plate of table 7, read on 12 March 2026"\nodds = [30, 10, 6, 4, 2, 1]\n'


def test_a_real_table_takes_the_dragon_bonus_with_the_houses_own_odds_alone(
    tmp_path: Path,
) -> None:
    text = '[game]\nrules = "punto_2000"\n[side_bets]\ndragon_player = true\n'
    assert choose("baccarat_ref", config(tmp_path, text))
    text += f"[cards]\n{KEYBOARD}\n"
    assert "nobody has verified the odds" in refusal("baccarat_pi4", config(tmp_path, text))
    (tmp_path / "odds.toml").write_text(ODDS)
    own = config(tmp_path, text + 'dragon_odds = "odds.toml"\n')
    game = choose("baccarat_pi4", own)
    assert open_card_table(game, own).house["dragon_odds"][0] == (9, 30)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "Give a file of odds that can be read."),
        ("odds = [30", "this is no file of odds (TOML)."),
        ("odds = [30, 10, 6, 4, 2, 1]", "a file of odds has source, a text, and odds."),
        ('source = " "\nodds = []', "a file of odds has source, a text, and odds."),
        ('source = "a"\nodds = 7', "odds must be a list of six whole numbers."),
        ('source = "a"\nodds = [1, 2]', "for each margin, from 9 down to 4"),
    ],
)
def test_odds_that_are_none_are_refused_in_one_sentence(
    tmp_path: Path, text: str | None, why: str
) -> None:
    if text is not None:
        (tmp_path / "odds.toml").write_text(text)
    chosen = config(tmp_path, '[game]\nrules = "punto_2000"\n[cards]\ndragon_odds = "odds.toml"\n')
    assert why in refusal("baccarat_ref", chosen)


@pytest.mark.parametrize(
    ("board", "line", "why"),
    [
        (
            "blackjack_pi4",
            'reader = "barcode"',
            "[cards] barcode is missing: this table is played at ports of its own",
        ),
        (
            "blackjack_pi4",
            'reader = "hand"',
            "[cards] card_keys is missing: this table is played at ports of its own",
        ),
        ("blackjack_pi4", 'barcode = "/dev/ttyS1"', '[cards] barcode: "shoe" reads the cards here'),
        ("blackjack_pi4", "decks = 6", "[cards] keyboard is missing: this table is played at"),
        ("blackjack_ref", 'shoe = "/dev/ttyS1"', "[cards] keyboard is missing"),
        ("blackjack_ref", 'keyboard = "/dev/ttyS1"', "[cards] shoe is missing"),
        (
            "blackjack_pi4",
            'keyboard = "/dev/ttyS1"\nshoe = "/dev/ttyS1"',
            "[cards] shoe: /dev/ttyS1 is named twice. Name each port once.",
        ),
        (
            "blackjack_pi4",
            'reader = "barcode"\nbarcode = "/dev/ttyS1"\nshoe = "/dev/ttyS2"',
            '[cards] shoe: "barcode" reads the cards here. Leave the key out',
        ),
        (
            "blackjack_ref",
            'reader = "hand"\n[game]\nrules = "blackjack_live"',
            "nobody enters the hole card of blackjack_live by hand",
        ),
    ],
)
def test_what_is_to_name_the_cards_has_its_port_and_can(
    tmp_path: Path, board: str, line: str, why: str
) -> None:
    assert why in refusal(board, config(tmp_path, f"[cards]\n{line}\n"))


def test_a_table_chooses_what_names_its_cards(tmp_path: Path) -> None:
    for board, line in (
        ("blackjack_pi4", f'reader = "barcode"\nbarcode = "/dev/ttyS1"\n{KEYBOARD}'),
        ("baccarat_pi4", f'reader = "hand"\ncard_keys = "/dev/input/event2"\n{KEYBOARD}'),
        ("blackjack_pi4", f'card_keys = "/dev/input/event2"\n{KEYBOARD}'),
        ("blackjack_ref", f'shoe = "/dev/ttyS1"\n{KEYBOARD}'),
        ("blackjack_ref", 'reader = "hand"'),
        ("blackjack_ref", 'reader = "barcode"\n[game]\nrules = "blackjack_live"'),
    ):
        assert choose(board, config(tmp_path, f"[cards]\n{line}\n"))
    assert config(tmp_path, "").reader == "shoe"
