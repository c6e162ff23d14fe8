"""Another key for a resource, or another id for a part: every edit that it takes, in all files."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...catalog.manifests.catalog_files import TEMPLATE
from ...catalog.manifests.question_files import QUESTIONS, QuestionFiles
from ...catalog.manifests.yaml import write_yaml_document
from ...catalog.translations.translation_ledger import name_ledger_file
from ...errors import WrongUse
from ...kinds import KINDS
from ...problems import Problem, only_errors
from ...resource import KEY, KEY_MOST, Path
from .edited_catalog import EditedCatalog, NamedThing
from .manifest_places import ManifestPlace, find_given_node, find_mentions, is_about_part
from .text_outline import Span, TextNode, TextOutline, find_line_end


class TextChange(NamedTuple):
    """A new text in the place of a part of a file."""

    span: Span
    text: str


_LEDGER_DEPTH = 2
"""Steps to a part in a ledger: the address, and the path of the part."""
FileChanges = Mapping[str, Sequence[TextChange]]


def insert_text(at: int, text: str) -> TextChange:
    return TextChange(Span(at, at), text)


def spell_scalar(text: str) -> str:
    return write_yaml_document(text).strip()


def apply_text_changes(text: str, changes: Iterable[TextChange]) -> str:
    for change in sorted(changes, reverse=True):
        text = text[: change.span.start] + change.text + text[change.span.end :]
    return text


def find_name_span(place: ManifestPlace) -> Span | None:
    """The part of a value that is the name itself: of the path of a topic the last id. None where
    nothing of this catalog has that name."""
    value, text = place.node.value, place.node.text
    given = find_given_node(place.catalog, place.named) if place.named else None
    if given is None or not given[1].text or value is None:
        return None
    end = value.end - (place.outline.text[value.end - 1] in "\"'")
    return Span(end - len(text.rpartition("/")[2]), end)


def rename_thing(catalog: EditedCatalog, named: NamedThing, new: str) -> FileChanges:
    """The edits that give a resource another key, or a part another id.

    Raises `WrongUse` where that would break something, or not everything can be found.
    """
    # By file, since a message that names the old key is another one afterwards. What the disk has
    # may have changed since the last check.
    before = Counter(map(_error_mark, only_errors(catalog.judge_changed({}))))
    given = find_given_node(catalog, named)
    if given is None or not given[1].text:
        raise WrongUse(
            "only what has a `key` or an `id` in this catalog can be renamed",
            "`lmssync fmt --ids` writes the ids of parts",
        )
    if not re.fullmatch(KEY, new) or len(new) > KEY_MOST:
        raise WrongUse(
            f"`{new}` cannot be a key or an id",
            "use letters, digits, and single hyphens, dots or underscores",
        )
    file, node = given
    found: dict[str, list[TextChange]] = defaultdict(list)
    for where, mention, part in [(file, node, ""), *find_mentions(catalog, named)]:
        is_path = part and mention.path[-1] != "id"
        text = _rename_in_path(part, named.part, new) if is_path else new
        if mention.text == str(named.address):
            text = f"{named.address.kind}.{new}"
        span = mention.value or Span(mention.start, mention.start)
        found[where].append(TextChange(span, spell_scalar(text)))
    for place, path in _list_ledger_paths(catalog, name_ledger_file(file), named):
        text = json.dumps(_rename_in_path(path, named.part, new))
        found[name_ledger_file(file)].append(TextChange(place, text))
    outline = catalog.outline_file(file)
    key = outline.find_node(node.document, ("key",)) if named.part else node
    now = _rename_in_path(named.part, named.part, new)
    was = f"{{from: {named.part}, to: {now}}}" if named.part else f"{{from: {named.address}}}"
    for one in outline.nodes if named.part else ():
        is_move = one.document == node.document and one.path[:1] == ("moved",)
        if is_move and one.value and is_about_part(one.text, named):
            text = _rename_in_path(one.text, named.part, new)
            found[file].append(TextChange(one.value, spell_scalar(text)))
    if key:
        found[file].append(_note_move(outline, key, was))
    _require_harmless(catalog, found, before)
    return found


def list_file_moves(
    catalog: EditedCatalog, named: NamedThing, new: str
) -> Iterator[tuple[str, str]]:
    """The files of questions whose names have the key or the path in them, with their new names."""
    resources = catalog.judged.resources
    resource, files = resources.get(named.address), QuestionFiles(resources)
    parts = KINDS[named.address.kind].authoring.parts(resource.form) if resource else {}
    for path in parts:
        if resource and (not named.part or is_about_part(path, named)):
            now = _rename_in_path(path, named.part, new) if named.part else path
            for name in filter(catalog.has_file, files.list_names(resource, path)):
                above = name.removesuffix(f"{path}.md")
                if not named.part and above.endswith(f"{QUESTIONS}/{named.address.key}/"):
                    above = f"{above.removesuffix(f'{named.address.key}/')}{new}/"
                if name != f"{above}{now}.md":
                    yield name, f"{above}{now}.md"


def _list_ledger_paths(
    catalog: EditedCatalog, ledger: str, named: NamedThing
) -> Iterator[tuple[Span, str]]:
    """The keys of a ledger of translations that are the path of a part, or of something in it."""
    resource = catalog.judged.resources.get(named.address)
    addresses = {str(named.address), *(resource.lifecycle.moved if resource else ())}
    for node in catalog.outline_file(ledger).nodes if named.part else ():
        if len(node.path) == _LEDGER_DEPTH and node.path[0] in addresses and node.key:
            path = str(node.path[1])
            if is_about_part(path, named):
                yield node.key, path


def _rename_in_path(path: str, part: str, new: str) -> str:
    """The path of a part, or of something in it, when the part has another id."""
    above, _, _ = part.rpartition("/")
    return "/".join(filter(None, (above, new, path[len(part) + 1 :])))


def _note_move(outline: TextOutline, node: TextNode, entry: str) -> TextChange:
    """Says beside a `key` or an `id` what was the address, or the path of a part, before."""
    path: Path = (*node.path[:-1], "moved")
    moved = outline.find_node(node.document, path)
    items = outline.nodes_below(node.document, path)
    if items and items[0].flow:
        return insert_text(items[0].start, f"{entry}, ")
    if items:
        return insert_text(items[0].start, f"{entry}\n{' ' * items[0].column}- ")
    if moved:
        raise WrongUse("`moved` is empty or no list", "delete it, then rename")
    entry = f"moved: [{entry}]"
    if node.flow:
        return insert_text(node.end, f", {entry}")
    end = find_line_end(outline.text, node.end)
    return insert_text(end, f"\n{' ' * node.column}{entry}")


def _require_harmless(
    catalog: EditedCatalog, changes: FileChanges, before: Counter[tuple[str, str]]
) -> None:
    """Raises `WrongUse` if the catalog would have errors that it has not now."""
    templates = [file for file in changes if file.endswith(TEMPLATE)]
    if templates:
        raise WrongUse(f"{templates[0]} is a template", "rename it there by hand, then here")
    texts = {
        file: apply_text_changes(catalog.read_text(file), some) for file, some in changes.items()
    }
    for error in only_errors(catalog.judge_changed(texts)):
        if not before[_error_mark(error)]:
            raise WrongUse(f"{error.where}: {error.message}", error.hint)
        before[_error_mark(error)] -= 1


def _error_mark(problem: Problem) -> tuple[str, str]:
    return problem.code, problem.origin.file
