"""One display that nothing helps: it was provisioned for another wheel, or it lies."""

import pytest
from played import S

from firmware.bus.receiver import Receiver
from firmware.store import signing
from tools.bench.busbench import Bench, Ledger, display_key

OTHER_ROOT = Ledger(b"another wheel's own key.........").root


def among(displays: int, *, rotations: int = 0, silent: int = 0) -> tuple[Bench, Receiver]:
    """A line whose first display has another wheel's public key; the last ones are switched off.
    Five coups have been played."""
    bench = Bench(displays)
    for turn in range(rotations):
        bench.ledger.rotate(b"key number %3d.................." % turn)
    for number in (20, 20, 20, 20, 17):
        bench.last_view = bench.ledger.result(number)
    wrong = Receiver(1, display_key(1), OTHER_ROOT, 1, signing.verify)
    bench.displays = [wrong, *bench.displays[1 : displays - silent]]
    bench.start()
    bench.run(12 * S)
    return bench, wrong


@pytest.mark.parametrize(
    ("displays", "rotations", "silent"), [(32, 1, 1), (32, 2, 1), (32, 10, 0), (24, 6, 1)]
)
def test_it_does_not_keep_the_number_from_the_others(
    displays: int, rotations: int, silent: int
) -> None:
    bench, wrong = among(displays, rotations=rotations, silent=silent)
    honest = [display for display in bench.displays if display is not wrong]
    assert {display.lit.number for display in honest} == {17}
    for number in (18, 20, 17):
        bench.view(*bench.ledger.result(number))
        bench.run(100_000)  # enough for the first copy
        assert {display.lit.number for display in honest} == {number}
        bench.run(5 * S)
    assert wrong.lit.number is None


@pytest.mark.parametrize("rotations", [0, 1, 4])
def test_it_does_not_keep_the_past_from_who_comes_later(rotations: int) -> None:
    bench, _ = among(32, rotations=rotations)
    bench.displays.pop()
    bench.run(2 * S)
    late = bench.join(32)
    assert bench.run(4 * S, lambda: late.lit.number == 17)
    assert bench.run(20 * S, lambda: len(late.lit.history) == 5 and late.lit.table is not None)
