"""The statements of the specification, and the tests that bear their marks.

A mark stands in parentheses in the docstring of a test: `(spec 4 create.limit)`, `(O40)`;
several are parted by commas and semicolons, and `(spec 4, clone rule 2)` means `4 clone.2`. A
section alone, or the beginning of several names, says what a test is about and shows nothing.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("statements.toml")
TESTS = ("tests/sandbox", "tests/conformance")
_GROUP = re.compile(r"\(([^()]*)\)")
_OBSERVATION = re.compile(r"O\d+")
_SECTION = re.compile(r"\d(\.\d)?")


class Statements(NamedTuple):
    """What is to be shown, by id: `4 create.limit`, `O40`; and what no program can show."""

    titles: Mapping[str, str]
    says: Mapping[str, str]
    observations: Mapping[str, str]
    advice: Mapping[str, str]

    def knows(self, mark: str) -> bool:
        """True for an id, the beginning of ids, and a section."""
        return mark in self.titles or any(
            mark == id_ or id_.startswith(mark + ".")
            for id_ in (*self.says, *self.observations, *self.advice)
        )


class Marked(NamedTuple):
    """One test and one of its marks."""

    file: Path
    test: str
    mark: str


def statements() -> Statements:
    """Everything the file holds."""
    whole = tomllib.loads(FILE.read_text("utf-8"))
    advice, observations = whole.pop("advice"), whole.pop("observations")
    says = {
        f"{section} {name}": said
        for section, part in whole.items()
        for name, said in part["says"].items()
    }
    titles = {section: part["title"] for section, part in whole.items()}
    # Section 2 is only its parts.
    return Statements({"2": "Resources and their fields", **titles}, says, observations, advice)


def marked() -> Iterator[Marked]:
    """Every mark of every test of the sandbox."""
    for folder in TESTS:
        for file in sorted((ROOT / folder).glob("test_*.py")):
            yield from _in_module(file)


def _in_module(file: Path) -> Iterator[Marked]:
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for mark in sorted(set(marks(ast.get_docstring(node) or ""))):
                yield Marked(file, node.name, mark)


def marks(docstring: str) -> Iterator[str]:
    """The ids that a docstring names."""
    for group in _GROUP.findall(" ".join(docstring.split())):
        for part in re.split(r"[;:]|, (?=spec )", group):
            words = part.strip()
            if words.startswith("spec "):
                yield from _of_sections(words.removeprefix("spec "))
            elif not re.search(r"O\d+ to O\d+", words):
                yield from _OBSERVATION.findall(words)


def _of_sections(words: str) -> Iterator[str]:
    """`4 create.limit, ping, 7` names `4 create.limit`, `4 ping` and `7`."""
    section, alone = "", False
    for word in (word.strip() for word in words.split(",")):
        found = _SECTION.match(word)
        name = word
        if found and (found.end() == len(word) or word[found.end()] == " "):
            if alone:
                yield section
            section, name = found[0], word[found.end() :].strip()
            alone = not name
        if name and _OBSERVATION.match(name):
            yield from _OBSERVATION.findall(name)
        elif name:
            alone = False
            yield f"{section} {_plain(name)}"
    if alone:
        yield section


def _plain(name: str) -> str:
    """`bulk sublicense rule 7` is `sublicense.7`."""
    return name.removeprefix("bulk ").replace(" rule ", ".")
