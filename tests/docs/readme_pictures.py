"""The README's pictures: what a browser shows now must look as they do.

`UPDATE_GOLDEN=1 pytest tests/docs/browser` takes them anew; look at them then.
"""

import base64
import os
from pathlib import Path

from display_page.conftest import Browser

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
# Two pictures, each shrunk to cells of some 20 pixels, so that neither a machine's letters nor a
# clock counts: which share of the cells differs, and how much.
_COMPARE = """
const [one, other, done] = arguments;
const [wide, high] = [64, 40];
const cells = async (png) => {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const canvas = new OffscreenCanvas(wide, high);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, wide, high);
  return [image.width, image.height, context.getImageData(0, 0, wide, high).data];
};
Promise.all([cells(one), cells(other)]).then(([[w, h, a], [v, g, b]]) => {
  if (w !== v || h !== g) return done(1);
  let apart = 0;
  for (let at = 0; at < a.length; at += 4) {
    apart += Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]) > 40;
  }
  done(apart / wide / high);
});
"""
# A rotor that stands elsewhere, other last numbers: 1 %. A panel that went: 5 % and more.
ALIKE = 0.03


def share_apart(browser: Browser, one: bytes, other: bytes) -> float:
    """The share of two pictures (PNG) that does not look alike; 1 where their sizes differ."""
    browser.driver.get("about:blank")
    as_text = [base64.b64encode(png).decode() for png in (one, other)]
    found: float = browser.driver.execute_async_script(_COMPARE, *as_text)
    return found


def taken(browser: Browser, stands: str) -> bytes:
    """A picture of the page, taken while a JavaScript condition held."""
    while True:
        browser.until(stands)
        png: bytes = browser.driver.get_screenshot_as_png()
        if browser.run(f"return {stands}"):
            return png


def assert_current(browser: Browser, name: str, stands: str = "true") -> None:
    """Compares what the browser shows with docs/pictures, or takes the picture anew.

    `stands`: what holds on the page while it looks so, in JavaScript.
    """
    path = PICTURES / f"{name}.png"
    now = taken(browser, stands)
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(now)
    apart = share_apart(browser, path.read_bytes(), now)
    assert apart <= ALIKE, (
        f"{apart:.0%} of {name}.png is not as it looks now: "
        "UPDATE_GOLDEN=1 make test ARGS=tests/docs/browser takes it anew"
    )
