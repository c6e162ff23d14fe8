"""Policy files: what is read, what is a mistake, what a problem looks like."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests.catalog_files import CatalogFiles
from lmssync.catalog.manifests.check import Context, check_document
from lmssync.catalog.manifests.documents import Document, Scope
from lmssync.catalog.manifests.policies import read_policies
from lmssync.catalog.manifests.policies.policy_operators import measure_pattern
from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.problems import Problem, Severity, grade_problems, in_order
from lmssync.resource import Origin
from lmssync.settings import Project
from tests import making
from tests.docs import pages

from . import house

TEXT = """\
policy: published-has-meta
resource: course
when: {status: published}
require:
  metaDescription: {minLength: 50, maxLength: 160}
  customFields.owner: {present: true}
  assetAltText: {present: true}
message: a published course has a description, an owner and an image with alt text
hint: see the handbook, chapter 3
"""


UNSEEN = "cannot be seen in a course: each of them is a document of its own"


def judged(root: Path, data: dict[str, Any], **texts: str) -> list[Problem]:
    """What the policies of some files say of a document, beside all else that is wrong."""
    names = [f"policies/{name}.yaml" for name in texts]
    for file, text in zip(names, texts.values(), strict=True):
        making.put(root, file, text)
    made, problems = read_policies(root, names)
    assert problems == []
    context = Context(Scope(root, Project(version=1), policies=made), CatalogFiles(root))
    ids = {policy.rule.id for policy in made}
    found = check_document(context, Document(Origin("a.yaml"), data))[1]
    return [problem for problem in found if problem.code in ids]


def test_a_policy_finds_what_is_missing(tmp_path: Path) -> None:
    """The sentence of the policy, then what is; its id, its hint, its severity, the address."""
    data = making.course(status="published", metaDescription="short", assetAltText="A yard")
    first, second = judged(tmp_path, data, meta=TEXT)
    said = "a published course has a description, an owner and an image with alt text"
    assert (
        "published-has-meta",
        f"{said}: `metaDescription` has 5 characters; it must have at least 50 characters",
        "see the handbook, chapter 3",
        Severity.ERROR,
        "course.safety",
    ) == (first.code, first.message, first.hint, first.severity, str(first.address))
    assert f"{said}: `customFields.owner` is missing" == second.message


def test_what_a_policy_is_not_about_is_left_alone(tmp_path: Path) -> None:
    """Other kinds, and manifests for which `when` does not hold."""
    drafts = (making.course(status="draft"), making.license_())
    assert [] == [problem for data in drafts for problem in judged(tmp_path, data, meta=TEXT)]


def test_a_policy_can_be_about_several_kinds(tmp_path: Path) -> None:
    """Each by its own model."""
    text = json.dumps(
        house.document(resource=["course", "license"], require={"key": {"matches": "^[a-z-]+$"}})
    )
    found = [
        judged(tmp_path, data, key=text) for data in (making.course("A"), making.license_("B"))
    ]
    assert ["course.A", "license.B"] == [str(problem.address) for (problem,) in found]


def test_a_warning_stops_nothing(tmp_path: Path) -> None:
    """A document that breaks a rule with `severity: warning` becomes a resource."""
    text = json.dumps(house.document(severity="warning", require={"sku": {"present": True}}))
    (problem,) = judged(tmp_path, making.course(), sku=text)
    assert Severity.WARNING is problem.severity


def test_rules_may_grade_a_policy(tmp_path: Path) -> None:
    """Its id is a code like any other."""
    found = judged(tmp_path, making.course(status="published"), meta=TEXT)
    grades = [{"published-has-meta": grade} for grade in ("warning", "off")]
    assert [3, 0] == [len(grade_problems(found, one)) for one in grades]


def test_a_sentence_over_several_lines_is_one(tmp_path: Path) -> None:
    """A problem is one line, however the sentence is written."""
    made = house.policy(tmp_path, message="Two\n  lines.\n", hint="three\nmore\nlines")
    assert ("Two lines", "three more lines") == (made.rule.means, made.rule.remedy)


def test_short_forms_are_seen_as_documents_of_their_own(tmp_path: Path) -> None:
    """With their `course`; the place is that of the short form."""
    text = json.dumps(
        house.document(
            resource="completionCriterion",
            when={"type": "coursePercentViewed", "course": "safety"},
            require={"percent": {"min": 80}},
        )
    )
    short = {"id": "most", "type": "coursePercentViewed", "percent": 50}
    (problem,) = judged(tmp_path, making.course(completionCriteria=[short]), most=text)
    assert ("criterion.safety.most", ("completionCriteria", 0, "percent")) == (
        str(problem.address),
        problem.origin.path,
    )


def test_the_text_of_a_body_file_can_be_judged(tmp_path: Path) -> None:
    """It stands under `markdown`, the name of the file stays where it was."""
    making.put(tmp_path, "hello.md", "TODO: write this\n")
    text = json.dumps(
        house.document(
            each="sections.lessons.topics",
            require={"markdown": {"notMatches": "TODO"}, "bodyFile": {"matches": "hello"}},
        )
    )
    data = making.course(
        sections=[making.section("s", making.lesson("l", making.topic(bodyFile="hello.md")))]
    )
    (problem,) = judged(tmp_path, data, todo=text)
    assert problem.message.startswith("the rule of the house: `markdown` is `TODO: write this ")


def test_a_policy_travels(tmp_path: Path) -> None:
    """Worker processes get it as it is."""
    made = house.policy(
        tmp_path,
        each="sections",
        where={"any": [{"title": {"matches": "S"}}, {"not": {"id": "x"}}]},
        require={"releaseDate": {"after": {"field": "courseStartDate"}}},
    )
    data = making.course()
    again = pickle.loads(pickle.dumps(made))
    assert list(made.judge_document("course", data)) == list(again.judge_document("course", data))


# Mistakes.


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"resource": "corse"}, ("unknown-resource", "there is no resource kind `corse`")),
        (
            {"resource": []},
            ("unknown-resource", "`resource` is an empty list: the policy applies to nothing"),
        ),
        ({"resource": None}, ("missing-field", "`resource` is missing")),
        ({"require": None}, ("missing-field", "`require` is missing")),
        ({"message": None}, ("missing-field", "`message` is missing")),
        ({"policy": None}, ("missing-field", "`policy` is missing")),
        ({"rule": 1}, ("unknown-field", "there is no field `rule` here")),
        ({"severity": "fatal"}, ("severity-value", None)),
        ({"policy": "Has Meta"}, ("policy-value", None)),
        ({"message": " "}, ("blank", None)),
        ({"require": []}, ("require-type", None)),
        ({"require": {}}, ("policy-group", "`require` is empty")),
        ({"when": {}}, ("policy-group", "`when` is empty")),
        (
            {"where": {"type": "video"}},
            ("policy-group", "`where` picks items, but there is no `each` that lists them"),
        ),
        (
            {"require": {"any": {"title": "x"}}},
            ("policy-group", "`any` is a mapping; it must be a list of groups"),
        ),
        (
            {"require": {"all": []}},
            ("policy-group", "`all` is an empty list; it must be a list of groups"),
        ),
        (
            {"require": {"not": "x"}},
            (
                "policy-group",
                "`not` is the text `x`; it must be a mapping of fields and conditions",
            ),
        ),
        ({"require": {"statsu": "x"}}, ("policy-path", "there is no field `statsu` in a course")),
        (
            {"require": {"sections.topics": "x"}},
            ("policy-path", "there is no field `topics` in `sections`"),
        ),
        (
            {"require": {"title.length": 1}},
            ("policy-path", "`title` is text; it has no parts"),
        ),
        (
            {"require": {"sections[0].title": "x"}},
            (
                "policy-path",
                "`sections[0].title` has brackets; a path goes through every item of a list",
            ),
        ),
        ({"require": {"sections..id": "x"}}, ("policy-path", "`sections..id` has a dot too many")),
        (
            {"require": {"customFields.": "x"}},
            ("policy-path", "`customFields.` has a dot too many"),
        ),
        (
            {"require": {"completionCriteria": {"present": True}}},
            ("policy-path", f"`completionCriteria` {UNSEEN}"),
        ),
        (
            {"each": "tags"},
            ("policy-path", "`tags` is a list of texts; `each` is for items with fields"),
        ),
        ({"each": "topcis"}, ("policy-path", "there is no field `topcis` in a course")),
        ({"each": []}, ("policy-path", "`each` is empty: the policy applies to nothing")),
        (
            {"require": {"courseEndDate": {"after": {"field": "start"}}}},
            ("policy-path", "there is no field `start` in a course"),
        ),
        (
            {"require": {"courseEndDate": {"after": {"field": "title"}}}},
            ("policy-path", "`title` is text; this is for dates"),
        ),
        (
            {"require": {"title": {"not": {"field": "tags"}}}},
            ("policy-path", "`tags` has several values; a comparison needs one"),
        ),
        ({"require": {"title": {"has": 1}}}, ("policy-operator", "there is no operator `has`")),
        (
            {"require": {"title": {"min": 3}}},
            ("policy-operator", "`min` is for numbers; this is text"),
        ),
        (
            {"require": {"priceInCents": {"matches": "3"}}},
            ("policy-operator", "`matches` is for text; this is a number"),
        ),
        (
            {"require": {"title": {"after": "2027-01-01"}}},
            ("policy-operator", "`after` is for dates; this is text"),
        ),
        (
            {"require": {"title": {"some": "x"}}},
            ("policy-operator", "`some` is for lists; `title` is text"),
        ),
        (
            {"require": {"tags": {"some": {"every": "x"}}}},
            ("policy-operator", "`every` is inside `some`, which looks at one value at a time"),
        ),
        (
            {"require": {"tags": {"where": {"a": 1}}}},
            ("policy-operator", "`where` is for items with fields; this is a list of texts"),
        ),
        ({"require": {"title": None}}, ("policy-operand", "`title` has no condition")),
        ({"require": {"title": {}}}, ("policy-operand", "`title` has no condition")),
        (
            {"require": {"status": "pubished"}},
            ("policy-operand", "`status` is the text `pubished`, which this field cannot be"),
        ),
        (
            {"require": {"sku": 12}},
            ("policy-operand", "`sku` is the number 12; the field is text"),
        ),
        (
            {"require": {"priceInCents": "12"}},
            ("policy-operand", "`priceInCents` is the text `12`; the field is a number"),
        ),
        (
            {"require": {"title": {"present": "yes"}}},
            ("policy-operand", "`present` is the text `yes`; it must be true or false"),
        ),
        (
            {"require": {"title": {"is": ["a"]}}},
            ("policy-operand", "`is` is a list; it must be one value"),
        ),
        ({"require": {"title": {"is": ""}}}, ("policy-operand", "`is` is blank")),
        (
            {"require": {"title": []}},
            ("policy-operand", "`title` is an empty list; it must be a list of values"),
        ),
        (
            {"require": {"title": {"minLength": -1}}},
            (
                "policy-operand",
                "`minLength` is the number -1; it must be a whole number, 0 or more",
            ),
        ),
        (
            {"require": {"priceInCents": {"min": True}}},
            ("policy-operand", "`min` is the boolean true; it must be a number"),
        ),
        (
            {"require": {"title": {"minLength": 9, "maxLength": 3}}},
            ("policy-operand", "nothing can be at least 9 and at most 3"),
        ),
        (
            {"require": {"courseEndDate": {"after": "2027-02-30"}}},
            ("policy-operand", "`after` is the text `2027-02-30`; it must be a date that exists"),
        ),
        (
            {"require": {"title": {"contains": {"field": "sku"}}}},
            ("policy-operand", "`contains` is a mapping; it must be one value"),
        ),
        (
            {"require": {"title": {"is": {"feild": "x"}}}},
            ("policy-operand", "`is` is a mapping; it must be one value"),
        ),
        (
            {"require": {"title": {"matches": "(a"}}},
            ("policy-expression", "`matches` is not a regular expression: unclosed group"),
        ),
        (
            {"require": {"title": {"matches": 5}}},
            ("policy-expression", "`matches` is the number 5; it must be a regular expression"),
        ),
        (
            {"require": {"title": {"matches": "a" * 1001}}},
            ("policy-expression", "`matches` has 1,001 characters; an expression may have 1,000"),
        ),
        (
            {"require": {"title": {"matches": r"(\w{20}){9}"}}},
            ("policy-expression", "`matches` repeats too large a set of characters too often"),
        ),
        (
            {"policy": "key-twice"},
            (
                "policy-taken",
                (
                    "`policy` is `key-twice`, which is a rule of lmssync: Two resources of the "
                    "same kind have the same key."
                ),
            ),
        ),
    ],
)
def test_each_mistake(
    tmp_path: Path, fields: dict[str, Any], expected: tuple[str, str | None]
) -> None:
    """One mistake is one problem, in words."""
    ((code, message),) = house.mistakes(tmp_path, **fields)
    assert expected == (code, message if expected[1] else None)


@pytest.mark.parametrize(
    ("require", "hint"),
    [
        ({"statsu": "x"}, "did you mean `status` or `tags`?"),
        ({"tagIds": {"contains": "x"}}, "here it is `tags`"),
        ({"status": "pubished"}, "did you mean `published`?"),
        ({"title": {"minlength": 3}}, "did you mean `minLength` or `maxLength`?"),
        (
            {"customFields": {"owner": "x"}},
            "if you mean the field in it, write `customFields.owner`",
        ),
        ({"priceInCents": "12"}, "write 12, without quotes"),
        ({"sections[0].title": "x"}, "write `sections.title`"),
        ({"title": {"is": ["a"]}}, "`oneOf` and `noneOf` take a list"),
        (
            {"completionCriteria": {"present": True}},
            "write a policy with `resource: completionCriterion`",
        ),
    ],
)
def test_the_remedy_of_a_mistake(tmp_path: Path, require: Any, hint: str) -> None:
    """What was probably meant, or what to write."""
    _, (problem,) = house.read(tmp_path, house.document(require=require))
    assert hint == problem.hint


def test_all_mistakes_are_found_at_once(tmp_path: Path) -> None:
    """In every document of every file, each with its line; what is right is used."""
    making.put(
        tmp_path, "policies/a.yaml", f"{TEXT}---\npolicy: x\nresource: corse\nreqire: {{}}\n"
    )
    making.put(tmp_path, "policies/b.yaml", "policy: y\nresource: course\nmessage: z\n"
               "when:\n  stauts: draft\nrequire:\n  title: 3\n")  # fmt: skip
    made, problems = read_policies(tmp_path, ["policies/a.yaml", "policies/b.yaml"])
    assert ["published-has-meta"] == [policy.rule.id for policy in made]
    assert [
        ("policies/a.yaml", 11, "missing-field"),
        ("policies/a.yaml", 11, "missing-field"),
        ("policies/a.yaml", 12, "unknown-resource"),
        ("policies/a.yaml", 13, "unknown-field"),
        ("policies/b.yaml", 5, "policy-path"),
        ("policies/b.yaml", 7, "policy-operand"),
    ] == [(p.where.file, p.where.line, p.code) for p in in_order(problems)]


def test_an_id_is_taken_once(tmp_path: Path) -> None:
    """By the first, in whichever file it stands."""
    for name in "ab":
        making.put(tmp_path, f"policies/{name}.yaml", TEXT)
    made, (problem,) = read_policies(tmp_path, ["policies/a.yaml", "policies/b.yaml"])
    assert (1, "the id `published-has-meta` is taken by a policy of policies/a.yaml") == (
        len(made),
        problem.message,
    )


def test_mistakes_in_yaml_are_those_of_every_file(tmp_path: Path) -> None:
    """A key that stands twice is not read as the last."""
    making.put(tmp_path, "policies/a.yaml", f"{TEXT}policy: again\n")
    made, (problem,) = read_policies(tmp_path, ["policies/a.yaml"])
    assert ((), "duplicate-key", 10) == (made, problem.code, problem.where.line)


def test_a_template_is_no_policy(tmp_path: Path) -> None:
    """Policies are the same for every environment."""
    making.put(tmp_path, "policies/a.yaml.j2", TEXT)
    made, (problem,) = read_policies(tmp_path, ["policies/a.yaml.j2"])
    assert ((), "policy-template") == (made, problem.code)


def test_a_file_that_is_gone_is_a_problem(tmp_path: Path) -> None:
    """It may be deleted while the catalog is read."""
    assert ["unreadable"] == [p.code for p in read_policies(tmp_path, ["policies/a.yaml"])[1]]


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "---\n---\n"])
def test_an_empty_file_holds_no_policy(tmp_path: Path, text: str) -> None:
    """That is no mistake."""
    making.put(tmp_path, "policies/a.yaml", text)
    assert ((), []) == read_policies(tmp_path, ["policies/a.yaml"])


def test_groups_in_groups_end(tmp_path: Path) -> None:
    """A file of nothing but `not` is refused before it is too deep for anything."""
    group: Any = {"title": "x"}
    for _ in range(40):
        group = {"not": group}
    assert [("policy-group", "groups are nested more than 12 deep")] == house.mistakes(
        tmp_path, require=group
    )


# What is shown to others.

PAGE, LINE = "docs/policies.md", ": error[published-has-meta]"


def test_the_policies_of_the_example_are_right() -> None:
    """They are read without a problem, and there are some."""
    root = pages.ROOT / "examples" / "catalog"
    files = sorted(str(file.relative_to(root)) for file in root.glob("policies/*.yaml"))
    made, problems = read_policies(root, files)
    assert ([], True) == (problems, len(made) > 0)


def test_the_example_meets_its_policies() -> None:
    """Every document of the example catalog, with its short forms."""
    root = pages.ROOT / "examples" / "catalog"
    files = [str(file.relative_to(root)) for file in root.glob("policies/*.yaml")]
    scope = Scope(root, Project(version=1), policies=read_policies(root, files)[0])
    ids = {policy.rule.id for policy in scope.policies}
    found = [
        problem
        for file in root.rglob("*.yaml")
        if "policies" not in file.parts and file.name != "lmssync.yaml"
        for n, data in enumerate(load_yaml(file.read_bytes()))
        for problem in check_document(
            Context(scope, CatalogFiles(root)),
            Document(Origin(str(file.relative_to(root)), n), data),
        )[1]
    ]
    assert [] == [problem for problem in found if problem.code in ids]


def test_the_problems_on_the_page_are_those_of_its_example(tmp_path: Path) -> None:
    """The first policy of the page, and the course beside it."""
    blocks = pages.manifests(PAGE)
    (data,) = load_yaml(blocks["safety.yaml"].encode())
    found = judged(tmp_path, data, published=blocks["policies/published.yaml"])
    shown = [line.split(" ", 1)[1] for line in pages.text(PAGE).splitlines() if LINE in line]
    assert sorted(shown) == sorted(making.said(problem).split(" ", 1)[1] for problem in found)


def test_the_policies_on_the_page_are_right(tmp_path: Path) -> None:
    """Each block of the page that is named for a file of `policies/` can be copied."""
    blocks = pages.manifests(PAGE)
    for name, text in blocks.items():
        making.put(tmp_path, name, text)
    made, problems = read_policies(tmp_path, sorted(n for n in blocks if n.startswith("policies/")))
    assert ([], True) == (problems, len(made) > 5)


@pytest.mark.slow
def test_all_expressions_of_a_catalog_have_one_budget(tmp_path: Path) -> None:
    """Each alone would be compiled; together they would fill the memory."""
    file = (
        "policy: house-{0}\nresource: course\nrequire: {{title: {{matches: '{0}\\w{{1,100}}'}}}}\n"
    )
    texts = "---\n".join(f"{file.format(n)}message: M\n" for n in range(100, 150))
    making.put(tmp_path, "policies/a.yaml", texts)
    made, problems = read_policies(tmp_path, ["policies/a.yaml"])
    assert 28 == len(made)
    assert {("policy-expression", "`matches` is one of too many")} == {
        (problem.code, problem.message) for problem in problems
    }


@pytest.mark.slow
def test_an_expression_takes_no_more_than_was_estimated() -> None:
    """For every sort of class and group, in a process of its own."""
    repeated = [
        *(r"\w{1,40}", r"(\w{6}){7}", r"\pL{45}", r"[\w-]{40}", r"(?i)(k{30}){16}", r"\D{400}"),
        *(r".{1,4000}", "(?x)\\w #a{1}\n {40}", r"\S{400}", r"[^a]{400}", r"(a|b|c|d){1000}"),
        *(r"(?:\w|\d){40}", r"[a-z&&[^k]]{40}", r"\p{Greek}{45}"),
    ]
    assert [] == [one for one in repeated if memory_of(one) > measure_pattern(one)]


def memory_of(pattern: str) -> int:
    """Bytes that one compiled expression takes, of four."""
    made = f"SchemaValidator(core_schema.str_schema(pattern={pattern!r}))"
    code = (
        "from resource import RUSAGE_SELF, getrusage; "
        "from pydantic_core import SchemaValidator, core_schema; "
        "used = lambda: getrusage(RUSAGE_SELF).ru_maxrss; "
        f"before = used(); kept = [{made} for _ in range(4)]; print((used() - before) // 4)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return int(done.stdout) * 1024
