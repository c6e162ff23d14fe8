"""The command `edit`: a change in the admin interface, which the rules of the routes do not limit.

`{"list", "id", "set": {...}}` changes fields, `{"list", "id", "delete": true}` deletes and
`"delete": "restore"` undoes that, `{"list", "add": {...}}` adds. It makes no event (O41);
`updatedAt` changes, as with any change (O24).
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .. import checks
from ..checks import Rule, Wrong, at, new_fields, quote_value
from ..composition import Sandbox
from ..documents import Doc
from ..http import Answer
from ..platform import Platform
from . import edit_content, edit_object, edit_tree
from .body import Query, check_document
from .edit_object import EDITED


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
_TREE = Editor(
    edit_tree.set_part_fields, edit_tree.delete_part, edit_tree.restore_part, edit_tree.add_part
)
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
