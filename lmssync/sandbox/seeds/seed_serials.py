"""Which serials the groups and courses of a seed have, so that all ids in it lead to them again.

Ids of ours say their serial. Another id has none, so its serial is chosen.
"""

from collections.abc import Iterable, Mapping
from itertools import count

from ..data.object_documents import Level
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform

Below = Mapping[str, list[tuple[str, Doc]]]
"""The children of everything in the tree, by its id: items with the names of their lists."""
Serials = Mapping[str, Mapping[str, int]]
"""The serials of groups and of courses, by the name of the list and by id."""


def assign_serials(platform: Platform, seed: Doc, below: Below) -> Serials:
    """The serials of all groups and courses of a seed."""
    return {
        name: _serials_in_order(platform, seed.get(name, ()), level, below)
        for name, level in (("courseGroups", Level.GROUP), ("courses", Level.COURSE))
    }


def reserve_ids(platform: Platform, items: Iterable[Doc], serials: Serials) -> None:
    """New things must not get the ids that a dump of a platform with this id seed brings."""
    known = [identity for item in items if (identity := platform.ids.read_id(str(item.get("id"))))]
    in_courses = [one.serial for one in known if one.level is not Level.OBJECT]
    assigned = (serial for one in serials.values() for serial in one.values())
    platform.courses.reserve_serials(max((*in_courses, *assigned), default=0))
    of_objects = (one.serial for one in known if one.level is Level.OBJECT)
    platform.objects.reserve_ids(max(of_objects, default=0))


def _serials_in_order(
    platform: Platform, items: Iterable[Doc], level: Level, below: Below
) -> dict[str, int]:
    """The serials of groups or courses, by id.

    The serial is what an id of ours says, of the item or of a part in it; an item from elsewhere
    gets the next one that is free, so that the order of a dump stays.
    """
    identities = {item["id"]: platform.ids.read_id(item["id"]) for item in items}
    serials = {id_: one.serial for id_, one in identities.items() if one and one.level is level}
    taken, last = set(serials.values()), platform.courses.last_serial
    for id_ in identities:
        if id_ not in serials:
            inner = _serial_of_parts(platform, id_, below) if level is Level.COURSE else None
            free = (number for number in count(last + 1) if number not in taken)
            serials[id_] = next(free) if inner is None or inner in taken else inner
        last = serials[id_]
        taken.add(last)
    return serials


def _serial_of_parts(platform: Platform, id_: str, below: Below) -> int | None:
    """The serial that the id of a part of ours says, anywhere in a course."""
    for _, part in below.get(id_, ()):
        identity = platform.ids.read_id(part["id"])
        inner = identity.serial if identity else _serial_of_parts(platform, part["id"], below)
        if inner is not None:
            return inner
    return None
