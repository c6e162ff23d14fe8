"""Ids of the wrong kind: 200 with `errors` in the extended profile (O29, O30), else 404."""

from ..data.ids import Level
from ..platform import Platform
from ..serving.exchange import Answer
from ..serving.refusals import absent

WORDS = {
    "learningPaths": "learning path",
    "collections": "collection",
    "subscriptions": "subscription",
    "clients": "client",
    "licenses": "license",
    "users": "user",
    "tags": "tag",
}
"""Kinds of objects whose ids are told apart from those of content."""


def refused(platform: Platform, id_: str, *, meant: str) -> Answer:
    """The answer to an id that is none of what the route means; raises 404 in the core profile
    and where nothing has the id."""
    word = _word_of(platform, id_)
    if word in (None, meant) or platform.profile != "extended":
        raise absent(meant, id_)
    return Answer({"errors": [f"{id_} is the id of a {word}, not of a {meant}"]})


def _word_of(platform: Platform, id_: str) -> str | None:
    """What the id stands for, in a word."""
    found = platform.courses.locate(id_)
    if found and found.level is Level.GROUP:
        return found.level.word if platform.courses.group_by_id(id_) else None
    if found and found.level >= Level.COURSE:
        return found.level.word if platform.courses.by_id(id_) else None
    return next((word for kind, word in WORDS.items() if platform.objects.has(kind, id_)), None)
