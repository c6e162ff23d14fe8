"""How many files name a field or a kind: about as many are touched when one is added or removed.

Only names that are no words of English are counted, those with a capital letter inside:
`showProgress`, `purchasePath`. What is generated from the package does not count.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from lmssync.catalog.manifests.model_fields import fields_of, model_in
from lmssync.kinds import KINDS

from .source_tree import PACKAGE

_KINDS_OF_FILES = {".py", ".yaml", ".html", ".json"}
_CAPITAL_INSIDE = re.compile(r"[a-z]\w*[A-Z]\w*")


def fields(model: type[BaseModel]) -> Iterator[str]:
    """Every field that an author may write in a model, at any depth."""
    yield from fields_of(model)
    for field in model.model_fields.values():
        inner = model_in(field.annotation)
        if inner:
            yield from fields(inner)


OWNERS = Counter(field for kind in KINDS.values() for field in set(fields(kind.spec)))
"""How many kinds have a field of this name."""


def of_fields(*, sandbox: bool = False) -> list[int]:
    """Files that name each field of one kind, in the tool or in the sandbox; sorted."""
    names = [name for name, kinds in OWNERS.items() if kinds == 1]
    words = [words for file, words in _words().items() if _is_sandbox(file) == sandbox]
    return sorted(
        sum(name in one for one in words) for name in names if _CAPITAL_INSIDE.fullmatch(name)
    )


def of_kinds() -> list[int]:
    """Files of the tool outside its room that name each kind, or are called like it; sorted."""
    return sorted(
        len([*_naming(kind.resource, Path(kind.spec.__module__.replace(".", "/")).parent)])
        for kind in KINDS.values()
        if _CAPITAL_INSIDE.fullmatch(kind.resource)
    )


def _naming(resource: str, room: Path) -> Iterator[Path]:
    for file, words in _words().items():
        if room not in file.parents and not _is_sandbox(file) and words & {resource, room.name}:
            yield file


def _is_sandbox(file: Path) -> bool:
    return file.parts[1] == "sandbox"


@cache
def _words() -> Mapping[Path, set[str]]:
    """The words of each file and of its name, by its path from above the package."""
    return {
        file.relative_to(PACKAGE.parent): {*re.findall(r"\w+", file.read_text("utf-8")), file.stem}
        for file in PACKAGE.rglob("*")
        if file.suffix in _KINDS_OF_FILES
    }
