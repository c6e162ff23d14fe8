"""The pages, and what can be taken out of them: links, headings, commands, manifests."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    str(file.relative_to(ROOT))
    for folder in (ROOT, ROOT / "docs", ROOT / "examples" / "catalog")
    for file in folder.glob("*.md")
)
_LINK = re.compile(r"\[[^\]]*\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`(lmssync [^`]+|make [^`]+)`")
_NAMED = re.compile(r"# ([\w./-]+\.yaml)\n")


def text(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def links(page: str) -> Iterator[tuple[Path, str]]:
    """File and anchor of each link to something in the repository."""
    for path, anchor in _LINK.findall(text(page)):
        target = (ROOT / page).parent / path if path else ROOT / page
        yield target, anchor


def anchors(file: Path) -> set[str]:
    """The anchors that headings make, without code blocks."""
    plain = _FENCE.sub("", file.read_text("utf-8"))
    heads = re.findall(r"^#+ (.+)$", plain, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def fences(file: Path) -> list[tuple[str, str]]:
    """Language and text of each block of a page."""
    return _FENCE.findall(file.read_text("utf-8"))


def commands(page: str) -> Iterator[list[str]]:
    """The words of each `lmssync` or `make` command on a page, in blocks and in sentences."""
    blocks = _FENCE.findall(text(page))
    lines = [line for kind, body in blocks if kind in {"sh", "console"} for line in _lines(body)]
    for line in lines + _INLINE.findall(_FENCE.sub("", text(page))):
        words = shlex.split(line, comments=True)
        if words and words[0] in {"lmssync", "make"}:
            yield words


def _lines(body: str) -> list[str]:
    """The command lines of a block; output has no `$ ` before it, where commands have."""
    lines = body.replace("\\\n", " ").splitlines()
    shown = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return shown or lines


def manifests(page: str) -> dict[str, str]:
    """The YAML blocks that begin with the name of a file, by that name."""
    blocks = [body for kind, body in _FENCE.findall(text(page)) if kind == "yaml"]
    return {found[1]: body for body in blocks if (found := _NAMED.match(body))}
