"""Problems in SARIF."""

import json
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given

from lmssync import __version__
from lmssync.problems import Problem
from lmssync.report.problems import problems_in
from lmssync.resource import Address
from lmssync.support.rulebook import all_rules, find_rule

from . import listing
from .listing import CHECKED, WARNING, a_few, many, problem
from .sarif_schema import CHECKER


def log(told: list[Problem], prefix: str = "") -> dict[str, Any]:
    """The whole log, parsed."""
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
    """A result has rule, level, place, and the message with its remedy."""
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
    """The address is a logical location with its full name."""
    found = result(problem(address=Address("course", "y.z")))["locations"][0]["logicalLocations"]
    assert [{"name": "y.z", "fullyQualifiedName": "course.y.z", "kind": "resource"}] == found


def test_the_tool():
    """The tool is named with its version."""
    driver = run([])["tool"]["driver"]
    assert ("lmssync", __version__) == (driver["name"], driver["semanticVersion"])


def test_results_point_at_their_rules():
    """Each rule that occurs is described once, and results refer to it."""
    found = run([*a_few(), problem(code="sku-length")])
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert ["no-content", "sku-length", "title-length"] == rules
    assert [r["ruleId"] for r in found["results"]] == (
        [rules[r["ruleIndex"]] for r in found["results"]]
    )


def test_a_rule_in_the_words_of_the_rulebook():
    """A rule is described with its meaning, remedy and severity."""
    (rule,) = run([problem(code="no-content")])["tool"]["driver"]["rules"]
    told = find_rule("no-content")
    assert told.means == rule["shortDescription"]["text"]
    assert f"{told.means}\n\n{told.remedy}" == rule["help"]["text"]
    assert {"level": "warning"} == rule["defaultConfiguration"]


def test_a_rule_of_a_family():
    """The description of a rule of a family names the field."""
    (rule,) = run([problem(code="meta-title-length")])["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"].startswith("meta-title: The text or list is longer")


def test_remedies_hold_no_link():
    """Remedies contain no links, because our own pages cannot be reached from there."""
    told = run([problem(code=code) for code in all_rules()])["tool"]["driver"]["rules"]
    assert all_rules().keys() == {rule["id"] for rule in told}
    assert [] == [rule["id"] for rule in told if "](" in rule["help"]["markdown"]]


def test_a_severity_that_was_changed():
    """A result has the severity of the problem, even if the rule has another by default."""
    found = run([problem(code="no-content")])
    (rule,) = found["tool"]["driver"]["rules"]
    assert ("error", "warning") == (
        found["results"][0]["level"],
        rule["defaultConfiguration"]["level"],
    )


def test_names_of_files_are_references():
    """File names are encoded byte by byte, so that a colon does not look like a scheme."""
    assert "a%3Ab%20%25%C3%A9/caf%E9.yaml" == uri(problem("a:b %é/caf\udce9.yaml"))


def test_the_prefix_leads_to_the_catalog():
    """With a prefix, files are named from the root of the repository."""
    assert "content/a.yaml" == uri(problem(), "content/")


def test_catalogs_of_one_repository_stand_side_by_side():
    """The catalogs of one repository have different categories."""
    assert "lmssync/" == run([])["automationDetails"]["id"]
    assert "lmssync/content/courses/" == run([], "content/courses")["automationDetails"]["id"]


@pytest.mark.parametrize(
    "same",
    [problem(line=7, column=3), problem(message="other words"), problem(hint="do that")],
    ids=["place", "message", "hint"],
)
def test_the_fingerprint_stays(same: Problem):
    """The fingerprint does not depend on lines or on the wording."""
    assert mark(problem()) == mark(same)


def test_the_fingerprint_follows_the_resource():
    """The fingerprint stays the same if the resource moves to another file."""
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
    """The fingerprint depends on rule, path, and resource or file."""
    assert mark(problem()) != mark(other)


def test_no_two_results_have_one_fingerprint():
    """Problems with the same fingerprint are numbered."""
    marks = [r["partialFingerprints"]["lmssync/v1"] for r in run(many(3))["results"]]
    assert ["1", "2", "3"] == [mark.rpartition(":")[2] for mark in marks]


def test_what_reads_like_a_link():
    """Text that reads like a link is escaped."""
    found = result(problem(message="`[x](1)` and [y]"))
    assert "`\\[x\\](1)` and [y]" == found["message"]["text"]


def test_more_than_is_shown():
    """A log holds 5,000 results, errors first, with a note on the rest."""
    found = run([*many(5_000, code="no-content", severity=WARNING), *many(10)])
    levels = [r["level"] for r in found["results"]]
    (note,) = found["invocations"][0]["toolExecutionNotifications"]
    assert (4_990, 10) == (levels.count("warning"), levels.count("error"))
    assert "… and 10 more: 10 no-content" == note["message"]["text"]


def test_nothing_is_noted_without_need():
    """Without left-out results the run has no note and counts as successful."""
    assert [{"executionSuccessful": True, "toolExecutionNotifications": []}] == (
        run(a_few())["invocations"]
    )


@given(listing.ANY, listing.FILES)
def test_any_log_fits_the_standard(told: list[Problem], prefix: str):
    """Every log fits the schema of the standard."""
    assert [] == list(map(str, CHECKER.iter_errors(log(told, prefix))))


@given(listing.FILES)
def test_any_name_of_a_file_is_read_back(name: str):
    """Every file name can be read back byte by byte."""
    assert raw(name) == unquote_to_bytes(uri(problem(name)))


def raw(name: str) -> bytes:
    """The bytes of the name as the operating system has them."""
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")
