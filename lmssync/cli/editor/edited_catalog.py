"""A catalog with the texts that an editor has open, judged after each edit as `validate` judges it.

What the editor shows takes the place of the files. So nothing needs to be saved, and the same
rules and the same cache decide.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ...catalog.catalog_validation import apply_baseline, check_single_file, validate_with_catalog
from ...catalog.manifests.catalog import Catalog
from ...catalog.manifests.catalog_files import MANIFEST_BYTES, STORIES, Listing, walk_catalog
from ...catalog.manifests.documents import Scope
from ...catalog.manifests.story_documents import read_stories
from ...errors import InvalidCatalog, LmssyncError
from ...kinds import BY_RESOURCE
from ...learners.stories import StoryCatalog, find_assertion_problems, find_name_problems
from ...problems import Problem
from ...resource import PROJECT_FILE, Address, Origin, Reference, Resource
from ...support import safe_files
from ...support.safe_files import show_unsaved_files
from .text_outline import TextNode, TextOutline

_SHORT_FORM = 3
"""Steps to the id of a short form: its list, its position, `id`."""


class NamedThing(NamedTuple):
    """A resource, or a part of one by its path of ids."""

    address: Address
    part: str = ""


class JudgedCatalog:
    """The resources of a catalog at one moment, and what names what; worked out when asked."""

    def __init__(self, catalog: Catalog | None) -> None:
        self._catalog = catalog

    @property
    def scope(self) -> Scope | None:
        """What the reading of a file depends on, in the first environment."""
        return self._catalog.scope if self._catalog else None

    @cached_property
    def resources(self) -> Mapping[Address, Resource]:
        """By address; also those with a mistake in them, as far as they can be read."""
        if self._catalog is None:
            return {}
        unsure = {one.address: one.read_as(0) for one in self._catalog.unsure}
        return {**unsure, **self._catalog.outlines}

    def find_manifests_naming(self, file: str) -> Iterable[str]:
        """The manifests that name a file of prose or of rows."""
        named = self._catalog.named_files if self._catalog else {}
        return [manifest for manifest, files in named.items() if file in files]

    @cached_property
    def mentions(self) -> Mapping[Address, Sequence[tuple[Origin, Reference]]]:
        """Every place that names something, by what it names."""
        found: dict[Address, list[tuple[Origin, Reference]]] = defaultdict(list)
        for resource in self.resources.values():
            for reference in resource.references:
                found[reference.address].append((resource.origin.at(reference.path), reference))
        return found


class EditedCatalog:
    """One catalog while somebody writes in it; all names of files are from its root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._texts: dict[str, str] = {}
        self._outlines: dict[str, TextOutline] = {}
        self.judged = JudgedCatalog(None)
        self._problems: Mapping[str, Sequence[Problem]] = {}

    def put_text(self, name: str, text: str) -> None:
        """Shows a text in the place of a file, until it is dropped."""
        self._texts[name] = text
        self._outlines.pop(name, None)

    def drop_text(self, name: str) -> None:
        self._texts.pop(name, None)
        self._outlines.pop(name, None)

    @property
    def open_files(self) -> Iterable[str]:
        return self._texts

    def read_text(self, name: str) -> str:
        """What the editor shows, or the file has; nothing of one that cannot be read."""
        if name in self._texts:
            return self._texts[name]
        with suppress(UnicodeDecodeError):
            return (self._read_saved(name) or b"").decode("utf-8-sig")
        return ""

    def _read_saved(self, name: str) -> bytes | None:
        try:
            return safe_files.read_inside(self.root, name, MANIFEST_BYTES)
        except OSError:
            return None

    def find_line_end(self, name: str) -> str:
        return "\r\n" if "\r\n" in self.read_text(name) else "\n"

    def outline_file(self, name: str) -> TextOutline:
        """The keys and values of a file with their places; of an open one it is remembered."""
        known = self._outlines.get(name)
        if known is None:
            known = TextOutline(self.read_text(name))
            if name in self._texts:
                self._outlines[name] = known
        return known

    def judge_catalog(self) -> Mapping[str, Sequence[Problem]]:
        """The problems of every file that has any; `judged` knows the catalog from then on.

        Raises `LmssyncError` where there is no check at all, as without a package that
        `plugins` lists.
        """
        found: dict[str, list[Problem]] = defaultdict(list)
        for problem in self._judge({}):
            found[problem.where.file].append(problem)
        self._problems = found
        return found

    def judge_open_file(self, name: str) -> Sequence[Problem] | None:
        """What is wrong with an open manifest by itself, beside what its relations were at the last
        check: that takes no longer in a large catalog. None where only a whole check can say."""
        scope = self.judged.scope
        if scope is None or name not in Listing({name: ""}).manifests():
            return None
        across = [problem for problem in self._problems.get(name, ()) if problem.across]
        with show_unsaved_files(self.root, {name: _encode_text(self._texts[name])}):
            try:
                problems = check_single_file(scope, name, across)
                return apply_baseline(self.root, problems).reported
            except LmssyncError:  # the whole check says so
                return None

    def judge_changed(self, changed: Mapping[str, str]) -> Sequence[Problem]:
        """The problems that there would be with other texts in some files; also those of stories,
        which only `lmssync test` reports. Without such texts `judged` knows the catalog."""
        before = self.judged
        try:
            return self._judge(changed, stories=True)
        finally:
            self.judged = before if changed else self.judged

    def _judge(self, changed: Mapping[str, str], *, stories: bool = False) -> Sequence[Problem]:
        texts = {name: _encode_text(text) for name, text in {**self._texts, **changed}.items()}
        # Of a text that its file has, that file and its stamp count.
        unsaved = {name: raw for name, raw in texts.items() if raw != self._read_saved(name)}
        with show_unsaved_files(self.root, unsaved):
            try:
                outcome, catalog = validate_with_catalog(self.root)
                self.judged = JudgedCatalog(catalog)
                told = find_story_problems(catalog) if stories else ()
                return [*apply_baseline(self.root, outcome.problems).reported, *told]
            except InvalidCatalog as error:
                return error.problems

    def has_file(self, name: str) -> bool:
        return name in self._texts or (self.root / name).is_file()

    def list_files(self) -> Iterable[str]:
        """The names of all files of the catalog, saved or not."""
        with show_unsaved_files(self.root, dict.fromkeys(self._texts, b"")):
            return [*walk_catalog(self.root).files]

    def list_addresses(self) -> Mapping[Address, Origin]:
        """Every address and where it is given; of open files as they are now, even where nothing
        else can be read of them."""
        found = {
            address: resource.origin
            for address, resource in self.judged.resources.items()
            if resource.origin.file not in self._texts
        }
        for name in self._texts:
            for node in self.outline_file(name).nodes:
                if address := self.find_given_address(name, node):
                    found.setdefault(address, Origin(name, node.document, node.path[:-1]))
        return found

    def find_given_address(self, name: str, node: TextNode) -> Address | None:
        """The address that a `key` of a document gives, or the `id` of a short form in it."""
        outline = self.outline_file(name)
        owner = outline.find_node(node.document, ("key",))
        word = outline.find_node(node.document, ("resource",))
        kind = BY_RESOURCE.get(word.text) if word else None
        if kind is None or owner is None or not (node.text and owner.text):
            return None
        if node.path == ("key",):
            return Address(kind.name, node.text)
        for nested in kind.authoring.nested:
            if len(node.path) == _SHORT_FORM and node.path[::2] == (nested.field, "id"):
                return Address(BY_RESOURCE[nested.resource].name, f"{owner.text}.{node.text}")
        return None


def _encode_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def find_story_problems(catalog: Catalog) -> Sequence[Problem]:
    """The mistakes in stories and assertions, and the names in them that nothing has."""
    files = walk_catalog(catalog.root).yaml_files_below(STORIES)
    stories, assertions, problems = read_stories(catalog.scope or Scope(catalog.root), files)
    known = StoryCatalog(catalog.resources, catalog.refused)
    for story in stories:
        problems += find_name_problems(story, known)
    for assertion in assertions:
        problems += find_assertion_problems(assertion, known)
    return catalog.locate_problems(problems)


def find_catalog_of(file: Path, workspace: Iterable[Path]) -> Path | None:
    """The catalog that a file of an open folder is in; None if it is in none."""
    from ..options import find_catalog_around

    for folder in file.parents:
        if os.path.lexists(folder / PROJECT_FILE):
            return folder
        if folder in workspace:
            break
    try:
        return find_catalog_around(file.parent)
    except OSError:
        return None
