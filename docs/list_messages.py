# ruff: noqa: INP001
"""Prints every text of the package that people read, one a line with its place: `make lint-docs`.

The linter of the pages reads them from a file, so messages and help texts keep to the vocabulary as
well. A text is a string of several words that is no docstring; a placeholder of it is shown as `…`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "lmssync"
NOT_READ = ("sandbox/data", "vocabulary/markup.py", "texts/values/html_elements.py")
"""Modules whose strings are names of elements and columns."""
_WORDS = re.compile(r"[A-Za-z]{2,}[ ,;:][^\n]*[a-z]{2} [a-z]")
_COMMAND = (ast.Module, ast.ClassDef, ast.FunctionDef)


def list_messages(module: Path) -> Iterator[tuple[int, str]]:
    """The line and text of each message; of commands also the docstring, which is their help."""
    tree = ast.parse(module.read_text("utf-8"))
    skipped = {id(text) for node in ast.walk(tree) for text in find_parts(node)}
    for node in ast.walk(tree):
        if id(node) not in skipped and (text := spell_text(node)) and _WORDS.search(text):
            yield node.lineno, " ".join(text.split())  # type: ignore[attr-defined]


def find_parts(node: ast.AST) -> Iterator[ast.AST]:
    """What is no message of its own: docstrings, and the pieces of a text with placeholders."""
    if isinstance(node, _COMMAND):
        command = any("command" in ast.unparse(one) for one in getattr(node, "decorator_list", ()))
        for number, line in enumerate(node.body):
            if isinstance(line, ast.Expr) and not (command and number == 0):
                yield line.value
    elif isinstance(node, ast.JoinedStr):
        yield from ast.walk(ast.Module([ast.Expr(value) for value in node.values], []))


def spell_text(node: ast.AST) -> str | None:
    """The text of a string, with `…` in the place of each placeholder."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        return "".join(map(str, parts))
    return None


def main() -> None:
    """Prints them, module by module."""
    for module in sorted(PACKAGE.rglob("*.py")):
        name = module.relative_to(PACKAGE).as_posix()
        if not name.startswith(NOT_READ):
            for line, text in list_messages(module):
                sys.stdout.write(f"lmssync/{name}:{line}: {text}\n\n")


if __name__ == "__main__":
    main()
