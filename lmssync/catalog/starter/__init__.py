"""starter: the files of a new catalog, and of each new manifest; plain text with `@NAMES@` in it.

`dot-` at the start of a name stands for the dot, so that nothing here is hidden.
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from ...errors import LmssyncError, WrongUse
from ...problems import suggest_near
from ...support.file_writing import lay_below

_HIDDEN = "dot-"


class Laid(NamedTuple):
    """Files that were written, and files that were there and were left alone."""

    written: list[str]
    kept: list[str]


def list_starter_files() -> dict[str, str]:
    """The files of a new catalog by their path."""
    return dict(_texts(files(__package__) / "repository", ""))


def _texts(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        shown = item.name.replace(_HIDDEN, ".", 1) if item.name.startswith(_HIDDEN) else item.name
        if item.is_dir():
            yield from _texts(item, f"{prefix}{shown}/")
        else:
            yield f"{prefix}{shown}", item.read_text("utf-8")


def lay_out(root: Path, texts: Mapping[str, str]) -> Laid:
    """Writes files below `root`; one that is there is kept. Raises `LmssyncError`."""
    laid = Laid([], [])
    for name, text in texts.items():
        try:
            new = lay_below(root, name, text.encode())
        except OSError as error:
            raise LmssyncError(f"{root / name} cannot be written: {error.strerror}") from None
        (laid.written if new else laid.kept).append(name)
    return laid


class Begun(NamedTuple):
    """A manifest to begin with, and where in a catalog it usually stands."""

    text: str
    file: str


def begin_manifest(resource: str, key: str, *, form: str | None, title: str | None) -> Begun:
    """The beginning of a manifest; `form` is the kind of a course. Raises `WrongUse`."""
    known = list_resource_forms()
    if resource not in known:
        named = [one for one in known if one.lower().endswith(resource.lower())]
        near = f"did you mean `{named[0]}`?" if len(named) == 1 else suggest_near(resource, known)
        hint = near or f"there are: {', '.join(known)}"
        raise WrongUse(f"there is no resource kind `{resource}`", hint)
    choices = known[resource]
    if form and form not in choices:
        hint = suggest_near(form, choices) or f"there are: {', '.join(choices) or 'none'}"
        raise WrongUse(f"there is no {resource} kind `{form}`", hint)
    name = ".".join(filter(None, (resource, form or next(iter(choices), ""))))
    folder, text = _beginnings()[name]
    filled = text.replace("@KEY@", key).replace("@TITLE@", title or title_of(key))
    return Begun(filled, f"{folder}/{key}.yaml")


def list_resource_forms() -> dict[str, list[str]]:
    """Kinds of resource, and the kinds that each of them has; the usual one first."""
    kinds: dict[str, list[str]] = {}
    for name in _beginnings():
        resource, *rest = name.split(".")
        kinds.setdefault(resource, []).extend(rest)
    return {resource: sorted(names, key=_USUAL.index) for resource, names in kinds.items()}


def _beginnings() -> dict[str, tuple[str, str]]:
    """Folder and text of each beginning, by resource and form: `course.video`."""
    beginnings = {}
    for path, text in _texts(files(__package__) / "manifests", ""):
        folder, _, name = path.partition("/")
        beginnings[name.removesuffix(".yaml")] = (folder, text)
    return beginnings


_USUAL = ["courseGroup", "microCourse", "article", "video", "shareableContentObject"]


def title_of(key: str) -> str:
    """A title to begin with: `fire-safety` is `Fire safety`."""
    words = " ".join(key.replace(".", " ").replace("_", " ").replace("-", " ").split())
    return words[:1].upper() + words[1:]
