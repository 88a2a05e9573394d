"""Whether what a configuration chooses goes together: all that can be known without a wheel.

What a single key may be, firmware/config knows.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

import boards
import rules
from firmware.config import BAUD, KEYS, Config, ConfigError, Mistake, made
from firmware.config.game import choose
from firmware.config.keys import MANY
from firmware.config.season import day_of
from firmware.config.survey import Survey, limited
from firmware.lib.language import Message
from firmware.services.configuring import named_files
from firmware.services.configuring.named_files import Wrong
from rules import limits, minimum


class Checked(NamedTuple):
    """What is wrong; and what the wheel plays with, but may not be meant."""

    mistakes: list[Mistake]
    notices: list[Mistake]


def check(found: Survey, board: str | None = None) -> Checked:
    """Returns every mistake in what was read, and in how it goes together.

    `board`: stands before the configuration's own, as `cylindre run --board`. What depends on a
    section in which something is wrong already is not judged.
    """
    wrong = [] if None in found.doubtful else _judged(found, board)
    mistakes = [_placed(one, found) for one in wrong if not one.is_notice]
    notices = [_placed(one, found) for one in wrong if one.is_notice]

    def in_order(mistake: Mistake) -> tuple[bool, str, int, str]:
        return (mistake.file != found.name, *mistake)

    return Checked(
        limited(sorted([*found.noted, *mistakes], key=in_order), found.further),
        sorted(notices, key=in_order),
    )


def _judged(found: Survey, board: str | None) -> list[Wrong]:
    config = made(found.said, found.folder)
    name = board or config.board
    unsure = found.doubtful if board is None else found.doubtful - {"wheel"}
    wrong: list[Wrong] = []
    played: dict[str, Any] | None = rules.load(config.rules) if config.rules else None
    if "wheel" not in unsure and name is not None:
        wrong, played = check_game(config, name)
    elif "wheel" not in unsure:
        text = Message(
            "no board is named: what depends on it is not checked. Name one here, or by --board."
        )
        wrong.append(Wrong("wheel", "board", text, is_notice=True))
    is_of_cards = played is not None and "family" in played
    if not is_of_cards and not unsure & {"stakes", "maxima", "game"}:
        wrong += check_money(config, played)
    if not unsure & {"stakes", "bus"}:
        wrong += check_line(config)
    wrong += named_files.check(config, name)
    return [one for one in wrong if one.section not in unsure]


def _placed(wrong: Wrong, found: Survey) -> Mistake:
    """With the line of the key, else of its section's first, else the file's name alone."""
    said = found.said.get((wrong.section, wrong.key))
    if said is None:
        of_it = [said for (section, _), said in found.said.items() if section == wrong.section]
        said = of_it[0] if of_it else None
    if said is None:
        return Mistake(found.name, 0, wrong.text)
    return Mistake(said.file, said.line, wrong.text)


_NAMED = re.compile(r"\[(\w+)\] (\w+):? ")  # as firmware/config/game.py begins what it refuses


def check_game(config: Config, board: str) -> tuple[list[Wrong], dict[str, Any]]:
    """Returns every choice that the board called `board` refuses; and the rules, as far as they are
    known.

    What is refused is set aside, and the rest is chosen again.
    """
    wrong: list[Wrong] = []
    left = config
    while True:
        try:
            return wrong + _idle(config, board), choose(board, left).rules
        except ConfigError as error:
            refused = [_refused(sentence) for sentence in error.sentences]
        new = [one for one in refused if (one.section, one.key) not in {one[:2] for one in wrong}]
        wrong += new
        before = left
        for one in new:
            left = _without(one, left)
        if left == before:
            name = left.rules or boards.load(board)["rules"]
            return wrong + _idle(config, board), rules.load(name)


def _refused(sentence: str) -> Wrong:
    named = _NAMED.match(sentence)
    if named is None:  # from the layout file, which it names itself
        return Wrong("game", "layout", sentence)
    return Wrong(named[1], named[2], sentence[named.start(2) :])


def _without(wrong: Wrong, config: Config) -> Config:
    """Returns the configuration as if nobody had chosen that."""
    (key,) = (each for each in KEYS if each[:2] == wrong[:2])
    left = getattr(Config, key.field)
    if key.section in MANY:
        many = getattr(config, key.field) or {}
        left = {name: value for name, value in many.items() if name != key.name} or None
    aside: dict[str, Any] = {key.field: left}
    return replace(config, **aside)


def _idle(config: Config, board: str) -> list[Wrong]:
    """Returns what the wheel plays with, though it does nothing there."""
    found = boards.load(board)
    idle = []
    if config.target_rpm is not None and config.drive == "hand":
        text = Message('target_rpm does nothing with drive = "hand": no motor turns the rotor.')
        idle.append(Wrong("rotor", "target_rpm", text, is_notice=True))
    if config.port is None and config.baud is not None and "displays" not in found["buses"]:
        text = Message(
            "baud does nothing without a port: {board} has no line of its own to displays.",
            board=board,
        )
        idle.append(Wrong("bus", "baud", text, is_notice=True))
    return idle


def check_money(config: Config, rules: dict[str, Any] | None) -> list[Wrong]:
    """Returns what is wrong with the limits; as far as that is known without `rules`."""
    if config.stakes_minimum_cents is None:
        return _without_minimum(config)
    if rules is None:
        return []
    wrong = []
    table_cents = config.stakes_table_minimum_cents
    if why := _refusal(rules, config.stakes_minimum_cents, None, table_cents):
        wrong.append(Wrong("stakes", "table_minimum_cents", why))
    elif why := limits.unplayable(rules, table_cents or config.stakes_minimum_cents):
        key = "minimum_cents" if table_cents is None else "table_minimum_cents"
        wrong.append(Wrong("stakes", key, why + "."))
    for bet, multiple in (config.maxima or {}).items():
        if why := _refusal(rules, config.stakes_minimum_cents, {bet: multiple}, None):
            wrong.append(Wrong("maxima", bet, why))
    if missing := limits.missing_maxima(rules, config.maxima):
        text = Message(
            "{rules} leaves the maxima to the house. Give one, in minima, for {bets}.",
            rules=rules["name"],
            bets=", ".join(missing),
        )
        wrong.append(Wrong("maxima", "", text))
    if rules["opening"] and not config.season:
        text = Message(
            "there is no season: what may not change within one will never change. Name it."
        )
        wrong.append(Wrong("stakes", "season", text, is_notice=True))
    if why := _season_refusal(rules, config):
        wrong.append(Wrong("stakes", "season_from", why))
    elif rules["opening"] and config.season and config.season_from is None:
        text = Message(
            "the season has no first and last day: any other may begin on the next. Give"
            " season_from and season_to."
        )
        wrong.append(Wrong("stakes", "season", text, is_notice=True))
    return wrong


def _season_refusal(rules: dict[str, Any], config: Config) -> str | None:
    """Returns what is wrong with the days of the season."""
    try:
        minimum.opening(
            rules,
            day=1,
            season=config.season,
            minimum_cents=2,  # which is judged by itself
            season_from=day_of(config.season_from),
            season_to=day_of(config.season_to),
        )
    except limits.WrongInput as error:
        return error.sentence
    return None


def check_line(config: Config) -> list[Wrong]:
    """Returns whether the line has time for the displays and terminals that are counted."""
    baud = config.baud or BAUD
    displays = config.displays or 0
    terminals = (config.terminals or 0) if config.stakes_minimum_cents is not None else 0
    if not displays and not terminals:
        return []
    from firmware.bus import slots  # here: it brings the whole bus, and most files count nobody

    most = slots.terminals_max(baud, 0)
    if terminals > most:
        text = Message(
            "a line of {baud} baud has time for {most} terminals, not {terminals}.",
            baud=baud,
            most=most,
            terminals=terminals,
        )
        return [Wrong("stakes", "terminals", text)]
    if slots.plan(baud, displays, terminals) is None:
        most = slots.displays_max(baud, terminals)
        beside = Message(" beside {terminals} terminals", terminals=terminals) if terminals else ""
        text = Message(
            "a line of {baud} baud has time for {most} displays{beside}, not {displays}.",
            baud=baud,
            most=most,
            beside=beside,
            displays=displays,
        )
        return [Wrong("bus", "displays", text)]
    return []


def _without_minimum(config: Config) -> list[Wrong]:
    there = {
        ("stakes", "terminals"): config.terminals,
        ("stakes", "table_minimum_cents"): config.stakes_table_minimum_cents,
        ("stakes", "season"): config.season or None,
        ("stakes", "season_from"): config.season_from,
        ("stakes", "season_to"): config.season_to,
        ("stakes", "orphelins"): config.orphelins,
        ("maxima", ""): config.maxima,
    }
    given = [place for place, value in there.items() if value is not None]
    if not given:
        return []
    return [
        Wrong(
            *given[0],
            Message("[stakes] minimum_cents is missing: nothing else of it holds without."),
        )
    ]


def _refusal(
    rules: dict[str, Any],
    minimum_cents: int,
    multiples: dict[str, int] | None,
    table_minimum_cents: int | None,
) -> str | None:
    try:
        limits.open_table(rules, minimum_cents, multiples, table_minimum_cents)
    except limits.WrongInput as error:
        # There it is called as in the records; in the file it stands below [maxima].
        return error.sentence.replace("maximum_multiples of ", "").replace(
            "maximum_multiples: ", ""
        )
    return None
