"""Sizes, and the sentence at the top."""

import ast

from .source_tree import Module, in_one_process, modules, nodes

pytestmark = in_one_process

CEILING = 400


def test_modules_stay_readable():
    """No module is longer than 400 lines."""
    assert [] == [m.name for m in modules() if _lines(m) > CEILING]


def test_modules_say_what_they_are():
    """Each begins with a docstring whose first line is a whole sentence."""
    first = {m.name: (ast.get_docstring(m.tree) or "").split("\n\n")[0] for m in modules()}
    assert [] == [name for name, text in first.items() if not text.endswith((".", ":"))]


def test_most_modules_are_short():
    """Half of the modules have at most 220 lines."""
    sizes = sorted(map(_lines, modules()))
    assert sizes[len(sizes) // 2] <= 220


def test_most_functions_are_short():
    """Nine in ten functions have at most 30 lines."""
    sizes = sorted(
        (node.end_lineno or 0) - node.lineno + 1
        for m in modules()
        for node in nodes(m)
        if isinstance(node, ast.FunctionDef)
    )
    assert sizes[len(sizes) * 9 // 10] <= 30


def test_the_pipeline_stays_on_its_page():
    """The whole tool in under 200 lines, functions and one value."""
    pipeline = next(module for module in modules() if module.name == "applying.pipeline")
    assert _lines(pipeline) < 200


def _text(module: Module) -> str:
    return module.file.read_text("utf-8")


def _lines(module: Module) -> int:
    return len(_text(module).splitlines())
