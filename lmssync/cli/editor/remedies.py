"""The remedy of a problem as an edit: what `validate` says in words, an editor does at a click."""

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

from ...catalog.manifests.catalog_files import ENDINGS, MANIFEST_BYTES
from ...catalog.manifests.format_files import look_at
from ...catalog.manifests.schemas.explanations import FieldExplanation, explain_name
from ...catalog.manifests.yaml import QUOTE, YamlMistake, load_yaml
from ...kinds import part_names
from ...resource import PROJECT_FILE, SHORT_ID, Path
from .edited_catalog import EditedCatalog
from .manifest_places import ManifestPlace, find_document_word, find_field_path, list_part_paths
from .name_changes import FileChanges, TextChange, insert_text, spell_scalar
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
    offset: int
    document: int
    path: Path


_MEANT = re.compile(r"`([^`]+)`(?= or `|\?)")
_HERE_IT_IS = re.compile(r"here it is `([^`]+)`")
_WRITE = re.compile(
    r"(?:write|called `\w+`: write) "
    r"(?:`([^`:]+)`(?: alone)?|(true|false|-?[0-9]+|[0-9-]+T[0-9:.+Z-]+))(?=[,;]|: |$)"
)
_QUOTED = re.compile(re.escape(QUOTE) + r"""("[^"]*"|'[^']*')\)""")
_LEAVES = re.compile(r"which leaves `([^`]+)`$")
_SET = re.compile(r"\b(?:write|add|or) `([\w$]+): ([^`]+)`")
_OPEN = re.compile(r"\.\.\.|\b(?:NAME|DATE|KEY|PATH|VALUE|PROGRAM|staff)\b")
"""What a hint leaves to the author in the text that it spells."""
_DELETE = re.compile(r"(?:delete|leave) `(\w+)`")
_NAME = re.compile(r"`(\w+)`")
_CHARACTER = re.compile(r" U\+([0-9A-F]{4,6})\b")
_MISSING = re.compile(r"`([A-Za-z]+)` is missing$")
_ADD = re.compile(r"add `([A-Za-z]+)`(?=:|$)")
_BY_PLACE = {"duplicate-key", "number-size", "yaml-syntax"}
"""The rules of problems that no path leads to."""
_ONE_OF_BOTH = {"one-body", "one-video", "users-twice"}
"""The rules whose messages name fields of which one has to go."""
_ENTRY = {"language-twice", "moved-present", "moved-twice", "person-twice"}
"""The rules that point at a field, and are about the entry that it is in."""
_NEEDLESS = {
    "asset-type-with-url",
    "criterion-field",
    "default-environment",
    "duplicate-key",
    "field-of-kind",
    "field-of-type",
    "ignore-identity",
    "license-replaces",
    "named-twice",
    "options-empty",
    "related-to-itself",
    "rule-fixed",
    "short-form-field",
    "slice-folder",
    "text-of-video",
    "unknown-capability",
    "unknown-field",
}
"""The rules of entries that can be deleted: of others a hint may mean a character of a text."""
_REWRITTEN: Mapping[str, Callable[[str], str]] = {
    "edge-blank": str.strip,
    "not-nfc": lambda text: normalize("NFC", text),
    "one-line": lambda text: " ".join(text.split()),
}
"""What is right for a text, by the rule that it breaks."""


def list_remedies(catalog: EditedCatalog, name: str, problem: KnownProblem) -> Iterator[Remedy]:
    """What an editor can do about a problem; nothing where a person has to think."""
    outline = catalog.outline_file(name)
    node = outline.find_node(problem.document, problem.path)
    if problem.code in _BY_PLACE:
        node = outline.find_node_at(problem.offset)
    elif problem.code in _ENTRY:
        node = outline.find_node(problem.document, problem.path[:-1])
    if node:
        for title, change in _list_changes(outline, node, problem):
            yield Remedy(title, {name: [change]})
        if problem.code == "file-missing":
            yield from _create_file(catalog, name, node)
    for title, change in _list_field_changes(outline, name, problem):
        yield Remedy(title, {name: [change]})
    if "fmt --ids" in problem.hint or problem.code == "part-id":
        yield from format_text(catalog, name, longest_id=SHORT_ID)


def _list_changes(
    outline: TextOutline, node: TextNode, problem: KnownProblem
) -> Iterator[tuple[str, TextChange]]:
    """What can be done where the problem is, each with its title."""
    hint, code, said = problem.hint, problem.code, problem.message
    is_name = bool(node.key) and f"`{node.path[-1]}`" in said and f"`{node.text}`" not in said
    span = node.key if is_name else node.value
    if span and hint.startswith("did you mean"):
        above = posixpath.dirname(node.text) if code == "file-missing" else ""
        for meant in _MEANT.findall(hint):
            text = meant if is_name else spell_scalar(posixpath.join(above, meant))
            yield f"Write `{text}`", TextChange(span, text)
    elif (found := _HERE_IT_IS.search(hint)) and node.key and "..." not in found[1]:
        end = node.end if ":" in found[1] else node.key.end
        yield f"Write `{found[1]}`", TextChange(Span(node.key.start, end), found[1])
    elif found := _CHARACTER.search(problem.message):
        yield from _replace_character(outline, node, chr(int(found[1], 16)), hint)
    elif node.value and (text := _find_text(outline, node, problem)) is not None:
        yield f"Write `{text}`", TextChange(Span(node.value.start, node.end), text)
    elif code in _NEEDLESS | _ENTRY:
        yield "Delete it", TextChange(_span_with_ends(outline, node), "")


def _find_text(outline: TextOutline, node: TextNode, problem: KnownProblem) -> str | None:
    """What is to be written in the place of a value."""
    hint, code, written = problem.hint, problem.code, node.text
    spelled, text = None, None
    if found := _QUOTED.match(hint):
        spelled = found[1]
    elif found := _WRITE.search(hint):
        spelled, text = found[2], found[1]
    elif code == "date-zone" and "T" in written:
        spelled = f"{written}Z"
    elif hint.startswith(("put it in quotes", "put the text in quotes")):
        spelled = json.dumps(written, ensure_ascii=False)
    elif code == "option-not-boolean" and written.lower() in {"true", "false"}:
        spelled = written.lower()
    elif found := _LEAVES.search(problem.message):
        text = found[1]
    elif code in _REWRITTEN:
        text = _REWRITTEN[code](_read_value(outline, node) or "")
    elif hint.startswith("use letters, digits"):
        text = part_names([{"title": written}])[0]
    return spelled or (spell_scalar(text) if text else None)


def _read_value(outline: TextOutline, node: TextNode) -> str | None:
    """The text that a value means, also of one with escapes or on several lines."""
    try:
        (value,) = load_yaml(outline.text[node.start : node.end].encode())
    except (YamlMistake, UnicodeEncodeError, ValueError):
        return None
    value = next(iter(value.values())) if isinstance(value, dict) and node.key else value
    return value if isinstance(value, str) else None


def _replace_character(
    outline: TextOutline, node: TextNode, character: str, hint: str
) -> Iterator[tuple[str, TextChange]]:
    new = " " if "plain space" in hint else ""
    if not (new or hint.startswith("delete it")):
        return
    title = f"{'Replace' if new else 'Delete'} U+{ord(character):04X}"
    text = outline.text[node.start : node.end]
    if character in text:
        yield title, TextChange(Span(node.start, node.end), text.replace(character, new))
    elif node.value and (value := _read_value(outline, node)):  # it is written as an escape
        text = spell_scalar(value.replace(character, new))
        yield title, TextChange(Span(node.value.start, node.end), text)


def _span_with_ends(outline: TextOutline, node: TextNode) -> Span:
    """An entry with its line, or in brackets with a comma beside it."""
    text, start = outline.text, node.key.start if node.key else node.start
    if node.flow:
        after = re.compile(r"\s*,\s*").match(text, node.end)
        if after:
            return Span(start, after.end())
        before = re.compile(r",\s*$").search(text, 0, start)
        return Span(before.start() if before else start, node.end)
    line = text.rfind("\n", 0, start) + 1
    if node.key and text[line:start].strip():  # the dash before it is of the whole item
        beside = outline.nodes_below(node.document, node.path[:-1])
        return Span(start, next((one.start for one in beside if one.start > start), node.end))
    return Span(line, _line_after(text, node.end))


def _line_after(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _create_file(catalog: EditedCatalog, name: str, node: TextNode) -> Iterator[Remedy]:
    file = ManifestPlace(catalog, name, catalog.outline_file(name), node).named_file
    if file and not file.startswith("../") and posixpath.splitext(file)[1] in {".md", ".html"}:
        texts = catalog.outline_file(name).scalar_texts(node.document, node.path[:-1])
        text = f"{texts.get('title') or 'Write here.'}\n"
        yield Remedy(f"Create {file}", {file: [insert_text(0, text)]}, file)


def _list_field_changes(
    outline: TextOutline, name: str, problem: KnownProblem
) -> Iterator[tuple[str, TextChange]]:
    """What can be done to fields that the hint names: in what the problem is about, or beside."""
    path, document, code = problem.path, problem.document, problem.code
    inside = next(iter(outline.nodes_below(document, path)), None)
    holder = path if inside and inside.key else path[:-1]
    for field, text in _SET.findall(problem.hint):
        title = f"Write `{field}: {text}`"
        inmost = ((*path[:end], field) for end in range(len(path), -1, -1))
        known = next(filter(None, (outline.find_node(document, one) for one in inmost)), None)
        if known and known.key and not _OPEN.search(text):
            yield title, TextChange(Span(known.key.start, known.end), f"{field}: {text}")
        elif not _OPEN.search(text):
            yield from _add_lines(outline, document, holder, [f"{field}: {text}"], title)
    needless = _NAME.findall(problem.message) if code in _ONE_OF_BOTH else ()
    for field in (*_DELETE.findall(problem.hint), *needless):
        if node := outline.find_node(document, (*path[:-1], field)):
            yield f"Delete `{field}`", TextChange(_span_with_ends(outline, node), "")
    if missing := _MISSING.search(problem.message) or _ADD.match(problem.hint):
        lines = _spell_field(outline, name, document, (*holder, missing[1]))
        yield from _add_lines(outline, document, holder, lines, f"Add `{missing[1]}`")
    if code in {"part-id", "short-form-id"} and inside and inside.path[-1] != "id":
        parts = list_part_paths(outline, name, document)
        part = next((one for one, at in parts.items() if at == path), "")
        texts = outline.scalar_texts(document, path)
        word = texts.get("type") or texts.get("label") or "one"
        id_ = part.rpartition("/")[2] or part_names([{"title": word}], SHORT_ID)[0]
        behind = ", " if inside.flow else f"\n{' ' * inside.column}"
        yield f"Add `id: {id_}`", insert_text(inside.start, f"id: {spell_scalar(id_)}{behind}")


def _spell_field(outline: TextOutline, name: str, document: int, path: Path) -> Sequence[str]:
    """The lines of a field with a value that it may have; none if there is no such field."""
    word = find_document_word(outline, name, document)
    way = find_field_path(word, path) if word else None
    known = explain_name(".".join(way)) if way else ()
    explained = next((one for one in known if isinstance(one, FieldExplanation)), None)
    return explained.example.rstrip("\n").split("\n") if explained else ()


def _add_lines(
    outline: TextOutline, document: int, path: Path, lines: Sequence[str], title: str
) -> Iterator[tuple[str, TextChange]]:
    """Adds a field below those of a mapping that does not have it."""
    beside = outline.nodes_below(document, path)
    field = lines[0].partition(":")[0] if lines else ""
    if not field or not beside or any(node.path[-1] == field for node in beside):
        return
    last = beside[-1]
    if not last.flow:
        at = _line_after(outline.text, last.end)
        begun = "" if outline.text.endswith("\n", 0, at) else "\n"
        yield (
            title,
            insert_text(at, begun + "".join(f"{' ' * last.column}{one}\n" for one in lines)),
        )
    elif len(lines) == 1:  # what takes several lines does not fit into brackets
        yield title, insert_text(last.end, f", {lines[0]}")


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
        yield Remedy(title, {name: [TextChange(Span(0, len(text)), look.after.decode())]})
