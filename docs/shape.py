# ruff: noqa: INP001
"""Measures the package, and writes the table of docs/architecture.md: `make shape`."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.architecture import named  # noqa: E402 - as above
from tests.architecture.rooms import circles, imports, knots, past_faces  # noqa: E402 - as above
from tests.architecture.source_tree import modules  # noqa: E402 - as above
from tests.architecture.test_names import names_of_functions  # noqa: E402 - as above

SHARED = 8
PAGE = ROOT / "docs/architecture.md"
PART = re.compile(r"(<!-- measured: shape -->\n).*?(<!-- end -->)", re.DOTALL)


def lengths() -> Iterator[int]:
    """Lines of each module."""
    for module in modules():
        yield len(module.file.read_text("utf-8").splitlines())


def functions() -> Iterator[int]:
    """Lines of each function."""
    for module in modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield (node.end_lineno or node.lineno) - node.lineno + 1


def table() -> str:
    """The rows, in Markdown."""
    long, short = sorted(lengths()), sorted(functions())
    rows = {
        "modules": len(long),
        "lines": sum(long),
        "lines of a module: median, 95th percentile": f"{_at(long, 50)}, {_at(long, 95)}",
        "lines of a function: median, 95th percentile": f"{_at(short, 50)}, {_at(short, 95)}",
        "functions that are named by one word": f"{_share_of_single_words()} %",
        "names that eight or more functions share": _count_shared_names(),
        "modules that import each other in a circle": len(circles(imports(types_too=False))),
        "folders and modules of a room that form a knot": len(list(knots())),
        "imports that go past a face": len(list(past_faces())),
        "files of the tool that name a field: least, median, most": _spread(named.of_fields()),
        "files of the sandbox that name a field: least, median, most": _spread(
            named.of_fields(sandbox=True)
        ),
        "files outside its room that name a kind: least, median, most": _spread(named.of_kinds()),
    }
    head = "| Measure | Value |\n| --- | --- |\n"
    return head + "".join(f"| {name} | {_spelled(value)} |\n" for name, value in rows.items())


def _share_of_single_words() -> int:
    names = list(names_of_functions())
    return round(100 * sum("_" not in name for name in names) / len(names))


def _count_shared_names() -> int:
    return sum(number >= SHARED for number in Counter(names_of_functions()).values())


def _at(sizes: list[int], percent: int) -> int:
    return sizes[len(sizes) * percent // 100]


def _spread(counts: list[int]) -> str:
    return f"{counts[0]}, {_at(counts, 50)}, {counts[-1]}"


def _spelled(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else value


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    PAGE.write_text(PART.sub(lambda part: f"{part[1]}\n{table()}\n{part[2]}", text), "utf-8")
    sys.stdout.write(table())
