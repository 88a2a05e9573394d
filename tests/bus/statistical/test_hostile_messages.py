"""Rightly signed messages that no controller would say, by the hundred thousand, at one display.

Whoever says them has the display's key, and has the wheel's key sign what he likes. What is lit is
held against the signed records themselves (tools/fuzz/display.py).
"""

import random
from collections.abc import Callable

from firmware.lib.signatures import verify
from tools.fuzz.choices import Choices
from tools.fuzz.display import Attack
from tools.testing.sizes import size


def test_no_rightly_signed_message_breaks_a_display_or_lights_what_the_wheel_never_signed(
    counted: Callable[[str, int], None],
) -> None:
    count = size("rightly signed hostile messages")
    said = lit = turn = 0
    while said < count:
        seed = f"attack {turn}"
        rng = random.Random(seed)
        attack = Attack(Choices(rng.randbytes(rng.choice((100, 300, 900)))), verify)
        try:
            attack.play()
        except Exception as error:
            raise AssertionError(f"{seed!r} breaks a display: {error!r}") from error
        said += attack.messages
        lit += attack.lit
        turn += 1
    assert lit > said / 20, "displays that stay dark show nothing"
    counted("messages", said)
    counted("numbers lit", lit)
