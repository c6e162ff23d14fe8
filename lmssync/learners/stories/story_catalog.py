"""The courses, licenses and purchase paths of a catalog as stories name them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ...catalog.manifests.story_documents import PAGE_STEPS, Expectation, Story, StoryStep
from ...kinds import KINDS, is_uuid
from ...problems import Finding, Problem, Rule, suggest_near
from ...resource import Address, Form, Origin, Path, Resource
from ...vocabulary.enums import TopicType

STORY_NAME = Rule(
    "story-name",
    "A story or an assertion names something that is not in the catalog or cannot be there.",
    "Check the spelling; the hint may suggest one.",
)
EVERY_PAGE = "all"
_COURSE, _LICENSE, _PATH = "course", "license", "path"
_NAMES = {
    (_COURSE,): _COURSE,
    ("finished",): _COURSE,
    ("opens",): _COURSE,
    ("learner", _COURSE): _COURSE,
    ("learner", "enrolls"): _COURSE,
    ("learner", "buys"): _COURSE,
    ("learner", "gets"): _LICENSE,
    ("expect", _COURSE): _COURSE,
}
"""The kind that a field of a story or an assertion names, by its path without positions."""
_PAGES = {*(("learner", step) for step in PAGE_STEPS), ("expect", "open"), ("expect", "closed")}


class StoryPage(NamedTuple):
    """A topic, with what decides who may open it and when."""

    path: str
    type: str
    place: Path
    """Where it stands in the manifest."""
    release_date: str | None = None
    """Of its section."""
    open_type: str | None = None
    """Of its lesson."""


class StoryCourse:
    """A course with its pages, its rules of completion and its purchase paths."""

    def __init__(self, resource: Resource, criteria: list[Resource], paths: list[Resource]) -> None:
        self.resource, self.criteria, self.paths = resource, criteria, paths
        self.form: Form = resource.form

    @property
    def key(self) -> str:
        return self.resource.address.key

    @cached_property
    def pages(self) -> list[StoryPage]:
        """Its topics in the order of learning."""
        if "sections" in self.form:
            return [*self._walk_sections()]
        topics = self.form.get("topics")
        if topics is not None:
            return [StoryPage(t["id"], t["type"], ("topics", n)) for n, t in enumerate(topics)]
        parts = KINDS[_COURSE].authoring.parts
        assert parts is not None
        return [StoryPage(path, type_, ()) for path, type_ in parts(self.form).items()]

    def _walk_sections(self) -> Iterator[StoryPage]:
        for here, section in enumerate(self.form["sections"]):
            for there, lesson in enumerate(section["lessons"]):
                for position, topic in enumerate(lesson["topics"]):
                    path = "/".join(part["id"] for part in (section, lesson, topic))
                    place = ("sections", here, "lessons", there, "topics", position)
                    release, open_type = section.get("releaseDate"), lesson["openType"]
                    yield StoryPage(path, topic["type"], place, release, open_type)

    @cached_property
    def articles(self) -> list[StoryPage]:
        """The pages that rules about reading look at."""
        found = [page for page in self.pages if page.type == TopicType.ARTICLE]
        return found or (self.pages if self.form.get("articleVariant") else [])

    def choose_pages(self, path: str) -> list[StoryPage]:
        """The pages in a section or a lesson, or the one of that path; all of them for `all`."""
        if path == EVERY_PAGE:
            return self.pages
        return [p for p in self.pages if p.path == path or p.path.startswith(f"{path}/")]

    def locate_field(self, *path: str | int) -> Origin:
        return self.resource.origin.at(path)


class StoryCatalog:
    """The resources of a catalog, with what belongs to each course."""

    def __init__(
        self, resources: Mapping[Address, Resource], refused: Collection[Address] = ()
    ) -> None:
        """`refused` are the addresses that manifests with errors give."""
        self._resources, self.refused = resources, refused
        self._courses: dict[str, StoryCourse] = {}

    @cached_property
    def _belongings(self) -> Mapping[tuple[str, str], list[Resource]]:
        """The resources of each kind by the course whose they are."""
        found: dict[tuple[str, str], list[Resource]] = defaultdict(list)
        for address, resource in self._resources.items():
            if _COURSE in resource.facts:
                found[address.kind, resource.facts[_COURSE]].append(resource)
        return found

    def find_course(self, key: str) -> StoryCourse | None:
        resource = self._resources.get(address := Address(_COURSE, key))
        if resource is None:
            return None
        if key not in self._courses:
            belongs = (
                self._belongings.get((kind, str(address)), []) for kind in ("criterion", "path")
            )
            self._courses[key] = StoryCourse(resource, *belongs)
        return self._courses[key]

    def require_course(self, key: str) -> StoryCourse:
        """A course that is there: a story with another name is not judged."""
        course = self.find_course(key)
        assert course is not None
        return course

    def find_license(self, key: str) -> Resource | None:
        return self._resources.get(Address(_LICENSE, key))

    def list_licenses(self) -> list[Resource]:
        return [one for address, one in self._resources.items() if address.kind == _LICENSE]

    def find_licensed_courses(self, license_: Resource) -> list[StoryCourse]:
        form = license_.form
        named = [node["$ref"] for node in form["courses"] if isinstance(node, dict)]
        tags = {node["$ref"] for node in form["courseTags"] if isinstance(node, dict)}
        if tags:
            named += [
                str(address)
                for address, resource in self._resources.items()
                if any(
                    one.kind == "tag" and str(one.address) in tags for one in resource.references
                )
                and address.kind == _COURSE
            ]
        keys = dict.fromkeys(Address.parse(name).key for name in named)
        return [course for key in keys if (course := self.find_course(key))]

    def list_names(self, kind: str) -> list[str]:
        """The keys of a kind, for a guess."""
        return [address.key for address in self._resources if address.kind == kind]


def find_path(course: StoryCourse, id_: str) -> Resource | None:
    """The purchase path with this id in its course, or with this key."""
    own = f"{course.key}.{id_}"
    return next((path for path in course.paths if path.address.key in (own, id_)), None)


def find_name_problems(story: Story, catalog: StoryCatalog) -> list[Problem]:
    return [finding.at(story.origin, None) for finding in _find_names(story, catalog)]


def _find_names(story: Story, catalog: StoryCatalog) -> Iterator[Finding]:
    spec = story.spec
    yield from _check_key(catalog, _COURSE, spec.course, ("course",))
    for number, name in enumerate(spec.finished):
        if not is_uuid(name):
            yield from _check_key(catalog, _COURSE, name, ("finished", number))
    for name in spec.taken:
        address = Address.parse(name)
        if address.kind not in (_COURSE, _LICENSE):
            text = f"`{name}` is not the address of a license or a course"
            yield STORY_NAME.at(("taken", name), text, "write license.KEY or course.KEY")
        else:
            yield from _check_key(catalog, address.kind, address.key, ("taken", name))
    for number, step in enumerate(spec.learner):
        yield from _check_step(catalog, spec.course, step, ("learner", number))
    for number, item in enumerate(spec.expect):
        yield from _check_pages(catalog, spec.course, item, ("expect", number), ("open", "closed"))


def _check_step(
    catalog: StoryCatalog, usual: str, step: StoryStep, path: Path
) -> Iterator[Finding]:
    for field, kind in (("gets", _LICENSE), ("enrolls", _COURSE), ("buys", _COURSE)):
        if key := getattr(step, field):
            yield from _check_key(catalog, kind, key, (*path, field))
    course = catalog.find_course(step.course or usual)
    if step.follows and course and find_path(course, step.follows) is None:
        known = [one.address.key.removeprefix(f"{course.key}.") for one in course.paths]
        text = f"`{course.key}` has no purchase path `{step.follows}`"
        hint = suggest_near(step.follows, known) or f"it has: {', '.join(known) or 'none'}"
        yield STORY_NAME.at((*path, "follows"), text, hint)
    yield from _check_pages(catalog, usual, step, path, PAGE_STEPS)


def _check_pages(
    catalog: StoryCatalog,
    usual: str,
    item: StoryStep | Expectation,
    path: Path,
    fields: tuple[str, ...],
) -> Iterator[Finding]:
    if item.course:
        yield from _check_key(catalog, _COURSE, item.course, (*path, "course"))
    course = catalog.find_course(item.course or usual)
    for field in fields:
        name: Any = getattr(item, field)
        if name and course and not course.choose_pages(name):
            text = f"`{course.key}` has no page `{name}`"
            known = {
                "/".join(parts[:depth])
                for page in course.pages
                for parts in [page.path.split("/")]
                for depth in range(1, len(parts) + 1)
            }
            hint = (
                suggest_near(name, sorted(known))
                or f"`lmssync outline {course.resource.address}` lists them"
            )
            yield STORY_NAME.at((*path, field), text, hint)


def _check_key(catalog: StoryCatalog, kind: str, key: str, path: Path) -> Iterator[Finding]:
    known = catalog.list_names(kind)
    if Address(kind, key) in catalog.refused:
        yield STORY_NAME.at(path, f"{kind}.{key} has errors", "`lmssync validate` shows them")
    elif key not in known:
        text = f"there is no {kind} `{key}` in the catalog"
        yield STORY_NAME.at(path, text, suggest_near(key, known) or "`lmssync outline` lists all")


def find_story_name(path: Path, text_at: Callable[[Path], str]) -> tuple[Address, str] | None:
    """What a value of a story or an assertion names: an address, and the path of pages in it."""
    field, text = tuple(step for step in path if isinstance(step, str)), text_at(path)
    if not text or is_uuid(text):
        return None
    if kind := _NAMES.get(field) or _find_asserted_kind(field, text_at):
        return Address(kind, text), ""
    course = text_at((*path[:-1], _COURSE)) or text_at((_COURSE,))
    if field in _PAGES and text != EVERY_PAGE:
        return Address(_COURSE, course), text
    return (Address(_PATH, f"{course}.{text}"), "") if field == ("learner", "follows") else None


def _find_asserted_kind(field: tuple[str, ...], text_at: Callable[[Path], str]) -> str:
    """The kind of what a condition of an assertion names; empty if it names nothing."""
    kind = KINDS.get(text_at(("count",)) or text_at(("every",)))
    return kind.relations.names.get(field[-1], "") if kind and field[:1] == ("where",) else ""
