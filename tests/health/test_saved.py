"""What the watch knows outlives a restart in a file that may be lost."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from coup_files import act, replayed, text, written

from firmware.core.health import watch as watch_module
from firmware.core.health.watch import HealthWatch
from firmware.health import saved
from firmware.health.coup_file import CoupFile
from firmware.health.replay import Replay


def new_replay(path: Path) -> tuple[CoupFile, Replay]:
    file = CoupFile(path)
    return file, Replay(file, lambda: HealthWatch(file.wheel))


def favoured(number: int, draw: random.Random, fields: dict[str, Any]) -> None:
    if draw.random() < 5 / 37:
        fields["number"] = 17


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    lines = text(400, 5, favoured)
    lines.insert(200, act(198, "sensor"))
    lines.insert(250, act(247, "corrected", line=150, number=None))
    lines.insert(350, act(346, "corrected", line=50, number=2))
    return written(tmp_path / "coups.txt", lines)


@pytest.mark.parametrize("at", [1, 260])
def test_a_watch_goes_on_from_its_file_as_if_it_had_never_ended(path: Path, at: int) -> None:
    whole = replayed(path)
    assert whole.notices and whole.ended
    file, first = new_replay(path)
    items = file.items()
    for _, _ in zip(range(at), first.run(items), strict=False):
        pass
    saved.save(path.with_suffix(".kept"), {"replay": first.save()})
    state = saved.load(path.with_suffix(".kept"))
    assert state is not None
    _, later = new_replay(path)
    later.restore(state["replay"])
    for _ in later.run(items):
        pass
    assert later.save() == whole.save()


def test_a_file_that_is_lost_torn_altered_or_of_another_version_is_not_used(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = path.with_suffix(".kept")
    assert saved.load(kept) is None
    saved.save(kept, {"replay": replayed(path).save()})
    whole = kept.read_bytes()
    assert saved.load(kept) is not None
    for other in (b"", whole[:9], whole[:-1], whole[:5_000] + b"7" + whole[5_001:], b"0" * 50):
        assert other != whole
        kept.write_bytes(other)
        assert saved.load(kept) is None
    kept.write_bytes(whole)
    monkeypatch.setattr(saved, "VERSION", watch_module.VERSION + 1)
    assert saved.load(kept) is None


def test_each_double_is_kept_to_the_last_bit(path: Path) -> None:
    state = replayed(path).save()
    assert json.loads(json.dumps(state))["watch"] == state["watch"]
