"""One name of a class has one meaning."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from .source_tree import in_one_process, modules

pytestmark = in_one_process

SAME_THING = {
    # A course and its parts, in answers of the platform, outlines of imports, and manifests.
    "Course",
    "Section",
    "Lesson",
    "Topic",
    "Session",
    # What a manifest says of how it is managed: as an author writes it, and as it is kept.
    "Lifecycle",
    # What scripts get (`from lmssync import ...`), with fewer names than the tool itself uses.
    "Catalog",
    "Plan",
}


def classes(tree: ast.Module) -> Iterator[str]:
    """The public classes of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def by_name(*, sandbox: bool) -> Mapping[str, list[str]]:
    """The modules that have a class of each name, of the tool or of the sandbox."""
    places: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        if (module.room == "sandbox") == sandbox:
            for name in classes(module.tree):
                places[name].append(module.name)
    return places


def several(places: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {name: where for name, where in places.items() if len(where) > 1}


def test_no_two_classes_of_the_tool_share_a_name():
    """Who reads a name in one room need not ask which of several things it is."""
    shared = several(by_name(sandbox=False))
    assert {} == {name: where for name, where in shared.items() if name not in SAME_THING}


def test_no_two_classes_of_the_sandbox_share_a_name():
    """It is a program of its own: it may call a thing as the tool calls another."""
    assert {} == several(by_name(sandbox=True))


def test_what_may_be_shared_is_shared():
    """The list above holds no name that one class alone has by now."""
    assert set() == SAME_THING - several(by_name(sandbox=False)).keys()


def test_only_public_classes_of_a_module_count():
    """Private ones and those inside another are seen beside what uses them."""
    code = "class Page:\n    class Row: ...\nclass _Line: ..."
    assert ["Page"] == list(classes(ast.parse(code)))
