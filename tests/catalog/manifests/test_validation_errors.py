"""What the models refuse, in words: rule, place, message, remedy."""

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from lmssync.catalog.manifests import validation_errors
from lmssync.catalog.manifests.model_fields import fields_of, model_in
from lmssync.kind import Kind
from lmssync.kinds import KINDS
from lmssync.problems import Problem
from lmssync.support import rulebook
from tests import making
from tests.making import course, criterion, license_, micro, path, topic


def only(data: Any) -> Problem:
    """The one problem of a document."""
    problems = making.found(data)[1]
    assert 1 == len(problems), problems
    return problems[0]


def with_topic(**fields: Any) -> dict[str, Any]:
    return micro("safety", topic(**fields))


def test_a_file_in_the_place_of_a_body_is_named_by_its_own_field():
    """The name of the file alone would be the text that learners read."""
    problem = only(with_topic(markdown={"file": "bodies/hello.md"}))
    assert problem.hint.startswith("write `bodyFile: bodies/hello.md` in its place")


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
        "seatsLimit is 0; the platform allows 1 or more",
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
        "did you mean `bodyFile`?",
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
        'put it in quotes ("true"): YAML reads it as the boolean true',
    ),
    (
        course(showProgress="false"),
        "show-progress-type",
        "showProgress",
        "`showProgress` is the text `false`; it must be true or false",
        "write false, without quotes",
    ),
    (
        course(enrollmentLimit="5"),
        "enrollment-limit-type",
        "enrollmentLimit",
        "`enrollmentLimit` is the text `5`; it must be a whole number",
        "write 5, without quotes",
    ),
    (
        course(enrollmentLimit=5.5),
        "enrollment-limit-type",
        "enrollmentLimit",
        "`enrollmentLimit` is the number 5.5; it must be a whole number",
        "round it",
    ),
    (
        course(tags="Safety"),
        "tags-type",
        "tags",
        "`tags` is the text `Safety`; it must be a list",
        "write `tags: [Safety]`, or one item per line after a dash",
    ),
    (
        path(target="https://a.example"),
        "target-type",
        "target",
        "`target` is the text `https://a.example`; it must be a mapping",
        "write its fields below it, indented: item, title, url",
    ),
    (
        course(customFields={"level": 1}),
        "custom-fields-type",
        "customFields.level",
        "`level` is the number 1; it must be text or a list",
        'put it in quotes ("1"): YAML reads it as the number 1',
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
        "write it after `tags:`, in quotes if it begins with `#`, or delete the line",
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
        "`key` is `a b`, which has characters that are not allowed there",
        "use letters, digits, and single hyphens, dots or underscores",
    ),
    (
        course(status="publish"),
        "status-value",
        "status",
        "`status` is `publish`, which is not one of the allowed words",
        "did you mean `published`?",
    ),
    (
        course(status="live"),
        "status-value",
        "status",
        "`status` is `live`, which is not one of the allowed words",
        "allowed: draft, published",
    ),
    (
        course(enrollmentEndDate="2027-02-30"),
        "date",
        "enrollmentEndDate",
        "`enrollmentEndDate` is `2027-02-30`, which does not exist: February 2027 has 28 days",
        "write a day of that month, such as 2027-02-28",
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
        "write the full address; it begins with https://",
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
        "`title` contains the control character U+0007 after `a`",
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


FLAGS = [
    ("yes", "write true: YAML 1.2 reads yes as text"),
    ("On", "write true: YAML 1.2 reads on as text"),
    ("n", "write false: YAML 1.2 reads n as text"),
    ("true", "write true, without quotes"),
    ("False", "write false, without quotes"),
    (1, "write true"),
    (0, "write false"),
    ("maybe", "write true or false"),
    (2, "write true or false"),
    ([], "write true or false"),
]


@pytest.mark.parametrize(("value", "hint"), FLAGS)
def test_what_is_no_flag(value: Any, hint: str):
    """Older YAML had twenty-two ways to say yes and no; this one has two."""
    assert hint == only(course(showProgress=value)).hint


@pytest.mark.parametrize(
    ("field", "value", "hint"),
    [
        ("enrollmentLimit", "1,000", "write 1000, without quotes"),
        ("enrollmentLimit", "1 000", "write 1000, without quotes"),
        ("enrollmentLimit", 5.0, "write 5"),
        ("enrollmentLimit", "five", "write a number in digits"),
        ("enrollmentLimit", "x" * 100, "write one number"),
        ("enrollmentLimit", True, "write one number"),
        ("enrollmentLimit", float("nan"), "round it"),
        ("priceInCents", 19.99, "write 1999, if it is an amount: it is counted in cents"),
        ("priceInCents", "19.99", "write 1999, if it is an amount: it is counted in cents"),
        ("priceInCents", "19,99 EUR", "write 1999, if it is an amount: it is counted in cents"),
        ("priceInCents", "€ 5.00", "write 500, if it is an amount: it is counted in cents"),
        ("priceInCents", "free", "write a number in digits"),
    ],
)
def test_what_is_no_whole_number(field: str, value: Any, hint: str):
    """The number that was probably meant is written out."""
    assert hint == only(course(**{field: value})).hint


def test_a_share_is_a_number():
    """A percent sign makes a text of it."""
    assert "write 80" == only(criterion(percent="80%")).hint


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (course(tagIds=["x"]), "here it is `tags`"),
        (course(criteria=[]), "here it is `completionCriteria`"),
        (course(completionCriterea=[]), "did you mean `completionCriteria`?"),
        (course(relatedCourseGroupIds=["x"]), "here it is `relatedCourses`"),
        (course(prerequisiteCourseIds=["x"]), "here it is `prerequisiteCourses`"),
        (course(prerequisiteLearningPathIds=[]), "here it is `prerequisiteLearningPaths`"),
        (course(name="x"), "here it is `title`"),
        (course(courseAttributes=[]), "delete it: each course is a document of its own"),
        (criterion(coursePercentViewed=80), "here it is `percent: 80`"),
        (criterion(articleTimeViewedInSeconds=60), "here it is `seconds: 60`"),
        (criterion(courseAssessmentPassed="a/b"), "here it is `topic: a/b`"),
        (criterion(videoTopicId="a/b"), "here it is `topic`"),
        (criterion(courseId="a"), "here it is `course`"),
        (license_(courseIds=[]), "here it is `courses`"),
        (license_(learningPathIds=[]), "here it is `learningPaths`"),
        (license_(courseTagIds=[]), "here it is `courseTags`"),
        (license_(clientId="a"), "here it is `client`"),
        (license_(parentLicenseId="a"), "here it is `parentLicense`"),
        (license_(title="a"), "here it is `name`"),
        (license_(enrollmentLimit=5), "here it is `seatsLimit`"),
        (path(targetUrl="https://a.example"), "here it is `target.url`"),
        (path(targetId="a"), "here it is `target.item`"),
        (path(targetUrlTitle="a"), "here it is `target.title`"),
        (path(targetType="external_url"), "delete it: the field inside `target` already says it"),
        (course(price_in_cents=5), "did you mean `priceInCents`?"),
        (course(PriceInCents=5), "did you mean `priceInCents`?"),
        (course(**{"price-in-cents": 5}), "did you mean `priceInCents`?"),
        (course(**{"\ufefftitle": "x"}), "did you mean `title`?"),
        (course(openType="open"), "`openType` belongs in `sections[].lessons[]`"),
        (with_topic(ribbon="x"), "`ribbon` belongs at the top of the document"),
        (with_topic(accessLevel="open"), None),
    ],
)
def test_names_that_are_called_otherwise_here(data: Any, hint: str | None):
    """The platform's names, other spellings, and fields that stand a level off."""
    found = only(data)
    assert "unknown-field" == found.code
    assert hint in {None, found.hint}


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (course(kind="coursegroup"), "did you mean `courseGroup`?"),
        (course(kind="micro-course"), "did you mean `microCourse`?"),
        (course(kind="course"), "did you mean `courseGroup`?"),
        (course(kind="scorm"), "did you mean `shareableContentObject`?"),
        (course(kind="webinar"), "webinars come from the bulk import of the platform"),
        (
            course(kind="xApiObject"),
            "write a course with a topic of type xApiObject",
        ),
        (
            course(status="pending"),
            "leave `status` out and write `futurePublishDate`: the platform sets it then",
        ),
        (with_topic(type="pdf"), "did you mean `pdfViewer`?"),
        (with_topic(type="Quiz"), "did you mean `quiz`?"),
        (
            course(kind=None),
            "add `kind`: article, video, courseGroup, microCourse or shareableContentObject",
        ),
    ],
)
def test_words_that_are_called_otherwise_here(data: Any, hint: str):
    """Words of habit, other spellings, and words that a manifest cannot say."""
    assert hint == making.found(data)[1][0].hint


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (course(title={"a": 1}), "`title` is a mapping; it must be text"),
        (course(kind=["video"]), "`kind` is a list, which is not one of the allowed words"),
        (course(kind=5), "`kind` is `5`, which is not one of the allowed words"),
        (course(key=""), "`key` is empty"),
        (
            course(customFields={"a b": "x"}),
            "the key is `a b`, which is not a slug",
        ),
        (
            course(customFields={"a": "x\x07"}),
            "`a` contains the control character U+0007 after `x`",
        ),
        (course(moved=[{"from": 5}]), "`from` is the number 5; it must be text"),
        (course(moved=[{"form": "x"}]), None),
    ],
)
def test_other_mistakes_in_words(data: Any, message: str | None):
    """Keys of an author's own, names that are words of Python, values of the wrong shape."""
    found = making.found(data)[1]
    assert message in {None, found[0].message}
    assert all("from_" not in problem.message + problem.hint for problem in found)


ODD: list[Any] = [
    *(None, True, -1, 10**18, 1.5, float("nan"), "", "x" * 10_000, "\x07", "a\nb", "80%", "{code}"),
    *([], [None], [1], [{}], ["\x07"], ["x"] * 200, {}, {"a": 1}, {1: 2}, {"\x07 k": "x"}),
    *({("a",): 1}, {"k": ["\x07"]}, {"k": [1]}, {"k": {"a": 1}}),
]
"""Values that belong nowhere, or in few places."""
NAMES: list[Any] = ["nonsense", "title\ufeff", "a\nb", "x" * 500, 5, None, True, ("a",)]
"""Names that no field has."""
THEIRS = re.compile(r"Input |Value |String |Keys |Field req|Extra |permitted|unable|valid ")
"""Words that the checking library speaks in."""


def whole(model: type[BaseModel]) -> dict[str, Any]:
    """A document in which every mapping and every list of mappings has one of them."""
    found: dict[str, Any] = {}
    for name, declared in fields_of(model).items():
        if inner := model_in(declared.annotation):
            found[name] = [whole(inner)] if "list[" in str(declared.annotation) else whole(inner)
    return found


def mappings(model: type[BaseModel], value: dict[str, Any]) -> Iterator[Any]:
    """Every mapping of such a document, each with its model."""
    yield model, value
    for name, inside in value.items():
        inner = model_in(fields_of(model)[name].annotation)
        yield from mappings(inner, inside[0] if isinstance(inside, list) else inside)


def with_odd_values(model: type[BaseModel]) -> Iterator[tuple[Any, Any, dict[Any, Any]]]:
    """Every field of every mapping of a kind with every odd value, and names that none has."""
    document = whole(model)
    seen: set[type[BaseModel]] = set()
    for here, mapping in list(mappings(model, document)):
        fields = [] if here in seen else list(fields_of(here))
        seen.add(here)
        for name, value in [*product(fields, ODD), *product(NAMES, ODD[:2])]:
            before = dict(mapping)
            mapping[name] = value
            yield name, value, document
            mapping.clear()
            mapping.update(before)


@pytest.mark.parametrize("step", [25, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_refusal_has_words_and_a_rule(kind: Kind, step: int):
    """Whatever stands in whatever field: a rule that is told, one line, and no word of theirs."""
    for name, value, document in islice(with_odd_values(kind.spec), 0, None, step):
        try:
            kind.spec.model_validate(document)
        except ValidationError as error:
            for found in validation_errors.word_validation_error(error, kind.spec, document):
                said = found.message + found.hint
                assert rulebook.find_rule(found.code), (name, value, found)
                assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", found.code), (name, value, found)
                assert not THEIRS.search(said), (name, value, found)
                assert said.isprintable(), (name, value, found)
                assert len(found.message) < 250, (name, value, found)


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (5, "not-a-manifest", "the document is a number; a manifest is a mapping"),
        ([], "not-a-manifest", "the document is a list; a manifest is a mapping"),
        (
            {"key": "a"},
            "missing-field",
            "`resource` is missing: lmssync cannot know what kind of resource this is",
        ),
        (
            {"resource": "curse"},
            "unknown-resource",
            "`resource` is the text `curse`, which is not a resource kind",
        ),
        (
            {"resource": ["course"]},
            "unknown-resource",
            "`resource` is a list, which is not a resource kind",
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
        (
            {"purchasePaths": [{"id": 5, "label": "L", "target": {"item": making.UUID}}]},
            "short-form-id",
        ),
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
