"""Translations to and from XLIFF 2, the format that the programs of translators read and write."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import LmssyncError
from ...kinds import BODY_FILE, WAYS
from ...problems import Problem, only_errors
from ...resource import Origin, Resource
from ...support.installation import require_extra
from ...support.safe_files import show_unsaved_files
from ..manifests.catalog import Catalog
from ..manifests.catalog_files import TEMPLATE
from ..manifests.check import list_named_files, spell_catalog_path
from ..manifests.export import EditedFiles, Item, ListEdit, NewItem, write_texts
from .passage_comparison import PassageState, TranslatedPassage, compare_page
from .translated_pages import BODY, LANGUAGE, LANGUAGES, LINES, count_marks, digest_text, list_pages
from .translation_ledger import Ledgers

_STATES = {PassageState.CURRENT: "final", PassageState.UNACCEPTED: "translated"}
"""What XLIFF says of a translation; of any other one, that it is yet to be made."""
Chosen = tuple[str, str, str, int]
"""A passage by its resource, page, field and number."""


class ReturnedText(NamedTuple):
    """A translation that came back."""

    text: str
    is_done: bool
    """Whether the program of the translator calls it translated."""


class Imported(NamedTuple):
    """What an import did with the translations of a file."""

    language: str
    files: Sequence[str]
    """The names of the files that were written."""
    taken: frozenset[Chosen]
    """The passages whose translation is in the catalog now."""
    left: Sequence[tuple[TranslatedPassage, str]]
    """A passage of each page that could not be written, and why."""
    unknown: int
    """The number of passages whose source the catalog does not have any more."""
    catalog: Catalog
    """The catalog as it is now."""


_PageName = tuple[str, str]
_Pages = Mapping[_PageName, Sequence[TranslatedPassage]]
ReadCatalog = Callable[[], tuple[Catalog, Sequence[Problem]]]
"""Reads what can be read of the catalog, with the problems of the rest."""


def compare_language(
    resources: Iterable[Resource], language: str, ledgers: Ledgers
) -> list[TranslatedPassage]:
    """Every passage of some resources in a language, also where no page has it yet."""
    pages = (page for resource in resources for page in list_pages(resource))
    return [one for page in pages for one in compare_page(page, language, ledgers)]


def name_chosen(one: TranslatedPassage) -> Chosen:
    """What a passage is known by while its source stays as it is."""
    return str(one.page.resource.address), one.page.part, one.field, one.number


def write_xliff(passages: Iterable[TranslatedPassage], source: str, language: str) -> bytes:
    """A file with a unit for each passage, in the order of learning; `source` is a language."""
    xliff = _import_library()
    store = xliff.Xliff2File(sourcelanguage=source, targetlanguage=language)
    for name, one in _name_units(passages).items():
        unit = xliff.Xliff2Unit(one.source)
        unit.setid(name)
        if one.translation:
            unit.target = one.translation
            unit.xmlelement.set("state", _STATES.get(one.state, "initial"))
        place = f"{one.page.resource.address} {one.page.part}: {one.field} {one.number}"
        unit.getunitelement().set("name", place)
        store.addunit(unit)
    return bytes(store)


def read_xliff(raw: bytes, name: str) -> tuple[str, dict[str, ReturnedText]]:
    """The language of a file, and the translations in it by the names of their units."""
    xliff = _import_library()
    try:
        if b"<!ENTITY" in raw:
            raise ValueError("it defines entities of its own")
        store = xliff.Xliff2File.parsestring(raw)
        language, units = store.gettargetlanguage(), dict[Any, list[Any]]()
        for segment in store.units:
            units.setdefault(segment.getunitelement(), []).append(segment)
        found = [(unit.get("id"), _read_unit(unit, segments)) for unit, segments in units.items()]
    except (ValueError, AssertionError, SyntaxError) as error:  # lxml raises a SyntaxError
        raise LmssyncError(f"{name} is not a file of XLIFF 2: {error}") from None
    if not language:
        raise LmssyncError(f"{name} does not say into which language it is", "set its `trgLang`")
    targets = {id_: target for id_, target in found if target.text}
    if twice := [id_ for id_, target in found if target.text and targets[id_] != target]:
        text = f"{name} has two translations of the unit `{twice[0]}`"
        raise LmssyncError(text, "delete one of them")
    return language, targets


def _read_unit(unit: Any, segments: Sequence[Any]) -> ReturnedText:
    """The translation of a unit, which programs split into sentences, with what is between them."""
    if not all(segment.target for segment in segments):
        return ReturnedText("", is_done=False)
    texts = list[str]()
    for part in unit.iterchildren("{*}segment", "{*}ignorable"):
        target = part.find("{*}target")
        # Only what is not to be translated has none.
        given = part.find("{*}source") if target is None else target
        texts += given.itertext() if given is not None else ()
    return ReturnedText("".join(texts), all(segment.istranslated() for segment in segments))


def _import_library() -> Any:
    with require_extra("translations", "XLIFF needs packages that are not installed ({})"):
        from translate.storage import xliff2
    return xliff2


def _name_units(passages: Iterable[TranslatedPassage]) -> dict[str, TranslatedPassage]:
    """A name for each passage that has a source. It follows from the source, so that a translation
    of an older text fits no passage when it comes back."""
    units, seen = {}, Counter[tuple[str, ...]]()
    for one in passages:
        if one.number:
            key = (*name_chosen(one)[:3], digest_text(one.source))
            seen[key] += 1
            units[f"p{digest_text(' '.join((*key, str(seen[key]))))}"] = one
    return units


def import_targets(
    read_catalog: ReadCatalog, language: str, targets: Mapping[str, ReturnedText]
) -> Imported:
    """Writes translations into manifests and files of bodies, whole pages at a time.

    Before any file is written, the catalog is read as it will be: pages that would make an error
    are left out.
    """
    catalog, problems = read_catalog()
    passages = compare_language(catalog.resources.values(), language, Ledgers(catalog.root))
    units = _name_units(passages)
    wanted, left = _choose_targets(units, targets)
    pages = dict[_PageName, list[TranslatedPassage]]()
    for one in units.values():
        pages.setdefault(name_chosen(one)[:2], []).append(one)
    pages = {name: pages[name] for name in pages if name in {chosen[:2] for chosen in wanted}}
    known = set(map(_mark_error, problems))
    files, after = dict[str, bytes](), catalog
    while pages:
        edits = _TranslatedFiles(root=catalog.root, catalog=catalog)
        failed = edits.set_pages(pages, language, wanted)
        if not failed:
            files = edits.make_texts()
            with show_unsaved_files(catalog.root, files):
                after, problems = read_catalog()
            errors = [one for one in only_errors(problems) if _mark_error(one) not in known]
            failed = _find_unsafe(pages, edits.find_unsafe_files()) or _find_wrong(pages, errors)
        if not failed:
            break
        left += [(pages.pop(name)[0], why) for name, why in failed.items()]
    else:
        files, after = {}, catalog
    write_texts(catalog.root, files)
    taken = frozenset(chosen for chosen in wanted if chosen[:2] in pages)
    unknown = len(targets.keys() - units.keys())
    return Imported(language, sorted(files), taken, left, unknown, after)


def _choose_targets(
    units: Mapping[str, TranslatedPassage], targets: Mapping[str, ReturnedText]
) -> tuple[dict[Chosen, str], list[tuple[TranslatedPassage, str]]]:
    """The texts to write; and the passages whose text has other markup than its source."""
    wanted, left = dict[Chosen, str](), list[tuple[TranslatedPassage, str]]()
    for name, target in targets.items():
        one = units.get(name)
        if one is None or not (target.is_done or target.text != one.translation):
            continue
        text = " ".join(target.text.split()) if one.field in LINES else target.text.strip()
        if text and (why := _find_other_markup(one, text)):
            left.append((one, why))
        elif text:
            wanted[name_chosen(one)] = text
    return wanted, left


def _find_other_markup(one: TranslatedPassage, text: str) -> str:
    """What the markup of a new translation lacks or has more than that of its source; empty where
    it is the same."""
    if one.field != BODY or text == one.translation:
        return ""
    source, shape = one.page.source.body, one.page.languages.get(one.language)
    is_markdown = shape.body[1] if shape and one.translation else source[1]
    # A translation in the other language of markup is compared with the one that is there.
    before = one.source if is_markdown == source[1] else one.translation
    marks, wanted = (count_marks(some, is_markdown=is_markdown) for some in (text, before))
    words = ("lacks", wanted - marks), ("has too many of", marks - wanted)
    differing = [f"{word} {', '.join(sorted(some))}" for word, some in words if some]
    text = f"the translation of passage {one.number}"
    return f"{text} {' and '.join(differing)}, unlike its source" if differing else ""


def _mark_error(problem: Problem) -> tuple[str, Origin]:
    return problem.code, problem.origin


def _find_unsafe(pages: _Pages, manifests: Container[str]) -> dict[_PageName, str]:
    """The pages of manifests that cannot be changed, with the reason."""
    why = "its manifest is written in a way that cannot be changed safely"
    return {
        name: why for name, (one, *_) in pages.items() if one.page.resource.origin.file in manifests
    }


def _find_wrong(pages: _Pages, errors: Iterable[Problem]) -> dict[_PageName, str]:
    """The pages whose translation makes an error: by its place, else all of the manifest, or all
    pages."""
    failed = dict[_PageName, str]()
    for error in errors:
        places = {
            name: one.page.resource.origin.at(one.page.path) for name, (one, *_) in pages.items()
        }
        near = [name for name in places if places[name].file == error.origin.file]
        inside = [
            name
            for name in near
            if error.origin.document == places[name].document
            and error.origin.path[: len(places[name].path)] == places[name].path
        ]
        why = f"the catalog would have an error: {error.message}"
        failed |= dict.fromkeys(inside or near or pages, why)
    return failed


class _Unwritable(Exception):
    """Why a page cannot get its translation."""


@dataclass(kw_only=True)
class _TranslatedFiles(EditedFiles):
    """The files of a catalog with other translations in them.

    What a manifest names is read from it again: the form of a page does not say in which way the
    author has written its body.
    """

    catalog: Catalog

    def set_pages(
        self, pages: _Pages, language: str, wanted: Mapping[Chosen, str]
    ) -> dict[_PageName, str]:
        """Plans the translations of pages; returns those that cannot be written, and why."""
        failed = {}
        for name, passages in pages.items():
            mine = {(one[2], one[3]): text for one, text in wanted.items() if one[:2] == name}
            try:
                self._set_page(passages, language, mine)
            except _Unwritable as error:
                failed[name] = str(error)
        return failed

    def _set_page(
        self,
        passages: Sequence[TranslatedPassage],
        language: str,
        wanted: Mapping[tuple[str, int], str],
    ) -> None:
        page = passages[0].page
        if page.language.lower() == language.lower():
            raise _Unwritable(f"`{language}` is the language of the page itself")
        origin = page.resource.origin.at(page.path)
        if origin.file != page.resource.origin.file or origin.file.endswith(TEMPLATE):
            raise _Unwritable(f"it comes from {origin.file}")
        lines = {field: wanted[field, 1] for field in LINES if (field, 1) in wanted}
        body = _make_body(passages, language, wanted)
        rows = self.read_mapping(origin).get(LANGUAGES) or []
        at = next((at for at, row in enumerate(rows) if row[LANGUAGE] == language), None)
        place = (*origin.path, LANGUAGES)
        if at is not None:
            here = origin._replace(path=(*place, at))
            for field, text in lines.items():
                self._set_field(here, field, text)
            if body:
                self._set_body(here, rows[at], body)
            return
        missing = [one for one in passages if (one.field, one.number) not in wanted]
        if missing:
            raise _Unwritable(f"{len(missing)} of {len(passages)} passages are not translated")
        new = {LANGUAGE: language, **lines}
        if body:
            new["markdown" if body[1] else BODY] = body[0]
        if not rows:
            self._set_field(origin, LANGUAGES, [new])
            return
        items: list[Item | NewItem] = [*(Item(place, at) for at in range(len(rows))), NewItem(new)]
        self.add_list_edit(origin.file, ListEdit(origin.document, place, items))

    def _set_field(self, place: Origin, field: str, value: Any, name: str = "") -> None:
        self.edit_value(place._replace(path=(*place.path, field)), value, name)

    def _set_body(self, place: Origin, row: Mapping[str, Any], body: tuple[str, bool]) -> None:
        text, is_markdown = body
        way = next((way for way in WAYS if way in row), "")
        key = "markdown" if is_markdown else BODY
        if way != BODY_FILE:
            self._set_field(place, way or key, text, key if way not in ("", key) else "")
            return
        file = spell_catalog_path(place.file, row[BODY_FILE])
        if file.endswith(".md") != is_markdown:
            raise _Unwritable(f"{file} is not in the language of markup that the source is in")
        if self._count_uses(file) > 1:
            raise _Unwritable(f"{file} is also the body of another page or language")
        self.bodies[file] = text

    def _count_uses(self, file: str) -> int:
        """How often manifests name a file; of one with errors it is only known that it does."""
        catalog, uses = self.catalog, 0
        for manifest, names in catalog.named_files.items():
            if file in names and catalog.scope:
                named = list_named_files(catalog.scope, manifest, catalog.resources)
                uses += max(1, sum(one.file == file for one in named))
        return uses


def _make_body(
    passages: Sequence[TranslatedPassage], language: str, wanted: Mapping[tuple[str, int], str]
) -> tuple[str, bool] | None:
    """The body of a translation, and whether it is Markdown; None where none of it has come.

    It is built like the translation that is there, if this has the passages of the source in their
    order; else like the source.
    """
    body = [one for one in passages if one.field == BODY]
    if not any((BODY, one.number) in wanted for one in body):
        return None
    page = passages[0].page
    shape = page.languages.get(language)
    if shape is None or shape.list_passages(BODY) != [one.translation for one in body]:
        shape = page.source
    pieces = [wanted.get((BODY, one.number)) or one.translation for one in body]
    if gaps := pieces.count(""):
        raise _Unwritable(f"{gaps} of {len(pieces)} passages of its text are not translated")
    text, is_markdown = shape.body
    # From the end to the beginning, so that the places before stay where they are.
    for block, piece in reversed([*zip(shape.blocks, pieces, strict=True)]):
        text = f"{text[: block.start]}{piece}{text[block.end :]}"
    return text, is_markdown
