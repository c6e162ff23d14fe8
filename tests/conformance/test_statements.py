"""Every statement has a test, every mark names a statement, every switch is on its page."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from reference.statements import marked, marks, statements

from lmssync.sandbox.sandbox_platform import Switches

ASSUMPTIONS = Path(__file__).parents[2] / "docs" / "assumptions.md"

KNOWN, MARKED = statements(), list(marked())
SHOWN = {one.mark for one in MARKED}


def test_every_statement_is_shown():
    """A statement of the specification without a test is a promise nobody keeps."""
    assert [] == [id_ for id_ in KNOWN.says if id_ not in SHOWN]


def test_every_observation_is_shown():
    """So is an observation that the sandbox follows."""
    assert [] == [id_ for id_ in KNOWN.observations if id_ not in SHOWN]


def test_every_mark_names_a_statement():
    """A mark that names nothing is a slip of the pen."""
    lost = [f"{one.file.name}::{one.test}: {one.mark}" for one in MARKED]
    assert [] == [line for line, one in zip(lost, MARKED, strict=True) if not KNOWN.knows(one.mark)]


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
