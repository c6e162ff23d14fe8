"""Markdown as far as it must be understood to find its links: code holds none."""

import re
from functools import lru_cache

_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})", re.MULTILINE)
_SPAN = re.compile(r"`(?<!``)(?:[^`]+`(?!`)|(`+)(?!`)(.+?)(?<!`)`\1(?!`))", re.DOTALL)
_ESCAPED = re.compile(r"\\[<\[\]]")
_INDENTED = re.compile(r" {4}|\t")
_MARKED_INDENTED = re.compile(r"^(?: {4}|\t).*(?:<|\]\()", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*([-*+]|\d+[.)])[ \t]")
_FRONT_LINE = re.compile(r"[ \t#-]|[\w-]+:")
_FRONT_ENDS = ("---", "...")
_BRACKETED = re.compile(r"\]\(\s*<[^<>\n]*>")


def has_front_matter(text: str) -> bool:
    """True for a text that begins with YAML between two lines of `---`."""
    if not text.startswith("---"):
        return False
    first, *lines = text.split("\n")
    if first.rstrip(" \t\r") != "---":
        return False
    for number, line in enumerate(lines):
        if number and line.rstrip(" \t\r") in _FRONT_ENDS:
            return True
        if not _FRONT_LINE.match(line):
            return False
    return False


def without_code(text: str) -> str:
    """`text` with blanks for its code and what is escaped; every place stays where it is."""
    if "```" in text or "~~~" in text:
        text = _without_fences(text)
    if _MARKED_INDENTED.search(text):
        text = _without_indented(text)
    if "`" in text:
        text = _SPAN.sub(_blank, text.replace("\\`", "  "))
    return _ESCAPED.sub("  ", text)


def without_bracketed(text: str) -> str:
    """`text` with blanks for the targets of links that stand in `<>`: they are no tags."""
    return _BRACKETED.sub(_blank, text) if "(<" in text else text


def _blank(found: re.Match[str]) -> str:
    return _blanks(found[0])


def _blanks(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _without_fences(text: str) -> str:
    """Blanks for blocks of code between fences; one that is not closed goes on to the end."""
    parts: list[str] = []
    at = 0
    while opened := _FENCE.search(text, at):
        closed = _closing(opened[1]).search(text, opened.end())
        end = closed.end() if closed else len(text)
        parts += [text[at : opened.start()], _blanks(text[opened.start() : end])]
        at = end
    return "".join([*parts, text[at:]])


@lru_cache(maxsize=16)
def _closing(fence: str) -> re.Pattern[str]:
    """The end of a block: as many marks as at its beginning, or more."""
    return re.compile(rf"^[ \t>]*{fence[0]}{{{len(fence)},}}[ \t]*$", re.MULTILINE)


def _without_indented(text: str) -> str:
    """Blanks for blocks of code that only their indent shows; in a list an indent is none."""
    lines = text.split("\n")
    after_blank, in_list = True, False
    for number, line in enumerate(lines):
        bare = not line.strip()
        indented = bool(_INDENTED.match(line))
        if _ITEM.match(line):
            in_list = True
        elif not bare and not line.startswith((" ", "\t")):
            in_list = in_list and not after_blank
        if indented and after_blank and not in_list and not bare:
            lines[number] = " " * len(line)
            continue
        after_blank = bare
    return "\n".join(lines)
