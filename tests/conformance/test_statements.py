"""Every statement has a test, every mark names a statement, every switch is on its page."""

import re
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from reference.statements import Marked, Statements, marked, marks, statements

from lmssync.sandbox.sandbox_platform import Switches

ASSUMPTIONS = Path(__file__).parents[2] / "docs" / "assumptions.md"


@cache
def _known() -> Statements:
    return statements()


@cache
def _marked() -> list[Marked]:
    return list(marked())


def _shown() -> set[str]:
    return {one.mark for one in _marked()}


def test_every_statement_is_shown():
    """A statement of the specification without a test is a promise nobody keeps."""
    shown = _shown()
    assert [] == [id_ for id_ in _known().says if id_ not in shown]


def test_every_observation_is_shown():
    """So is an observation that the sandbox follows."""
    shown = _shown()
    assert [] == [id_ for id_ in _known().observations if id_ not in shown]


def test_every_mark_names_a_statement():
    """A mark that names nothing is a slip of the pen."""
    assert [] == [
        f"{one.file.name}::{one.test}: {one.mark}"
        for one in _marked()
        if not _known().knows(one.mark)
    ]


@pytest.mark.parametrize(
    ("docstring", "named"),
    [
        ("It holds (spec 4 create.limit).", {"4 create.limit"}),
        ("It holds (spec 4, clone rule 2; spec 7).", {"4 clone.2", "7"}),
        ("It holds (spec 4, bulk sublicense rule 7).", {"4 sublicense.7"}),
        ("It holds (spec 4 ping, job, 8 free; O40).", {"4 ping", "4 job", "8 free", "O40"}),
        ("It holds (spec 2.6, 3).", {"2.6", "3"}),
        ("It holds (O25 to O28).", set()),
        ("It holds (spec 4, O42).", {"4", "O42"}),
    ],
)
def test_marks_are_read(docstring, named):
    """The forms in which tests name what they show."""
    assert named == set(marks(docstring))


def test_every_switch_is_on_the_page():
    """What a switch turns is a choice, and each choice is told with its switch."""
    _, _, part = ASSUMPTIONS.read_text("utf-8").partition("## The sandbox\n")
    cells = [line.rsplit("|", 2)[1] for line in part.splitlines() if line.startswith("|")]
    named = [name for cell in cells for name in re.findall(r"^ `(\w+)`", cell)]
    assert sorted(field.name for field in fields(Switches)) == sorted(named)
