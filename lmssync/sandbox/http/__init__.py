"""http: requests and answers as HTTP has them: bodies, refusals, who may ask, and no rule."""

from .envelopes import NO_KEY, body_of, of_path, shape_of
from .exchange import (
    BODY_MOST,
    Answer,
    Gone,
    headers_of,
    json_object,
    query_of,
    read_body,
    require_modest,
    send_answer,
)
from .loopback import is_loopback
from .origin_guard import OriginGuard, require_neighbour
from .protocol import Protocol, cut, reset
from .refusals import Refusal, absent, bad, forbidden, invalid

__all__ = [
    "BODY_MOST",
    "NO_KEY",
    "Answer",
    "Gone",
    "OriginGuard",
    "Protocol",
    "Refusal",
    "absent",
    "bad",
    "body_of",
    "cut",
    "forbidden",
    "headers_of",
    "invalid",
    "is_loopback",
    "json_object",
    "of_path",
    "query_of",
    "read_body",
    "require_modest",
    "require_neighbour",
    "reset",
    "send_answer",
    "shape_of",
]
