# ruff: noqa: INP001
"""Lays out the pages for the site, and builds it: `make site`.

The pages link to each other as they do in the repository, and to files of it. So the site is built
of a copy with the same folders, which has every page and every file that a page links to.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAID_OUT = ROOT / ".cache/site-pages"
PAGES = ("*.md", "docs/*.md", "examples/catalog/README.md", "bench/README.md")
PICTURES = "docs/pictures/*"
"""Pages name them in HTML as well, where one is for light and one for dark."""
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def lay_out_pages() -> None:
    """Copies the pages, and what they link to, into a folder that has nothing else."""
    shutil.rmtree(LAID_OUT, ignore_errors=True)
    pages = [page for pattern in PAGES for page in ROOT.glob(pattern)]
    targets = (target for page in pages for target in find_targets(page))
    for file in {*pages, *targets, *ROOT.glob(PICTURES)}:
        copy = LAID_OUT / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)


def find_targets(page: Path) -> Iterator[Path]:
    """The files of the repository that a page links to."""
    for link in _LINK.findall(page.read_text("utf-8")):
        target = (page.parent / link).resolve()
        if target.is_file():
            yield target


def main(arguments: list[str]) -> int:
    """Builds the site, with further arguments for mkdocs; a link that leads nowhere fails."""
    lay_out_pages()
    mkdocs = Path(sys.executable).with_name("mkdocs")
    command = [str(mkdocs), "build", "--strict", "--config-file", str(ROOT / "mkdocs.yml")]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}  # the theme advertises its successor
    done = subprocess.run([*command, *arguments], env=quiet, check=False)  # noqa: S603 - our own
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
