"""Refusals: errors that a handler raises, before they get the shape of their route."""

from collections.abc import Iterable

from lmssync.vocabulary.envelopes import Code, Envelope


class Refusal(Exception):
    """A request that is refused; `envelopes.body_of` gives it the shape of its route.

    `kept` is true where the work done so far stays although the answer is a refusal (the
    switch `batchAtomic` off).
    """

    def __init__(
        self,
        status: int,
        *errors: str,
        code: Code | None = None,
        envelope: Envelope | None = None,
        metadata: dict[str, object] | None = None,
        headers: Iterable[tuple[str, str]] = (),
        kept: bool = False,
    ) -> None:
        super().__init__(status, *errors)
        self.status = status
        self.errors = errors
        self.code = code
        self.envelope = envelope
        self.metadata = metadata
        self.headers = tuple(headers)
        self.kept = kept


def bad(*errors: str) -> Refusal:
    """400: the request itself is wrong."""
    return Refusal(400, *errors)


def invalid(*errors: str) -> Refusal:
    """400 `VALIDATION_ERROR` on a v3 route (spec 7); a plain 400 elsewhere."""
    return Refusal(400, *errors, code=Code.VALIDATION_ERROR)


def absent(resource: str, identifier: str) -> Refusal:
    """404; envelope D names both words in its metadata (spec 7)."""
    return Refusal(
        404,
        f'{resource}: nothing has the id "{identifier[:100]}"',
        metadata={"resource": resource, "identifier": identifier[:100]},
    )


def forbidden(message: str) -> Refusal:
    """403."""
    return Refusal(403, message)
