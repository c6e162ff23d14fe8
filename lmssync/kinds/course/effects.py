"""How a change of a field affects people: as the models say, and what concerns parts alone."""

from ...kind import Effect, Spec

_IN_PARTS = {
    "title": Effect.EDITORIAL,
    "body": Effect.EDITORIAL,
    "preTextBlock": Effect.EDITORIAL,
    "postTextBlock": Effect.EDITORIAL,
    "openType": Effect.ACCESS,
    "releaseDate": Effect.ACCESS,
    "scormUrl": Effect.PROGRESS,
}
"""Anything else that changes inside a section is structural."""
FOLLOWS = {
    Effect.EDITORIAL: "they read the new text at once",
    Effect.STRUCTURAL: "they find the changed parts at once",
    Effect.PROGRESS: "their way through the course changes",
    Effect.ACCESS: "who may enter, and when, changes for them too",
}
REMAINS = {Effect.COMMERCE: "what is bought meanwhile stays bought at that price"}


def effects_in(model: type[Spec]) -> dict[str, Effect]:
    """The effects of the fields of a course, or of a further session."""
    return {
        name: mark
        for name, field in model.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, Effect)
    } | {f"*.{field}": effect for field, effect in _IN_PARTS.items()}
