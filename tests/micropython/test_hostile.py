"""A display on MicroPython bears the same attacks as one on CPython, and lights the same."""

import hashlib
import random
import shutil
from pathlib import Path

import pytest

from firmware.lib.signatures import verify
from tools.fuzz import corpus, display
from tools.fuzz.choices import Choices
from tools.fuzz.display import Attack
from tools.micropython import interpreter, portable

SCRIPT = Path(__file__).parent.parent / "bus" / "hostile_script.py"
ATTACKS = 150  # of some thirty messages each, beside what is kept


def described(data: bytes) -> list[str]:
    """An attack as the script reads it: which signatures are right, and what is done."""
    right: list[bytes] = []

    def noting(public: bytes, signature: bytes, message: bytes) -> bool:
        if verify(public, signature, message):
            right.append(hashlib.sha256(public + signature + message).digest()[:8])
            return True
        return False

    attack = Attack(Choices(data), noting)
    attack.play()
    about = f"{display.ADDRESS} {display.BOOT} {display.KEY.hex()} {display.ROOT.hex()}"
    done = [f"{kind} {at_us} {came.hex()}" for kind, at_us, came in attack.log]
    return [f"display {about}", *(f"signed {each.hex()}" for each in right), *done]


@pytest.mark.needs("micropython")
def test_a_display_on_micropython_bears_what_one_on_cpython_does(tmp_path: Path) -> None:
    rng = random.Random("hostile")
    attacks = [rng.randbytes(rng.choice((60, 200, 500))) for _ in range(ATTACKS)]
    told = [line for data in attacks + corpus.load("display") for line in described(data)]
    assert sum(line.startswith("feed") for line in told) > 4_000
    portable.stage(tmp_path)
    shutil.copy(SCRIPT, tmp_path)
    (tmp_path / "attacks.txt").write_text("\n".join(told) + "\n")
    ours, theirs = [
        interpreter.run(command, tmp_path, SCRIPT.name, "attacks.txt").splitlines()
        for command in (interpreter.cpython(), interpreter.micropython())
    ]
    assert theirs == ours
    assert any("CONFIRMED, roulette, 0, green" in line for line in ours)
