"""Follows a path through models to its fields, and guesses what an unknown field or word meant."""

from collections.abc import Iterable, Iterator, Set
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ...kinds import KINDS, field_synonyms
from ...problems import suggest_near
from ...resource import Path
from ...support.annotations import leaf_types


def fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a model by the names that an author writes."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def model_in(annotation: Any) -> type[BaseModel] | None:
    return next((leaf.model for leaf in leaf_types(annotation) if leaf.model), None)


def model_at(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    """The model that the value at `path` has to fit; nothing among keys of the author's own."""
    here: type[BaseModel] | None = model
    keyed = False  # a mapping of models: the next step is a key of the author's
    for step in path:
        if isinstance(step, int) or keyed:
            keyed = False
            continue
        declared = fields_of(here).get(step) if here else None
        inside = leaf_types(declared.annotation) if declared else ()
        leaf = next((leaf for leaf in inside if leaf.model), None)
        here, keyed = (leaf.model, leaf.keyed) if leaf else (None, False)
    return here


def fields_at(model: type[BaseModel], path: Path) -> dict[str, FieldInfo]:
    """The fields of the mapping at `path`; none where no model says which."""
    here = model_at(model, path)
    return fields_of(here) if here else {}


def declared_at(model: type[BaseModel], path: Path) -> tuple[str, FieldInfo | None]:
    """The innermost field of a model on the way to `path`: the rest are keys of the author's."""
    for end in range(len(path), 0, -1):
        name = path[end - 1]
        declared = fields_at(model, path[: end - 1]).get(str(name))
        if declared is not None:
            return str(name), declared
    return "document", None


def field_at(model: type[BaseModel], path: Path) -> str:
    """The name of that field; `document` where there is none."""
    return declared_at(model, path)[0]


_PLACES_MOST = 3
_KNOWN_MOST = 20


def guess_field(model: type[BaseModel], path: Path, name: str, value: Any) -> str:
    """A remedy for a field `name` that the mapping at `path` does not have."""
    here = model_at(model, path)
    known = set(fields_of(here)) | _short_forms(here) if here else set()
    same = next(_same_letters(name, known), None)
    return (
        _by_habit(name, value, known)
        or (f"did you mean `{same}`?" if same else "")
        or _find_elsewhere(model, name)
        or suggest_near(name, known)
        or _list_known(known)
    )


def _list_known(known: Set[str]) -> str:
    if len(known) > _KNOWN_MOST:
        return f"none of the {len(known)} fields has a name like it: `lmssync explain` lists them"
    return f"known here: {', '.join(sorted(known))}"


def find_meant_fields(model: type[BaseModel], path: Path, name: str) -> list[str]:
    """The fields that a field `name` may mean, which the mapping at `path` does not have."""
    from difflib import get_close_matches

    known = fields_at(model, path)
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
    for name, declared in fields_of(model).items():
        yield place, name
        for leaf in leaf_types(declared.annotation):
            if leaf.model:
                below = f"{place}.{name}{'[]' if leaf.listed else ''}".removeprefix(".")
                yield from _field_places(leaf.model, below)


def guess_word(value: Any, allowed: list[str]) -> str:
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
