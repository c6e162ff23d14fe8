"""Every command that a text of the package names is one that the command line takes."""

import ast
import re
import shlex
from collections.abc import Iterator

from tests.architecture.source_tree import in_one_process, modules, nodes

from .pages import ROOT
from .test_pages import is_known

_QUOTED = re.compile(r"(?:`|Next: )lmssync ([^`\n]+)")
_FILLED = "course.safety-101"
"""What stands where a text fills something in: most often an address."""

_SUBCOMMAND = (f"ci {_FILLED}", "ci require")
_OPTION = (f"validate{_FILLED}", f"validate {_FILLED}")
"""Where something else than an address is filled in."""


def printed() -> Iterator[tuple[str, str]]:
    """Place and words of each command in the texts of the package, docstrings as well."""
    for module in modules():
        everything = nodes(module)
        pieces = {
            piece for node in everything if isinstance(node, ast.JoinedStr) for piece in node.values
        }
        for node in everything:
            # A piece of an f-string may end in the middle of a command: only the whole is read.
            for line in _QUOTED.findall("" if node in pieces else written(node)):
                yield f"{module.file.relative_to(ROOT)}: {line}", line


def written(node: ast.AST) -> str:
    """The text of a constant, or of an f-string with something filled in."""
    if isinstance(node, ast.JoinedStr):
        parts = (p.value if isinstance(p, ast.Constant) else _FILLED for p in node.values)
        return "".join(map(str, parts))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"\{\w*\}", _FILLED, node.value)
    return ""


@in_one_process
def test_commands_in_messages_are_known():
    """Errors, hints, reasons and reports name commands that there are, with options that they have.

    `tests/cli/test_printed_commands.py` runs those that runs print.
    """
    found = {place: line for place, line in printed() if not line.startswith(_FILLED)}
    wrong = [
        at
        for at, line in found.items()
        if not is_known(shlex.split(line.replace(*_SUBCOMMAND).replace(*_OPTION)))
    ]
    assert ([], True) == (wrong, len(found) > 100)
