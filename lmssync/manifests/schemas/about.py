"""What there is to say of a name: a field, a rule, or a kind of resource. It decides nothing."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from ... import rulebook
from ...kinds import BY_RESOURCE, KINDS
from ...kinds.kind import Kind
from ...problems import Severity
from ...rulebook.families import kebab
from ..yaml import write
from . import examples, fields, hints, samples
from .deciders import DECIDERS, words_with
from .meanings import meanings
from .probe import Later, later
from .rule_lines import LINES, Lines
from .spots import FILES, Spot, find, once, spots


class AboutField(NamedTuple):
    """One field, in words."""

    path: str
    type: str
    required: bool
    limits: list[str]
    words: Mapping[str, str]
    """What it may be, each with its meaning."""
    fields: list[str]
    """Names of the fields inside it."""
    belongs: str
    """To what alone it belongs, if not to every resource of its kind."""
    text: str
    default: Any
    wire: str
    """The specification's name of it, where it is another."""
    later: Later
    example: str
    """YAML."""
    rules: list[str]
    """Ids of the rules of its family."""


class AboutRule(NamedTuple):
    """One rule, in words."""

    id: str
    means: str
    remedy: str
    severity: Severity
    fixed: bool
    source: str
    of: Mapping[str, str]
    """Fields that the rule is about, with their limits: of a family only."""
    lines: Lines | None
    """What breaks it and what keeps it, in YAML."""


class AboutKind(NamedTuple):
    """One kind of resource, or a file that holds none."""

    word: str
    noun: str
    address: str
    """First word of its addresses; nothing for a file."""
    text: str
    creation: str
    required: list[str]
    fields: list[str]
    short_form: str
    """Where it may stand in short form."""
    example: str


class Overview(NamedTuple):
    """What can be asked about."""

    kinds: Mapping[str, str]
    chapters: Mapping[str, int]
    """Rules by chapter."""
    families: Mapping[str, str]
    """Endings of the rules that each field has, with an example."""


About = AboutField | AboutRule | AboutKind


def about(name: str) -> list[About]:
    """Everything that a name means; nothing for a name that means nothing.

    A rule may stand in brackets, as problems show it.
    """
    name = name.strip("` ")
    name = name[1:-1] if name.startswith("[") else name
    kind = BY_RESOURCE.get(name) or KINDS.get(name)
    if kind or name.removesuffix(".yaml") in FILES:
        return [_kind(kind) if kind else _file(name.removesuffix(".yaml"))]
    if rule := _rule(name):
        return [rule]
    return [_field(spot) for spot in find(name)]


def known() -> list[str]:
    """Every name that would be understood, for guesses."""
    ends = {".".join(spot.path[place:]) for spot in spots() for place in (0, -1)}
    own = {_rule_of(name, end) for end in rulebook.FAMILIES for name, _ in _members(end)}
    return sorted({*BY_RESOURCE, *FILES, *rulebook.RULES, *ends, *own})


def overview() -> Overview:
    """What can be asked about, and how much of it there is."""
    kinds = {kind.resource: fields.summary(kind.spec) for kind in BY_RESOURCE.values()}
    return Overview(
        kinds | {word: fields.summary(model) for word, model in FILES.items()},
        {title: len(rules) for title, rules in rulebook.CHAPTERS.items()},
        {ending: _sample_of(ending) for ending in rulebook.FAMILIES},
    )


def _sample_of(ending: str) -> str:
    """The rule of a family that most fields have."""
    names = [name for name, _ in _members(ending)]
    return _rule_of(max(names, key=names.count), ending)


def _field(spot: Spot) -> AboutField:
    field = spot.field
    example = samples.of(spot)
    return AboutField(
        str(spot),
        _type(field),
        field.required,
        hints.bounds(field.hint).in_words(),
        _meanings(field),
        [name for model in field.models for name in fields.fields(model)],
        _belongs(spot),
        field.text,
        field.default,
        field.shown.wire,
        later(spot, example),
        write.document({field.name: example}),
        [_rule_of(field.name, ending) for ending in rulebook.FAMILIES if _can_break(field, ending)],
    )


def _type(field: fields.Field) -> str:
    if len(field.words) > 1:
        return "one of the words below"
    found = hints.type_in_words(field.hint, lambda _: "mapping")
    return f"{found}s" if found.startswith("list of mapping") else found


def _meanings(field: fields.Field) -> dict[str, str]:
    bare = hints.bare_of(field.hint)
    said = meanings(bare) if isinstance(bare, type) else {}
    return {word: said.get(word, "") for word in field.words}


def _belongs(spot: Spot) -> str:
    decider, words = DECIDERS.get(spot.model), words_with(spot.model, spot.path[-1])
    return f"{decider.holder} {' or '.join(words)}" if decider and words else ""


def _kind(kind: Kind) -> AboutKind:
    nested = [one.field for one in kind.authoring.nested]
    file = _of_model(kind.resource, kind.spec, examples.texts()[kind.resource][0])
    return file._replace(
        noun=kind.noun,
        address=kind.name,
        creation=kind.impact.creation,
        fields=[*file.fields, *nested],
        short_form=_short_form(kind),
    )


def _file(word: str) -> AboutKind:
    return _of_model(word, FILES[word], examples.OF_FILES[word])


def _of_model(word: str, model: type[BaseModel], example: str) -> AboutKind:
    inside = fields.fields(model)
    names = sorted(inside, key=lambda name: name not in {"resource", "key"})
    needed = [name for name in names if inside[name].required]
    return AboutKind(word, word, "", fields.summary(model), "", needed, names, "", example)


def _short_form(kind: Kind) -> str:
    places = (
        f"{outer.resource}.{nested.field}"
        for outer in BY_RESOURCE.values()
        for nested in outer.authoring.nested
        if nested.resource == kind.resource
    )
    return next(places, "")


def _rule(name: str) -> AboutRule | None:
    """A rule of the book, or one that some field has by its family."""
    rule = rulebook.named(name)
    ending = next((one for one in rulebook.FAMILIES if name.endswith(one)), "")
    of = dict(_fields_of(name, ending)) if ending else {}
    if rule is None or (name not in rulebook.RULES and not of):
        return None
    return AboutRule(*rule, of, LINES.get(name))


def _fields_of(name: str, ending: str) -> Iterator[tuple[str, str]]:
    """The fields whose own rule is called so, with what it holds them to."""
    for field, spot in _members(ending):
        if _rule_of(field, ending) == name:
            yield str(spot), _limit(spot.field, ending)


def _members(ending: str) -> Iterator[tuple[str, Spot]]:
    for spot in once([spot for spot in spots() if _can_break(spot.field, ending)]):
        yield spot.field.name, spot


def _rule_of(field: str, ending: str) -> str:
    return f"{kebab(field)}{ending}"


def _can_break(field: fields.Field, ending: str) -> bool:
    return bool(_limit(field, ending))


def _limit(field: fields.Field, ending: str) -> str:
    """What a family of rules holds a field to; nothing if it does not."""
    limits = hints.bounds(field.hint)
    said = limits.in_words()
    if ending == "-range":
        return said[0] if limits.least is not None or limits.most is not None else ""
    if ending == "-length":
        return next((text for text in said if text.startswith("at most")), "")
    if ending == "-value":
        pattern = said[-1] if limits.pattern and said[-1:] else ""
        return " or ".join(f"`{word}`" for word in field.words) or pattern
    return "" if field.words else _type(field)
