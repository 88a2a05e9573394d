"""Date and time from a DS3231, with a word on whether they can be trusted.

Datasheet: Maxim DS3231, 19-5170 rev. 10. Holds the years 2000 to 2099; UTC.
"""

from firmware.shims.typed import Any, NamedTuple

ADDRESS = 0x68  # "I2C serial data bus": 1101000
_SECONDS = 0x00  # table 1: seconds, minutes, hours, weekday, date, month, year, all BCD
_HOURS_12 = 0x40  # hours register, bit 6: 12-hour mode; bit 5 is then PM
_HOURS_PM = 0x20
_STATUS = 0x0F  # status register
_OSF = 0x80  # bit 7: the oscillator stopped (no battery), the time is not to be trusted

_DAY_S = 86_400
_EPOCH_2000_S = 946_684_800  # 2000-01-01T00:00:00Z in Unix seconds
_DAYS_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)

# `utc_s` in Unix seconds; `trusted` False if the oscillator stopped since `set`, or on nonsense.
Reading = NamedTuple("Reading", [("utc_s", int), ("trusted", bool)])


class ClockDs3231:
    """Reads and sets the chip. Raises OSError if it does not answer."""

    def __init__(self, i2c: Any, address: int = ADDRESS) -> None:
        """Takes a machine I2C."""
        self._i2c = i2c
        self._address = address

    def read(self) -> Reading:
        """Returns the time now."""
        status = self._i2c.readfrom_mem(self._address, _STATUS, 1)[0]
        # One transfer: the chip holds a copy for it ("Clock and calendar").
        data = self._i2c.readfrom_mem(self._address, _SECONDS, 7)
        second, minute = _from_bcd(data[0]), _from_bcd(data[1])
        hour = _hour(data[2])
        day, month, year = _from_bcd(data[4]), _from_bcd(data[5] & 0x1F), _from_bcd(data[6])
        sane = second < 60 and minute < 60 and hour < 24 and 1 <= day <= 31 and 1 <= month <= 12
        if not sane:
            return Reading(_EPOCH_2000_S, False)
        days = _days(year, month, day)
        utc_s = _EPOCH_2000_S + days * _DAY_S + hour * 3600 + minute * 60 + second
        return Reading(utc_s, not status & _OSF)

    def set(self, utc_s: int) -> None:
        """Sets the time and clears the mark of a stopped oscillator.

        Raises ValueError outside 2000-2099.
        """
        days = (utc_s - _EPOCH_2000_S) // _DAY_S
        if not 0 <= days < 36_525:
            raise ValueError("The DS3231 holds the years 2000 to 2099 only.")
        second_of_day = utc_s % _DAY_S
        year, month, day = _date(days)
        fields = (
            second_of_day % 60,
            second_of_day // 60 % 60,
            second_of_day // 3600,
            (days + 5) % 7 + 1,  # 2000-01-01 was a Saturday; 1 is Monday here
            day,
            month,
            year,
        )
        self._i2c.writeto_mem(self._address, _SECONDS, bytes([_to_bcd(field) for field in fields]))
        status = self._i2c.readfrom_mem(self._address, _STATUS, 1)[0]
        self._i2c.writeto_mem(self._address, _STATUS, bytes((status & ~_OSF & 0xFF,)))


def _from_bcd(byte: int) -> int:
    return (byte >> 4) * 10 + (byte & 0x0F)


def _to_bcd(number: int) -> int:
    return number // 10 << 4 | number % 10


def _hour(byte: int) -> int:
    if byte & _HOURS_12:
        return _from_bcd(byte & 0x1F) % 12 + (12 if byte & _HOURS_PM else 0)
    return _from_bcd(byte & 0x3F)


def _days(year: int, month: int, day: int) -> int:
    """Days since 2000-01-01; every fourth year to 2099 is a leap year."""
    leap_day = 1 if year % 4 == 0 and month > 2 else 0
    return year * 365 + (year + 3) // 4 + _DAYS_BEFORE_MONTH[month - 1] + leap_day + day - 1


def _date(days: int) -> tuple[int, int, int]:
    """Returns the year (0-99), month and day that `_days` makes of them."""
    year = days // 366
    while _days(year + 1, 1, 1) <= days:
        year += 1
    month = 12
    while _days(year, month, 1) > days:
        month -= 1
    return year, month, days - _days(year, month, 1) + 1
