"""A rule is one value: it stands where it is checked, is raised there, and can be looked up."""

import ast
from collections.abc import Iterator

from lmssync.support import rulebook

from .source_tree import calls, in_one_process, modules, nodes

pytestmark = in_one_process


def _declared() -> Iterator[tuple[str, str]]:
    """Name and id of each rule in the package."""
    for module in modules():
        for node in module.tree.body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(
                        func=ast.Name(id="Rule" | "warning_rule"),
                        args=[ast.Constant(value=id_), *_],
                    ),
                ):
                    yield name, str(id_)


def test_the_rulebook_finds_every_rule():
    """What is declared can be looked up, and no id is there twice."""
    assert sorted(id_ for _, id_ in _declared()) == sorted(rulebook.all_rules())


def test_every_rule_is_raised():
    """No rule is explained and never checked."""
    read = {
        node.id if isinstance(node, ast.Name) else node.attr
        for module in modules()
        for node in nodes(module)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    }
    assert set() == {name for name, _ in _declared()} - read


def test_only_rules_make_problems():
    """Beside them, the cache restores problems, and a catalog looks places up by the same way."""
    makers = {module.name for module in modules() if {"Finding", "Problem"} & calls(module)}
    allowed = {"catalog.manifests.catalog.lazy_catalog", "catalog.manifests.cache.entry_codec"}
    assert {"problems"} | allowed == makers
