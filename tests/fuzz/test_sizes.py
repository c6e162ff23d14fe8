"""Whatever a text is made of: what it costs grows with its length and with nothing else."""

import cProfile
import json
import pstats
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from tests import making
from tests.hostile_input.conftest import Stranger, checkout

pytestmark = pytest.mark.slow

TOPIC_FIELDS = ("body", "markdown", "title")
COURSE_FIELDS = ("description", "metaTitle", "metaDescription", "asset")
MARKUP = ("body", "markdown", "label")
PLAIN = ("title", *COURSE_FIELDS)
FIELDS = (*MARKUP, *PLAIN)
REPEATED = (
    *("<b>", "<p><b a=%d>", "<b></p>", "<div>", "<table><td>", "<svg><p/>", "<script>", "</p>"),
    *("<!--", "<![CDATA[", '<a href="', "<a a=", "<b a a a a ", "&#1", "&amp;", "<", "< ", "</"),
    *(">", "> - ", "- ", "1. ", "[", "![", "[a](", "[a]: b\n", "*a_ ", "_(", "`", "|a", "~~", "\\"),
    *("\u200b", "e\u0301", "\u202e", "a ", "a\n\n", "=", '"', "{{ a }}", "##[", "9", "TODO "),
)
LENGTH, LONG = 4_000, 120_000


def made_of(unit: str, length: int) -> str:
    """A text of that length; a number in its unit differs each time."""
    times = length // len(unit)
    return "".join(unit.replace("%d", str(number)) for number in range(times))


def document(field: str, text: str, key: str = "a") -> dict[str, Any]:
    """A course with a text in that field."""
    if field in TOPIC_FIELDS:
        return making.micro(key, making.topic(**({"body": "<p>B</p>"} | {field: text})))
    if field == "label":
        target = {"url": "https://a.example", "title": "T"}
        return making.course(key, purchasePaths=[{"id": "p", "label": text, "target": target}])
    return making.course(key, **{field: text})


def cost(field: str, text: str) -> tuple[int, int]:
    """Calls of functions, and bytes at most, of checking one document."""
    profile = cProfile.Profile()
    tracemalloc.start()
    try:
        profile.runcall(making.codes, document(field, text))
        return pstats.Stats(profile).total_calls, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("field", FIELDS)
def test_twice_the_length_is_about_twice_the_work(field: str):
    """Calls and memory grow as the text does, whatever is repeated in it.

    Fields without markup are checked alike, and share what is repeated.
    """
    units = REPEATED if field in MARKUP else REPEATED[PLAIN.index(field) :: len(PLAIN)]
    wrong = []
    making.codes(document(field, "a"))  # what is made once is made
    for unit in units:
        once, twice = (cost(field, made_of(unit, length)) for length in (LENGTH, 2 * LENGTH))
        if twice[0] > 2.5 * once[0] + 5_000 or twice[1] > 2.5 * once[1] + 500_000:
            wrong.append((unit, once, twice))
    assert [] == wrong


@pytest.mark.parametrize("field", FIELDS)
def test_long_texts_fit_into_little_memory(tmp_path: Path, run: Stranger, root: Path, field: str):
    """All of them in one catalog are checked within 2 GB, and end in words."""
    assert root == checkout(root)
    for number, unit in enumerate(REPEATED):
        text = json.dumps(document(field, made_of(unit, LONG), f"c{number}"))
        making.put(root, f"courses/c{number}.yaml", text)
    done = run("validate", memory=2 * 1024**3)
    assert done.code in (0, 3)
    assert "Traceback" not in done.said
