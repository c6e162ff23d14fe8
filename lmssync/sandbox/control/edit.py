"""The command `edit`: a change in the admin interface, which the rules of the routes do not limit.

`{"list", "id", "set": {...}}` changes fields, `{"list", "id", "delete": true}` deletes and
`"delete": "restore"` undoes that, `{"list", "add": {...}}` adds. It makes no event (O41);
`updatedAt` changes, as with any change (O24).
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .. import checks
from ..checks import Rule, Wrong, at, check_changes, new_fields, quote_value
from ..data.course_documents import Held, list_families
from ..data.document_ids import Level
from ..handlers import child_update, criteria
from ..handlers.course_tree import move_sibling
from ..http_exchange import Answer
from ..running_sandbox import Sandbox
from ..sandbox_documents import Doc, put_fields
from ..sandbox_platform import Platform
from . import edit_content, edit_object, trash
from .body import Query, check_document
from .edit_object import EDITED

LEVELS = {
    "sections": Level.SECTION,
    "lessons": Level.LESSON,
    "topics": Level.TOPIC,
    "completionCriteria": Level.CRITERION,
}
PARENTS = {"lessons": "sectionId", "topics": "lessonId"}
"""The field that moves a child to another parent; no route can do that (O11)."""
FILLED = "filled"
"""True once a person filled the shell of a quiz, test, survey and so on (spec 2.2)."""
_NEVER_NULL = ("title", "openType", "position", FILLED, *PARENTS.values())
_ADDERS: Mapping[str, Callable[[Platform, Doc], object]] = {
    "sections": child_update.add_section,
    "lessons": child_update.add_lesson,
    "topics": child_update.add_topic,
    "completionCriteria": lambda platform, entry: criteria.update_one(platform, entry, []),
}


def set_part_fields(platform: Platform, list_: str, id_: str, fields: Doc) -> Doc:
    """Set fields; `position` and the parent's id move, `filled` fills a topic's shell."""
    held = _find_part(platform, list_, id_)
    if list_ == "completionCriteria":
        with at("set"):
            criteria.update_one(platform, {**fields, "id": held.doc["id"]}, [])
        return _find_part(platform, list_, id_).doc
    with at("set"):
        wanted = check_changes(fields, _part_rules(list_, held.doc), _NEVER_NULL)
        _move_part(held, list_, wanted)
    put_fields(held.doc, wanted)
    if list_ == "topics":
        held.doc["updatedAt"] = platform.clock.format_now()
    platform.courses.change_document(held.course)
    return held.doc


def delete_part(platform: Platform, list_: str, id_: str) -> None:
    """Remove it with its children; criteria that name one of its topics stay unchanged."""
    held = _find_part(platform, list_, id_)
    index = held.siblings.index(held.doc)
    held.siblings.remove(held.doc)
    trash.put_in_trash(platform, list_, held.doc, parent=held.parent["id"], index=index)
    platform.courses.change_document(held.course)


def restore_part(platform: Platform, list_: str, id_: str) -> Doc:
    """Put it back in its old place, under its old id."""
    entry = trash.take_from_trash(platform, list_, id_)
    course = platform.courses.by_id(entry["parentId"])
    siblings = _find_siblings(course, entry["parentId"], list_) if course else None
    if course is None or siblings is None:
        raise Wrong("its parent is deleted too; restore the parent first", "id")
    siblings.insert(entry["index"], entry["doc"])
    platform.courses.change_document(course)
    return dict(entry["doc"])


def add_part(platform: Platform, list_: str, fields: Doc) -> Doc:
    """As course update and criteria update add, with the parent's id among the fields."""
    with at("add"):
        _ADDERS[list_](platform, {**fields, "id": None})
    course = platform.courses.by_id(fields[PARENTS.get(list_, "courseId")])
    assert course is not None  # it was added to
    serial = platform.courses.serial_of(course)
    return _find_part(
        platform, list_, platform.ids.make_id(LEVELS[list_], serial, course["lastNumber"])
    ).doc


def _part_rules(list_: str, doc: Doc) -> dict[str, Rule]:
    rules = child_update.rules_of(LEVELS[list_], doc)
    if list_ == "topics":
        rules[FILLED] = checks.check_flag
    return {**rules, PARENTS[list_]: checks.check_uuid} if list_ in PARENTS else rules


def _move_part(held: Held, list_: str, wanted: Doc) -> None:
    """Move a child to the place that its fields name, and drop those fields."""
    position, parent = wanted.pop("position", None), wanted.pop(PARENTS.get(list_, ""), None)
    siblings: list[Doc] | None = held.siblings
    if parent is not None and parent != held.parent["id"]:
        siblings = _find_siblings(held.course, parent, list_)
        if siblings is None:
            raise Wrong(f"{quote_value(parent)} is not in the same course", PARENTS[list_])
        held.siblings.remove(held.doc)
        siblings.append(held.doc)
    if position is not None and siblings is not None:
        move_sibling(siblings, held.doc, position)


def _find_part(platform: Platform, list_: str, id_: str) -> Held:
    held = platform.courses.find_part(id_, LEVELS[list_])
    if held is None:
        raise Wrong(f"no {LEVELS[list_].level_word} has the id {quote_value(id_)}", "id")
    return held


def _find_siblings(course: Doc, parent: str, list_: str) -> list[Doc] | None:
    lists = list_families(course, LEVELS[list_])
    return next((docs for around, docs in lists if around["id"] == parent), None)


class Editor(NamedTuple):
    """What a person can do with the things of a list; each raises Wrong."""

    set: Callable[[Platform, str, str, Doc], Doc]
    delete: Callable[[Platform, str, str], None]
    restore: Callable[[Platform, str, str], Doc]
    add: Callable[[Platform, str, Doc], Doc]


_CONTENT = Editor(
    edit_content.set_fields,
    edit_content.delete_content,
    edit_content.restore_content,
    edit_content.refuse_addition,
)
_TREE = Editor(set_part_fields, delete_part, restore_part, add_part)
_OBJECT = Editor(
    edit_object.set_object_fields,
    edit_object.delete_object,
    edit_object.restore_object,
    edit_object.add_object,
)
EDITORS: Mapping[str, Editor] = {
    **dict.fromkeys(("courseGroups", "courses"), _CONTENT),
    **dict.fromkeys(("sections", "lessons", "topics", "completionCriteria"), _TREE),
    **dict.fromkeys(EDITED, _OBJECT),
}
RESTORE = "restore"


def _check_deletion(value: Any) -> Any:
    if value is not True and value != RESTORE:
        raise Wrong(f'is {quote_value(value)}; it must be true or "{RESTORE}"')
    return value


RULES: Mapping[str, Rule] = {
    "list": checks.one_of(EDITORS),
    "id": checks.check_text,
    **dict.fromkeys(("set", "add"), check_document),
    "delete": _check_deletion,
}


def apply_edit(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """One edit; answers `{"list", "id", "doc"}`, where `doc` is null after a deletion."""
    with at("body"):
        command = new_fields(body, RULES, ("list",))
        verbs = [verb for verb in ("set", "delete", "add") if verb in command]
        if len(verbs) != 1:
            raise Wrong('it must hold one of "set", "delete" and "add"')
        if verbs != ["add"]:
            checks.require_fields(command, ("id",))
    with sandbox.platform.store.open_change():
        doc = _perform_edit(sandbox.platform, command)
    return Answer({"list": command["list"], "id": doc["id"] if doc else command["id"], "doc": doc})


def show_trash(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """What was deleted by hand and can be restored; the lists that can be edited."""
    return Answer({"lists": list(EDITORS), "trash": sandbox.platform.objects.list_objects("trash")})


def _perform_edit(platform: Platform, command: Doc) -> Doc | None:
    name, editor = command["list"], EDITORS[command["list"]]
    if "add" in command:
        return editor.add(platform, name, command["add"])
    if "set" in command:
        return editor.set(platform, name, command["id"], command["set"])
    if command["delete"] == RESTORE:
        return editor.restore(platform, name, command["id"])
    editor.delete(platform, name, command["id"])
    return None
