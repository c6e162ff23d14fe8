"""Fields whose word decides which others belong: the kind of a course, the type of a topic.

The tables are those of the rules, so an editor offers and refuses the same fields as `validate`.
A field that does not belong may still be null there: so it may be here.
"""

from collections.abc import Callable, Mapping, Set
from typing import NamedTuple

from pydantic import BaseModel

from ...kinds.body import WAYS
from ...kinds.completion_criterion.spec import NEEDS, CriterionSpec
from ...kinds.course.rules import KIND_FIELDS, TOPIC_FIELDS
from ...kinds.course.spec import ArticleVariant, CourseSpec, Topic
from ...vocabulary.enums import CourseKind, CriterionType, TopicType
from .pieces import Schema, absent, branched, given, solid, when

_NAMED = 3
"""Words that a message names; more would hide what it is about."""


class Word(NamedTuple):
    """What one word of a field lets in, of the fields that not every word lets in."""

    allowed: Set[str]
    needed: Set[str] = frozenset()
    more: tuple[Schema, ...] = ()


def by_word(schema: Schema, field: str, words: Mapping[str, Word], said: str) -> Schema:
    """Splits the properties of a schema by the word that stands in `field`.

    What is common stays; a branch for each set of fields closes the mapping. So completion offers
    what fits the word, and before there is one, what always fits.
    """
    properties = schema["properties"]
    apart = frozenset().union(*(word.allowed for word in words.values()))
    branches = []
    for alike in _alike(words):
        word = words[alike[0]]
        holder = f"{said} {' or '.join(alike)}" if len(alike) <= _NAMED else f"this {field}"
        inside = {
            name: _own(properties[name], name, word, holder) if name in apart else True
            for name in properties
        }
        then: Schema = {"properties": inside, "additionalProperties": False}
        then |= {"required": sorted(word.needed)} if word.needed else {}
        then |= {"allOf": list(word.more)} if word.more else {}
        branches.append({"if": when(field, alike), "then": then})
    left = {key: value for key, value in schema.items() if key != "additionalProperties"}
    left["properties"] = {name: properties[name] for name in properties if name not in apart}
    return branched(left, branches)


def _alike(words: Mapping[str, Word]) -> list[list[str]]:
    """The words in groups that let in the same."""
    groups: list[list[str]] = []
    for word, says in words.items():
        same = next((group for group in groups if words[group[0]] == says), None)
        if same is None:
            groups.append([word])
        else:
            same.append(word)
    return groups


def _own(schema: Schema, name: str, word: Word, holder: str) -> Schema:
    if name not in word.allowed:
        none = absent(f"`{name}` does not belong to {holder}.")
        may_be_null = solid(schema) != schema
        return none if may_be_null else none | {"not": {"type": "null"}}
    return solid(schema) if name in word.needed else schema


def _video() -> Schema:
    """videoUrl or videoAsset, never both; assetType goes with videoAsset (spec 2.2)."""
    message = "A video needs `videoUrl` or `videoAsset`."
    return {
        "if": given("videoUrl"),
        "then": {
            "properties": {
                "videoAsset": absent("Keep one of `videoUrl` and `videoAsset`."),
                "assetType": absent("`assetType` belongs to `videoAsset`."),
            }
        },
        "else": {
            "properties": {"videoAsset": {"type": "string", "errorMessage": message}},
            "required": ["videoAsset"],
            "errorMessage": message,
        },
    }


def _text_of_video() -> Schema:
    """Of the fields of an article, a video takes the body: the text under its player (O20)."""
    message = "`{}` does not belong to a video: its `articleVariant` is the text under the player."
    names = sorted(ArticleVariant.model_fields.keys() - set(WAYS))
    inside = {name: absent(message.format(name)) for name in names}
    return {"properties": {"articleVariant": {"properties": inside}}}


def _types_of_topic() -> dict[str, Word]:
    words = {word.value: Word(TOPIC_FIELDS.get(word, frozenset())) for word in TopicType}
    video = TopicType.VIDEO.value
    return words | {video: words[video]._replace(more=(_video(),))}


def _kinds_of_course() -> dict[str, Word]:
    words = {word.value: Word(KIND_FIELDS[word]) for word in CourseKind}
    video = CourseKind.VIDEO.value
    return words | {video: words[video]._replace(more=(_video(), _text_of_video()))}


def _types_of_criterion() -> dict[str, Word]:
    return {word.value: Word(NEEDS[word], NEEDS[word]) for word in CriterionType}


class Decider(NamedTuple):
    """A field whose word decides which others belong, and how a holder of the word is called."""

    field: str
    words: Callable[[], dict[str, Word]]
    holder: str


DECIDERS: Mapping[type[BaseModel], Decider] = {
    Topic: Decider("type", _types_of_topic, "a topic of type"),
    CourseSpec: Decider("kind", _kinds_of_course, "a course of kind"),
    CriterionSpec: Decider("type", _types_of_criterion, "a criterion of type"),
}


def words_with(model: type[BaseModel], field: str) -> list[str]:
    """The words that let in a field of a model; nothing if every word does."""
    decider = DECIDERS.get(model)
    found = decider.words() if decider else {}
    return [word for word, says in found.items() if field in says.allowed]
