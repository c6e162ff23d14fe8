"""http: requests and answers as HTTP has them: bodies, refusals, who may ask, and no rule."""

from .exchange import (
    BODY_MOST as BODY_MOST,
    Answer as Answer,
    Gone as Gone,
    headers_of as headers_of,
    json_object as json_object,
    query_of as query_of,
    read_body as read_body,
    require_modest as require_modest,
    send_answer as send_answer,
)
from .origin_guard import (
    OriginGuard as OriginGuard,
    is_loopback as is_loopback,
    require_neighbour as require_neighbour,
)
from .protocol import Protocol as Protocol, cut as cut, reset as reset
from .refusals import (
    NO_KEY as NO_KEY,
    Refusal as Refusal,
    absent as absent,
    bad as bad,
    body_of as body_of,
    forbidden as forbidden,
    invalid as invalid,
    of_path as of_path,
    shape_of as shape_of,
)
