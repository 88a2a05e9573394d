"""A lost connection ends a self-test or a calibration as Ctrl-C does: the wheel is put back."""

import os
import signal

import pytest

from firmware.lib.signals import as_ctrl_c


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_it_is_an_interruption_meanwhile_and_what_it_was_afterwards(number: int) -> None:
    before, put_back = signal.getsignal(number), []

    def under_way() -> None:
        try:
            os.kill(os.getpid(), number)
            raise AssertionError("the signal was not heard")
        finally:
            put_back.append("the wheel")

    with pytest.raises(KeyboardInterrupt), as_ctrl_c():
        under_way()
    assert put_back == ["the wheel"]
    assert signal.getsignal(number) == before
