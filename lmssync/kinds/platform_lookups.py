"""Names of things that are not managed here, and how their ids are looked up."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..kind import Json, ReadRequest
from ..problems import Rule, warning_rule

UNKNOWN_NAME = Rule(
    "unknown-name",
    "The platform has no tag, client or location of this name. Found by `plan`, `apply` and "
    "`validate --online`.",
    "Correct the name, or make it in the admin interface.",
)
AMBIGUOUS_NAME = Rule(
    "ambiguous-name",
    "The platform has several of this name. Found by `plan`, `apply` and `validate --online`.",
    "Give the uuid of the one that you mean.",
)
UNKNOWN_ID = Rule(
    "unknown-id",
    "The platform has nothing of this kind with this uuid. Found by `validate --online`.",
    "Correct the uuid, or name a resource of this catalog by its key.",
)
UNUSED_VALUE = warning_rule(
    "unused-value",
    "No course on the platform has this ribbon, content type or custom field, and one that courses "
    "have is spelled nearly the same. Found by `validate --online`.",
    "Correct the value. If it is new, leave it: the platform shows only those that courses have "
    "already.",
)
UNKNOWN_PERSON = warning_rule(
    "unknown-person",
    "The platform shows no account of somebody in a license assignment, who would get nothing. "
    "Found by `validate --online`.",
    "Correct the identifier, or make the account first.",
)


class Lookup(NamedTuple):
    """A list route, and the field that a manifest's name is compared with."""

    kind: str
    route: str
    list: str
    """Key of the list in the answer."""
    field: str
    query: str | None = None
    """Query parameter that narrows the list to a name, where the route has one."""


LOOKUPS = {
    lookup.kind: lookup
    for lookup in (
        Lookup("tag", "tag.list", "tags", "label"),
        Lookup("client", "client.list", "clients", "slug", query="query"),
        Lookup("location", "location.list", "locations", "name"),
    )
}


ATTESTED_AGED = warning_rule(
    "attested-aged",
    "A topic was changed on the platform after somebody attested that it is filled. Found by "
    "`validate --online`; a plan does not open the course to learners.",
    "Look at the topic, and write into `attested` when you did that, and its `updatedAt`.",
    source="O24",
)


class Confused(NamedTuple):
    """Another sort of thing, whose ids people take for those that a manifest means (O30)."""

    noun: str
    read: str
    """The route that reads one by its id."""
    field: str
    """Where its answer has the id that was meant."""


class Sought(NamedTuple):
    """How something is looked for by its uuid; where there is no way, nothing can be said."""

    noun: str
    listed: str = ""
    """Its word in `LOOKUPS`, if a list shows all of them."""
    searched: Callable[[str], bool] | None = None
    """Whether a kind of content search is one, if that shows it."""
    read: str = ""
    """The route that reads one by its id."""
    confused: Confused | None = None


SEARCH = "content.search"
PATH = "learningPath"
_NO_COURSES = frozenset({PATH, "collection", "subscription"})
"""What content search shows besides courses."""
SOUGHT: Mapping[str, Sought] = {
    "tag": Sought("tag", listed="tag"),
    "client": Sought("client", listed="client"),
    "course": Sought(
        "course",
        searched=lambda kind: kind not in _NO_COURSES,
        read="course.read",
        confused=Confused("course group", "group.read", "displayCourseId"),
    ),
    "courseGroup": Sought(
        "course group",
        read="group.read",
        confused=Confused("course", "course.read", "courseGroupId"),
    ),
    PATH: Sought("learning path", searched=lambda kind: kind == PATH),
    "item": Sought("item of the catalog", searched=lambda _kind: True),
    "license": Sought("license"),
    "topic": Sought("topic"),
}
"""By the word of a `NamedId`."""


class ValueInUse(NamedTuple):
    """A value that has no list of its own (O14), but is shown with every course that has it."""

    fields: Sequence[str]
    """Fields of a course in a list: one of them shows it."""
    spell: Callable[[Json], Iterable[Json]] = lambda shown: [shown]
    """What such a field says, to the values as a manifest has them."""

    def find_values(self, item: Json) -> set[str] | None:
        """The values of one course; None if the list does not show such values."""
        shown = [item[field] for field in self.fields if field in item]
        values = (value for some in shown if some for value in self.spell(some))
        return {value for value in values if isinstance(value, str)} if shown else None


COURSE_LISTS = (
    ReadRequest("group.list", {}, {"perPage": 1000}, "courseGroups"),
    ReadRequest(SEARCH, {}, {"types[]": "courses", "perPage": 200}, "contentItems"),
)
"""Lists of all courses, that with the fewest pages first (O26, O27, O47, O48)."""
VALUES_IN_USE: Mapping[str, ValueInUse] = {
    "ribbon": ValueInUse(
        ("ribbon",), lambda shown: [shown.get("slug") if isinstance(shown, dict) else shown]
    ),
    "content type": ValueInUse(("contentType", "contentTypeLabel")),
    "custom field": ValueInUse(
        ("customFields",), lambda shown: shown if isinstance(shown, dict) else ()
    ),
}
"""By the noun in `Relations.unlisted`."""
