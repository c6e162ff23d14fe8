"""Regular expressions that every Python we support reads alike."""

import ast
import re

from .source_tree import in_one_process, modules, nodes

pytestmark = in_one_process

_AFTER_A_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,]*\})\+")


def test_no_possessive_quantifier_stands_after_a_group():
    """Up to 3.11.4 such a group may fail to match (gh-106052): an atomic group means the same."""
    patterns = {
        f"{module.name}: {text.value!r}"
        for module in modules()
        for call in nodes(module)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "re.compile"
        for text in ast.walk(call)
        if isinstance(text, ast.Constant) and isinstance(text.value, str | bytes)
    }
    assert [] == [pattern for pattern in sorted(patterns) if _AFTER_A_GROUP.search(pattern)]
