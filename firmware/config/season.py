"""The days of a season, as a configuration says them."""

import datetime

from rules.limits import WrongInput


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
