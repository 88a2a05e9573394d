"""What was recorded, played through the watch to its end."""

from __future__ import annotations

from firmware.core.health.watch import HealthWatch
from firmware.health.items import Recorded
from firmware.health.replay import Replay


def replayed(recorded: Recorded) -> Replay:
    replay = Replay(recorded, lambda: HealthWatch(recorded.wheel))
    for _ in replay.run():
        pass
    return replay
