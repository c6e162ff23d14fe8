"""Refusals: errors that a handler raises, in the shape of their route (spec 7)."""

from collections.abc import Iterable
from http import HTTPStatus

from lmssync.vocabulary.envelopes import UNAUTHORIZED, Category, Code, Envelope
from lmssync.vocabulary.routes import V3


class Refusal(Exception):
    """A request that is refused; `body_of` gives it the shape of its route.

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


def bad_request(*errors: str) -> Refusal:
    """400: the request itself is wrong."""
    return Refusal(400, *errors)


def validation_error(*errors: str) -> Refusal:
    """400 `VALIDATION_ERROR` on a v3 route (spec 7); a plain 400 elsewhere."""
    return Refusal(400, *errors, code=Code.VALIDATION_ERROR)


def not_found(resource: str, identifier: str) -> Refusal:
    """404; envelope D names both words in its metadata (spec 7)."""
    return Refusal(
        404,
        f'{resource}: nothing has the id "{identifier[:100]}"',
        metadata={"resource": resource, "identifier": identifier[:100]},
    )


def refuse_access(message: str) -> Refusal:
    """403."""
    return Refusal(403, message)


NO_KEY = "The API key is missing, invalid or expired"

_CODES = {
    400: Code.BAD_REQUEST,
    401: Code.UNAUTHENTICATED,
    403: Code.FORBIDDEN,
    404: Code.RESOURCE_NOT_FOUND,
}


def of_path(path: str) -> Envelope:
    """The envelope of a request that no route answers: D under /v3, else the general one."""
    return Envelope.D if path.startswith(V3 + "/") else Envelope.C


def body_of(refusal: Refusal, envelope: Envelope, *, timestamp: str) -> dict[str, object]:
    """The JSON body of a refusal on a route whose errors have the shape `envelope`."""
    shape = refusal.envelope or shape_of(refusal.status, envelope)
    if shape is Envelope.D:
        return _envelope_d(refusal, timestamp)
    if shape is Envelope.C:
        return _envelope_c(refusal)
    if shape is Envelope.B:
        if refusal.status == HTTPStatus.FORBIDDEN:
            return {"error": refusal.errors[0]}
        return {"valid": False, "errors": list(refusal.errors)}
    if shape is Envelope.E:
        return {"errors": [{"message": error} for error in refusal.errors]}
    return {"errors": list(refusal.errors)}


def shape_of(status: int, envelope: Envelope) -> Envelope:
    """401 speaks C on v2 and D on v3; a 429 always speaks A; B is for 400 and 403 alone."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Envelope.A
    if status == HTTPStatus.UNAUTHORIZED and envelope is not Envelope.D:
        return Envelope.C
    if envelope is Envelope.B and status not in (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN):
        return Envelope.A
    return envelope


def _envelope_c(refusal: Refusal) -> dict[str, object]:
    status = HTTPStatus(refusal.status)
    word = UNAUTHORIZED if status == HTTPStatus.UNAUTHORIZED else status.name.lower()
    body: dict[str, object] = {"error": word, "message": "; ".join(refusal.errors)}
    if status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY):
        body["details"] = [_error_detail(error) for error in refusal.errors]
    return body


def _error_detail(error: str) -> dict[str, str]:
    field, message = error.split(": ", 1) if ": " in error else ("", error)
    return {"field": field, "code": "invalid", "message": message}


def _envelope_d(refusal: Refusal, timestamp: str) -> dict[str, object]:
    status = refusal.status
    code = refusal.code or _CODES.get(status) or HTTPStatus(status).name
    of_status = Category.NOT_FOUND if status == HTTPStatus.NOT_FOUND else Category.CLIENT_ERROR
    body: dict[str, object] = {
        "code": code,
        "message": "; ".join(refusal.errors),
        "category": Category.VALIDATION if code == Code.VALIDATION_ERROR else of_status,
        "timestamp": timestamp,
        "statusCode": status,
    }
    metadata = refusal.metadata
    if metadata is None and status == HTTPStatus.BAD_REQUEST:
        metadata = {"errors": list(refusal.errors)}
    if metadata is not None:
        body["metadata"] = metadata
    return body
