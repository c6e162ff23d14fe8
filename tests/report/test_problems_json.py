"""Problems as JSON."""

import json

from hypothesis import given

from lmssync.problems import Problem
from lmssync.report.problems import problems_in, problems_json

from . import listing
from .listing import CHECKED, a_few, many, problem


def test_the_summary():
    """What was checked and what was found, in numbers, before the problems."""
    document = problems_json(a_few(), CHECKED)
    assert ["format", "summary", "problems"] == list(document)
    assert {"errors": 2, "warnings": 1, "files": 3, "resources": 4, "elsewhere": 0} == document[
        "summary"
    ]


def test_no_summary_of_what_was_not_counted():
    """Who does not say how much was checked gets the problems alone."""
    assert ["format", "problems"] == list(problems_json(a_few()))


def test_every_problem_is_listed():
    """Programs get all of them."""
    assert 10_001 == len(problems_json(many(10_001))["problems"])


def test_a_file_name_that_is_no_utf_8():
    """What JSON cannot carry is written out."""
    document = json.loads(problems_in("json", [problem("caf\udce9.yaml")], CHECKED))
    assert "caf\\udce9.yaml" == document["problems"][0]["file"]


def whole(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


@given(listing.ANY)
def test_every_character_survives(told: list[Problem]):
    """Whatever is in a problem is read back."""
    document = json.loads(problems_in("json", told, CHECKED).encode("utf-8"))
    expected = [(whole(p.message), whole(p.hint), whole(p.where.file)) for p in told]
    assert expected == [(p["message"], p["hint"], p["file"]) for p in document["problems"]]
