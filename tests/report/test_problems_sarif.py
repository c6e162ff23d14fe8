"""Problems in SARIF."""

import json
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given

from lmssync import __version__
from lmssync.address import Address
from lmssync.problems import Problem
from lmssync.report import problems_in
from lmssync.rulebook import named, rules

from ..sandbox.json_schema import misfits
from . import listing
from .listing import CHECKED, WARNING, a_few, many, problem
from .sarif_schema import LOG


def log(told: list[Problem], prefix: str = "") -> dict[str, Any]:
    """A whole log, read back."""
    return json.loads(problems_in("sarif", told, CHECKED, prefix=prefix))


def run(told: list[Problem], prefix: str = "") -> dict[str, Any]:
    return log(told, prefix)["runs"][0]


def result(told: Problem, prefix: str = "") -> dict[str, Any]:
    return run([told], prefix)["results"][0]


def uri(told: Problem, prefix: str = "") -> str:
    place = result(told, prefix)["locations"][0]["physicalLocation"]
    return place["artifactLocation"]["uri"]


def mark(told: Problem) -> str:
    return result(told)["partialFingerprints"]["lmssync/v1"]


def test_a_result():
    """Rule, level, message with remedy, place."""
    found = result(problem("b/x.yaml", 4, 5, message="title is 300", hint="shorten it"))
    del found["partialFingerprints"]
    assert found == {
        "ruleId": "title-length",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "title is 300\nshorten it"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "b/x.yaml", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 4, "startColumn": 5},
                }
            }
        ],
    }


def test_the_address_is_a_logical_location():
    """Under its whole name."""
    found = result(problem(address=Address("course", "y.z")))["locations"][0]["logicalLocations"]
    assert [{"name": "y.z", "fullyQualifiedName": "course.y.z", "kind": "resource"}] == found


def test_the_tool():
    """Says who it is."""
    driver = run([])["tool"]["driver"]
    assert ("lmssync", __version__) == (driver["name"], driver["semanticVersion"])


def test_results_point_at_their_rules():
    """Each rule that occurs is described once."""
    found = run([*a_few(), problem(code="sku-length")])
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert ["no-content", "sku-length", "title-length"] == rules
    assert [r["ruleId"] for r in found["results"]] == (
        [rules[r["ruleIndex"]] for r in found["results"]]
    )


def test_a_rule_in_the_words_of_the_rulebook():
    """Meaning, remedy and severity."""
    (rule,) = run([problem(code="no-content")])["tool"]["driver"]["rules"]
    told = named("no-content")
    assert told.means == rule["shortDescription"]["text"]
    assert f"{told.means}\n\n{told.remedy}" == rule["help"]["text"]
    assert {"level": "warning"} == rule["defaultConfiguration"]


def test_a_rule_of_a_family():
    """The field that it is about is named."""
    (rule,) = run([problem(code="meta-title-length")])["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"].startswith("meta-title: The text or list is longer")


@pytest.mark.parametrize("code", rules())
def test_remedies_hold_no_link(code: str):
    """Pages of ours are not there to be followed to."""
    (rule,) = run([problem(code=code)])["tool"]["driver"]["rules"]
    assert "](" not in rule["help"]["markdown"]


def test_a_severity_that_was_changed():
    """The level of the result is the problem's own."""
    found = run([problem(code="no-content")])
    (rule,) = found["tool"]["driver"]["rules"]
    assert ("error", "warning") == (
        found["results"][0]["level"],
        rule["defaultConfiguration"]["level"],
    )


def test_names_of_files_are_references():
    """Encoded byte for byte; a colon does not make a scheme."""
    assert "a%3Ab%20%25%C3%A9/caf%E9.yaml" == uri(problem("a:b %é/caf\udce9.yaml"))


def test_the_prefix_leads_to_the_catalog():
    """Files are named from the root of the repository."""
    assert "content/a.yaml" == uri(problem(), "content/")


def test_catalogs_of_one_repository_stand_side_by_side():
    """Each run has a category of its own."""
    assert "lmssync/" == run([])["automationDetails"]["id"]
    assert "lmssync/content/courses/" == run([], "content/courses")["automationDetails"]["id"]


@pytest.mark.parametrize(
    "same",
    [problem(line=7, column=3), problem(message="other words"), problem(hint="do that")],
    ids=["place", "message", "hint"],
)
def test_the_fingerprint_stays(same: Problem):
    """When lines come and go, and when words become better."""
    assert mark(problem()) == mark(same)


def test_the_fingerprint_follows_the_resource():
    """Into another file."""
    address = Address("course", "y")
    assert mark(problem("a.yaml", address=address)) == mark(problem("b.yaml", address=address))


@pytest.mark.parametrize(
    "other",
    [
        problem(code="sku-length"),
        problem("b.yaml"),
        problem(path=("title",)),
        problem(address=Address("course", "y")),
    ],
    ids=["rule", "file", "path", "address"],
)
def test_the_fingerprint_differs(other: Problem):
    """By rule, by resource, or by file where there is none, and by path."""
    assert mark(problem()) != mark(other)


def test_no_two_results_have_one_fingerprint():
    """Those that are the same in all of it are numbered."""
    marks = [r["partialFingerprints"]["lmssync/v1"] for r in run(many(3))["results"]]
    assert ["1", "2", "3"] == [mark.rpartition(":")[2] for mark in marks]


def test_what_reads_like_a_link():
    """Is text: the brackets are escaped."""
    found = result(problem(message="`[x](1)` and [y]"))
    assert "`\\[x\\](1)` and [y]" == found["message"]["text"]


def test_more_than_is_shown():
    """5,000 results, errors first, and a note that counts the rest."""
    found = run([*many(5_000, code="no-content", severity=WARNING), *many(10)])
    levels = [r["level"] for r in found["results"]]
    (note,) = found["invocations"][0]["toolExecutionNotifications"]
    assert (4_990, 10) == (levels.count("warning"), levels.count("error"))
    assert "… and 10 more: 10 no-content" == note["message"]["text"]


def test_nothing_is_noted_without_need():
    """The check went well, whatever it found."""
    assert [{"executionSuccessful": True, "toolExecutionNotifications": []}] == (
        run(a_few())["invocations"]
    )


@given(listing.ANY, listing.FILES)
def test_any_log_fits_the_standard(told: list[Problem], prefix: str):
    """Whatever is in the problems."""
    assert [] == list(misfits(log(told, prefix), LOG, root=LOG))


@given(listing.FILES)
def test_any_name_of_a_file_is_read_back(name: str):
    """Byte for byte."""
    assert raw(name) == unquote_to_bytes(uri(problem(name)))


def raw(name: str) -> bytes:
    """The bytes that a system would have given the name for."""
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")
