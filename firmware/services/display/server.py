"""The display's page (firmware/lib/scene_site.py). It answers GET and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from firmware.lib.scene_site import SceneSite
from firmware.services.display.page_json import scene_fields, vocabulary
from firmware.services.display.scene import Scene

_FOLDER = Path(__file__).parent / "page"


class Server(SceneSite):
    """Serves the page and tells each that is open what `show_scene` was given last."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock`: microseconds, monotonic."""
        super().__init__(_FOLDER, vocabulary(), clock)

    async def start(self, port: int, option: str = "--page-port") -> None:
        """Listens on a port of this machine, 0: any that is free. Raises Failure."""
        await super().start(port, option)

    def show_scene(self, scene: Scene) -> None:
        """Tells every page a scene, at once, and that it stands now."""
        self.stand(scene, lambda: scene_fields(scene), self._clock())
