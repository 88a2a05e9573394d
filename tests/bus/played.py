"""A bench of displays on which coups have ended, and what is seen there."""

from typing import Any

from firmware.bus import message_bytes
from firmware.bus.frame import Deframer
from tools.bench.busbench import Bench

S = 1_000_000


def played(displays: int = 1, coups: int = 1, **more: Any) -> Bench:
    """A bench on which so many coups have ended, the last with 17."""
    bench = Bench(displays, **more)
    bench.run(S)
    for _ in range(coups):
        bench.view(*bench.ledger.result(17))
        bench.run(S)
    bench.run(S)
    assert set(bench.numbers()) == {17}
    return bench


def next_coup(bench: Bench) -> None:
    ledger = bench.ledger
    bench.view("BETS_OPEN", ledger.coup + 1, ledger.seq, 1, None, None, None)


def watched(bench: Bench, us: int) -> set[Any]:
    """What display 1 lights while time passes: (state, number, seq)."""
    seen = set()
    for _ in range(us // 5_000):
        bench.run(5_000)
        lit = bench.displays[0].lit
        seen.add((lit.state, lit.number, lit.seq))
    return seen


def payloads(bench: Bench, kind: int) -> list[bytes]:
    """All messages of a kind that were on the line."""
    return [
        payload
        for _, _, data in bench.wire.log
        for payload in Deframer().feed(data)
        if message_bytes.kind(payload) == kind
    ]
