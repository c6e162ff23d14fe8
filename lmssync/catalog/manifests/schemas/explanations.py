"""Collects what there is to say about a name: a field, a rule, or a kind of resource."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from .... import plugins
from ....kind import Effect, Kind
from ....kinds import BY_RESOURCE, KINDS, OWN_FIELDS, WAYS
from ....problems import Severity, suggest_near
from ....support import rulebook
from ....support.rulebook import kebab_case
from ..yaml import write_yaml_document
from .example_manifests import example_texts, of_file, sample_value
from .field_descriptions import (
    FILES,
    Field,
    all_fields,
    find_fields,
    length_of,
    limits_of,
    meanings_of,
    model_schemas,
    pattern_of,
    quote_choices,
    range_of,
    references_in,
    type_of,
    without_longer_ways,
    words_of,
)
from .schema_builders import Schema, summary_of

_OF_ENVIRONMENT = ".environments"
"""Of the path of a setting that an environment may have of its own."""


class ChangeEffect(NamedTuple):
    """The consequences of changing a field."""

    effect: str
    """The effect on people; empty for a field that is never sent."""
    by: str
    """`update`, `person`, `nothing` where the field matters only once something else changes,
    `never` where it is not sent, or empty where the kind of resource inside says it."""
    text: str = ""
    """The manual step for a person."""
    route: str = ""
    """The route by which a call makes it, where an instance has that one."""


def change_of(field: Field, example: Any) -> ChangeEffect:
    """What would be done if the field were set to `example`."""
    kind = field.kind
    if kind is None or field.name in {nested.field for nested in kind.authoring.nested}:
        return ChangeEffect("", "")
    keys = _table_keys(field)
    unsent = "never" if field.own[0] in OWN_FIELDS else _first_entry(kind.calls.unsent, keys)
    if unsent == "never":
        return ChangeEffect("", unsent)
    effect = _first_entry(kind.impact.effects, [*keys, field.own[0]]) or Effect.EDITORIAL
    by_hand = _first_entry(kind.calls.by_hand, keys).format(old="OLD", new=example, change="")
    if unsent or by_hand:
        return ChangeEffect(
            effect, unsent or "person", by_hand, _first_entry(kind.calls.further, keys)
        )
    holds_parts = any("id" in model_schemas()[n]["properties"] for n in references_in(field.schema))
    return ChangeEffect(effect, "update", kind.calls.by_hand.get("*", "") if holds_parts else "")


def _table_keys(field: Field) -> list[str]:
    """The names of a field in the tables of its kind, the most exact first."""
    names = ["body" if name in WAYS else name for name in field.own]
    if field.parts:
        return [f"*.{names[field.parts]}"]
    return [".".join(names[:end]) for end in range(len(names), 0, -1)]


def _first_entry(table: Mapping[str, str], keys: Iterable[str]) -> str:
    return next((table[key] for key in keys if key in table), "")


class FieldExplanation(NamedTuple):
    """One field, in words."""

    path: str
    type: str
    required: bool
    limits: list[str]
    words: Mapping[str, str]
    """The values that it may have, each with its meaning."""
    fields: list[str]
    """Names of the fields inside it."""
    belongs: str
    """What it belongs to, if it does not belong to every resource of its kind."""
    text: str
    default: Any
    wire: str
    """The specification's name for it, if that is different."""
    later: ChangeEffect
    example: str
    """YAML."""
    rules: list[str]
    """Ids of the rules of its family."""


class RuleExample(NamedTuple):
    """YAML that breaks a rule, YAML that follows it, and what they are part of: `a course`."""

    within: str
    wrong: str
    right: str


class RuleExplanation(NamedTuple):
    """One rule, in words."""

    id: str
    means: str
    remedy: str
    severity: Severity
    fixed: bool
    source: str
    of: Mapping[str, str]
    """Fields that the rule is about, with their limits: of a family only."""
    lines: RuleExample | None
    """What breaks it and what keeps it, in YAML."""


class KindExplanation(NamedTuple):
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
    """The topics that somebody can ask about, and their numbers."""

    kinds: Mapping[str, str]
    chapters: Mapping[str, int]
    """Rules by chapter."""
    families: Mapping[str, str]
    """Endings of the rules that each field has, with an example."""


Explanation = FieldExplanation | RuleExplanation | KindExplanation


def explain_name(name: str) -> list[Explanation]:
    """Everything that a name means; nothing for a name that means nothing.

    A rule may stand in brackets, as problems show it.
    """
    name = name.strip("` ")
    name = name[1:-1] if name.startswith("[") else name
    kind = BY_RESOURCE.get(name) or KINDS.get(name)
    word = kind.resource if kind else name.removesuffix(".yaml")
    if kind or word in FILES:
        return [_explain_document(word, kind)]
    if rule := _explain_rule(name):
        return [rule]
    return [_explain_field(field) for field in find_fields(name)] or _explain_plugin_rule(name)


def suggest_names(name: str) -> str:
    """The names that somebody may have meant; behind a kind or a file, those of its fields."""
    known = known_names()
    head, _, field = name.partition(".")
    head = KINDS[head].resource if head in KINDS else head
    if not field or not (head in BY_RESOURCE or head in FILES):
        return suggest_near(name, known) or "`lmssync explain` lists what there is"
    start = f"{head}."
    fields = [one.removeprefix(start) for one in known if one.startswith(start)]
    return suggest_near(field, fields, start) or f"`lmssync explain {head}` lists its fields"


def known_names() -> list[str]:
    """Every name that would be understood, for guesses."""
    ends = {".".join(field.path[place:]) for field in all_fields() for place in (0, -1)}
    own = {_rule_of(field, end) for end in rulebook.FAMILIES for field in _family_members(end)}
    return sorted({*BY_RESOURCE, *FILES, *rulebook.all_rules(), *ends, *own})


def make_overview() -> Overview:
    """Lists what can be explained, and how much of it there is."""
    tops = {word: kind.spec for word, kind in BY_RESOURCE.items()} | dict(FILES)
    return Overview(
        {word: summary_of(model) for word, model in tops.items()},
        {title: len(rules) for title, rules in rulebook.rules_by_chapter().items()}
        | Counter(f"Plugin {package}" for package, _ in plugins.installed_rules()),
        {
            ending: family.rule_of_field(family.field).id
            for ending, family in rulebook.FAMILIES.items()
        },
    )


def _explain_field(field: Field) -> FieldExplanation:
    schema, example = field.schema, sample_value(field)
    return FieldExplanation(
        str(field),
        _type_of(schema),
        field.required,
        limits_of(schema),
        meanings_of(schema),
        [name for model in references_in(schema) for name in model_schemas()[model]["properties"]],
        schema.get("x-belongs-to", ""),
        schema["description"],
        _default_of(field),
        schema.get("x-api-name", ""),
        change_of(field, example),
        write_yaml_document({field.name: example}),
        [_rule_of(field, ending) for ending in rulebook.FAMILIES if _family_limit(schema, ending)],
    )


def _default_of(field: Field) -> Any:
    """What counts where a field is left out; for a setting of an environment that the project has
    as well, that of the project."""
    path = str(field)
    project = path.replace(_OF_ENVIRONMENT, "", 1)
    if project != path and any(str(other) == project for other in all_fields()):
        return f"as `{project.partition('.')[2]}` of the project says"
    return field.schema.get("default")


def _type_of(schema: Schema) -> str:
    if len(words_of(schema)) > 1:
        return "one of the words below"
    text = type_of(schema, _name_of_schema)
    return f"{text}s" if text.startswith("list of mapping") else text


def _name_of_schema(schema: Schema) -> str:
    return "mapping" if "$ref" in schema else quote_choices(*words_of(schema))


def _explain_document(word: str, kind: Kind | None) -> KindExplanation:
    """The explanation of a kind, or of a file without resources."""
    model = model_schemas()[(kind.spec if kind else FILES[word]).__name__]
    names = sorted(model["properties"], key=lambda name: name not in {"resource", "key"})
    return KindExplanation(
        word,
        kind.noun if kind else word,
        kind.name if kind else "",
        model["description"],
        kind.impact.creation if kind else "",
        [name for name in names if name in model["required"]],
        names,
        _short_form(kind) if kind else "",
        example_texts()[word][0] if kind else of_file(word),
    )


def _short_form(kind: Kind) -> str:
    places = (
        f"{outer.resource}.{nested.field}"
        for outer in BY_RESOURCE.values()
        for nested in outer.authoring.nested
        if nested.resource == kind.resource
    )
    return next(places, "")


def _explain_rule(name: str) -> RuleExplanation | None:
    """A rule of the book, or one that some field has by its family."""
    rule = rulebook.find_rule(name)
    ending = next((one for one in rulebook.FAMILIES if name.endswith(one)), "")
    members = [field for field in _family_members(ending) if _rule_of(field, ending) == name]
    if rule is None or (name not in rulebook.all_rules() and not members):
        return None
    of = {str(field): _family_limit(field.schema, ending) for field in members}
    lines = RuleExample(rule.within, rule.wrong, rule.right) if rule.wrong else None
    return RuleExplanation(*rule[:6], of, lines)


def _explain_plugin_rule(name: str) -> list[Explanation]:
    """A rule of an installed package; these are looked for last, since it takes a while."""
    return [
        RuleExplanation(
            *rule[:3], Severity(rule.severity), fixed=False, source=package, of={}, lines=None
        )
        for package, rule in plugins.installed_rules()
        if rule.id == name
    ]


@cache
def _family_members(ending: str) -> list[Field]:
    """The fields that can break a rule of a family; none where it is no family."""
    return without_longer_ways(
        [field for field in all_fields() if ending and _family_limit(field.schema, ending)]
    )


def _rule_of(field: Field, ending: str) -> str:
    return f"{kebab_case(field.name)}{ending}"


def _family_limit(schema: Schema, ending: str) -> str:
    """What a family of rules holds a field to; nothing if it does not."""
    words = words_of(schema)
    match ending:
        case "-range":
            return range_of(schema)
        case "-length":
            return length_of(schema)
        case "-value" if "pattern" in schema and "x-rule" not in schema:
            return pattern_of(schema) or str(schema["patternErrorMessage"])
        case "-value":
            return quote_choices(*words)
    return "" if words else _type_of(schema)
