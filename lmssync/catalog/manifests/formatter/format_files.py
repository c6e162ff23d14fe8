"""Looks at files: how each would read in its canonical form."""

import difflib
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from copy import deepcopy
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from ....kinds import BY_RESOURCE, part_names
from ....problems import Problem
from ....resource import KEY_MOST, Path as ValuePath
from ....support import safe_files
from ....support.cache_folder import FORMATTED, find_cache_file, is_ours, make_cache_file
from ....support.file_writing import write_whole
from ....support.invisible_characters import escape_invisible
from ....support.remembered_files import program_identity
from .. import processes
from ..catalog_files import FORMAT_BYTES, MANIFEST_BYTES
from ..documents import unreadable_problem
from ..model_fields import fields_of, model_at
from ..yaml import YamlMistake, load_yaml, map_values, write_yaml_document
from .canonical_form import FileTooLong, Unproven, format_manifest, same_values
from .file_choice import ChosenFile
from .line_ends import unify_line_ends

_OF_A_PART = {"id", "title"}


class _Missing(NamedTuple):
    """A part without an id."""

    document: int
    path: ValuePath
    id: str


class _Start(NamedTuple):
    """Where a mapping begins, in characters."""

    at: int
    column: int
    is_flow: bool


def with_ids(raw: bytes, longest: int = KEY_MOST) -> bytes:
    """A file in which every part has its id; raises `YamlMistake`, and `Unproven`.

    New ids have at most `longest` characters, and a number where a title repeats.
    Unproven is what cannot be shown to say the same but for the ids: a part that is an alias.
    """
    documents = load_yaml(raw)
    missing = [one for n, data in enumerate(documents) for one in _find_missing(n, data, longest)]
    if not missing:
        return raw
    text = unify_line_ends(raw)
    starts = map_values(text.encode(), _mapping_start)
    # From the end to the beginning, so that places which are still to come stay where they are.
    for one in sorted(missing, key=lambda m: _start_of(m, starts).at, reverse=True):
        start, name = _start_of(one, starts), write_yaml_document(one.id).strip()
        if start.is_flow:
            text = f"{text[: start.at + 1]}id: {name}, {text[start.at + 1 :].lstrip(' ')}"
        else:
            text = f"{text[: start.at]}id: {name}\n{' ' * start.column}{text[start.at :]}"
    result = text.encode()
    if not same_values(_expected_documents(documents, missing), load_yaml(result)):
        raise Unproven
    return result


def _find_missing(number: int, data: Any, longest: int) -> Iterator[_Missing]:
    for part in _walk_parts(data, longest):
        if "id" not in part.item and isinstance(part.item.get("title"), str):
            yield _Missing(number, part.place, part.names[-1])


class _Part(NamedTuple):
    """A section, a lesson or a topic of a document."""

    place: ValuePath
    item: dict[Any, Any]
    names: tuple[str, ...]
    """Its id and those above it, as written or as they follow from the titles."""


def _walk_parts(data: Any, longest: int) -> Iterator[_Part]:
    word = data.get("resource") if isinstance(data, dict) else None
    kind = BY_RESOURCE.get(word) if isinstance(word, str) else None
    return _walk_inside(kind.spec, (), data, (), longest) if kind else iter(())


def _walk_inside(
    spec: type[BaseModel],
    path: ValuePath,
    holder: dict[Any, Any],
    above: tuple[str, ...],
    longest: int,
) -> Iterator[_Part]:
    """Parts in the lists of a mapping; anything else needs no id."""
    for field, items in holder.items():
        model = model_at(spec, (*path, field)) if isinstance(field, str) else None
        are_parts = model and fields_of(model).keys() >= _OF_A_PART
        if not are_parts or not isinstance(items, list):
            continue
        if not all(isinstance(item, dict) for item in items):
            continue
        for place, (item, name) in enumerate(zip(items, part_names(items, longest), strict=True)):
            here = (*path, field, place)
            yield _Part(here, item, (*above, name))
            yield from _walk_inside(spec, here, item, (*above, name), longest)


def list_renamed_parts(before: bytes, after: bytes) -> Iterator[tuple[str, str, str]]:
    """The key of a document, and the old and the new path of each part whose path has changed."""
    for old, new in zip(load_yaml(before), load_yaml(after), strict=True):
        found = {part.place: part.names for part in _walk_parts(new, KEY_MOST)}
        for part in _walk_parts(old, KEY_MOST):
            if part.names != (names := found[part.place]):
                yield str(old.get("key")), "/".join(part.names), "/".join(names)


def _expected_documents(documents: list[Any], missing: list[_Missing]) -> list[Any]:
    wanted = deepcopy(documents)
    for number, path, name in missing:
        here = wanted[number]
        for step in path:
            here = here[step]
        here["id"] = name
    return wanted


def _start_of(one: _Missing, starts: list[dict[ValuePath, _Start]]) -> _Start:
    start = starts[one.document].get(one.path) if one.document < len(starts) else None
    if start is None:
        raise Unproven
    return start


def _mapping_start(_mark: Any, event: Any) -> _Start | None:
    """Where a mapping begins, according to an event."""
    mark = event.start_mark
    is_mapping = type(event).__name__ == "MappingStartEvent"
    return _Start(mark.index, mark.column, bool(event.flow_style)) if is_mapping else None


_TOO_LONG = (
    "it has {:,} bytes and contains tabs or other characters that make this slow; the limit for "
    f"such files is {FORMAT_BYTES:,} bytes: put long bodies into files of their own (`bodyFile`)"
)
_DIGEST = 16
"""Bytes of the digest of a file in order."""
_REMEMBERED = 100_000
"""Once so many are remembered, only those that a run has met stay."""
_NO_END = "\\ No newline at end of file"


class FormatResult(NamedTuple):
    """The result of looking at a file."""

    before: bytes = b""
    after: bytes = b""
    problem: Problem | None = None
    """Why it cannot be read."""
    proven: bool = True
    """False where the canonical form could not be shown to say the same; nothing changes then."""
    why: str = "would it still say the same?"
    """What is said of it then."""

    @property
    def changes(self) -> bool:
        return self.before != self.after

    def unified_diff_of(self, name: str) -> str:
        """A unified diff of what would change, with nothing in it that could not be seen."""
        before, after = (text.decode().splitlines(keepends=True) for text in self[:2])
        lines = difflib.unified_diff(before, after, name, name)
        return "".join(map(_show_line, lines))


def _show_line(line: str) -> str:
    text = line.removesuffix("\n").removesuffix("\r")
    end = line[len(text) :]
    return escape_invisible(text, but="\t") + (end if end.endswith("\n") else f"{end}\n{_NO_END}\n")


def look_at_files(targets: Sequence[ChosenFile], *, longest_id: int = 0) -> Iterator[FormatResult]:
    """Looks at files, in processes of its own if there are many; nothing is written.

    With `longest_id`, parts of courses get ids. There is no text of what does not change: together
    the files may be larger than the memory. What was in order, or has been put in order, is
    remembered by its digest in the user's cache folder, and not parsed again.
    """
    memory = _remembered_file(targets)
    known = _read_remembered(memory)
    digests = [_digest_of(target, longest_id) if memory else b"" for target in targets]
    others = [one for one, digest in zip(targets, digests, strict=True) if digest not in known]
    looks = processes.map_files(partial(_look_at_file, longest_id), others)
    met = set[bytes]()
    for target, digest in zip(targets, digests, strict=True):
        look = FormatResult() if digest in known else next(looks)
        # A link may lead to a file that is out of order: it is left alone and not remembered.
        if look == FormatResult() and not target.is_link and digest:
            met.add(digest)
        elif look.changes and digest:
            met.add(_digest_of_content(target, longest_id, look.after))
        yield look
    if memory and not met <= known:
        _write_remembered(memory, met | known if len(known) < _REMEMBERED else met)


def _look_at_file(longest_id: int, target: ChosenFile) -> FormatResult:
    try:
        raw = safe_files.read_inside(target.root, target.path, MANIFEST_BYTES)
    except OSError as error:
        return FormatResult(problem=unreadable_problem(target.name, error))
    longest = 0 if target.is_overlay else longest_id
    seen = look_at(raw, target.name, is_project=target.is_project, longest_id=longest)
    changes = seen.changes and not target.is_link
    return seen if changes else seen._replace(before=b"", after=b"")


def _remembered_file(targets: Sequence[ChosenFile]) -> Path | None:
    """Where it is remembered which files were in order; None if there is no place for that."""
    roots = {target.root for target in targets}
    cache = find_cache_file(roots.pop()) if len(roots) == 1 else None
    return cache and cache.with_name(FORMATTED)


def _digest_of(target: ChosenFile, longest_id: int) -> bytes:
    """What decides whether the file is in order; empty for one that cannot be read."""
    try:
        raw = safe_files.read_inside(target.root, target.path, MANIFEST_BYTES)
    except OSError:
        return b""
    return _digest_of_content(target, longest_id, raw)


def _digest_of_content(target: ChosenFile, longest_id: int, raw: bytes) -> bytes:
    longest = 0 if target.is_overlay else longest_id
    rules = f"{target.is_project} {longest} {program_identity()}".encode()
    return blake2b(raw, digest_size=_DIGEST, key=blake2b(rules).digest()).digest()


def _read_remembered(memory: Path | None) -> frozenset[bytes]:
    """The digests of files in order; a damaged one is that of no file."""
    if memory is None or not is_ours(memory):
        return frozenset()
    try:
        raw = memory.read_bytes()
    except OSError:
        return frozenset()
    whole = len(raw) - len(raw) % _DIGEST
    return frozenset(raw[at : at + _DIGEST] for at in range(0, whole, _DIGEST))


def _write_remembered(memory: Path, digests: Set[bytes]) -> None:
    with suppress(OSError):  # then the next run looks at every file again
        make_cache_file(memory)
        if is_ours(memory):
            write_whole(memory, sorted(digests), private=True)


def look_at(
    raw: bytes, name: str, *, is_project: bool = False, longest_id: int = 0
) -> FormatResult:
    """Looks at the content of a file."""
    try:
        named = with_ids(raw, longest_id) if longest_id else raw
        return FormatResult(raw, format_manifest(named, is_project=is_project))
    except YamlMistake as bad:
        return FormatResult(raw, raw, bad.as_problem(name))
    except FileTooLong:
        return FormatResult(raw, raw, proven=False, why=_TOO_LONG.format(len(raw)))
    except Unproven:
        return FormatResult(raw, raw, proven=False)
