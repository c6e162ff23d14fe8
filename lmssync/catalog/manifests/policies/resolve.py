"""Finds what a path of a policy means for a kind of manifest, or says why it means nothing."""

import re
from typing import NamedTuple

from pydantic import BaseModel

from .. import guess, models
from .path import FieldPath, PathStep
from .shape import ValueShape, of_field
from .subjects import PolicySubject
from .wording import PolicyMistake, cut_to_line

_BRACKETS = re.compile(r"\[[^\]]*\]")


class ResolvedPath(NamedTuple):
    """Where a path leads, and what may stand there."""

    path: FieldPath
    shape: ValueShape

    @property
    def several(self) -> bool:
        """It may lead to more than one value."""
        return self.shape.spread or any(step.each for step in self.path.steps)


class NoPath(PolicyMistake):
    """A path that leads nowhere."""


def resolve_target(subject: PolicySubject, model: type[BaseModel], written: str) -> ResolvedPath:
    """Where `written` leads from a mapping of `model`; raises `NoPath`."""
    here = ValueShape(frozenset({"mapping"}), model=model)
    steps: list[PathStep] = []
    names = written.split(".")
    for number, name in enumerate(names):
        if steps:
            steps[-1] = steps[-1]._replace(each=here.many)
        if here.values is not None:
            # The author's own keys may have dots in them, and nothing stands below their values.
            key = ".".join(names[number:])
            if not key:
                raise _no_path(subject, here, names, number)
            return ResolvedPath(FieldPath(written, (*steps, PathStep(key))), here.values)
        field = models.fields_of(here.model).get(name) if here.model else None
        if field is None:
            raise _no_path(subject, here, names, number)
        here = of_field(field)
        steps.append(PathStep(name))
    return ResolvedPath(FieldPath(written, tuple(steps)), here)


def _no_path(subject: PolicySubject, here: ValueShape, names: list[str], number: int) -> NoPath:
    name, above, written = names[number], ".".join(names[:number]), ".".join(names)
    if "[" in written:
        plain = _BRACKETS.sub("", written)
        text = f"`{cut_to_line(written)}` has brackets; a path goes through every item of a list"
        return NoPath(text, f"write `{cut_to_line(plain)}`" if plain else "")
    if not name:
        return NoPath(
            f"`{cut_to_line(written)}` has a dot too many", "a dot stands between two names"
        )
    if here.model is None:
        text = f"`{cut_to_line(above)}` is {here.noun}; nothing stands below it"
        return NoPath(text, f"write `{cut_to_line(above)}`")
    article = "an" if subject.noun[0] in "aeiou" else "a"
    place = f"in `{cut_to_line(above)}`" if above else f"in {article} {subject.noun}"
    if not above and name in subject.short:
        text = (
            f"`{cut_to_line(name)}` cannot be seen {place}: each of them is a document of its own"
        )
        return NoPath(text, f"write a policy with `resource: {subject.short[name]}`")
    hint = guess.guess_field(here.model, (), name, None)
    return NoPath(f"there is no field `{cut_to_line(name)}` {place}", hint)
