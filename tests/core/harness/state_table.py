"""What holds of every table of states: known ones alone, and what it lacks does not happen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping


def check_step(
    transitions: Mapping[tuple[str, str], str],
    after: Callable[[str, str], str | None],
    states: Collection[str],
    step: tuple[str, str],
) -> None:
    """Checks one state and happening: `after` says what the table says, and nothing else."""
    expected = transitions.get(step)
    assert after(*step) == expected
    assert expected is None or expected in states


def check_names(
    transitions: Mapping[tuple[str, str], str],
    states: Collection[str],
    happenings: Collection[str],
) -> None:
    """Checks that the table speaks of these states and happenings only."""
    for (state, happening), next_state in transitions.items():
        assert state in states
        assert next_state in states
        assert happening in happenings
