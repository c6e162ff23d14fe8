"""The dump: everything the sandbox holds, flat, by wire names; a dump can be a seed again."""

from collections.abc import Iterator

from ..data.kinds import KINDS
from ..documents import Doc
from ..platform import Platform
from ..seeds import TREE

_NOT_IN_COURSE = ("sections", "criteria")


def dump_platform(platform: Platform, *, only: list[str]) -> Doc:
    """The lists named in `only`, or all; children are in order and name their parent."""
    wanted = only or [*TREE, *KINDS]
    unknown = [name for name in wanted if name not in TREE and name not in KINDS]
    if unknown:
        raise ValueError(f"only: {unknown[0]!r} is not a list; the lists are {[*TREE, *KINDS]}")
    lists: Doc = {"company": platform.company_name, "idSeed": platform.ids.seed}
    if any(name in TREE for name in wanted):
        lists |= {name: docs for name, docs in _dump_trees(platform).items() if name in wanted}
    for kind in KINDS:
        if kind in wanted:
            lists[kind] = platform.objects.list_objects(kind)
    return lists


def _dump_trees(platform: Platform) -> dict[str, list[Doc]]:
    lists: dict[str, list[Doc]] = {name: [] for name in TREE}
    lists["courseGroups"] = list(platform.groups.list_documents())
    for course in platform.courses.list_documents():
        for name, doc in _flatten_course(course):
            lists[name].append(doc)
    return lists


def _flatten_course(course: Doc) -> Iterator[tuple[str, Doc]]:
    id_ = course["id"]
    yield "courses", _drop_fields(course, *_NOT_IN_COURSE)
    for criterion in course["criteria"]:
        yield "completionCriteria", {**criterion, "courseId": id_}
    for section in course["sections"]:
        yield "sections", {**_drop_fields(section, "lessons"), "courseId": id_}
        for lesson in section["lessons"]:
            yield "lessons", {**_drop_fields(lesson, "topics"), "sectionId": section["id"]}
            for topic in lesson["topics"]:
                yield "topics", {**topic, "lessonId": lesson["id"]}


def _drop_fields(doc: Doc, *names: str) -> Doc:
    return {name: value for name, value in doc.items() if name not in names}
