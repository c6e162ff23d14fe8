"""Parts that courses share: each `include` becomes the section, lesson or topic of a part file.

A part file (`NAME.part.yaml`) says what it is, which parameters it takes, and its content, in which
`${name}` means the value that a use gives, and `$${name}` the text `${name}`. What it brings is
checked like what is written in the manifest, and has its place in the part file.
"""

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple

from ....kind import Kind
from ....kinds import KINDS
from ....problems import Finding, Problem, Rule, suggest_near
from ....resource import Origin, Path
from ..catalog_files import PART_ENDING, CatalogFiles, NoFile
from ..validation_errors import kind_of
from ..yaml import YamlMistake, load_yaml
from .attached_texts import spell_catalog_path

INCLUDE = Rule(
    "include",
    "An `include` has another form than `{include: FILE.part.yaml, id: ID, with: {...}}`, or leads "
    "back to itself.",
    "Name a part file, and give the part an `id` of its own here.",
    within="a lesson",
)
PART_FILE = Rule(
    "part-file",
    "A part file is not what an `include` needs: `part`, `parameters` and `content`.",
    "Write `part:` with section, lesson or topic, and the fields of that below `content:`.",
)
PART_PARAMETER = Rule(
    "part-parameter",
    "A parameter of a part is missing, unknown, unused, or has a value of another type.",
    "Give each parameter that has no default, with a value of its type.",
)
TYPES: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "boolean": (bool,),
}
_MARK = r"\$\{([A-Za-z][A-Za-z0-9_]*)\}"
_SLOT, _SLOT_OR_TEXT = re.compile(rf"(?<!\$){_MARK}"), re.compile(rf"(\$?){_MARK}")
_MOST = 1_000
"""Parts that one document may include."""
_USE, _PART = {"include", "id", "with"}, {"part", "parameters", "content"}
_PARAMETER = {"type", "values", "default", "means"}


class PartMistake(Exception):
    """What is wrong with a part file or with a use of it."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class Parameter(NamedTuple):
    """What a part file asks of each use."""

    type: str = "text"
    values: tuple[Any, ...] = ()
    """All that it may be; empty for anything of the type."""
    default: Any = None
    means: str = ""

    def check_value(self, path: Path, name: str, value: Any) -> None:
        """Raises `PartMistake` for a value of another type, or that is not among the values."""
        fits = isinstance(value, TYPES[self.type])
        # For Python true is a number.
        if not fits or isinstance(value, bool) != (self.type == "boolean"):
            text = f"`{name}` is {kind_of(value)}; the part takes a {self.type}"
            raise PartMistake(PART_PARAMETER.at(path, text, ""))
        if isinstance(value, float) and not isfinite(value):
            text = f"`{name}` is not a finite number"
            raise PartMistake(PART_PARAMETER.at(path, text, "write it in digits"))
        if self.values and value not in self.values:
            known = ", ".join(map(str, self.values))
            text = f"`{name}` is `{value}`; the part takes one of {known}"
            raise PartMistake(
                PART_PARAMETER.at(path, text, suggest_near(str(value), map(str, self.values)))
            )


class PartFile(NamedTuple):
    """A part file, as read."""

    sort: str
    parameters: Mapping[str, Parameter]
    content: dict[str, Any]


class Included(NamedTuple):
    """A document with its parts in it, and where they stand; or what is wrong with them."""

    data: dict[str, Any]
    origin: Origin
    problems: list[Problem]


def include_parts(
    files: CatalogFiles, kind: Kind, origin: Origin, data: dict[str, Any]
) -> Included:
    """The document with the content of each part file in the place of its `include`."""
    lists = kind.authoring.part_lists
    if not _uses_parts(data, lists):
        return Included(data, origin, [])
    run = _Inclusion(files, lists)
    made = run.expand_holder(data, origin.path, origin, ())
    # Homes of the manifest itself come first: an included part is never in a place that has one.
    return Included(made, origin._replace(elsewhere=(*origin.elsewhere, *run.homes)), run.problems)


def _uses_parts(holder: Any, lists: Mapping[str, str]) -> bool:
    if not isinstance(holder, dict):
        return False
    for field in () if lists.keys().isdisjoint(holder) else lists:
        items = holder.get(field)
        if isinstance(items, list):
            for item in items:  # every part of every manifest comes by here
                if _uses_parts(item, lists):
                    return True
    return "include" in holder


class _Inclusion:
    """The parts of one document."""

    def __init__(self, files: CatalogFiles, lists: Mapping[str, str]) -> None:
        self._files, self._lists = files, lists
        self._parts = dict[str, PartFile]()
        self.homes: list[tuple[Path, Origin]] = []
        self.problems: list[Problem] = []

    def expand_holder(
        self, holder: dict[str, Any], path: Path, source: Origin, within: tuple[str, ...]
    ) -> dict[str, Any]:
        """A mapping at a path of the document, whose own place is `source`, with its parts in it;
        `within` are the part files that it comes from."""
        made = dict(holder)
        for field in self._lists:
            items = holder.get(field)
            if isinstance(items, list):
                made[field] = [
                    self._expand_item(
                        field,
                        item,
                        (*path, field, number),
                        source._replace(path=(*source.path, field, number)),
                        within,
                    )
                    for number, item in enumerate(items)
                ]
        return made

    def _expand_item(
        self, field: str, item: Any, path: Path, source: Origin, within: tuple[str, ...]
    ) -> Any:
        if not isinstance(item, dict):
            return item
        if "include" not in item:
            return self.expand_holder(item, path, source, within)
        try:
            file, part = self._read_use(field, item, source, within)
        except PartMistake as mistake:
            self.problems.append(mistake.finding.at(source, None))
            return item
        self.homes += [
            (path, Origin(file, 0, ("content",))),
            ((*path, "id"), source._replace(path=(*source.path, "id"))),
        ]
        home = Origin(file, 0, ("content",))
        return self.expand_holder({"id": item["id"], **part}, path, home, (*within, file))

    def _read_use(
        self, field: str, item: dict[str, Any], source: Origin, within: tuple[str, ...]
    ) -> tuple[str, dict[str, Any]]:
        """The file of a use, and its content with the values of the use."""
        name = _check_use(item)
        file = spell_catalog_path(source.file, name)
        if file in within:
            raise PartMistake(INCLUDE.at(("include",), f"`{name}` includes itself", ""))
        part = self._read_part(source, name, file)
        if part.sort != self._lists[field]:
            text = f"`{name}` is a {part.sort}, and `{field}` takes a {self._lists[field]}"
            raise PartMistake(
                INCLUDE.at(("include",), text, f"include it where a {part.sort} may be")
            )
        values = _choose_values(part, item.get("with") or {})
        content: dict[str, Any] = _fill_slots(part.content, values)
        return file, content

    def _read_part(self, source: Origin, name: str, file: str) -> PartFile:
        """A part file, read once for all uses; raises `PartMistake`."""
        # Parts that include each other twice, and so on, would be billions.
        if len(self.homes) >= 2 * _MOST:
            text = f"the document includes more than {_MOST:,} parts"
            raise PartMistake(INCLUDE.at(("include",), text, "include fewer"))
        if file not in self._parts:
            try:
                self._parts[file] = read_part_file(
                    self._files.read_attached_text(source.file, name)
                )
            except NoFile as reason:
                raise PartMistake(reason.as_finding(("include",))) from None
            except PartMistake as mistake:
                self.problems.append(mistake.finding.at(Origin(file), None))
                text = f"`{name}` cannot be included"
                raise PartMistake(INCLUDE.at(("include",), text, "correct the part file")) from None
        return self._parts[file]


def _check_use(item: dict[str, Any]) -> str:
    """The name of the file; raises `PartMistake`."""
    name, unknown = item["include"], sorted(map(str, item.keys() - _USE))
    if not isinstance(name, str) or not name.endswith(PART_ENDING):
        text = f"`include` is {kind_of(name)}; it is the name of a file that ends in {PART_ENDING}"
        raise PartMistake(INCLUDE.at(("include",), text))
    if unknown:
        text = f"`{unknown[0]}` has no meaning beside `include`"
        raise PartMistake(INCLUDE.at((unknown[0],), text, "make it a parameter of the part file"))
    if not isinstance(item.get("id"), str):
        raise PartMistake(INCLUDE.at((), "an `include` needs an `id` of its own", "add `id:`"))
    if not isinstance(item.get("with") or {}, dict):
        text = f"`with` is {kind_of(item['with'])}; it has a value for each parameter"
        raise PartMistake(INCLUDE.at(("with",), text, "write `with: {NAME: VALUE}`"))
    return name


def read_part_file(text: str) -> PartFile:
    """A part file; raises `PartMistake`."""
    try:
        documents = load_yaml(text.encode())
    except YamlMistake as mistake:
        raise PartMistake(mistake.rule.at((), mistake.message, mistake.hint)) from None
    data = documents[0] if len(documents) == 1 else None
    if not isinstance(data, dict) or data.keys() - _PART:
        raise PartMistake(
            PART_FILE.at((), "it is not one mapping of `part`, `parameters`, `content`")
        )
    lists = [kind.authoring.part_lists for kind in KINDS.values()]
    known = list(dict.fromkeys(sort for one in lists for sort in one.values()))
    if data.get("part") not in known:
        text = f"`part` is {kind_of(data.get('part'))}; it is one of {', '.join(known)}"
        raise PartMistake(PART_FILE.at(("part",), text))
    content = data.get("content")
    if not isinstance(content, dict) or "id" in content:
        text = "`content` is a mapping without an `id`: each use has its own"
        raise PartMistake(PART_FILE.at(("content",), text))
    given = data.get("parameters") or {}
    if not isinstance(given, dict):
        raise PartMistake(PART_FILE.at(("parameters",), "`parameters` is not a mapping"))
    parameters = {str(name): _read_parameter(name, said) for name, said in given.items()}
    slots = {name: path for path, name in _list_slots(content, ("content",))}
    for name in (one for one in slots if one not in parameters):
        text = f"`${{{name}}}` names no parameter of the part"
        near = suggest_near(name, parameters)
        hint = near or f"declare it below `parameters`; `$${{{name}}}` is the text itself"
        raise PartMistake(PART_PARAMETER.at(slots[name], text, hint))
    for name in (one for one in parameters if one not in slots):
        text = f"nothing in `content` uses `${{{name}}}`"
        raise PartMistake(PART_PARAMETER.at(("parameters", name), text, "use it, or delete it"))
    return PartFile(data["part"], parameters, content)


def _read_parameter(name: Any, said: Any) -> Parameter:
    path: Path = ("parameters", str(name))
    said = {} if said is None else said
    fits = isinstance(name, str) and _SLOT.fullmatch(f"${{{name}}}")
    if not fits or not isinstance(said, dict) or said.keys() - _PARAMETER:
        text = f"`{name}` is not a name with `type`, `values`, `default` and `means`"
        raise PartMistake(PART_FILE.at(path, text))
    if said.get("type", "text") not in TYPES or not isinstance(said.get("values") or [], list):
        text = f"`type` of `{name}` is one of {', '.join(TYPES)}, and `values` a list"
        raise PartMistake(PART_FILE.at(path, text))
    values = tuple(said.get("values") or ())
    parameter = Parameter(
        said.get("type", "text"), values, said.get("default"), str(said.get("means") or "")
    )
    if parameter.default is not None:
        parameter.check_value((*path, "default"), name, parameter.default)
    return parameter


def _choose_values(part: PartFile, given: Mapping[Any, Any]) -> dict[str, Any]:
    """The value of each parameter for one use; raises `PartMistake`."""
    for name in given:
        if name not in part.parameters:
            hint = suggest_near(str(name), part.parameters)
            text = f"the part has no parameter `{name}`"
            known = ", ".join(part.parameters) or "none"
            raise PartMistake(
                PART_PARAMETER.at(("with", str(name)), text, hint or f"it has {known}")
            )
    values: dict[str, Any] = {}
    for name, parameter in part.parameters.items():
        value = given.get(name, parameter.default)
        if value is None:
            text = f"the part needs a value for `{name}`"
            raise PartMistake(PART_PARAMETER.at(("with",), text, f"write `with: {{{name}: ...}}`"))
        parameter.check_value(("with", name), name, value)
        values[name] = value
    return values


def _list_slots(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """The names of parameters in a content, each with its path."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _list_slots(item, (*path, key))
    elif isinstance(value, str):
        yield from ((path, name) for name in _SLOT.findall(value))


def _fill_slots(value: Any, values: Mapping[str, Any]) -> Any:
    """A copy with the values in it; a text that is one slot becomes the value, of its own type."""
    if isinstance(value, dict):
        return {key: _fill_slots(item, values) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill_slots(item, values) for item in value]
    if not isinstance(value, str):
        return value
    if whole := _SLOT.fullmatch(value):
        return values[whole[1]]
    # In one pass: a value may have such marks in it.
    return _SLOT_OR_TEXT.sub(
        lambda mark: mark[0][1:] if mark[1] else _spell_value(values[mark[2]]), value
    )


def _spell_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
