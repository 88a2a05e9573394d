"""What a table's limits may become from one opening to the next.

    why_not = forbidden(game, past, now)    # None, or (article, sentence)

`past`: every opening of this table, oldest first. Which rules a game asks for stands in its file
under `opening`: live roulette asks for none. A day is a number of days, one more each day.
"""

from collections import namedtuple

from rules import limits, load

# `table_minimum_cents`: the least stake. `maximum_multiples`: {bet: times the minimum}, complete.
# `season_from`, `season_to`: its first and its last day; 0: not given.
Opening = namedtuple(
    "Opening",
    (
        "day",
        "season",
        "rules",
        "minimum_cents",
        "table_minimum_cents",
        "maximum_multiples",
        "season_from",
        "season_to",
    ),
)

_DAY = "day"
_SEASON = "season"
_SEASON_QUOTE = "« jusqu'à la fin de la saison »"


def opening(
    game: dict,  # type: ignore[type-arg]
    *,
    day: int,
    season: str,
    minimum_cents: int,
    table_minimum_cents: "int | None" = None,
    maximum_multiples: "dict[str, int] | None" = None,
    season_from: int = 0,
    season_to: int = 0,
) -> Opening:
    """Returns the opening of a table with the limits that the house chose, as
    rules.limits.open_table.

    Raises WrongInput for limits that the regulation forbids whenever they are chosen, and for a
    minimum that cannot be staked on every bet.
    """
    table = limits.open_table(game, minimum_cents, maximum_multiples, table_minimum_cents)
    why = limits.unplayable(game, table.floor_cents)
    if why:
        raise limits.WrongInput(why + ".")
    multiples = limits.multiples_of(game, maximum_multiples)
    if (season_from or season_to) and not (season and 0 < season_from <= season_to):
        raise limits.WrongInput(
            "a season has a name, a first and a last day, season_from and season_to, the first"
            " not after the last."
        )
    return Opening(
        day,
        season,
        game["name"],
        minimum_cents,
        table.floor_cents,
        multiples,
        season_from,
        season_to,
    )


def body(opened: Opening) -> dict:  # type: ignore[type-arg]
    """Returns the opening as a record has it."""
    said = {
        "day": opened.day,
        "season": opened.season,
        "rules": opened.rules,
        "minimum_cents": opened.minimum_cents,
        "table_minimum_cents": opened.table_minimum_cents,
        "maximum_multiples": opened.maximum_multiples,
    }
    if opened.season_from:
        said["season_from"], said["season_to"] = opened.season_from, opened.season_to
    return said


def parse(found: dict) -> Opening:  # type: ignore[type-arg]
    """Returns the opening of a record's body. Raises KeyError or TypeError for anything else."""
    read = Opening(
        found["day"],
        found["season"],
        found["rules"],
        found["minimum_cents"],
        found["table_minimum_cents"],
        found["maximum_multiples"],
        found.get("season_from", 0),
        found.get("season_to", 0),
    )
    days = (read.day, read.season_from, read.season_to)
    for value in days + (read.minimum_cents, read.table_minimum_cents):
        if type(value) is not int:
            raise TypeError(value)
    if type(read.maximum_multiples) is not dict:
        raise TypeError(read.maximum_multiples)
    return read


def is_news(past: "tuple[Opening, ...]", now: Opening) -> bool:
    """Returns whether it is to be recorded: another day's, or with other limits than the last.

    With a clock that was set back, the same limits are no news: the later day still holds.
    """
    if not past:
        return True
    last = past[-1]
    return now.day > last.day or limits_of(now) != limits_of(last)


def limits_of(opened: Opening) -> tuple:  # type: ignore[type-arg]
    """Returns what a table opened with, whatever the day."""
    return tuple(opened)[1:]


def is_way_back(past: "tuple[Opening, ...]", now: Opening) -> bool:
    """Returns whether `now` has the limits that held before those of the last opening, and these
    are of no earlier day: what did not prove itself is taken back.
    """
    before = [opened for opened in past if opened.rules == now.rules]
    at = len(before)
    while at and limits_of(before[at - 1]) == limits_of(before[-1]):
        at -= 1
    return at > 0 and before[at].day >= now.day and limits_of(before[at - 1]) == limits_of(now)


def forbidden(
    game: dict,  # type: ignore[type-arg]
    past: "tuple[Opening, ...]",
    now: Opening,
) -> "tuple[str, str] | None":
    """Returns the article that forbids to open so, and the sentence that says why; None if none
    does.
    """
    article: str = game["articles"]["limits"]
    before = [opened for opened in past if opened.rules == now.rules]
    rules = [RULES[name] for name in game["opening"]]
    if not rules:
        return None
    if not before:
        why = _outside(now, now.day, now.season)
        return (article, f"{_SEASON_QUOTE} : {why}") if why else None
    seasons = _seasons(before, now)
    season = seasons.pop()
    now = _with_days(before, seasons, now, season)
    if season != seasons[-1] and season in seasons:
        sentence = (
            f"season {season} has ended, for {seasons[-1]} has begun:"
            " a new season has a name of its own"
        )
        return article, sentence
    for scope, test, quote in rules:
        for at in range(len(before)):
            opened = before[at]
            # A day that the clock says is past is one with the day that it had reached.
            same = opened.day >= now.day if scope == _DAY else seasons[at] == season
            why = test(opened, now) if same else ""
            if why:
                return article, f"« {quote} » : {why}"
    why = _season_wrong(before, seasons, now, season)
    return (article, f"{_SEASON_QUOTE} : {why}") if why else None


def carried(past: "tuple[Opening, ...]", now: Opening) -> Opening:
    """Returns `now` as a wheel is to remember it after `past`: with the latest day that the clock
    has reached, and with the season's name and days where it leaves them out.
    """
    before = [opened for opened in past if opened.rules == now.rules]
    seasons = _seasons(before, now)
    season = seasons.pop()
    now = _with_days(before, seasons, now, season)
    latest = max([opened.day for opened in before] + [now.day])
    return Opening(*((latest, season) + tuple(now)[2:]))


def _with_days(before: "list[Opening]", seasons: "list[str]", now: Opening, season: str) -> Opening:
    """Returns `now` with its season's days: whoever leaves them out has not changed them."""
    for opened, name in zip(before, seasons):
        if name == season and opened.season_from and not now.season_from:
            days = (opened.season_from, opened.season_to)
            now = Opening(*(tuple(now)[:-2] + days))
    return now


def _season_wrong(before: "list[Opening]", seasons: "list[str]", now: Opening, season: str) -> str:
    """Returns why the season of `now`, `season`, cannot be this: empty if it can."""
    for opened, name in zip(before, seasons):
        if name == season and opened.season_from and now.season_from:
            if (opened.season_from, opened.season_to) != (now.season_from, now.season_to):
                first, last = _date(opened.season_from), _date(opened.season_to)
                return f"season {season} is from {first} to {last}, and was not to be changed"
        elif name != season and now.season_from and now.season_from <= _last_day(opened):
            return (
                f"season {season} begins on {_date(now.season_from)}, and season {name} lasts"
                f" to {_date(_last_day(opened))}"
            )
    if season != seasons[-1] and not now.season_from:
        return (
            f"a new season has a first and a last day: give season_from and season_to of {season}"
        )
    # A clock that was set back is no day before the season.
    return _outside(now, max(now.day, before[-1].day), season)


def _outside(now: Opening, day: int, season: str) -> str:
    if not now.season_from or now.season_from <= day <= now.season_to:
        return ""
    first, last = _date(now.season_from), _date(now.season_to)
    return f"season {season} is from {first} to {last}, and this day is {_date(day)}"


def _last_day(opened: Opening) -> int:
    """Returns the last day of its season; where none was given, the last that is known of it."""
    day: int = max(opened.day, opened.season_to)
    return day


def _date(day: int) -> str:
    """Returns a day as people write it, by the proleptic Gregorian calendar: MicroPython has no
    dates.
    """
    # Years that begin in March, so that the day that may be missing is a year's last.
    past = day + 305
    era, of_era = past // 146_097, past % 146_097
    year = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    date = of_year - (153 * month + 2) // 5 + 1
    year += era * 400 + (1 if month > 9 else 0)
    return f"{year:04d}-{month - 9 if month > 9 else month + 3:02d}-{date:02d}"


def _seasons(before: "list[Opening]", now: Opening) -> "list[str]":
    """Returns the season of each of them, and of `now`.

    One without a name is that before it, else that after it: whoever leaves the name out has begun
    no season.
    """
    found: list[str] = []
    for opened in before + [now]:
        name = opened.season or (found[-1] if found else "")
        if name and found and not found[-1]:
            found = [name] * len(found)
        found.append(name)
    return found


def _changed(before: Opening, now: Opening) -> str:
    if now.table_minimum_cents == before.table_minimum_cents:
        return ""
    return f"it is {before.table_minimum_cents} cents for the whole of this day"


def _lowered(before: Opening, now: Opening) -> str:
    if now.table_minimum_cents >= before.table_minimum_cents:
        return ""
    return (
        f"it cannot be {now.table_minimum_cents} cents,"
        f" for it was {before.table_minimum_cents} in this season already"
    )


def _doubled_lowered(before: Opening, now: Opening) -> str:
    doubled = before.table_minimum_cents > before.minimum_cents
    return _lowered(before, now) if doubled else ""


def _not_raised(before: Opening, now: Opening) -> str:
    if now.table_minimum_cents <= before.table_minimum_cents:
        return ""
    was, becomes = _maxima(before), _maxima(now)
    for bet in sorted(was):
        if bet not in becomes or becomes[bet] <= was[bet]:
            return f"the minimum is raised, and the maximum of {bet} is not above {was[bet]} cents"
    return ""


def _maxima_changed(before: Opening, now: Opening) -> str:
    was, becomes = _maxima(before), _maxima(now)
    for bet in sorted(was):
        if becomes.get(bet) != was[bet]:
            return (
                f"that of {bet} is {was[bet]} cents in this season,"
                f" and would be {becomes.get(bet, 'none')}"
            )
    return ""


def _maxima(opened: Opening) -> "dict[str, int]":
    """Returns the maximum of each bet in cents."""
    base = limits.base_of(load(opened.rules), opened.minimum_cents, opened.table_minimum_cents)
    found = {}
    for bet, multiple in opened.maximum_multiples.items():
        found[bet] = multiple * base
    return found


# fmt: off
# By the names in `opening` of a game: how long it holds, what breaks it, the words of the article.
RULES = {
    "minimum_of_a_day": (
        _DAY, _changed,
        "Durant une même journée, le minimum des mises pratiqué à une table déterminée ne peut être"
        " modifié",
    ),
    "minimum_not_lowered": (
        _SEASON, _lowered,
        "jusqu'à la fin de la saison, le nouveau minimum ainsi fixé ne peut être ramené à un taux"
        " inférieur",
    ),
    "maxima_rise": (
        _SEASON, _not_raised,
        "Il est alors tenu d'augmenter les maxima des mises",
    ),
    "doubled_not_lowered": (
        _SEASON, _doubled_lowered,
        "Jusqu'à la fin de la saison, ce minimum ne peut être ramené au taux inférieur",
    ),
    "maxima_of_a_season": (
        _SEASON, _maxima_changed,
        "Le maximum des mises est fixé par l'établissement au commencement de la saison et ne peut"
        " ensuite varier d'une séance à l'autre",
    ),
}
# fmt: on
