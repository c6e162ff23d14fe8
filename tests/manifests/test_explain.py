"""What the models refuse, in words: rule, place, message, remedy."""

from typing import Any

import pytest

from lmssync.problems import Problem

from .. import making
from ..making import course, criterion, license_, micro, path, topic


def only(data: Any) -> Problem:
    """The one problem of a document."""
    problems = making.found(data)[1]
    assert 1 == len(problems), problems
    return problems[0]


def with_topic(**fields: Any) -> dict[str, Any]:
    return micro("safety", topic(**fields))


CASES = [
    (
        criterion(percent=120),
        "percent-range",
        "percent",
        "percent is 120; the platform allows 1 to 100",
        "",
    ),
    (
        criterion(percent=0),
        "percent-range",
        "percent",
        "percent is 0; the platform allows 1 to 100",
        "",
    ),
    (
        license_(seatsLimit=0),
        "seats-limit-range",
        "seatsLimit",
        "seatsLimit is 0; the platform allows 1 and more",
        "",
    ),
    (
        course(priceInCents=-1),
        "price-in-cents-range",
        "priceInCents",
        "priceInCents is -1; the platform allows 0 to 99999999",
        "",
    ),
    (course(title=None), "missing-field", "", "`title` is missing", "add `title`"),
    (
        course(sections=[{"title": "A"}]),
        "missing-field",
        "sections[0]",
        "`lessons` is missing",
        "add `lessons`",
    ),
    (
        course(descripton="x"),
        "unknown-field",
        "descripton",
        "there is no field `descripton` here",
        "did you mean `description` or `metaDescription`?",
    ),
    (
        with_topic(bodyfile="x.md"),
        "unknown-field",
        "topics[0].bodyfile",
        "there is no field `bodyfile` here",
        "did you mean `bodyFile` or `body`?",
    ),
    (
        path(target={"uri": "https://a.example"}),
        "unknown-field",
        "target.uri",
        "there is no field `uri` here",
        "did you mean `url`?",
    ),
    (
        course(title=12),
        "title-type",
        "title",
        "`title` is the number 12; it must be text",
        'put it in quotes ("12"): YAML reads it as the number 12',
    ),
    (
        course(title=True),
        "title-type",
        "title",
        "`title` is the boolean true; it must be text",
        'put it in quotes ("True"): YAML reads it as the boolean true',
    ),
    (
        course(showProgress="false"),
        "show-progress-type",
        "showProgress",
        "`showProgress` is the text `false`; it must be true or false",
        "write true or false, without quotes",
    ),
    (
        course(enrollmentLimit="5"),
        "enrollment-limit-type",
        "enrollmentLimit",
        "`enrollmentLimit` is the text `5`; it must be a whole number",
        "",
    ),
    (
        course(enrollmentLimit=5.5),
        "enrollment-limit-type",
        "enrollmentLimit",
        "`enrollmentLimit` is the number 5.5; it must be a whole number",
        "",
    ),
    (
        course(tags="Safety"),
        "tags-type",
        "tags",
        "`tags` is the text `Safety`; it must be a list",
        "write `tags: [...]`, or one item a line after a dash",
    ),
    (
        path(target="https://a.example"),
        "target-type",
        "target",
        "`target` is the text `https://a.example`; it must be a mapping",
        "",
    ),
    (
        course(customFields={"level": 1}),
        "custom-fields-type",
        "customFields.level",
        "`level` is the number 1; it must be text or a list",
        "",
    ),
    (
        course(customFields={"level": [1]}),
        "custom-fields-type",
        "customFields.level[0]",
        "`level` is the number 1; it must be text",
        'put it in quotes ("1"): YAML reads it as the number 1',
    ),
    (
        course(tags=[None]),
        "tags-type",
        "tags[0]",
        "`tags` is empty; it must be text",
        "",
    ),
    (
        course(metaTitle="x" * 201),
        "meta-title-length",
        "metaTitle",
        "`metaTitle` has 201 characters; the platform allows 200",
        "shorten it",
    ),
    (
        course(tags=[f"t{n}" for n in range(11)]),
        "tags-length",
        "tags",
        "`tags` has 11 items; the platform allows 10",
        "shorten it",
    ),
    (
        course(key="a b"),
        "key-value",
        "key",
        "`key` is `a b`, which has characters that do not belong there",
        "use letters, digits, and single hyphens, dots or underscores",
    ),
    (
        course(status="publish"),
        "status-value",
        "status",
        "`status` is `publish`, which is not one of the words it may be",
        "did you mean `published`?",
    ),
    (
        course(status="live"),
        "status-value",
        "status",
        "`status` is `live`, which is not one of the words it may be",
        "allowed: draft, published",
    ),
    (
        course(enrollmentEndDate="2027-02-30"),
        "date",
        "enrollmentEndDate",
        "`enrollmentEndDate` is `2027-02-30`, which is not a date that exists",
        "write 2027-01-31 or 2027-01-31T09:00:00Z",
    ),
    (
        course(prerequisiteLearningPaths=["safety"]),
        "uuid",
        "prerequisiteLearningPaths[0]",
        "`prerequisiteLearningPaths` is `safety`, which is not a uuid",
        "copy the id from the platform",
    ),
    (
        course(asset="ftp://x"),
        "url",
        "asset",
        "`asset` is `ftp://x`, which is not an http or https address",
        "",
    ),
    (
        course(title="  "),
        "blank",
        "title",
        "`title` is blank",
        "write something that a learner can read",
    ),
    (
        course(title="a\x07"),
        "control-character",
        "title",
        "`title` holds the control character U+0007",
        "delete it: it is invisible and the platform may refuse or show it",
    ),
]


@pytest.mark.parametrize(("data", "code", "where", "message", "hint"), CASES)
def test_mistakes_in_words(data: Any, code: str, where: str, message: str, hint: str):
    """Each kind of refusal has a rule, the path of the value, what is and what is allowed."""
    problem = only(data)
    assert (code, where, message, hint) == (
        problem.code,
        problem.path,
        problem.message,
        problem.hint,
    )


def test_unknown_fields_without_a_near_miss_list_what_is_known():
    """Who is far off gets the whole list."""
    hint = only(path(target={"zzz": 1, "url": "https://a.example", "title": "A"})).hint
    assert "known here: item, title, url" == hint


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (5, "not-a-manifest", "the document is the number 5; a manifest is a mapping"),
        ([], "not-a-manifest", "the document is a list; a manifest is a mapping"),
        (
            {"key": "a"},
            "missing-field",
            "`resource` is missing: nothing says what kind of resource this is",
        ),
        (
            {"resource": "curse"},
            "unknown-resource",
            "`resource` is the text `curse`, which is no kind of resource",
        ),
        (
            {"resource": ["course"]},
            "unknown-resource",
            "`resource` is a list, which is no kind of resource",
        ),
    ],
)
def test_documents_that_are_no_manifest(data: Any, code: str, message: str):
    """A document that no kind accepts says why."""
    assert (code, message) == (only(data).code, only(data).message)


def test_a_misspelled_resource_has_a_near_miss():
    """The likeliest word is guessed."""
    assert "did you mean `course`?" == only({"resource": "curse"}).hint


def test_all_mistakes_are_told_at_once():
    """An author should not have to run it once a mistake."""
    data = course(title=1, descripton="x", priceInCents=-1, tags="x")
    assert ["price-in-cents-range", "tags-type", "title-type", "unknown-field"] == making.codes(
        data
    )


def test_long_values_are_cut():
    """A message stays on a line, however long the value is."""
    assert len(only(course(status="x" * 10_000)).message) < 200


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"completionCriteria": {"id": "a"}}, "short-form"),
        ({"completionCriteria": ["a"]}, "short-form-id"),
        ({"completionCriteria": [{"type": "coursePercentViewed", "percent": 5}]}, "short-form-id"),
        ({"purchasePaths": [{"id": 5}]}, "short-form-id"),
    ],
)
def test_short_forms_that_are_none(fields: dict[str, Any], code: str):
    """A short form is a list of mappings, each with an id."""
    assert code == only(course(**fields)).code


def test_a_short_form_becomes_a_resource_of_its_own():
    """`completionCriteria` of a course are criteria, with the course's key before their own."""
    data = course(completionCriteria=[{"id": "most", "type": "coursePercentViewed", "percent": 5}])
    addresses = [str(resource.address) for resource in making.found(data)[0]]
    assert ["course.safety", "criterion.safety.most"] == addresses


def test_short_and_long_form_are_the_same():
    """Where something is written does not change what it is."""
    short = course(
        completionCriteria=[{"id": "most", "type": "coursePercentViewed", "percent": 80}]
    )
    assert making.resource(criterion()).fingerprint == making.found(short)[0][1].fingerprint
