"""Guesses what was meant by a field that does not exist, or by a word that is not allowed."""

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel

from ...kinds import KINDS, field_synonyms
from ...problems import suggest_near
from ...resource import Path
from ...support.annotations import leaf_types
from . import models

_PLACES_MOST = 3


def guess_field(model: type[BaseModel], path: Path, name: str, value: Any) -> str:
    """A remedy for a field `name` that the mapping at `path` does not have."""
    here = models.model_at(model, path)
    known = set(models.fields_of(here)) | _short_forms(here) if here else set()
    same = next(_same_letters(name, known), None)
    return (
        _by_habit(name, value, known)
        or (f"did you mean `{same}`?" if same else "")
        or _find_elsewhere(model, name)
        or suggest_near(name, known)
        or f"known here: {', '.join(sorted(known))}"
    )


def find_meant_fields(model: type[BaseModel], path: Path, name: str) -> list[str]:
    """The fields that a field `name` may stand for, which the mapping at `path` does not have."""
    from difflib import get_close_matches

    known = models.fields_at(model, path)
    habits = [
        word.partition(".")[0].partition(":")[0] for word in field_synonyms.NAMES.get(name, ())
    ]
    close = get_close_matches(name, known, n=3, cutoff=0.6)
    likely = dict.fromkeys([*habits, *_same_letters(name, known), *close])
    return [word for word in likely if word in known]


def _short_forms(model: type[BaseModel]) -> set[str]:
    """Fields that hold resources of their own; they are taken out before a model is asked."""
    nested = (kind.authoring.nested for kind in KINDS.values() if kind.spec is model)
    return {short.field for several in nested for short in several}


def _by_habit(name: str, value: Any, known: Iterable[str]) -> str:
    for meant in field_synonyms.NAMES.get(name, ()):
        if meant.partition(".")[0].partition(":")[0] in known:
            plain = isinstance(value, (int, str)) and len(str(value)) <= len("x" * 60)
            shown = meant.format(value=value) if plain else meant.partition(":")[0]
            return f"here it is `{shown}`"
    return field_synonyms.NEEDLESS.get(name, "")


def _same_letters(name: str, known: Iterable[str]) -> Iterator[str]:
    bare = _letters_of(name)
    return (other for other in known if _letters_of(other) == bare)


def _letters_of(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _find_elsewhere(model: type[BaseModel], name: str) -> str:
    """Where in the document the field belongs."""
    places = sorted({place for place, field in _field_places(model) if field == name}, key=len)
    if not places or len(places) > _PLACES_MOST:
        return ""
    words = [f"in `{place}`" if place else "at the top of the document" for place in places]
    return f"`{name}` belongs {' or '.join(words)}"


def _field_places(model: type[BaseModel], place: str = "") -> Iterator[tuple[str, str]]:
    """Every field of a model and of those inside it, by the place of its mapping."""
    for name, declared in models.fields_of(model).items():
        yield place, name
        for leaf in leaf_types(declared.annotation):
            if leaf.model:
                below = f"{place}.{name}{'[]' if leaf.listed else ''}".removeprefix(".")
                yield from _field_places(leaf.model, below)


def guess_word(value: Any, allowed: list[str]) -> str:
    """A remedy for a word that is not one of the allowed words."""
    written = str(value)
    same = next(_same_letters(written, allowed), None)
    habit = field_synonyms.WORDS.get(written.lower())
    if same or habit in allowed:
        return f"did you mean `{same or habit}`?"
    return (
        field_synonyms.NOT_HERE.get(written)
        or suggest_near(written, allowed)
        or f"allowed: {', '.join(allowed)}"
    )
