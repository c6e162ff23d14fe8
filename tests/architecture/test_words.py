"""What people are shown cites no observation and no section: those are for who reads the code."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from .source_tree import in_one_process, modules, nodes

pytestmark = in_one_process

CITED = re.compile(r"\bO[1-9]\d?\b|\bspec(ification)? [1-9]|\b[Ss]ection [1-9]|§")
SCHEMAS = sorted((Path(__file__).parents[2] / "schemas").glob("*.json"))


def shown(whole: Sequence[ast.AST]) -> Iterator[str]:
    """The texts of a module but for docstrings, and for what rules say of where they come from."""
    beside = {
        id(node.value)
        for node in whole
        if isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg == "source")
    }
    for node in whole:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in beside
        ):
            yield node.value


def test_no_text_cites_what_nobody_outside_has():
    """No message, hint, rule, step for a person, or page of the sandbox."""
    cited = [(m.name, text) for m in modules() for text in shown(nodes(m)) if CITED.search(text)]
    assert [] == cited


def test_a_citation_is_noticed():
    """The check above can fail: in a message, and not in a docstring or the source of a rule."""
    code = (
        '"""(O8)"""\nsaid = f"{x} cannot be changed (O8)"\nRule(source="O8", means="see spec 2.2")'
    )
    assert 2 == sum(bool(CITED.search(text)) for text in shown(list(ast.walk(ast.parse(code)))))


def test_no_field_cites_it():
    """Editors, `explain` and the reference show the descriptions of the schemas."""
    assert [] == [file.name for file in SCHEMAS if CITED.search(file.read_text("utf-8"))]
