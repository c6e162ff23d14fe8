"""Manifests as people write them, and as nobody should: made up line by line.

Each comment has a number of its own, so that none can get lost or be doubled unseen.
"""

from itertools import count
from typing import Any

from hypothesis import strategies as st

KEYS = (
    *("resource", "key", "id", "title", "kind", "tags", "status", '"markdown"', "'sku'", "zebra"),
    *("sections", "lessons", "topics", "customFields", "completionCriteria", "articleVariant"),
    *("languages", "lifecycle", "own key"),
)
PLAIN = ("course", "license", "7", "true", "~", "2027-01-31", "a:b", "it's", "x#y", "-1", "é 🎓")
AFTER_COMMENTS = ("", "", " ---", "  ", ": no: key", " - no item")
ROOTS = (
    *(["just text"], ["[a, b]"], ["|", "  text"], [], ["'on two", "  lines'"], ["{a: 1,", "b: 2}"]),
    *(["? by", ": hand"], ["&x", "a: 1"]),
)


class Pen:
    """Draws what comes next; knows which anchors there are, and numbers the comments."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw
        self._comments = count()
        self.anchors: list[str] = []

    def one(self, *choices: Any) -> Any:
        return self._draw(st.sampled_from(choices))

    def up_to(self, most: int, least: int = 0) -> int:
        return self._draw(st.integers(least, most))

    def chance(self, one_in: int) -> bool:
        return self._draw(st.integers(1, one_in)) == one_in

    def comment(self) -> str:
        return f"# c{next(self._comments)}{self.one(*AFTER_COMMENTS)}"

    def end(self) -> str:
        """The end of a line."""
        blanks = self.one("", "", "", " ", "  ")
        return blanks + self.comment() if blanks == "  " else blanks

    def between(self, indent: int) -> list[str]:
        """Lines between entries."""
        lines = []
        while self.chance(3):
            column = indent if self.chance(2) else self.up_to(indent + 3)
            lines.append(self.one("", "  ", " " * column + self.comment()))
        return lines


@st.composite
def pages(draw: Any) -> str:
    """One file of a few documents."""
    pen = Pen(draw)
    lines = pen.between(0)
    for number in range(pen.up_to(2, 1)):
        pen.anchors.clear()
        if number or pen.chance(3):
            lines += pen.one(["---"], ["---" + pen.end()], ["...", "---"], ["..."])
        lines += [*pen.between(0), *document(pen), *pen.between(0)]
    text = "\n".join(lines) + pen.one("\n", "\n", "\n", "", "\n\n\n", "\n...\n")
    # After a lone carriage return the reader does not see every `...`.
    return text.replace("\n", pen.one("\n", "\n", "\r\n", "\n" if "..." in text else "\r"))


def document(pen: Pen) -> list[str]:
    if pen.chance(8):
        return list(pen.one(*ROOTS))
    indent = pen.one(0, 0, 0, 2)
    if pen.chance(10):
        return items(pen, indent, 3)
    if pen.chance(2):
        return mapping(pen, indent, 3)
    first = " " * indent + "resource: " + pen.one("course", "license", "purchasePath", "other")
    lines = mapping(pen, indent, 3, "resource")
    return [first, *lines] if pen.chance(2) else [*lines, first]


def mapping(pen: Pen, indent: int, depth: int, *taken: str) -> list[str]:
    lines: list[str] = []
    seen = set(taken)
    for _ in range(pen.up_to(4, 1)):
        key = pen.one(*KEYS)
        mark = f"? {key}\n{' ' * indent}:" if pen.chance(40) else key + pen.one(":", ":", " :")
        if key not in seen:
            seen.add(key)
            lines += [*pen.between(indent), *entry(pen, indent, mark, depth)]
    return lines or [" " * indent + "left: over"]


def items(pen: Pen, indent: int, depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(pen.up_to(3, 1)):
        lines += [*pen.between(indent), *entry(pen, indent, "-", depth)]
    return lines


def entry(pen: Pen, indent: int, mark: str, depth: int) -> list[str]:
    """A key or a dash, with its value."""
    before = " " * indent + mark
    gap = pen.one(" ", " ", " ", "   ")
    kind = pen.up_to(11 if depth else 7)
    if kind > 7:
        return nested(pen, indent, before, depth)
    if kind == 3:
        return [before + pen.one("", props(pen), alias(pen)) + pen.end()]
    if kind == 5:
        return flow(pen, indent, before + gap)
    before += props(pen) + gap
    if kind <= 2:
        return [before + pen.one(*PLAIN) + pen.end()]
    return quoted(pen, indent, before) if kind == 4 else prose(pen, indent, before)


def nested(pen: Pen, indent: int, before: str, depth: int) -> list[str]:
    """A mapping or a list, or a value on a line of its own."""
    is_item = before.endswith("-")
    deeper = indent + pen.one(2, 2, 1, 4)
    if is_item and pen.chance(2):
        inner = pen.one(items, mapping)(pen, indent + 2, depth - 1)
        return (
            inner
            if inner[0].strip()[:1] in {"", "#"}
            else [f"{before} {inner[0].lstrip()}", *inner[1:]]
        )
    head = [before + pen.one("", "", "", anchor(pen)) + pen.end(), *pen.between(deeper)]
    kind = pen.up_to(5)
    if not kind:
        lines = pen.one(["plain"], ["[a]"], ['"quoted"'], ["plain", "more"])
        return [*head, *(" " * deeper + line for line in lines)]
    if kind <= 3:
        return head + mapping(pen, deeper, depth - 1)
    return head + items(pen, deeper if is_item else pen.one(indent, deeper), depth - 1)


def props(pen: Pen) -> str:
    """A tag, an anchor, or, most of the time, nothing."""
    return pen.one("", "", "", "", " !!str", anchor(pen)) if pen.chance(3) else ""


def anchor(pen: Pen) -> str:
    name = pen.one("x", "y")
    pen.anchors.append(name)
    return f" &{name}"


def alias(pen: Pen) -> str:
    return f" *{pen.one(*pen.anchors)}" if pen.anchors else ""


def quoted(pen: Pen, indent: int, before: str) -> list[str]:
    """Text on a few lines, in quotes or without."""
    mark = pen.one('"', "'", "")
    word = pen.one("more", "# is text" if mark else "x")
    more = [" " * (indent + pen.up_to(4, 1)) + word for _ in range(pen.up_to(2))]
    blank = [pen.one("", "   ")] if more and pen.chance(3) else []
    lines = [f"{before}{mark}some text", *blank, *more]
    return [*lines[:-1], lines[-1] + mark + pen.end()]


def flow(pen: Pen, indent: int, before: str) -> list[str]:
    if pen.chance(2):
        short = pen.one("{b: 1, a: [2, '3']}", "[]", "{}", "[x, {id: y, resource: z}]")
        return [before + short + pen.end()]
    pad, end = " " * (indent + pen.up_to(3)), pen.one("", " " * indent)
    inner = [pad + pen.one("a: 1,", "'b': [2,3],", "", "c: 'x',", "   ") for _ in range(2)]
    return [
        f"{before}{{{pen.end()}",
        *inner,
        pad + pen.comment(),
        f"{pad}d: 4",
        end + "}" + pen.end(),
    ]


def prose(pen: Pen, indent: int, before: str) -> list[str]:
    """A block scalar."""
    digit = pen.one(0, 0, 0, 2, 3)
    header = pen.one("|", ">") + pen.one("", "-", "+") + (str(digit) if digit else "")
    pad = " " * (indent + (digit or pen.up_to(4, 1)))
    more = [pen.one("", f"{pad}text", f"{pad}  # deep", f"{pad} ", f"{pad}a  ") for _ in range(3)]
    first = ["", pad + "text"] if pen.chance(3) else [pen.one("", " ") * bool(digit) + pad + "x"]
    end = pen.one("", "", f" {pen.comment()}")
    return [before + header + end, *first, *more[: pen.up_to(3)]]
