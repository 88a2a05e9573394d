"""The open pages: each thing told is encoded once and goes to all of them as the same bytes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from firmware.lib import web
from firmware.services.page.logins import Login

VIEWERS_MAX = 24
BEHIND_MAX = 2 * 1024 * 1024  # bytes that wait for one: all edges that were held back, twice
STRANGERS_BEHIND_MAX = 256 * 1024  # of one who is not logged in, and told no edges
ALL_BEHIND_MAX = 16 * 1024 * 1024  # of all together: then whoever is furthest behind is hung up on
PIECE_MAX = 64 * 1024  # bytes that go out in one write


class Viewer:
    """One open page."""

    def __init__(self, cookie: str | None, *, edges: bool) -> None:
        """`edges`: it draws them, if its person may see them."""
        self.cookie = cookie
        self.edges = edges
        self.login: Login | None = None
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._told = asyncio.Event()
        self._is_over = False

    @property
    def behind(self) -> int:
        """Returns the bytes that wait for it."""
        return self._size

    def send(self, data: bytes) -> None:
        """Takes what is to go out; whoever is too far behind is hung up on."""
        if self._is_over:
            return
        self._waiting.append(data)
        self._size += len(data)
        self._told.set()
        if self._size > (STRANGERS_BEHIND_MAX if self.login is None else BEHIND_MAX):
            self.hang_up()

    def hang_up(self) -> None:
        """Ends its stream; what waits for it is let go."""
        self._is_over = True
        self._waiting.clear()
        self._size = 0
        self._told.set()

    async def stream(self) -> web.Told:
        """Yields what goes out, as it comes, until the page is too far behind."""
        while not self._is_over:
            await self._told.wait()
            self._told.clear()
            while self._waiting and not self._is_over:
                pieces, size = [], 0
                while self._waiting and size < PIECE_MAX:
                    pieces.append(self._waiting.popleft())
                    size += len(pieces[-1])
                self._size -= size
                yield b"".join(pieces) if len(pieces) > 1 else pieces[0]


class Viewers:
    """All of them."""

    def __init__(self, find: Callable[[str | None], Login | None]) -> None:
        """`find`: who is logged in with a cookie."""
        self._find = find
        self._all: dict[Viewer, None] = {}  # the oldest first

    def __len__(self) -> int:
        return len(self._all)

    def add(self, viewer: Viewer) -> None:
        """Adds a page that was opened."""
        viewer.login = self._find(viewer.cookie)
        self._all[viewer] = None

    def remove(self, viewer: Viewer) -> None:
        """Removes a page that was closed."""
        self._all.pop(viewer, None)

    def has_room(self, cookie: str | None) -> bool:
        """Returns whether one more may be opened; the oldest of nobody gives way to whoever is
        logged in.

        Else anybody with two dozen tabs would keep the technicians out.
        """
        if len(self._all) < VIEWERS_MAX:
            return True
        if self._find(cookie) is None:
            return False
        for viewer in self._all:
            if viewer.login is None:
                viewer.hang_up()
                self.remove(viewer)
                return True
        return False

    def broadcast(self, own: bytes | None, public: bytes | None) -> None:
        """Tells those whose person is logged in, and all others; None: these hear nothing."""
        for viewer in self._all:
            data = public if viewer.login is None else own
            if data is not None:
                viewer.send(data)
        self._bound()

    def tell_those(self, data: bytes, *, edges: bool = False) -> None:
        """Tells those whose person is logged in; `edges`: who draws them."""
        for viewer in self._all:
            if viewer.login is not None and (viewer.edges or not edges):
                viewer.send(data)
        self._bound()

    def _bound(self) -> None:
        while sum(viewer.behind for viewer in self._all) > ALL_BEHIND_MAX:
            max(self._all, key=lambda viewer: viewer.behind).hang_up()

    def drawing(self) -> Iterable[Login]:
        """Returns those who are logged in and look at edges now."""
        return [viewer.login for viewer in self._all if viewer.edges and viewer.login is not None]

    def close_ended(self, ended: bytes) -> bool:
        """Tells `ended` to whose login has ended. Returns whether anybody's did."""
        found = False
        for viewer in self._all:
            if viewer.login is not None and self._find(viewer.cookie) is None:
                viewer.login = None
                viewer.send(ended)
                found = True
        return found
