"""Whether the parts of a course stand on the platform as they are recorded."""

from collections.abc import Mapping, Sequence

from ...kind import Ids, Json
from ...resource import Form
from .form import ONE_TOPIC
from .tree import BELOW, Item, list_topics, part_list


def outermost_parts(live: Json, level: str) -> Sequence[Item]:
    """The outermost parts of a level: a course without sections has its topics in one lesson."""
    if level == "sections":
        return part_list(live, level)
    return [row[-1] for _, row in list_topics(live)]


def parts_are_in_place(form: Form, ids: Ids, live: Json) -> bool:
    """Whether a read shows the recorded parts and no others, in their order: the usual case."""
    level = "sections" if "sections" in form else "topics"
    wanted, there = part_list(form, level), outermost_parts(live, level)
    return form.get("kind") not in ONE_TOPIC and _level_is_in_place(ids.parts, level, wanted, there)


def _level_is_in_place(
    known: Mapping[str, str],
    level: str,
    wanted: Sequence[Item],
    there: Sequence[Item],
    parent: str = "",
) -> bool:
    below = BELOW[level]
    for item, mate in zip(wanted, there, strict=False):
        path = f"{parent}{item['id']}"
        if known.get(path) != mate["id"]:
            return False
        if below and not _level_is_in_place(
            known, below, item[below], mate.get(below) or (), f"{path}/"
        ):
            return False
    return len(wanted) == len(there)
