"""What `lmssync new` writes: a new manifest, or a copy of an existing one."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..errors import WrongUse

_OPEN = re.compile(r"TODO[-:.@]|KEY-OF-")


class NewManifest(NamedTuple):
    """What the new manifest is for."""

    resource: str
    key: str
    form: str | None
    title: str | None
    file: str | None


def begun(asked: NewManifest) -> dict[str, str]:
    """The one file of a new manifest, which the author still has to fill in."""
    from ..starter import files

    title = _quoted(asked.title)
    begun = files.manifest(asked.resource, asked.key, form=asked.form, title=title)
    return {asked.file or begun.file: begun.text}


def copy(root: Path, asked: NewManifest, source: str) -> dict[str, str]:
    """The files of a copy; raises `WrongUse` for what cannot be copied."""
    from ..kinds import KINDS
    from ..manifests.export import copy_manifest
    from ..starter import files
    from .reading import one, read

    catalog = read(root, None)
    address = one(catalog, source)
    resource = KINDS[address.kind].resource
    if resource != asked.resource or asked.form:
        raise WrongUse(
            f"a copy of {address} is always a {resource} of the same kind",
            f"`lmssync new {resource} {asked.key} --from {address}`",
        )
    title = asked.title or files.title_of(asked.key)
    return copy_manifest(root, catalog.resources[address], asked.key, title, asked.file).texts


def to_write(texts: dict[str, str]) -> Iterator[str]:
    """Lines that say what an author has to write, and what to do next."""
    for file, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if _OPEN.search(line):
                yield f"    fill in: {file}:{number}: {line.strip()}"
    yield "`lmssync validate` checks it"


def _quoted(title: str | None) -> str | None:
    """The title as a YAML value, quoted where needed."""
    if title is None:
        return None
    from ..manifests.yaml import write

    return write.write_yaml_document({"t": title}).removeprefix("t:").strip()
