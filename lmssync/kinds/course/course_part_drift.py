"""Parts of a course that people have added, deleted or moved on the platform (O22)."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from ...kind import Ids, Json, LivePart, PartDrift
from ...resource import SHORT_ID, Form
from ..sibling_names import part_names
from .course_form import (
    BELOW,
    MAIN,
    ONE_TOPIC,
    ROOTS,
    list_topics,
    part_list,
    spell_path,
    walk_parts,
)
from .course_import import undescribed_parts, write_part
from .course_pairing import pair_parts, parts_are_in_place


class _List(NamedTuple):
    """A list of siblings on the platform whose parent is recorded and has not moved."""

    level: str
    items: Sequence[Json]
    above: str
    """The path of the parent as in `Ids.parts`: `start/welcome/`; empty for the course."""


def find_part_drift(before: Form, after: Form, ids: Ids, live: Json) -> PartDrift:
    """Compares the parts that are recorded with those that a read shows.

    A kind with one topic has no parts of its own: the platform makes them.
    """
    beyond = undescribed_parts(before.get("kind", ""), live, ids.parts.get(MAIN))
    if before.get("kind") in ONE_TOPIC or not any(level in before for level in ROOTS):
        return PartDrift(beyond=beyond)
    if parts_are_in_place(before, ids, live):
        return PartDrift(beyond=beyond)
    wanted = pair_parts(after, live, ids.parts)
    paths = dict.fromkeys(_paths(before))
    names = {id_: path for path, id_ in ids.parts.items() if path in paths}
    look = _Look(names, set(wanted.ids.values()), before, paths.keys(), set(_paths(after)))
    lists = list(look.list_changed_siblings(live))
    came = [part for one in lists for part in look.list_added_parts(one)]
    there = {one["id"] for _, _, items in walk_parts(live) for one in items}
    missing = [path for path in paths if path in ids.parts and ids.parts[path] not in there]
    # Of what is nowhere on the platform, the outermost parts.
    gone = [path for path in missing if not any(path.startswith(f"{other}/") for other in missing)]
    shown = {one.above for one in lists}
    unsure = [spell_path(before, path) for path in gone if _parent_path(path) not in shown]
    spelled = [spell_path(before, path) for path in gone]
    return PartDrift(came, spelled, unsure, wanted.ambiguity, beyond)


def _paths(form: Form) -> list[str]:
    """Every part of a form, as in `Ids.parts`, outermost first."""
    return [
        "/".join(part["id"] for part in (*row, item))
        for _, row, items in walk_parts(form)
        for item in items
    ]


def _parent_path(path: str) -> str:
    return path[: path.rfind("/") + 1]


class _Look(NamedTuple):
    """What is known of the parts before the platform is compared."""

    names: Mapping[str, str]
    """Recorded paths by id."""
    known: set[str]
    """Ids that are recorded, or that belong to parts that git has added as well."""
    recorded: Form
    before: Set[str]
    """Every path that is recorded, and every path that git wants."""
    after: Set[str]

    def list_changed_siblings(self, live: Json) -> Iterator[_List]:
        """The lists of siblings in which something may have come, from the outside in."""
        if "sections" in self.recorded:
            yield from self._list_siblings("sections", live, "")
        else:
            yield _List("topics", [row[-1] for _, row in list_topics(live)], "")

    def _list_siblings(self, level: str, holder: Json, above: str) -> Iterator[_List]:
        if not isinstance(holder.get(level), list):
            return  # the read says nothing about it
        yield _List(level, holder[level], above)
        for item in holder[level] if BELOW[level] else ():
            name = self.names.get(item["id"])
            if name is not None and _parent_path(name) == above:
                yield from self._list_siblings(BELOW[level], item, f"{name}/")

    def list_added_parts(self, siblings: _List) -> Iterator[LivePart]:
        """The parts of a list that are not recorded in it."""
        if all(self._is_in_place(siblings, item) for item in siblings.items):  # as nearly always
            return
        ahead: tuple[str, ...] = ()
        for item, name in zip(siblings.items, self._recorded_names(siblings), strict=True):
            was = self.names.get(item["id"], "")
            if was and _parent_path(was) == siblings.above:
                ahead = (name, *ahead)
            elif was or item["id"] not in self.known:
                yield self._make_part(siblings, item, name, ahead, was)
                ahead = (name, *ahead)

    def _is_in_place(self, siblings: _List, item: Json) -> bool:
        """Whether a part is recorded in this list, or git has added it as well."""
        was = self.names.get(item["id"], "")
        return _parent_path(was) == siblings.above if was else item["id"] in self.known

    def _recorded_names(self, siblings: _List) -> list[str]:
        """Recorded names for what stays, and for what was moved here; else as an import names
        parts."""
        before, after = self.before, self.after
        # No name is used again that a part in the manifest or a recorded one has.
        mine = {
            path.rpartition("/")[2]
            for path in before | after
            if _parent_path(path) == siblings.above
        }
        asked: list[dict[str, Any]] = [{"id": name, "title": name} for name in sorted(mine)]
        kept = dict[str, str]()
        for item in siblings.items:
            was = self.names.get(item["id"], "")
            name = was.rpartition("/")[2]
            here = f"{siblings.above}{name}"
            in_git = here in after - before and was not in after  # it was moved there in git too
            if was and (was == here or name not in mine or in_git):
                kept[item["id"]] = name
                asked.append({"id": name, "title": name})
        new = [item for item in siblings.items if item["id"] not in kept]
        asked += [{"title": item["title"]} for item in new]
        made = part_names(asked, SHORT_ID)[len(asked) - len(new) :]
        names = kept | dict(zip((item["id"] for item in new), made, strict=True))
        return [names[item["id"]] for item in siblings.items]

    def _make_part(
        self, siblings: _List, item: Json, name: str, ahead: Sequence[str], was: str
    ) -> LivePart:
        level, path, found = siblings.level, f"{siblings.above}{name}", dict[str, str]()
        data = self._part_data(level, item, path, found)
        topics = part_list(item, "topics")
        below = walk_parts({"sections": [item]} if level == "sections" else {"topics": topics})
        return LivePart(
            path=spell_path(self.recorded, path),
            noun=level.removesuffix("s"),
            title=item["title"],
            ahead=ahead,
            data=data,
            ids=found,
            was=spell_path(self.recorded, was) if was else "",
            whole=all(one["id"] not in self.names for _, _, items in below for one in items),
        )

    def _part_data(
        self, level: str, item: Json, path: str, found: dict[str, str]
    ) -> dict[str, Any]:
        """The part as an author would write it, without parts that are recorded elsewhere."""
        found[path] = item["id"]
        below = BELOW[level]
        new = (
            [one for one in part_list(item, below) if one["id"] not in self.names] if below else []
        )
        names = part_names(({"title": one["title"]} for one in new), SHORT_ID)
        inner = [
            self._part_data(below, one, f"{path}/{name}", found)
            for one, name in zip(new, names, strict=True)
        ]
        return write_part(level, path.rpartition("/")[2], item, inner)
