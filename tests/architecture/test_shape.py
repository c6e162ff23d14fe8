"""Sizes, and the sentence at the top."""

import ast

import pytest

from .source_tree import Module, modules

EVERY = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name or "lmssync")
CEILING = 400


@EVERY
def test_modules_stay_readable(module: Module):
    """No module is longer than 400 lines."""
    assert len(module.file.read_text("utf-8").splitlines()) <= CEILING


@EVERY
def test_modules_say_what_they_are(module: Module):
    """Each begins with a docstring whose first line is a whole sentence."""
    said = (ast.get_docstring(module.tree) or "").split("\n\n")[0]
    assert said.endswith((".", ":"))


def test_most_modules_are_short():
    """Half of the modules have at most 150 lines."""
    sizes = sorted(len(m.file.read_text("utf-8").splitlines()) for m in modules())
    assert sizes[len(sizes) // 2] <= 150


def test_most_functions_are_short():
    """Nine in ten functions have at most 30 lines."""
    sizes = sorted(
        (node.end_lineno or 0) - node.lineno + 1
        for m in modules()
        for node in ast.walk(m.tree)
        if isinstance(node, ast.FunctionDef)
    )
    assert sizes[len(sizes) * 9 // 10] <= 30


def test_the_pipeline_stays_on_its_page():
    """The whole tool in under 200 lines, functions and one value."""
    pipeline = next(module for module in modules() if module.name == "pipeline")
    assert len(pipeline.file.read_text("utf-8").splitlines()) < 200


@EVERY
def test_commands_stay_thin(module: Module):
    """A command has under 90 lines; the demo, which tells a story, has more."""
    if module.room == "cli" and "@click.command" in module.file.read_text("utf-8"):
        lines = len(module.file.read_text("utf-8").splitlines())
        assert lines < 90 or module.name == "cli.demo"
