"""The picture of the bench: mean leads of ours and its rivals, by wheel and scatter."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tools.bench.call.grid import PROMISED
from tools.bench.call.promises import named
from tools.bench.call.run import Outcome

# From the earliest call to the latest.
_BARS = (
    ("factory", "factory"),
    ("threshold", "threshold"),
    ("ours", "ours"),
    ("ours in hindsight", "best"),
    ("oracle", "oracle"),
)


def picture(outcomes: Sequence[Outcome]) -> bytes:
    """An SVG. The same outcomes give the same bytes."""
    pygal = _pygal()
    rows = [row for row in outcomes if row.eyes == PROMISED and not row.setting.tilt_deg]
    rows.sort(key=lambda row: row.setting)
    chart = pygal.Bar(
        title="From the call to the drop, mean, s (3 beams, jitter 100 us, level)",
        style=pygal.style.CleanStyle(value_font_size=11, legend_font_size=13, label_font_size=12),
        width=1000,
        height=480,
        legend_at_bottom=True,
        legend_at_bottom_columns=len(_BARS),
        truncate_legend=-1,
        print_values=True,
        print_values_position="top",
        value_formatter=lambda seconds: f"{seconds:.2f}",
        js=(),
        no_prefix=True,  # else a random one
    )
    chart.add_xml_filter(_without_scripts)
    chart.x_labels = [named(row.setting) for row in rows]
    for title, name in _BARS:
        chart.add(title, [round(getattr(row, name).mean, 4) for row in rows])
    svg: bytes = chart.render()
    return svg


def _without_scripts(root: Any) -> Any:
    """They would show a bar's value under the mouse; it is written above the bar."""
    for parent in list(root.iter()):
        for script in parent.findall("script"):
            parent.remove(script)
    return root


def _pygal() -> Any:
    """The library, without the hook that importing it leaves in everybody's way.

    The hook is for maps, and of a kind that Python warns of at each later import. The one that
    importlib_metadata leaves has to stay: it alone finds packages from then on.
    """
    import pygal
    import pygal.style

    sys.meta_path[:] = [each for each in sys.meta_path if type(each).__module__ != pygal.__name__]
    return pygal
