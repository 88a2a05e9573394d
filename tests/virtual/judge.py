"""Judges what a replay decided against the truth of its trace (../shared/traces/README.md)."""

from __future__ import annotations

import bisect
from typing import Any, NamedTuple


class Verdict(NamedTuple):
    """What was wrong, one sentence each, by kind; and the leads from call to drop, in seconds."""

    wrong_numbers: list[str]
    clean_without_number: list[str]
    not_void: list[str]
    late_calls: list[str]
    not_ended_once: list[str]
    leads_s: list[float]

    @property
    def complaints(self) -> list[str]:
        """Everything wrong, as sentences."""
        return [sentence for kind in self[:-1] for sentence in kind]


def judge(facts: list[dict[str, Any]], truths: list[dict[str, Any]]) -> Verdict:
    """`facts`: the JSON objects of a replay; `truths`: those of the trace's truth file.

    A coup belongs to the truth in whose time it started (the buttons come up to 1.2 s before).
    """
    verdict = Verdict([], [], [], [], [], [])
    starts = [truth["t_start"] * 1e6 - 2_000_000 for truth in truths]
    coups: dict[int, list[dict[str, Any]]] = {}
    for fact in facts:
        if "coup" in fact:
            coups.setdefault(fact["coup"], []).append(fact)
    of_truth: dict[int, list[list[dict[str, Any]]]] = {}
    for number, lines in coups.items():
        events = [line["event"] for line in lines]
        if events[0] != "coup_started" or events.count("coup_started") != 1:
            verdict.not_ended_once.append(f"coup {number} starts {events}")
        if events.count("result") + events.count("void") != 1 or events[-1] not in (
            "result",
            "void",
        ):
            verdict.not_ended_once.append(f"coup {number} ends {events}")
        index = bisect.bisect_right(starts, lines[0]["t_us"]) - 1
        of_truth.setdefault(index, []).append(lines)
    for index, truth in enumerate(truths):
        _judge_coup(index, truth, of_truth.get(index, []), verdict)
    return verdict


def _judge_coup(
    index: int, truth: dict[str, Any], coups: list[list[dict[str, Any]]], verdict: Verdict
) -> None:
    name = f"truth {index} ({truth['kind']}, from {truth['t_start']:.1f} s)"
    ends = [lines[-1] for lines in coups]
    results = [end for end in ends if end["event"] == "result"]
    if len(coups) != 1:
        verdict.not_ended_once.append(f"{name} became {len(coups)} coups")
    for end in results:
        if not _right(end, truth):
            verdict.wrong_numbers.append(f"{name}: {end} for {truth['number']}")
        if truth["expect"] == "void":
            verdict.not_void.append(f"{name}: {end}")
    if truth["expect"] == "result" and not results:
        verdict.clean_without_number.append(f"{name}: {ends}")
    for lines in coups:
        _judge_call(name, truth, lines, verdict)


def _right(end: dict[str, Any], truth: dict[str, Any]) -> bool:
    """Before a late hop the ball lay elsewhere, and a decision then was the truth of then."""
    if end["compartment"] == truth["compartment"] and truth["number"] in (None, end["number"]):
        return True
    hop = truth.get("hop_t")
    return (
        hop is not None
        and end["t_us"] < hop * 1e6
        and truth["number_before_hop"] in (None, end["number"])
    )


def _judge_call(
    name: str, truth: dict[str, Any], lines: list[dict[str, Any]], verdict: Verdict
) -> None:
    drop_us = truth["t_drop"] * 1e6
    calls = [line["t_us"] for line in lines if line["event"] == "no_more_bets"]
    if truth["expect"] == "result" and not calls:
        verdict.late_calls.append(f"{name}: never called")
    for call_us in calls:
        lead_s = (drop_us - call_us) / 1e6
        if truth["kind"] == "clean":
            verdict.leads_s.append(lead_s)
        if lead_s <= 0 and truth["expect"] == "result":
            verdict.late_calls.append(f"{name}: {-lead_s:.3f} s late")
