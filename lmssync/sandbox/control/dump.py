"""The dump: everything the sandbox holds, flat, by wire names; a dump can be a seed again."""

from collections.abc import Iterator

from ..data.kinds import KINDS
from ..documents import Doc
from ..platform import Platform
from ..seeds import TREE

_NOT_IN_COURSE = ("sections", "criteria")


def dump(platform: Platform, *, only: list[str]) -> Doc:
    """The lists named in `only`, or all; children are in order and name their parent."""
    wanted = only or [*TREE, *KINDS]
    unknown = [name for name in wanted if name not in TREE and name not in KINDS]
    if unknown:
        raise ValueError(f"only: {unknown[0]!r} is not a list; the lists are {[*TREE, *KINDS]}")
    lists: Doc = {"company": platform.company_name, "idSeed": platform.ids.seed}
    if any(name in TREE for name in wanted):
        lists |= {name: docs for name, docs in _trees(platform).items() if name in wanted}
    for kind in KINDS:
        if kind in wanted:
            lists[kind] = platform.objects.all(kind)
    return lists


def _trees(platform: Platform) -> dict[str, list[Doc]]:
    lists: dict[str, list[Doc]] = {name: [] for name in TREE}
    lists["courseGroups"] = list(platform.groups.all())
    for course in platform.courses.all():
        for name, doc in _flat(course):
            lists[name].append(doc)
    return lists


def _flat(course: Doc) -> Iterator[tuple[str, Doc]]:
    id_ = course["id"]
    yield "courses", _without(course, *_NOT_IN_COURSE)
    for criterion in course["criteria"]:
        yield "completionCriteria", {**criterion, "courseId": id_}
    for section in course["sections"]:
        yield "sections", {**_without(section, "lessons"), "courseId": id_}
        for lesson in section["lessons"]:
            yield "lessons", {**_without(lesson, "topics"), "sectionId": section["id"]}
            for topic in lesson["topics"]:
                yield "topics", {**topic, "lessonId": lesson["id"]}


def _without(doc: Doc, *names: str) -> Doc:
    return {name: value for name, value in doc.items() if name not in names}
