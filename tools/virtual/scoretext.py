"""Judged coups and their summary as lines for people."""

from __future__ import annotations

from typing import Any

from firmware.core import facts
from tools.virtual.score import Judged

_HEAD = (
    "    coup   truth         decision                 verdict   lead s   rest to verified s  turns"
)


def coup_line(judged: Judged | None) -> str:
    """One coup as a line of a table; of None the table's head."""
    if judged is None:
        return _HEAD
    truth = "-" if judged.truth is None or judged.truth.number is None else judged.truth.number
    if isinstance(judged.decision, facts.Void):
        decision = f"void {judged.decision.reason}"
    else:
        decision = f"{judged.decision.number} {judged.decision.colour}"
    verdict = judged.verdict + (" LATE" if judged.late else "")
    return (
        f"{judged.coup:8d}   {truth!s:<12}  {decision:<23}  {verdict:<8}"
        f"{_seconds(judged.lead_us):>8}   {_seconds(judged.verified_us):>18}"
        f"{_seconds(judged.verified_uturn):>7}"
    )


def _seconds(micro: int | None) -> str:
    return "-" if micro is None else f"{micro / 1e6:.2f}"


def summary_lines(figures: dict[str, Any]) -> list[str]:
    """The figures of score.summary, with the wheel and seed of the run."""
    hand = ", rotor by hand" if figures["hand"] else ""
    reasons = ", ".join(f"{reason} {count}" for reason, count in figures["void_reasons"].items())
    missed = f"   missed {figures['missed']}" if figures["missed"] else ""
    lines = [
        "",
        f"{figures['coups']} coups on {figures['wheel']}, seed {figures['seed']}{hand}",
        f"  right {figures['right']}   wrong {figures['wrong']}   "
        f"void {figures['void']}{f' ({reasons})' if reasons else ''}{missed}   "
        f"late calls {figures['late']}",
        "",
        "                              min      5 %     50 %     95 %      max",
        _spread_line("call to drop, s", figures["lead_s"]),
        _spread_line("rest to verified, s", figures["rest_to_verified_s"]),
    ]
    if figures["rest_to_verified_turns"]["max"] is not None:  # a dish does not turn
        lines.append(_spread_line("rest to verified, turns", figures["rest_to_verified_turns"]))
    return lines


def _spread_line(name: str, spread: dict[str, float | None]) -> str:
    cells = ("-" if value is None else f"{value:.2f}" for value in spread.values())
    return f"  {name:<23}" + "".join(f"{cell:>9}" for cell in cells)
