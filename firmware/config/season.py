"""The days of a season, as a configuration says them; and which day it is at a table."""

import datetime

from rules.limits import WrongInput

# Art. 37-3: "Durant une même journée, le minimum [...] ne peut être modifié". Play goes on past
# midnight (until 3h30 at the seed's casino, from 20h00): the night belongs to the day it began on.
DAY_BEGINS_H = 6


def gaming_day(now: datetime.datetime) -> int:
    """Returns the day that a moment of local time belongs to, as date.toordinal counts."""
    return (now - datetime.timedelta(hours=DAY_BEGINS_H)).toordinal()


def day_of(text: str | None) -> int:
    """Returns a day, as date.toordinal counts; 0 where none is given.

    Raises WrongInput for what is no day.
    """
    if text is None:
        return 0
    try:
        if len(text) != len("2026-10-01") or text[4] != "-" or "W" in text:
            raise ValueError(text)
        return datetime.date.fromisoformat(text).toordinal()
    except ValueError:
        raise WrongInput(f'"{text}" is no day: give one as "2026-10-01".') from None
