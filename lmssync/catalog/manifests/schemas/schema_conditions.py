"""Turns the combinations of a model into conditions of a JSON Schema."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from ....kind import ByWord, Combination, Either, OneAtMost, SomeOf, Without, Word
from ....kinds import KINDS
from .schema_builders import (
    Schema,
    must_be_null,
    when_given,
    when_word,
    with_branches,
    without_null,
)

_NAMED = 3
"""The most words that a message names; more would hide what it is about."""


@cache
def _combinations_by_model() -> Mapping[str, Sequence[Combination]]:
    """The combinations of fields that each model declares, by the name of its class."""
    pairs = (pair for kind in KINDS.values() for pair in kind.authoring.together.items())
    return {model.__name__: combinations for model, combinations in pairs}


def with_conditions(name: str, schema: Schema) -> Schema:
    """The schema of a model with the conditions that its kind sets."""
    for one in _combinations_by_model().get(name, ()):
        if isinstance(one, ByWord):
            schema = _by_word(schema, one)
        else:
            schema = with_branches(schema, _branches_of(schema["properties"], one))
    return schema


def with_belonging(name: str, schema: Schema) -> Schema:
    """The schema of a model whose fields say to which words alone they belong."""
    properties = dict(schema["properties"])
    by_word = (one for one in _combinations_by_model().get(name, ()) if isinstance(one, ByWord))
    for decision in by_word:
        for field in decision.apart:
            words = [word for word, says in decision.words.items() if field in says.allowed]
            belongs = {"x-belongs-to": f"{decision.holder} {' or '.join(words)}"}
            properties[field] = properties[field] | belongs
    return schema | {"properties": properties}


def _branches_of(properties: Schema, one: Combination) -> list[Schema]:
    match one:
        case Either():
            return [_either_branches(properties, one)]
        case SomeOf():
            return [_some_of(properties, one.fields)]
        case OneAtMost():
            return _one_at_most(one)
        case Without():
            messages = {name: one.stray.format(field=name) for name in sorted(one.fields)}
            inside = {name: must_be_null(message) for name, message in messages.items()}
            return [{"properties": {one.holder: {"properties": inside}}}]
    return [dict(cast("Mapping[str, Any]", one))]


def _either_branches(properties: Schema, one: Either) -> Schema:
    """Where the first is given, the second is not; otherwise the second is needed."""
    first = [companion for companion in one.companions if companion.of == one.first]
    second = [companion for companion in one.companions if companion.of == one.second]
    needed = [companion for companion in first if companion.missing]
    then: Schema = {
        "properties": {
            one.second: must_be_null(one.both),
            **{companion.field: must_be_null(companion.stray) for companion in second},
            **{companion.field: without_null(properties[companion.field]) for companion in needed},
        }
    }
    for companion in needed:
        then |= {"required": [companion.field], "errorMessage": companion.missing}
    otherwise: Schema = {
        "properties": {
            one.second: {
                "type": without_null(properties[one.second])["type"],
                "errorMessage": one.none,
            },
            **{companion.field: must_be_null(companion.stray) for companion in first},
        },
        "required": [one.second],
        "errorMessage": one.none,
    }
    return {"if": when_given(one.first), "then": then, "else": otherwise}


def _some_of(properties: Schema, names: Iterable[str]) -> Schema:
    """The condition that at least one of some fields is given; its message is at the last field."""
    *others, last = names
    message = f"Write one of {', '.join(f'`{name}`' for name in names)}."
    texts = {"errorMessage": message}
    own = {"type": without_null(properties[last])["type"]} | texts
    lacking = {"properties": {last: own}, "required": [last]}
    return {"if": {"anyOf": list(map(when_given, others))}, "then": {}, "else": lacking | texts}


def _one_at_most(one: OneAtMost) -> list[Schema]:
    """Each that is there forbids those after it."""
    return [
        {
            "if": {"required": [name]},
            "then": {
                "properties": dict.fromkeys(one.fields[place:], False),
                "errorMessage": one.several,
            },
        }
        for place, name in enumerate(one.fields[:-1], 1)
    ]


def _by_word(schema: Schema, one: ByWord) -> Schema:
    """The properties apart by word: a field that does not belong may still be null.

    What is common stays; a branch for each set of fields closes the mapping. So completion offers
    what fits the word, and before there is one, what always fits.
    """
    properties, apart = schema["properties"], one.apart
    branches = []
    for alike in _group_words(one.words):
        word = one.words[alike[0]]
        few = len(alike) <= _NAMED
        holder = f"{one.holder} {' or '.join(alike)}" if few else f"this {one.field}"
        inside = {
            name: _own_fields(properties[name], name, word, holder) if name in apart else True
            for name in properties
        }
        then: Schema = {"properties": inside, "additionalProperties": False}
        then |= {"required": sorted(word.needed)} if word.needed else {}
        further = [branch for one in word.further for branch in _branches_of(properties, one)]
        then |= {"allOf": further} if further else {}
        branches.append({"if": when_word(one.field, alike), "then": then})
    left = {key: value for key, value in schema.items() if key != "additionalProperties"}
    left["properties"] = {name: properties[name] for name in properties if name not in apart}
    return with_branches(left, branches)


def _group_words(words: Mapping[str, Word]) -> list[list[str]]:
    """The words in groups, each of words that let in the same fields."""
    groups: list[list[str]] = []
    for word, says in words.items():
        same = next((group for group in groups if words[group[0]] == says), None)
        if same is None:
            groups.append([word])
        else:
            same.append(word)
    return groups


def _own_fields(schema: Schema, name: str, word: Word, holder: str) -> Schema:
    if name not in word.allowed:
        none = must_be_null(f"`{name}` does not belong to {holder}.")
        may_be_null = without_null(schema) != schema
        return none if may_be_null else none | {"not": {"type": "null"}}
    return without_null(schema) if name in word.needed else schema
