"""What a story may say, in `stories/*.yaml`, and how it is read: every mistake with its place.

A story says what a learner does on which day, and what must happen then. Who judges that is in
`learners/stories`: nothing here knows what a course is.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, ValidationError

from ...kind import Spec
from ...kinds import Date, Shown, Title
from ...problems import Finding, Problem, Rule
from ...resource import Origin, Path
from .documents import (
    Document,
    Scope,
    find_misplacement,
    locate_problems_in_files,
    read_manifest_file,
)
from .validation_errors import word_validation_error

ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"
Day = Annotated[int, Field(ge=0, le=36_500), Shown((7,))]
Percent = Annotated[int, Field(ge=1, le=100), Shown((80,))]
PagePath = Annotated[Title, Shown(("start/welcome/hello", "week-2", "all"))]
"""Path of a section, a lesson or a topic; `all` for the whole course."""


class StoryStep(Spec):
    """One thing that the learner does on a day; the story fails if the platform does not let it."""

    day: Day
    """The day on which it happens, counted from `starts`; at noon, UTC."""
    course: Annotated[Title | None, Shown(("first-aid",))] = None
    """Key of the course whose pages it is about; by default that of the story."""
    gets: Annotated[Title | None, Shown(("acme-safety",))] = None
    """Key of a license that the learner gets."""
    enrolls: Annotated[Title | None, Shown(("fire-safety",))] = None
    """Key of a course in which the learner enrolls without paying."""
    buys: Annotated[Title | None, Shown(("fire-safety",))] = None
    """Key of a course that the learner buys in the catalog."""
    follows: Annotated[Title | None, Shown(("subscription",))] = None
    """Id of a purchase path of the course, which the learner follows."""
    views: PagePath | None = None
    """Pages that the learner opens and reads, or watches."""
    percent: Percent | None = None
    """With `views`: how much of each page; 100 when left out."""
    seconds: Annotated[int | None, Field(ge=1), Shown((240,))] = None
    """With `views`: how long each page is open; it counts for rules about time alone."""
    passes: Annotated[PagePath | None, Shown(("check/final/quiz",))] = None
    """A quiz or test that the learner passes."""
    fails: Annotated[PagePath | None, Shown(("check/final/quiz",))] = None
    """A quiz or test that the learner fails."""
    completes: Annotated[PagePath | None, Shown(("week-2/shadow/report",))] = None
    """An assignment, package, `surveyTool` or partner assignment that the learner completes; of a
    quiz or test: under supervision."""
    attends: Annotated[PagePath | None, Shown(("practice/day/attend",))] = None
    """A meeting that the learner attends."""
    refused: bool = False
    """True: the platform must not let the learner do it."""


class Expectation(Spec):
    """One thing that must be true once the steps up to a day are done."""

    day: Day | None = None
    """The day on which it must be true; by default that of the last step."""
    course: Annotated[Title | None, Shown(("first-aid",))] = None
    """Key of the course that it is about; by default that of the story."""
    done: Annotated[bool | None, Shown((True,))] = None
    """Whether the learner has completed the course."""
    open: PagePath | None = None
    """Pages that the learner can open."""
    closed: PagePath | None = None
    """Pages of which the learner can open none."""
    charged: Annotated[int | None, Field(ge=0), Shown((0, 2900))] = None
    """What the learner has paid on the platform so far, in hundredths of the currency."""


PAGE_STEPS = ("views", "passes", "fails", "completes", "attends")
"""What a step can do with pages."""
DOES = ("gets", "enrolls", "buys", "follows", *PAGE_STEPS)
"""What a step can do: each does one of these."""
EXPECTS = ("done", "open", "closed", "charged")
"""What can be expected: each expectation has one of these."""


class StoryFile(Spec):
    """A learner's way through a course, judged by `lmssync test`."""

    story: Annotated[
        str,
        Field(pattern=ID, max_length=100),
        Shown(
            ("second-try-is-enough",), message="Write lowercase words with hyphens between them."
        ),
    ]
    """Its id, which reports show: lowercase words with hyphens between them."""
    about: Annotated[Title | None, Shown(("The quiz may be repeated.",))] = None
    """What it proves, in a sentence."""
    course: Annotated[Title, Shown(("fire-safety",))]
    """Key of the course that the story is about."""
    starts: Date
    """The date of day 0."""
    published: bool = False
    """True: drafts count as published, as they are once people have filled them."""
    finished: Annotated[list[Title], Shown((["first-aid"],))] = Field(default_factory=list)
    """Keys of courses, and uuids of courses and learning paths, that were completed before."""
    taken: Annotated[
        dict[Title, Annotated[int, Field(ge=0)]],
        Shown(({"license.acme-safety": 250},), type="mapping of address to number"),
    ] = Field(default_factory=dict)
    """Seats of licenses and places of courses that others have, by address."""
    learner: list[StoryStep]
    """What the learner does; steps of one day happen in the order in which they are written."""
    expect: list[Expectation]
    """What must be so on a day."""


class AssertionFile(Spec):
    """What must be true of all courses, licenses or clients, judged by `lmssync test`."""

    assertion: Annotated[
        str, Field(alias="assert", pattern=ID, max_length=100), Shown(("every-course-is-sold",))
    ]
    """Its id, which reports show: lowercase words with hyphens between them."""
    about: Annotated[Title | None, Shown(("Nobody buys a course without a way out.",))] = None
    """What it is for, in a sentence."""
    count: Annotated[Title | None, Shown(("course",))] = None
    """The first word of the addresses that are counted; with `min` and `max`."""
    every: Annotated[Title | None, Shown(("client",))] = None
    """The first word of the addresses of which each is looked at; with `has` or `field`."""
    where: Annotated[
        dict[Title, str | int | bool],
        Shown(({"status": "published"},), type="mapping of field to value"),
    ] = Field(default_factory=dict)
    """Only those with these values; of a list, one item must be it."""
    has: Literal["license", "criterion", "path", "story"] | None = None
    """What each of them has: a license that opens it, or that is a client's own; a criterion, a
    purchase path or a story of a course."""
    opens: Annotated[Title | None, Shown(("safety-101",))] = None
    """With `has: license`: key of a course that the license opens."""
    field: Annotated[Title | None, Shown(("priceInCents",))] = None
    """Field whose values are between `min` and `max`, where it has one."""
    min: Annotated[int | None, Shown((1,))] = None
    """The least that is needed."""
    max: Annotated[int | None, Shown((99000,))] = None
    """The most that is allowed."""


STORY_TAKEN = Rule(
    "story-taken", "Two stories or assertions have the same id.", "Give one of them another id."
)
STORY_ITEM = Rule(
    "story-item",
    "A step of a story does nothing, or two things at once; or an expectation says nothing, or two "
    "things.",
    "Write one of the fields that the message names, and a further step for a further thing.",
)
STORY_FIELD = Rule(
    "story-field",
    "A step of a story has `percent` or `seconds` and does not view anything.",
    "Delete it, or write `views`.",
)


class Story(NamedTuple):
    """A story, and where it is written."""

    spec: StoryFile
    origin: Origin

    @property
    def name(self) -> str:
        return self.spec.story


class StoryAssertion(NamedTuple):
    """An assertion, and where it is written."""

    spec: AssertionFile
    origin: Origin

    @property
    def name(self) -> str:
        return self.spec.assertion


def read_stories(
    scope: Scope, files: Sequence[str]
) -> tuple[list[Story], list[StoryAssertion], list[Problem]]:
    """The stories and assertions in some files, and what is wrong with them; one with a mistake is
    left out."""
    read = [read_manifest_file(scope, file) for file in files]
    problems = [problem for one in read for problem in one.problems]
    known: dict[str, Story | StoryAssertion] = {}
    for document in (document for one in read for document in one.documents):
        spec = _check_document(document)
        if isinstance(spec, list):
            problems += [finding.at(document.origin, None) for finding in spec]
            continue
        made: Story | StoryAssertion = (
            Story(spec, document.origin)
            if isinstance(spec, StoryFile)
            else StoryAssertion(spec, document.origin)
        )
        if earlier := known.get(made.name):
            text = f"the id `{made.name}` is taken by another one in {earlier.origin.file}"
            where = ("story",) if isinstance(spec, StoryFile) else ("assert",)
            problems.append(STORY_TAKEN.at(where, text).at(document.origin, None))
        known.setdefault(made.name, made)
    stories = [one for one in known.values() if isinstance(one, Story)]
    assertions = [one for one in known.values() if isinstance(one, StoryAssertion)]
    return stories, assertions, locate_problems_in_files(scope, problems)


def _check_document(document: Document) -> StoryFile | AssertionFile | list[Finding]:
    if misplaced := find_misplacement(document):
        return [misplaced]
    data = document.data
    model = AssertionFile if isinstance(data, dict) and "assert" in data else StoryFile
    try:
        spec = model.model_validate(data)
    except ValidationError as error:
        return [*word_validation_error(error, model, data)]
    findings = [*(_check_items(spec) if isinstance(spec, StoryFile) else _check_assertion(spec))]
    return findings or spec


def _check_assertion(spec: AssertionFile) -> Iterator[Finding]:
    """It counts, or says something of every resource: what it has, or the range of a field."""
    yield from _check_one(spec, (), ("count", "every"), "the assertion has")
    if spec.every:
        yield from _check_one(spec, (), ("has", "field"), "the assertion has")
    if (spec.count or spec.field) and spec.min is None and spec.max is None:
        text = "nothing says how much is needed or allowed"
        yield STORY_ITEM.at(("count",) if spec.count else ("field",), text, "add min or max")


def _check_items(story: StoryFile) -> Iterator[Finding]:
    """Each step does one thing, and each expectation says one."""
    for number, step in enumerate(story.learner):
        path: Path = ("learner", number)
        yield from _check_one(step, path, DOES, "the step does")
        for field in ("percent", "seconds"):
            if getattr(step, field) is not None and step.views is None:
                yield STORY_FIELD.at((*path, field), f"`{field}` goes with `views` only")
    for number, expectation in enumerate(story.expect):
        yield from _check_one(expectation, ("expect", number), EXPECTS, "the expectation has")


def _check_one(
    item: StoryStep | Expectation | AssertionFile, path: Path, fields: Sequence[str], subject: str
) -> Iterator[Finding]:
    given = [field for field in fields if getattr(item, field) is not None]
    if len(given) != 1:
        what = " and ".join(f"`{field}`" for field in given) or "nothing"
        hint = f"write one of {', '.join(fields)}"
        where = (*path, given[1]) if given else path
        yield STORY_ITEM.at(where, f"{subject} {what}; it must be one thing", hint)
