"""Each promise of README and guide stands there in these words, and names a test that there is."""

import re
import tomllib
from pathlib import Path

from .pages import ROOT, text

PROMISES = tomllib.loads((Path(__file__).parent / "promises.toml").read_text("utf-8"))["promise"]


def in_one_line(page: str) -> str:
    return re.sub(r"\s+", " ", text(page))


def test_promises_stand_on_their_pages():
    """Whoever changes a sentence looks at its test."""
    missing = [one["says"] for one in PROMISES if one["says"] not in in_one_line(one["page"])]
    assert [] == missing


def test_promises_have_tests():
    """The test that keeps a promise is there."""
    missing = []
    for one in PROMISES:
        file, _, name = one["test"].partition("::")
        found = (ROOT / file).read_text("utf-8") if (ROOT / file).is_file() else ""
        if not re.search(rf"^def {name}\(" if name else r"^def test_", found, re.MULTILINE):
            missing.append(one["test"])
    assert [] == missing


def test_each_promise_of_the_readme_is_listed():
    """Each item under “What it promises”, which the table takes up by a sentence of it."""
    chapter = text("README.md").partition("## What it promises\n")[2].partition("\n## ")[0]
    items = re.findall(r"^- (.*?)(?=^- |^$)", chapter, re.MULTILINE | re.DOTALL)
    said = [one["says"] for one in PROMISES]
    plain = [re.sub(r"\s+", " ", item) for item in items]
    assert ([], True) == ([i for i in plain if not any(s in i for s in said)], len(items) > 4)
