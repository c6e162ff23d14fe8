"""The shapes of error answers (spec 7).

The sandbox writes these shapes and the client reads them, each with code of its own:
only the words are shared.
"""

from enum import StrEnum


class Envelope(StrEnum):
    """Which shape an error answer of a route has."""

    A = "A"
    """`{errors: string[]}`: v2 routes in general, external activity, 429."""
    B = "B"
    """`{valid: false, errors: string[]}`: clone client."""
    C = "C"
    """`{error, message, details?: [{field, code, message}]}`: the general format, 401."""
    D = "D"
    """`{code, message, category, timestamp, statusCode, metadata}`: v3 routes."""
    E = "E"
    """`{errors: [{message}]}`: the masked validation failure of clone client."""


class Code(StrEnum):
    """`code` of envelope D."""

    VALIDATION_ERROR = "VALIDATION_ERROR"
    BAD_REQUEST = "BAD_REQUEST"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    RESOURCE_NOT_FOUND = "RESOURCE_NOT_FOUND"


class Category(StrEnum):
    """`category` of envelope D."""

    VALIDATION = "VALIDATION"
    CLIENT_ERROR = "CLIENT_ERROR"
    NOT_FOUND = "NOT_FOUND"


UNAUTHORIZED = "unauthorized"
"""`error` of envelope C on a 401."""
RATE_LIMIT_EXCEEDED = "Rate limit exceeded, retry in {seconds} seconds"
"""The one error string of envelope A on a 429."""
PROCESSING_ERROR = "A processing error occurred"
"""What the platform says when it will not say which field is wrong (O14, spec 7)."""
NO_ITEMS = "No items provided"
"""An update whose wrapper is empty (O14)."""
