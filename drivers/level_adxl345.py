"""The wheel's level from an ADXL345 accelerometer. Angles in milli-degrees, integers only.

Datasheet: Analog Devices ADXL345 rev. G. One count is 3.9 mg, 0.22 degrees, so a single reading
cannot see the 0.05 degrees that matter: the level is the mean of many, the chip's noise of about
one count smooths the steps. Good within 10 degrees of level; calls further tilt by its sign only.
"""

import errno

from firmware.shims.typed import Any

_DEVID = 0x00  # table 19; reads 0xE5
_DEVID_ADXL345 = 0xE5
_BW_RATE = 0x2C  # table 7: 0x0A is 100 Hz
_RATE_100_HZ = 0x0A
_POWER_CTL = 0x2D  # register 0x2D: D3 measures
_MEASURE = 0x08
_INT_SOURCE = 0x30  # register 0x30: D7 is DATA_READY
_DATA_READY = 0x80
_DATA_FORMAT = 0x31  # register 0x31: D3 is FULL_RES (3.9 mg a count), range +-2 g
_FULL_RES = 0x08
_DATAX0 = 0x32  # X, Y, Z, two bytes each, low first, two's complement

ADDRESS = 0x53  # SDO low; 0x1D if high ("Serial communications", I2C)
SAMPLES = 256  # in a mean: 2.6 s, and the scatter of one count becomes 0.014 degrees

_MDEG_PER_RADIAN = 57_296


class LevelAdxl345:
    """Averages the direction of gravity. Knows nothing of what tilt is too much."""

    def __init__(
        self, i2c: Any, address: int = ADDRESS, zero_mdeg: tuple[int, int] = (0, 0)
    ) -> None:
        """Takes a machine I2C; `zero_mdeg` is what it reads (x, y) on a wheel that is level."""
        self._i2c = i2c
        self._address = address
        self.zero_mdeg = zero_mdeg
        self._clear()

    def start(self) -> None:
        """Sets the chip up. Raises OSError: ENODEV if no ADXL345 is there."""
        if self._i2c.readfrom_mem(self._address, _DEVID, 1)[0] != _DEVID_ADXL345:
            raise OSError(errno.ENODEV, "the chip at the ADXL345's address is another")
        for register, value in (
            (_DATA_FORMAT, _FULL_RES),
            (_BW_RATE, _RATE_100_HZ),
            (_POWER_CTL, _MEASURE),
        ):
            self._i2c.writeto_mem(self._address, register, bytes((value,)))
        self._clear()

    def sample(self) -> Any:
        """Takes a reading if there is a new one. Raises OSError if the chip does not answer.

        Returns the level (x, y) in milli-degrees when SAMPLES of them are there, else None. A chip
        without gravity along z (fallen off, dead) gives None too.
        """
        if not self._i2c.readfrom_mem(self._address, _INT_SOURCE, 1)[0] & _DATA_READY:
            return None
        data = self._i2c.readfrom_mem(self._address, _DATAX0, 6)
        for axis in range(3):
            count = data[2 * axis] | data[2 * axis + 1] << 8
            self._sums[axis] += count - ((count & 0x8000) << 1)
        self._samples += 1
        if self._samples < SAMPLES:
            return None
        x, y, z = self._sums
        self._clear()
        if z <= 0:
            return None
        return (_atan_mdeg(x, z) - self.zero_mdeg[0], _atan_mdeg(y, z) - self.zero_mdeg[1])

    def _clear(self) -> None:
        self._sums = [0, 0, 0]
        self._samples = 0


def _atan_mdeg(rise: int, run: int) -> int:
    """Returns the arc tangent of rise / run in milli-degrees: r - r^3 / 3, short of 2 at 10
    degrees.
    """
    r = rise * _MDEG_PER_RADIAN // run
    r = max(-_MDEG_PER_RADIAN, min(_MDEG_PER_RADIAN, r))
    return r - r * r // _MDEG_PER_RADIAN * r // _MDEG_PER_RADIAN // 3
