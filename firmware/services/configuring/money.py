"""Whether the limits of a table are what its rules allow, and its line carries its players."""

from __future__ import annotations

from typing import Any

from firmware.config import BAUD, Config
from firmware.services.configuring.wrong import Wrong
from rules import limits


def check(config: Config, rules: dict[str, Any] | None) -> list[Wrong]:
    """What is wrong with the limits; as far as that is known without `rules`."""
    if config.stakes_minimum_cents is None:
        return _without_minimum(config)
    if rules is None:
        return []
    wrong = []
    table_cents = config.stakes_table_minimum_cents
    if why := _refusal(rules, config.stakes_minimum_cents, None, table_cents):
        wrong.append(Wrong("stakes", "table_minimum_cents", why))
    for bet, multiple in (config.maxima or {}).items():
        if why := _refusal(rules, config.stakes_minimum_cents, {bet: multiple}, None):
            wrong.append(Wrong("maxima", bet, why))
    if missing := limits.missing_maxima(rules, config.maxima):
        text = f"{rules['name']} leaves the maxima to the house. Give one, in minima, for"
        wrong.append(Wrong("maxima", "", f"{text} {', '.join(missing)}."))
    if rules["opening"] and not config.season:
        text = "there is no season: what may not change within one will never change. Name it."
        wrong.append(Wrong("stakes", "season", text, is_notice=True))
    return wrong


def check_line(config: Config) -> list[Wrong]:
    """Whether the line has time for the displays and terminals that are counted."""
    baud = config.baud or BAUD
    displays = config.displays or 0
    terminals = (config.terminals or 0) if config.stakes_minimum_cents is not None else 0
    if not displays and not terminals:
        return []
    from firmware.bus import slots  # here: it brings the whole bus, and most files count nobody

    most = slots.terminals_max(baud, 0)
    if terminals > most:
        text = f"a line of {baud} baud has time for {most} terminals, not {terminals}."
        return [Wrong("stakes", "terminals", text)]
    if slots.plan(baud, displays, terminals) is None:
        most = slots.displays_max(baud, terminals)
        beside = f" beside {terminals} terminals" if terminals else ""
        text = f"a line of {baud} baud has time for {most} displays{beside}, not {displays}."
        return [Wrong("bus", "displays", text)]
    return []


def _without_minimum(config: Config) -> list[Wrong]:
    there = {
        ("stakes", "terminals"): config.terminals,
        ("stakes", "table_minimum_cents"): config.stakes_table_minimum_cents,
        ("stakes", "season"): config.season or None,
        ("stakes", "orphelins"): config.orphelins,
        ("maxima", ""): config.maxima,
    }
    given = [place for place, value in there.items() if value is not None]
    if not given:
        return []
    return [
        Wrong(*given[0], "[stakes] minimum_cents is missing: nothing else of it holds without.")
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
