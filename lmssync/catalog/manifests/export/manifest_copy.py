"""A manifest under a new key, with files of its own, as a beginning for something new.

What belongs to the old resource alone does not come along: its sku or slug, former addresses,
protection, dates on which it is published, and anybody's word that a topic has been filled.
"""

from collections.abc import Iterator, MutableMapping
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from ....errors import LmssyncError, WrongUse
from ....kinds import BODY_FILE, KINDS, OWN_FIELDS
from ....resource import Resource
from ....support import safe_files
from ..catalog_files import BODY_BYTES, MANIFEST_BYTES, TEMPLATE
from ..formatter import Unproven, format_manifest
from ..yaml import YamlMistake, load_yaml, write_yaml_document

_LEFT_OUT = OWN_FIELDS - {"resource", "key"}
_FILES = {BODY_FILE, *(t.field for kind in KINDS.values() for t in kind.authoring.tables({}))}
_TITLES = ("title", "name", "label")
_WIDE = 10_000
"""Columns after which a line would be broken: lines stay as their author wrote them."""

Data = MutableMapping[str, Any]


class Copy(NamedTuple):
    """The files to be written."""

    file: str
    """The manifest, by its path from the root."""
    texts: dict[str, str]
    """By path: the manifest, and the bodies and tables that it names."""


def copy_manifest(
    root: Path, source: Resource, key: str, title: str, file: str | None = None
) -> Copy:
    """The manifest of `source` as one of `key`. Raises `WrongUse` and `LmssyncError`.

    Without `file` it stands beside its source, named as that one is.
    """
    origin = source.origin
    if origin.path:
        raise WrongUse(f"{source.address} is written inside another manifest", "copy that one")
    if origin.file.endswith(TEMPLATE):
        text = f"{source.address} is made by a template, {origin.file}"
        raise WrongUse(text, "copy that file, and change the key in it")
    raw = _read_copied_file(root, origin.file, MANIFEST_BYTES)
    file = file or _copied_path(origin.file, source.address.key, key)
    moves = {
        name: _copied_body_name(origin.file, file, name, source.address.key, key)
        for name in _named_files(load_yaml(raw)[origin.document])
    }
    manifest = _edited_text(raw, origin.document, _Edit(source, key, title, moves))
    folder = PurePosixPath(origin.file).parent
    bodies = {
        str(PurePosixPath(file).parent / new): _read_copied_file(
            root, str(folder / old), BODY_BYTES
        ).decode()
        for old, new in moves.items()
    }
    return Copy(file, {file: manifest, **bodies})


def _read_copied_file(root: Path, name: str, most: int) -> bytes:
    try:
        data = safe_files.read_inside(root, name, most)
        data.decode()
    except OSError as error:
        raise LmssyncError(f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LmssyncError(f"{name} is not UTF-8", "`lmssync validate` says where") from None
    return data


def _copied_path(file: str, old: str, new: str) -> str:
    """`safety/fire/course.yaml` and `safety/fire.yaml`: each with the new key for the old one."""
    path = PurePosixPath(file)
    if path.parent.name == old:
        return str(path.parent.with_name(new) / path.name)
    return str(path.with_name(f"{new}{path.suffix}"))


def _copied_body_name(source: str, file: str, name: str, old: str, new: str) -> str:
    """What a body is called beside the copy: a name that is not taken by that of the source."""
    path = PurePosixPath(name)
    if ".." not in path.parts and PurePosixPath(source).parent != PurePosixPath(file).parent:
        return name
    renamed = path.name.replace(old, new) if old in path.name else f"{new}-{path.name}"
    return str(path.with_name(renamed)) if ".." not in path.parts else renamed


def _named_files(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (value[name] for name in _FILES if isinstance(value.get(name), str))
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from _named_files(inner)


class _Edit(NamedTuple):
    """Makes the document of one resource that of another."""

    source: Resource
    key: str
    title: str
    moves: dict[str, str]

    def __call__(self, data: Data) -> None:
        kind = KINDS[self.source.address.kind]
        in_copy = kind.authoring.in_copy
        dropped = (field for field, word in in_copy.items() if not word)
        data["key"] = self.key
        titled = next((field for field in _TITLES if field in data), None)
        if titled:
            data[titled] = self.title
        data.update({field: word for field, word in in_copy.items() if word and field in data})
        self._edit_within(data, {*_LEFT_OUT, *kind.relations.unique, *dropped})

    def _edit_within(self, value: Any, left_out: set[str]) -> None:
        if isinstance(value, MutableMapping):
            for field in left_out & value.keys():
                del value[field]
            for field in (field for field in _FILES if value.get(field) in self.moves):
                value[field] = self.moves[value[field]]
        for inner in list(value.values() if isinstance(value, MutableMapping) else value):
            if isinstance(inner, MutableMapping | list):
                self._edit_within(inner, left_out)


def _edited_text(raw: bytes, document: int, edit: _Edit) -> str:
    """The edited document with its comments; without them where they cannot be kept."""
    data = load_yaml(raw)[document]
    edit(data)
    try:
        text = _with_comments(raw, document, edit)
        if load_yaml(text) == [data]:
            return format_manifest(text).decode()
    except (YAMLError, YamlMistake, Unproven):
        pass  # what another reader, or the canonical form, does not understand alike
    return format_manifest(write_yaml_document(data).encode()).decode()


def _with_comments(raw: bytes, document: int, edit: _Edit) -> bytes:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = _WIDE
    yaml.indent(mapping=2, sequence=4, offset=2)
    data = list(yaml.load_all(raw))[document]
    edit(data)
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue().encode()
