# ruff: noqa: INP001
"""Writes the generated parts of the documents; with --check it only says what is out of date.

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`. Everything else on a page
is written by people.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from reference import (
    commands,
    conformance,
    effects,
    live,
    man,
    manifests,
    routes,
    rules,
    sandbox,
    served,
)

ROOT = Path(__file__).parents[1]
PAGES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "docs/manifests.md": manifests.parts(),
    "docs/effects.md": effects.parts(),
    "docs/live.md": live.parts(),
    "docs/commands.md": commands.parts(),
    "docs/rules.md": rules.parts(),
    "docs/conformance.md": conformance.parts(),
    "docs/routes.md": routes.parts(),
    "docs/sandbox.md": sandbox.parts() | {"not served": served.missing},
}
WHOLE: Mapping[str, Callable[[], str]] = {"docs/man/lmssync.1": man.page}
"""Files that are generated from the first line to the last."""
PART = re.compile(r"(<!-- generated: (?P<name>.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


class PartsDiffer(Exception):
    """A page and the generator do not have the same parts."""


def written(page: str) -> str:
    """A page as it should be, with its generated parts; raises `PartsDiffer`."""
    if page in WHOLE:
        return WHOLE[page]()
    parts, text = PAGES[page], (ROOT / page).read_text("utf-8")
    there = {found["name"] for found in PART.finditer(text)}
    if there != set(parts):
        missing = ", ".join(sorted(set(parts) - there)) or "none"
        unknown = ", ".join(sorted(there - set(parts))) or "none"
        raise PartsDiffer(f"{page}: parts missing: {missing}; parts unknown: {unknown}")
    return PART.sub(lambda found: f"{found[1]}\n{parts[found['name']]()}\n{found[3]}", text)


def outdated() -> Iterator[str]:
    """Names of the pages whose generated parts are not as they should be."""
    for page in (*PAGES, *WHOLE):
        if (ROOT / page).read_text("utf-8") != written(page):
            yield page


def main(arguments: list[str]) -> int:
    """`python docs/generate.py [--check]`."""
    late = list(outdated())
    if "--check" in arguments:
        for page in late:
            sys.stderr.write(f"{page} is out of date: run `python docs/generate.py`\n")
        return int(bool(late))
    for page in late:
        (ROOT / page).write_text(written(page), "utf-8")
        sys.stderr.write(f"wrote {page}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
