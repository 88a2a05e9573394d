"""The table of keys: every key that a configuration may have, and the field that keeps it.

A key is defined in its row of Config and nowhere else. The check of a file, `run --help`,
`config show`, docs/configuration.md and the service page's list are made from these rows. A key
that has no row is a mistake, for a misspelt one would silently leave its default.
"""

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import boards
import rules
from boards import apparatus
from firmware.core.cards.readers import BARCODE, SHOE
from firmware.core.health.budget import YEAR_COUPS
from firmware.core.house import AUTO, CROUPIER, PEOPLE, VOID, House
from firmware.lib.language import Message
from firmware.stakes.seal import SAME_GAME
from rules.cards.house import CENTS, ODDS, HouseKey
from rules.limits import names

BAUD = 115_200  # of the line, unless the house says otherwise
SPOKEN_US = 1_000_000  # a croupier says "rien ne va plus" (DESIGN section 3)


class Key(NamedTuple):
    """One key: where it stands, what it may be, in words and as a check, and what it decides."""

    section: str
    name: str
    kind: tuple[type, ...]
    low: float  # of a number; of a text in bytes of UTF-8
    high: float
    choices: tuple[Any, ...]
    wants: str
    unit: str  # of a number, in words
    means: str  # what it decides, and what holds when it is left out
    default: Any  # as a file says it; None: it depends
    example: Any  # as a file says it
    used_by: str  # the module or folder that decides by it
    scale: int = 1  # the field keeps the value times so much, in the unit that ends its name
    is_path: bool = False  # a relative one begins in the configuration's folder
    stands_for: Any = None  # what holds when it is left out, where that is a constant
    of_board: tuple[str, ...] = ()  # else where the board's data say what holds
    field: str = ""  # of Config


def fits(key: Key, value: Any) -> bool:
    """Returns whether a key may have that value."""
    if type(value) not in key.kind:  # a bool is no number here
        return False
    if key.choices:
        return value in key.choices
    if isinstance(value, str):
        return key.low <= len(value.encode()) <= key.high and value.isprintable()
    return bool(key.low <= value <= key.high)


def kept(key: Key, value: Any) -> Any:
    """Returns a file's value as the field keeps it."""
    return value if key.scale == 1 else round(value * key.scale)


def _row(*keys: Key, empty: Any = None) -> Any:
    """The field of Config that keeps these keys. `empty`: what it holds without a default."""
    default = empty if keys[0].default is None else kept(keys[0], keys[0].default)
    return field(default=default, metadata={"keys": keys})


# fmt: off
def _choice(section: str, name: str, choices: tuple[str, ...], means: str, used_by: str,
            default: str | None = None, *, example: str | None = None, **more: Any) -> Any:
    words = " or ".join(f'"{choice}"' for choice in choices)
    return _row(Key(section, name, (str,), 0, 0, choices, words, "", means, default,
                    default or example or choices[0], used_by, **more))


def _whole(section: str, name: str, span: tuple[int, int], unit: str, means: str, used_by: str,
           default: int | None = None, *, example: int | None = None, **more: Any) -> Key:
    words = f"a whole number of {unit} from {span[0]} to {span[1]}"
    return Key(section, name, (int,), *span, (), words, unit, means, default,
               default if example is None else example, used_by, **more)


def _number(*key: Any, **more: Any) -> Any:
    return _row(_whole(*key, **more))


def _fraction(section: str, name: str, span: tuple[float, float], unit: str, means: str,
              used_by: str, scale: int, default: float | None = None, *,
              example: float | None = None) -> Any:
    # A point in every language: a file has it so.
    words = Message("a number of {} from {} to {}", Message(unit), *span)
    return _row(Key(section, name, (int, float), *span, (), words, unit, means, default,
                    default if example is None else example, used_by, scale))


def _flag(section: str, name: str, means: str, used_by: str, default: bool | None = None) -> Any:
    return _row(Key(section, name, (bool,), 0, 1, (), "true or false", "", means, default, False,
                    used_by))


def _house_key(key: HouseKey) -> Key:
    """A row of [house]; which of its values a game leaves open, the game's rules judge."""
    if type(key.default) is bool:
        return Key("house", key.name, (bool,), 0, 1, (), "true or false", "", key.says, None,
                   key.default, _CARDS)
    most = 10**9 if key.values == CENTS else 1000
    return _whole("house", key.name, (0, most), "cents" if key.values == CENTS else "hands",
                  key.says, _CARDS, example=key.default)


def _text(section: str, name: str, wants: str, means: str, used_by: str,
          default: str | None = None, *, example: str, most: int = 4096, is_path: bool = False,
          empty: str | None = None) -> Any:
    """`most`: bytes of UTF-8."""
    return _row(Key(section, name, (str,), 1, most, (), wants, "", means, default, example, used_by,
                    is_path=is_path), empty=empty)


def _file(section: str, name: str, means: str, used_by: str, *, example: str,
          what: str = "file") -> Any:
    return _text(section, name, f"a {what}'s path in quotes", means, used_by, example=example,
                 is_path=True)


_BOARDS, _CUPS = boards.NAMES, apparatus.BOULE.compartments
_RULES = rules.NAMES
_BETS = tuple(dict.fromkeys(bet for name in rules.WHEEL_GAMES for bet in names(rules.load(name))))
# What a house may choose of card games, each key once, and the bets that it must name.
_CARD_RULES = tuple(rules.load(name) for name in rules.CARD_GAMES)
_HOUSE_KEYS = tuple({key.name: key for game in _CARD_RULES for key in game["house"]}.values())
_SIDE_BETS = tuple(
    dict.fromkeys(bet.name for game in _CARD_RULES for bet in game["bets"] if bet.side is not None)
)
_US, _THOUSANDTHS = 1_000_000, 1_000
# Who decides by it: written once.
_CORE, _GAME, _WHEEL = "firmware/core", "firmware/config/game.py", "firmware/config/this_wheel.py"
_APP, _PARTS, _LINE = "firmware/run/app.py", "firmware/run/parts.py", "firmware/run/bus_line.py"
_LIMITS, _CARDS = "firmware/config/table_limits.py", "firmware/config/card_game.py"
_PLAYED = "firmware/run/card_play.py"
_KEYBOARD = "/dev/input/by-id/usb-Keyboard-event-kbd"
_DEVICE = 'an input device or a serial port in quotes, as "/dev/input/by-id/usb-Keyboard-event-kbd"'
# What follows when a player could gain by a wheel.
TELL, HOLD = "tell", "hold"
# What names the cards of a card table: SHOE and BARCODE, or people.
HAND = "hand"
# Where players put money in.
AT_DESK, AT_TERMINALS = "desk", "terminals"


@dataclass(frozen=True)
class Config:
    """What a house chooses, a row a key. None: what the board or the command line says."""

    board: str | None = _choice(
        "wheel", "board", _BOARDS, "the board; left out: the command line says",
        _WHEEL, example="pi4", of_board=("name",))
    wheel_id: str = _text(
        "wheel", "id", 'a name in quotes of 24 bytes at most, as "table-3"',
        "the wheel's name, in every record", "firmware/run/play.py", "wheel-1",
        example="table-3", most=24)
    # None: as a croupier speaks it; with terminals no time at all.
    call_us: int | None = _fraction(
        "call", "call_s", (0, 5), "seconds",
        f"how long the call takes; left out: {SPOKEN_US // _US} s, as it is spoken, or 0 with"
        " terminals",
        _CORE, _US, example=1.0)
    # One call in a million may come after the drop (DESIGN section 3).
    late_ppb: int = _fraction(
        "call", "late_per_million", (0.001, 100), "late calls",
        "so many calls may come after the drop", _CORE, _THOUSANDTHS, 1.0)
    confirm: str = _choice(
        "confirm", "mode", (AUTO, CROUPIER), "who makes a detected number official", _CORE, AUTO)
    # PEOPLE where somebody can enter a number, else VOID.
    undetected: str | None = _choice(
        "manual", "undetected", (VOID, PEOPLE),
        "what becomes of a coup whose number is not detected; left out: people enter it where"
        " a croupier and the management have PINs, or the board has keys", _PARTS)
    people: str | None = _file(
        "people", "file", "who may, with a PIN (cylindre people)", _WHEEL, example="people.jsonl")
    # Art. 1.1 of the UK's requirements: 50 games an hour when fully automatic.
    pace_us: int = _fraction(
        "pace", "coup_s", (0, 600), "seconds", "least time between the beginnings of two coups",
        _CORE, _US, 0.0)
    rules: str | None = _choice(
        "game", "rules", _RULES, "the rules; left out: the board's own", _GAME,
        of_board=("rules",))
    layout: str | None = _file(
        "game", "layout", "an establishment's own order of compartments", _GAME,
        example="cases.toml", what="layout file")
    cups: int | None = _row(
        Key("boule", "cups", (int,), 0, 0, _CUPS, apparatus.either(_CUPS), "cups",
            "of the dish; left out: the board's", None, 18, _GAME, of_board=("geometry", "cups")))
    after_throw_us: int | None = _fraction(
        "boule", "after_throw_s", (0, 20), "seconds",
        "the call so long after the throw's first beam; left out: at it", _CORE, _US, example=0.0)
    # Article 47 asks it of vingt-trois alone.
    alternate_throws: bool | None = _flag(
        "boule", "alternate", "whether each throw goes the other way", _CORE)
    drive: str | None = _choice(
        "rotor", "drive", ("driven", "hand"), "who turns the rotor; left out: as the board is made",
        _APP, of_board=("rotor",))
    target_rpm: int | None = _number(
        "rotor", "target_rpm", (10, 28), "turns a minute",
        "how fast a motor turns it; left out: as the drive is set", _APP, example=21)
    port: str | None = _text(
        "bus", "port", 'a serial port in quotes, as "/dev/ttyUSB0"',
        "the line to displays and terminals; left out: the board's, where it has one",
        _WHEEL, example="/dev/ttyUSB0")
    baud: int | None = _number(
        "bus", "baud", (9600, 1_000_000), "bits a second", f"the line's speed; left out: {BAUD}",
        _LINE, example=BAUD, stands_for=BAUD)
    displays: int | None = _number(
        "bus", "displays", (0, 32), "displays", "on the line; left out: all that have a key",
        _LINE, example=2)
    keys: str | None = _file(
        "bus", "keys", "the keys of the wheel, its displays and terminals", _WHEEL,
        example="keys", what="folder")
    stakes_minimum_cents: int | None = _number(
        "stakes", "minimum_cents", (1, 10**9), "cents",
        "the minimum that the authorisation fixes; without it no money is known here",
        _LIMITS, example=500)
    stakes_table_minimum_cents: int | None = _number(
        "stakes", "table_minimum_cents", (1, 10**9), "cents",
        "what the house has raised it to at this table, as the rules allow", _LIMITS,
        example=1000)
    season: str = _text(
        "stakes", "season", 'a name in quotes, as "2026-27"',
        "what the rules let change between seasons only, holds within one", _LIMITS,
        example="2026-27", empty="", most=64)
    season_from: str | None = _text(
        "stakes", "season_from", 'a day in quotes, as "2026-10-01"',
        "the season's first day; a new season has one", _LIMITS, example="2026-10-01", most=10)
    season_to: str | None = _text(
        "stakes", "season_to", 'a day in quotes, as "2027-09-30"',
        "the season's last day", _LIMITS, example="2027-09-30", most=10)
    relaunch: str | None = _choice(
        "stakes", "relaunch", (SAME_GAME, VOID),
        "what becomes of sealed stakes when a foreign object makes a throw void: they lie for the"
        " next, or go back; left out: as the law of the game's rules wants it",
        _LINE, example=SAME_GAME)
    orphelins: str | None = _file(
        "stakes", "orphelins", "the register of abandoned stakes; left out: beside the journal",
        _LINE, example="orphelins.jsonl")
    terminals: int | None = _number(
        "stakes", "terminals", (1, 32), "terminals", "on the line; left out: all that have a key",
        _LINE, example=7)
    # By bet, in minima.
    maxima: dict[str, int] | None = _row(
        *[_whole("maxima", bet, (1, 1_000_000), "times the minimum",
                 "the most a player may stake there; left out: the rules' lower bound",
                 _LIMITS, example=20)
          for bet in _BETS])
    followers: int | None = _number(
        "cards", "followers", (1, 32), "a terminal's address",
        "which terminal carries the players who bet behind a hand; left out: none", _CARDS,
        example=8)
    decks: int | None = _row(
        Key("cards", "decks", (int,), 0, 0, (6, 8), "6 or 8", "decks",
            "in the shoe of a card table; left out: as the rules have it", None, 6, _CARDS))
    maximum_multiple: int | None = _number(
        "cards", "maximum_multiple", (1, 1_000_000), "times the minimum",
        "the most that lies on a hand of a card table; left out: the lowest that the rules name,"
        " or none", _CARDS, example=100)
    dragon_odds: str | None = _file(
        "cards", "dragon_odds", "the house's own odds of the Dragon Bonus, with their source",
        _CARDS, example="odds.toml")
    reader: str = _choice(
        "cards", "reader", (SHOE, BARCODE, HAND),
        "what names the cards: a shoe that reads them, a barcode reader before a plain one, or"
        " people, by hand, each card",
        _CARDS, SHOE)
    barcode: str | None = _text(
        "cards", "barcode", _DEVICE,
        "the barcode reader", _PLAYED, example=_KEYBOARD)
    card_keys: str | None = _text(
        "cards", "card_keys", _DEVICE,
        "the keys on which people enter cards: all, or one that the shoe cannot read", _PLAYED,
        example=_KEYBOARD)
    shoe: str | None = _text(
        "cards", "shoe", 'a serial port in quotes, as "/dev/ttyACM0"',
        "the card shoe's line; left out: the board's", _PLAYED, example="/dev/ttyACM0")
    keyboard: str | None = _text(
        "cards", "keyboard", _DEVICE,
        "the croupier's keyboard", _PLAYED, example=_KEYBOARD)
    bets_us: int = _fraction(
        "cards", "bets_s", (1, 600), "seconds", "stakes close by themselves after so long",
        _CORE, _US, 20.0)
    decision_us: int = _fraction(
        "cards", "decision_s", (1, 600), "seconds", "a hand that does not decide stands",
        _CORE, _US, 15.0)
    insurance_us: int = _fraction(
        "cards", "insurance_s", (1, 600), "seconds", "who has not answered by then is not insured",
        _CORE, _US, 10.0)
    card_us: int = _fraction(
        "cards", "card_s", (1, 600), "seconds", "the croupier is reminded of a card that is due",
        _CORE, _US, 30.0)
    burned: int = _number(
        "cards", "burned", (0, 12), "cards", "burned after a shuffle", _CORE, 6)
    # By name, of firmware/config/card_game.py.
    card_house: dict[str, bool | int] | None = _row(
        *[_house_key(key) for key in _HOUSE_KEYS if key.values != ODDS])
    side_bets: dict[str, bool] | None = _row(
        *[Key("side_bets", bet, (bool,), 0, 1, (), "true or false", "",
              "whether the table takes it; left out: it does not", None, True, _CARDS)
          for bet in _SIDE_BETS])
    put_in: str | None = _choice(
        "money", "put_in", (AT_DESK, AT_TERMINALS),
        "where players put money in: counted by an employee, or in the terminals' acceptors too;"
        " left out: terminals take no stake, but those of a virtual board",
        _LINE, example=AT_TERMINALS)
    journal: str | None = _file(
        "store", "journal", "where coups are recorded", _WHEEL, example="coups.db")
    fram: str | None = _file(
        "store", "fram", "stands in for the FRAM chip where there is none",
        "firmware/run/options.py", example="fram.bin")
    # A tilt that shows in the drop angles alone (PHYSICS.md).
    level_warn_mdeg: int = _fraction(
        "level", "warn_deg", (0.05, 5), "degrees", "a tilt that is told",
        _APP, _THOUSANDTHS, 0.1)
    level_zero_x_mdeg: int = _fraction(
        "level", "zero_x_deg", (-10, 10), "degrees", "what the sensor reads on a level wheel",
        _APP, _THOUSANDTHS, 0.0)
    level_zero_y_mdeg: int = _fraction(
        "level", "zero_y_deg", (-10, 10), "degrees", "the same, across", _APP, _THOUSANDTHS, 0.0)
    health_gain: str = _choice(
        "health", "gain", (TELL, HOLD),
        "what follows when a player could gain by the wheel (H12): it is told, or the wheel also"
        " starts on no other gaming day until a supervisor has acknowledged it",
        "firmware/run/gain_hold.py", TELL)
    health_coups_a_year: int = _number(
        "health", "coups_a_year", (1_000, 10_000_000), "coups",
        "that the table plays; notices of a sound wheel's health are as seldom a year as promised",
        "firmware/run/health_watcher.py", YEAR_COUPS)
    health_croupiers: bool = _flag(
        "health", "croupiers",
        "whether it is recorded which croupier throws, by number (cylindre shift): throws of each"
        " that lead to like numbers are told (H13)",
        "firmware/run", False)
    # None: who stops the program by hand does not want the machine reset.
    watchdog_s: int = _number(
        "watchdog", "timeout_s", (0, 15), "seconds",
        "the machine is reset when the loop stands still so long; 0: never", _PARTS, 0)
# fmt: on

    @property
    def house(self) -> House:
        """Returns what the core is told of it.

        `driven` and an `undetected` that is None depend on more: the app says, firmware.run.parts
        knows.
        """
        return House(
            confirm=self.confirm,
            driven=False,
            call_us=self._call_us(),
            late_ppb=self.late_ppb,
            pace_us=self.pace_us,
            after_throw_us=self.after_throw_us or 0,
            alternate_throws=self.alternate_throws or False,
            undetected=self.undetected or VOID,
        )

    def _call_us(self) -> int:
        if self.call_us is not None:
            return self.call_us
        return SPOKEN_US if self.stakes_minimum_cents is None else 0


def keys_of(table: type) -> tuple[Key, ...]:
    """Returns the keys of a table as Config is one, in its order."""
    return tuple(
        key._replace(field=each.name) for each in fields(table) for key in each.metadata["keys"]
    )


KEYS = keys_of(Config)
# Sections whose keys are kept together in one field, and those of them whose keys are alike.
MANY = ("maxima", "house", "side_bets")
ALIKE = ("maxima", "side_bets")
SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS))
