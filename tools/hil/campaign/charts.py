"""The pictures of a campaign's report: SVG in the page, in the page's own colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _BELOW, _ABOVE = 560, 220, 44, 24, 36, 12
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)  # ms, of a bin
_BINS_MAX = 40


def histogram(values_ms: Sequence[int], title: str, limit_ms: int | None = None) -> str:
    """How often which time was, in seconds. `limit_ms`: drawn as what must not be passed."""
    if not values_ms:
        return f'<p class="none">{escape(title)}: nothing to show.</p>'
    low, high = min(values_ms), max(values_ms)
    if limit_ms is not None:
        low, high = min(low, limit_ms), max(high, limit_ms)
    step = next((each for each in _STEPS if (high - low) // each < _BINS_MAX), _STEPS[-1])
    first, last = low // step, high // step
    counts = [0] * (last - first + 1)
    for value in values_ms:
        counts[value // step - first] += 1
    top = max(counts)
    wide = (_WIDTH - _LEFT - _RIGHT) / len(counts)
    bars = []
    for at, count in enumerate(counts):
        tall = (_HEIGHT - _BELOW - _ABOVE) * count / top
        if count:
            tall = max(tall, 1.5)  # one of a hundred thousand is to be seen, above all others
            tip = (
                f"{(first + at) * step / 1000:g} s to {(first + at + 1) * step / 1000:g} s: {count}"
            )
            bars.append(
                f'<rect class="bar" x="{_LEFT + at * wide:.1f}" y="{_HEIGHT - _BELOW - tall:.1f}"'
                f' width="{max(wide - 1, 0.5):.1f}" height="{tall:.1f}"><title>{tip}</title></rect>'
            )
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' role="img" aria-label="{escape(title)}">{"".join(bars)}'
        f"{_axis(first, len(counts), step, wide)}{_scale(top)}"
        f"{_limit(limit_ms, first, step, wide)}</svg></figure>"
    )


def _axis(first: int, bins: int, step: int, wide: float) -> str:
    base = _HEIGHT - _BELOW
    parts = [f'<line class="axis" x1="{_LEFT}" y1="{base}" x2="{_WIDTH - _RIGHT}" y2="{base}"/>']
    every = max(1, -(-bins // 8))
    for at in range(0, bins + 1, every):
        x = _LEFT + at * wide
        parts.append(
            f'<text x="{x:.1f}" y="{base + 16}" text-anchor="middle">'
            f"{(first + at) * step / 1000:g}</text>"
        )
    parts.append(f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 4}" text-anchor="end">seconds</text>')
    return "".join(parts)


def _scale(top: int) -> str:
    return (
        f'<text x="{_LEFT - 6}" y="{_ABOVE + 9}" text-anchor="end">{top}</text>'
        f'<text x="{_LEFT - 6}" y="{_HEIGHT - _BELOW}" text-anchor="end">0</text>'
    )


def _limit(limit_ms: int | None, first: int, step: int, wide: float) -> str:
    if limit_ms is None:
        return ""
    x = _LEFT + (limit_ms / step - first) * wide
    return f'<line class="limit" x1="{x:.1f}" y1="{_ABOVE}" x2="{x:.1f}" y2="{_HEIGHT - _BELOW}"/>'


def shares(right: int, void: int, total: int) -> str:
    """A thin bar: how many of `total` came out right, and how many void."""
    if not total:
        return ""
    good, gone = 100 * right / total, 100 * void / total
    return (
        '<svg class="shares" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="rest" width="100" height="4"/>'
        f'<rect class="right" width="{good:.1f}" height="4"/>'
        f'<rect class="void" x="{good:.1f}" width="{gone:.1f}" height="4"/></svg>'
    )
