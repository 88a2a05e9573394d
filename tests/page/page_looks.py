"""What of the service page is seen, and how: shared by the tests of its views and of its frame."""

VIEWS = (
    "live", "scope", "coups", "history", "faults", "upkeep", "health", "selftest", "calibrate",
    "parts", "config", "update", "log", "about",
)  # fmt: skip

# Every text that is seen: its colour, and the first ground behind it.
LOOK = """
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (!own.length || style.visibility !== "visible" || style.display === "none") continue;
  if (!box.width || element.closest("svg, .u-wrap, .sr, #skip, :disabled, option")) continue;
  let behind = element;
  const clear = (one) => /rgba\\(.*, 0(\\.\\d+)?\\)/.test(getComputedStyle(one).backgroundColor);
  while (behind && clear(behind)) behind = behind.parentElement;
  if (!behind) continue;
  found.push({text: element.textContent.trim().slice(0, 60), colour: style.color,
    ground: getComputedStyle(behind).backgroundColor});
}
return found;
"""
# What was asked for has come.
READ = (
    "![...document.querySelectorAll('main p, main li, main td')]"
    ".some((one) => /^(Lecture|Reading).*…/.test(one.innerText))"
)
