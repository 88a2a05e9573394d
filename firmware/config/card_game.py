"""Which card game is played on which table: what the house chooses, judged by the game's rules.

dragon_odds: a file of the house's own,

    source = "Casino de Z, table 7, plate of 12 March 2026"
    odds = [30, 10, 6, 4, 2, 1]  # won by 9, 8, 7, 6, 5 and 4 points
"""

import tomllib
from pathlib import Path
from typing import Any

import rules
from firmware.config import Config, ConfigError, judged_toml
from firmware.config.keys import HAND, KEYS
from firmware.core.cards.readers import BARCODE, SHOE
from firmware.lib.errors import cause
from firmware.lib.language import Message, listed
from firmware.lib.named_file import begin_named
from firmware.stakes.card_round import BEHIND
from rules.cards.errors import FORM, CardsError
from rules.cards.stakes import CardTable, open_table

_PORTS = ("keyboard", "shoe", "barcode", "card_keys")  # keys of [cards]
FILE_MAX = 65_536  # bytes


def choose_rules(board: dict[str, Any], config: Config) -> dict[str, Any]:
    """Returns the rules that are played on a card table's board. Raises ConfigError."""
    name = config.rules or board["rules"]
    played = [each for each in rules.CARD_GAMES if rules.load(each)["family"] == board["apparatus"]]
    if name not in played:
        sentence = Message(
            "[game] rules: {name} is not played on {board}; use {names}.",
            name=name,
            board=board["name"],
            names=listed(played, Message(" or ")),
        )
        raise ConfigError([sentence])
    return rules.load(name)


def check_reader(game: Any, config: Config) -> None:
    """Raises ConfigError unless what is to name the cards of a Game is there, and can."""
    found: list[str] = []
    if config.reader == HAND and game.rules.get("hole_card"):
        text = Message(
            '[cards] reader: nobody enters the hole card of {name} by hand; use "shoe" or'
            ' "barcode".',
            name=game.rules["name"],
        )
        found.append(text)
    for reader, key, port in (
        (SHOE, "shoe", config.shoe),
        (BARCODE, "barcode", config.barcode),
    ):
        if port is not None and config.reader != reader:
            text = Message(
                '[cards] {key}: "{reader}" reads the cards here. Leave the key out, or set'
                ' reader = "{key}".',
                key=key,
                reader=config.reader,
            )
            found.append(text)
    for key in _missing(game, config):
        text = Message(
            "[cards] {key} is missing: this table is played at ports of its own. Name its input"
            " device or serial port.",
            key=key,
        )
        found.append(text)
    named = [port for key in _PORTS if (port := getattr(config, key)) is not None]
    found += [
        Message("[cards] {key}: {port} is named twice. Name each port once.", key=key, port=port)
        for key in _PORTS
        if (port := getattr(config, key)) is not None and named.count(port) > 1
    ]
    if found:
        raise ConfigError(found)


def check_followers(game: Any, config: Config) -> None:
    """Raises ConfigError for a host of followers where nobody may bet behind a hand."""
    if config.followers is None:
        return
    table = open_card_table(game, config)
    bet = table.bets.get(BEHIND)
    taken = bet is not None and (bet.side is None or BEHIND in (table.side_bets or ()))
    seats = game.rules["seats"][1]
    if taken and config.followers <= seats:
        text = Message(
            "[cards] followers: {address} is the address of a seat. Name one above {seats}.",
            address=config.followers,
            seats=seats,
        )
        raise ConfigError([text])
    if taken:
        return
    text = Message(
        "[cards] followers: no bet behind a hand is taken at {rules} here. Leave the key out, or"
        " name behind in [side_bets] where the game has it.",
        rules=game.rules["name"],
    )
    raise ConfigError([text])


def _missing(game: Any, config: Config) -> list[str]:
    """Returns the ports that have to be named and are not: none where the board has all built in.

    A real board has a UART for its shoe.
    """
    is_real = game.board["provider"] != "virtual"
    if not is_real and all(getattr(config, key) is None for key in _PORTS):
        return []
    readers = {SHOE: "shoe", BARCODE: "barcode", HAND: "card_keys"}
    wanted = ["keyboard", readers[config.reader]]
    if is_real and config.reader == SHOE:
        wanted.remove("shoe")
    return [key for key in wanted if getattr(config, key) is None]


def open_card_table(game: Any, config: Config) -> CardTable:
    """Returns the table of a Game as the house opens it. Raises ConfigError.

    A real table does not open with odds of the Dragon Bonus that no source gives (002, 13.9).
    """
    house: dict[str, object] = dict(config.card_house or {})
    if config.dragon_odds is not None:
        house["dragon_odds"] = read_odds(Path(config.dragon_odds))
    side_bets = tuple(bet for bet, taken in (config.side_bets or {}).items() if taken)
    try:
        return open_table(
            game.rules,
            config.decks,
            house,
            config.stakes_minimum_cents,
            config.maximum_multiple,
            side_bets,
            game.board["provider"] != "virtual",
        )
    except CardsError as error:
        (section,) = {each.section for each in KEYS if each.name == error.key}
        sentence = Message(error.sentence)
        if error.rule != FORM:
            sentence = Message("{} ({})", sentence, Message(error.rule))
        if not error.sentence.startswith(error.key + " "):
            sentence = Message("{key}: {sentence}", key=error.key, sentence=sentence)
        text = Message("[{section}] {sentence}", section=section, sentence=sentence)
        raise ConfigError([text]) from None


def read_odds(path: Path) -> list[Any]:
    """Returns the odds in a file of the house's own. Raises ConfigError."""
    try:
        text = begin_named(path, FILE_MAX, own_handles=True).decode()
        found = judged_toml.loads(text)
    except OSError as error:
        text = Message("{}: {}. Give a file of odds that can be read.", path, cause(error))
        raise ConfigError([text]) from None
    except (judged_toml.TooMuch, tomllib.TOMLDecodeError, ValueError):
        raise ConfigError([Message("{}: this is no file of odds (TOML).", path)]) from None
    source, odds = found.get("source"), found.get("odds")
    if set(found) != {"source", "odds"} or not isinstance(source, str) or not source.strip():
        raise ConfigError([Message("{}: a file of odds has source, a text, and odds.", path)])
    if not isinstance(odds, list):
        raise ConfigError([Message("{}: odds must be a list of six whole numbers.", path)])
    return odds
