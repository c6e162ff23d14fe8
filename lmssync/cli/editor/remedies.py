"""The remedy of a problem as an edit: what `validate` says in words, an editor does at a click."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...catalog.manifests.catalog_files import ENDINGS, MANIFEST_BYTES
from ...catalog.manifests.formatter import look_at
from ...catalog.manifests.schemas.explanations import FieldExplanation, explain_name
from ...catalog.manifests.yaml import QUOTE, write_yaml_document
from ...kinds import part_names
from ...resource import PROJECT_FILE, SHORT_ID, Path
from .edited_catalog import EditedCatalog
from .manifest_places import (
    find_document_word,
    find_field_at,
    find_field_path,
    find_named_file,
    list_part_paths,
)
from .name_changes import FileChanges, TextChange
from .text_outline import Span, TextNode, TextOutline


class Remedy(NamedTuple):
    """Edits that take a problem away, and a file that they make."""

    title: str
    changes: FileChanges
    new_file: str = ""


class KnownProblem(NamedTuple):
    """A problem as the editor gives it back."""

    code: str
    message: str
    hint: str
    document: int
    path: Path


_MEANT = re.compile(r"`([^`]+)`(?= or `|\?)")
_HERE_IT_IS = re.compile(r"here it is `([^`]+)`")
_WRITE = re.compile(
    r"write (?:`([^`:]+)`(?: alone)?|(true|false|-?[0-9]+|[0-9-]+T[0-9:.+Z-]+))(?=[,;]|: |$)"
)
_QUOTED = re.compile(re.escape(QUOTE) + r"""("[^"]*"|'[^']*')\)""")
_DELETE = re.compile(r"delete (?:it|the entry|the line)\b")
_NEEDLESS = {
    "ignore-identity",
    "short-form-field",
    "target-title",
    "text-of-video",
    "unknown-capability",
}
"""The rules of entries that can be deleted: of others `it` may be a character of a text."""
_CHARACTER = re.compile(r" holds U\+([0-9A-F]{4,6}) ")
_MISSING = re.compile(r"`([A-Za-z]+)` is missing$")
_ADD = re.compile(r"add `([A-Za-z]+)`(?=:|$)")


def list_remedies(catalog: EditedCatalog, name: str, problem: KnownProblem) -> Iterator[Remedy]:
    """What an editor can do about a problem; nothing where a person has to think."""
    outline = catalog.outline_file(name)
    node = outline.find_node(problem.document, problem.path)
    for title, change in _list_changes(outline, node, problem):
        yield Remedy(title, {name: [change]})
    if problem.code == "file-missing" and node:
        yield from _create_file(catalog, name, node)
    if missing := _MISSING.search(problem.message) or _ADD.match(problem.hint):
        yield from _add_field(outline, name, problem, missing[1])
    if problem.code in {"part-id", "short-form-id"}:
        yield from _add_id(outline, name, problem)
    if "fmt --ids" in problem.hint or problem.code == "part-id":
        yield from format_text(catalog, name, longest_id=SHORT_ID)


def _list_changes(
    outline: TextOutline, node: TextNode | None, problem: KnownProblem
) -> Iterator[tuple[str, TextChange]]:
    hint = problem.hint
    if node is None:
        return
    is_name = problem.code == "unknown-field"
    span = node.key if is_name else node.value
    if span and hint.startswith("did you mean"):
        above = posixpath.dirname(node.text) if problem.code == "file-missing" else ""
        for meant in _MEANT.findall(hint):
            text = meant if is_name else _spell_scalar(posixpath.join(above, meant))
            yield f"Write `{text}`", TextChange(span, text)
    elif (found := _HERE_IT_IS.search(hint)) and node.key and "..." not in found[1]:
        end = node.end if ":" in found[1] else node.key.end
        yield f"Write `{found[1]}`", TextChange(Span(node.key.start, end), found[1])
    elif (found := _QUOTED.match(hint)) and node.value:
        yield f"Write {found[1]}", TextChange(node.value, found[1])
    elif (found := _WRITE.match(hint)) and node.value:
        text = found[2] or _spell_scalar(found[1])
        yield f"Write `{text}`", TextChange(node.value, text)
    else:
        yield from _list_changes_by_rule(outline, node, problem)


def _list_changes_by_rule(
    outline: TextOutline, node: TextNode, problem: KnownProblem
) -> Iterator[tuple[str, TextChange]]:
    """What can be done where the hint does not spell the text to write."""
    hint, code = problem.hint, problem.code
    if found := _CHARACTER.search(problem.message):
        yield from _replace_character(outline, node, chr(int(found[1], 16)), hint)
    elif code in {"named-twice", "unknown-field"} or (code in _NEEDLESS and _DELETE.match(hint)):
        # The first key of an item has the dash of the item before it.
        line = outline.text.rfind("\n", 0, node.start) + 1
        if node.flow or node.key is None or not outline.text[line : node.start].strip():
            yield "Delete it", TextChange(_span_with_ends(outline, node), "")
    elif code == "date-zone" and node.value and "T" in node.text:
        yield f"Write `{node.text}Z` (UTC)", TextChange(node.value, f"{node.text}Z")
    elif hint.startswith("use letters, digits") and node.value:
        name = part_names([{"title": node.text}])[0]
        yield f"Write `{name}`", TextChange(node.value, _spell_scalar(name))


def _replace_character(
    outline: TextOutline, node: TextNode, character: str, hint: str
) -> Iterator[tuple[str, TextChange]]:
    """Nothing where the character is written as an escape."""
    text = outline.text[node.start : node.end]
    new = " " if "plain space" in hint else ""
    if character in text and (new or _DELETE.match(hint)):
        title = f"{'Replace' if new else 'Delete'} U+{ord(character):04X}"
        yield title, TextChange(Span(node.start, node.end), text.replace(character, new))


def _spell_scalar(text: str) -> str:
    return write_yaml_document(text).strip()


def _span_with_ends(outline: TextOutline, node: TextNode) -> Span:
    """An entry with its line, or in brackets with a comma beside it."""
    text = outline.text
    start = node.key.start if node.key else node.start
    if node.flow:
        after = re.compile(r"\s*,\s*").match(text, node.end)
        if after:
            return Span(start, after.end())
        before = re.compile(r",\s*$").search(text, 0, start)
        return Span(before.start() if before else start, node.end)
    end = text.find("\n", node.end)
    return Span(text.rfind("\n", 0, start) + 1, len(text) if end < 0 else end + 1)


def _create_file(catalog: EditedCatalog, name: str, node: TextNode) -> Iterator[Remedy]:
    file = find_named_file(catalog, name, node)
    if file and not file.startswith("../") and posixpath.splitext(file)[1] in {".md", ".html"}:
        texts = catalog.outline_file(name).scalar_texts(node.document, node.path[:-1])
        text = f"{texts.get('title') or 'Write here.'}\n"
        yield Remedy(f"Create {file}", {file: [TextChange(Span(0, 0), text)]}, file)


def _add_field(
    outline: TextOutline, name: str, problem: KnownProblem, field: str
) -> Iterator[Remedy]:
    """Adds a field that is missing, with a value that it may have, below the others."""
    word = find_document_word(outline, name, problem.document)
    path = problem.path[:-1] if problem.path[-1:] == (field,) else problem.path
    way = find_field_path(word, path) if word else None
    declared = find_field_at((*way, field)) if way else None
    beside = list(outline.nodes_below(problem.document, path))
    if declared is None or not beside or any(node.path[-1] == field for node in beside):
        return
    last = beside[-1]
    explained = [one for one in explain_name(str(declared)) if isinstance(one, FieldExplanation)]
    lines = explained[0].example.rstrip("\n").split("\n")
    if last.flow:
        # What takes several lines does not fit into brackets.
        text = f", {lines[0]}" if len(lines) == 1 else ""
        changes = [TextChange(Span(last.end, last.end), text)] * bool(text)
    else:
        text = "".join(f"{' ' * last.column}{line}\n" for line in lines)
        changes = [TextChange(_line_after(outline.text, last.end), text)]
    if changes:
        yield Remedy(f"Add `{field}`", {name: changes})


def _line_after(text: str, at: int) -> Span:
    end = text.find("\n", at)
    at = len(text) if end < 0 else end + 1
    return Span(at, at)


def _add_id(outline: TextOutline, name: str, problem: KnownProblem) -> Iterator[Remedy]:
    """Writes the id that a part has by its title; of a short form, one by its type."""
    item = outline.find_node(problem.document, problem.path)
    first = next(outline.nodes_below(problem.document, problem.path), None)
    if item is None or first is None or first.path[-1] == "id":
        return
    paths = list_part_paths(outline, name, problem.document)
    part = next((path for path, at in paths.items() if at == problem.path), "")
    texts: Mapping[str, str] = outline.scalar_texts(problem.document, problem.path)
    by_type = part_names([{"title": texts.get("type") or texts.get("label") or "one"}], SHORT_ID)
    id_ = part.rpartition("/")[2] or by_type[0]
    behind = ", " if first.flow else f"\n{' ' * first.column}"
    change = TextChange(Span(first.start, first.start), f"id: {_spell_scalar(id_)}{behind}")
    yield Remedy(f"Add `id: {id_}`", {name: [change]})


def format_text(catalog: EditedCatalog, name: str, *, longest_id: int = 0) -> Iterator[Remedy]:
    """The edit that `lmssync fmt` would make, or `fmt --ids`; nothing where it changes nothing, or
    cannot."""
    text = catalog.read_text(name)
    raw = text.encode("utf-8", "surrogatepass")
    if not name.endswith(ENDINGS) or len(raw) > MANIFEST_BYTES:
        return
    look = look_at(raw, name, is_project=name == PROJECT_FILE, longest_id=longest_id)
    if look.changes and look.problem is None:
        title = "Write the ids of all parts" if longest_id else "Put the fields in order"
        changes: Sequence[TextChange] = [TextChange(Span(0, len(text)), look.after.decode())]
        yield Remedy(title, {name: changes})
