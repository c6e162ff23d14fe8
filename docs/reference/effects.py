"""What changes do to people: class and undo of every field, by what kinds declare."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from lmssync.kind import Effect, Kind, Undo
from lmssync.kinds import BY_RESOURCE

from .live import fields
from .tables import table, words


def parts() -> Mapping[str, Callable[[], str]]:
    """The generated parts of `effects.md` by name."""
    kinds = {f"effects: {kind.resource}": partial(_kind, kind) for kind in BY_RESOURCE.values()}
    return kinds | {"creation": _creation, "follows": _follows}


def _kind(kind: Kind) -> str:
    """Fields of one class that are undone in the same way share a line; the strictest first."""
    lines: dict[tuple[Effect, str], list[str]] = {}
    for label, path in fields(kind):
        lines.setdefault((_effect(kind, path), _undo(kind, path)), []).append(label)
    order = sorted(lines, key=lambda line: -list(Effect).index(line[0]))
    return table(
        ("Class", "Undo", "Fields"),
        [(effect.value, undo, words(lines[effect, undo])) for effect, undo in order],
    )


def _effect(kind: Kind, path: str) -> Effect:
    known = kind.impact.effects
    if path in known or not path.startswith("*."):
        return known.get(path) or known.get(path.partition(".")[0], Effect.EDITORIAL)
    return Effect.STRUCTURAL


def _undo(kind: Kind, path: str) -> str:
    calls = kind.calls
    if path not in calls.by_hand and path.partition(".")[0] not in calls.by_hand:
        return str(Undo.REVERSIBLE)
    further = calls.further.get(path)
    return f"{Undo.BY_HAND}; {Undo.REVERSIBLE} with `{further}`" if further else str(Undo.BY_HAND)


def _creation() -> str:
    lines = [
        (f"`{kind.resource}`", kind.impact.creation.value, undo.value, recipe)
        for kind in BY_RESOURCE.values()
        for undo, recipe in [kind.impact.unmaking]
    ]
    return table(("Kind", "Class", "Undo", "How"), lines)


def _follows() -> str:
    return table(("Kind", "Class", "Who is enrolled", "After an undo"), _sentences())


def _sentences() -> Iterator[tuple[str, str, str, str]]:
    for kind in BY_RESOURCE.values():
        follows, remains = kind.impact.follows, kind.impact.remains
        for effect in (one for one in Effect if one in {*follows, *remains}):
            said = follows.get(effect, ""), remains.get(effect, "")
            yield (f"`{kind.resource}`", effect.value, *said)
