"""Whether neighbours in a course can be told apart."""

from collections.abc import Iterator, Sequence

from ....problems import Finding, Severity
from ....source import Path
from ..spec import CourseSpec, Topic
from . import walk


def ids(course: CourseSpec) -> Iterator[Finding]:
    """Ids are unique among siblings."""
    for path, siblings in walk.families(course):
        taken: set[str] = set()
        for position, item in enumerate(siblings):
            if item.id and item.id in taken:
                yield Finding(
                    "id-twice",
                    (*path, position, "id"),
                    f"the id `{item.id}` is used twice in `{path[-1]}`",
                    "ids must differ among siblings; they are how criteria name topics",
                )
            if item.id:
                taken.add(item.id)


def titles(course: CourseSpec) -> Iterator[Finding]:
    """Siblings are found again by their titles, topics by title and type (O15, O18)."""
    for path, siblings in walk.families(course):
        yield from _repeated(path, siblings)


def _repeated(path: Path, siblings: Sequence[walk.Part]) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for position, item in enumerate(siblings):
        name = (item.title, item.type if isinstance(item, Topic) else "")
        if name in seen:
            yield Finding(
                "title-twice",
                (*path, position, "title"),
                f"the title “{item.title}” stands twice in `{path[-1]}`; the platform gives no "
                "ids, so only their order tells the two apart",
                "change one of the two titles",
                Severity.WARNING,
            )
        seen.add(name)


RULES = (ids, titles)
