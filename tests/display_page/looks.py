"""What is seen of a page, asked of its browser."""

# Every text that is seen: its colour, the first ground behind it, whether it fits its box.
LOOK = """
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
  const style = getComputedStyle(element);
  if (!own.length || style.visibility !== "visible" || style.display === "none") continue;
  let behind = element;
  const ground = () => getComputedStyle(behind).backgroundColor;
  while (ground() === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
  const range = document.createRange();
  range.selectNodeContents(element);
  const box = range.getBoundingClientRect();
  const rooms = "article, header, .call, #disc, li, .last, #direction, #by-hand";
  const room = element.closest(rooms).getBoundingClientRect();
  found.push({
    text: element.textContent.trim(),
    size: parseFloat(style.fontSize),
    colour: style.color,
    ground: ground(),
    fits: box.left >= room.left - 1 && box.right <= room.right + 1
      && box.top >= room.top - 1 && box.bottom <= room.bottom + 1
      && room.right <= innerWidth + 1 && room.bottom <= innerHeight + 1,
  });
}
return found;
"""
SCROLLS = """
const boxes = "html, body, article, .call, header, .last, #maxima, .name";
return [...document.querySelectorAll(boxes)]
  .filter((one) => one.scrollWidth > one.clientWidth + 1
    || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.className || one.id || one.tagName);
"""
# Pairs of texts that lie on each other.
OVERLAPS = """
const boxes = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
  const style = getComputedStyle(element);
  if (!own.length || style.display === "none" || style.visibility !== "visible") continue;
  const range = document.createRange();
  range.setStartBefore(own[0]);
  range.setEndAfter(own[own.length - 1]);
  for (const { left, right, top, bottom, height } of range.getClientRects()) {
    const bare = height / 8; // above and below its letters
    const box = { left, right, top: top + bare, bottom: bottom - bare, height };
    boxes.push([element.textContent.trim(), box]);
  }
}
const found = [];
for (const [at, [one, a]] of boxes.entries()) {
  for (const [other, b] of boxes.slice(at + 1)) {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (one !== other && wide > 2 && high > 0.4 * Math.min(a.height, b.height)) {
      found.push([one, other]);
    }
  }
}
return found;
"""

NUMBER_HEIGHT = "return parseFloat(getComputedStyle(document.getElementById('number')).fontSize)"
# What each frame shows of the number from now on, in `seen`.
FRAMES = """
window.seen = [];
const look = () => {
  seen.push({
    number: document.getElementById("number").textContent,
    ground: getComputedStyle(document.getElementById("disc")).backgroundColor,
    letter: document.getElementById("mark").innerText,
    shapes: document.querySelectorAll("#mark svg").length,
    call: getComputedStyle(document.querySelector(".call")).backgroundColor,
  });
  requestAnimationFrame(look);
};
look();
"""
