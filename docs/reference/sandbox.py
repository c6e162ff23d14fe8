"""The tables of the sandbox: orders of the control plane, switches, faults, lists of a seed."""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from lmssync.sandbox.control.content_edits import EDITORS
from lmssync.sandbox.control.control_plane import COMMANDS
from lmssync.sandbox.data.object_kinds import KINDS
from lmssync.sandbox.faults import Action
from lmssync.sandbox.sandbox_platform import Switches
from lmssync.sandbox.seeds.seed_planting import TREE, needed_fields_of

from .tables import table


def parts() -> Mapping[str, Callable[[], str]]:
    """The generated parts of `sandbox.md` by name."""
    return {"orders": _orders, "switches": _switches, "faults": _faults, "lists": _lists}


def _orders() -> str:
    lines = [
        (f"`{method} {name}`", _said(order))
        for name, methods in COMMANDS.items()
        for method, order in methods.items()
    ]
    return table(("Order", "What it takes and does"), lines)


def _said(order: object) -> str:
    """The first paragraph of what the order says of itself."""
    paragraph = (inspect.getdoc(order) or "").split("\n\n")[0]
    return " ".join(paragraph.split())


def _switches() -> str:
    told, hints = _told(Switches), get_type_hints(Switches)
    lines = [
        (
            f"`{switch.name}`",
            _values(hints[switch.name]),
            f"`{_json(switch.default)}`",
            told[switch.name],
        )
        for switch in fields(Switches)
    ]
    return table(("Switch", "Values", "At first", "What it decides"), lines)


def _values(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(hint))
    if get_origin(hint) is tuple:
        return "a list of names"
    return {bool: "`true`, `false`", int: "a whole number"}.get(hint, "a number from 0")


def _json(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return str(list(value)).replace("'", '"')
    return str(value)


def _faults() -> str:
    told = _told(Action)
    return table(
        ("Action", "What happens"), [(f"`{action}`", told[action.name]) for action in Action]
    )


def _told(class_: type) -> dict[str, str]:
    """What stands under each field of a class, which nothing keeps at run time."""
    (tree,) = ast.parse(inspect.getsource(class_)).body
    assert isinstance(tree, ast.ClassDef)
    return dict(_pairs(tree))


def _pairs(tree: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        name = _name(field)
        if name and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            yield name, " ".join(str(below.value.value).split())


def _name(node: ast.stmt) -> str | None:
    target = node.target if isinstance(node, ast.AnnAssign) else None
    if isinstance(node, ast.Assign):
        target = node.targets[0]
    return target.id if isinstance(target, ast.Name) else None


def _lists() -> str:
    names = (*TREE, *KINDS)
    lines = [(f"`{name}`", _needed(name), "yes" if name in EDITORS else "") for name in names]
    return table(("List", "What an item must have", "`edit` takes it"), lines)


def _needed(name: str) -> str:
    return ", ".join(f"`{field}`" for field in needed_fields_of(name))
