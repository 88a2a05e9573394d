"""The part of a page that is generated: it stands between two markers, the rest is prose."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Part(NamedTuple):
    """One part: its page as docs/ sees it, what it is, what it is made from, and by what."""

    page: str
    what: str
    source: str
    render: Callable[[], str]

    @property
    def first_line(self) -> str:
        """The line above it."""
        return f"<!-- {self.what}: generated from {self.source} by `make docs` -->"

    @property
    def end(self) -> str:
        """The line below it."""
        return f"<!-- end of the {self.what} -->"

    def written(self, page: str) -> str:
        """The page with this part as it should be now.

        Raises ValueError if the page does not have both markers, once each and in order.
        """
        before, begin, rest = page.partition(self.first_line)
        _, end, after = rest.partition(self.end)
        if not begin or not end or self.first_line in rest or self.end in after:
            lines = f"one line `{self.first_line}` and, below it, one line `{self.end}`"
            raise ValueError(f"{self.page} needs {lines}")
        return f"{before}{begin}\n\n{self.render()}\n\n{end}{after}"
