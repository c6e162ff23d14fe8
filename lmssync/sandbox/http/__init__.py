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
from .protocol import (
    Protocol as Protocol,
    reset_connection as reset_connection,
    send_half as send_half,
)
from .refusals import (
    NO_KEY as NO_KEY,
    Refusal as Refusal,
    bad_request as bad_request,
    body_of as body_of,
    not_found as not_found,
    of_path as of_path,
    refuse_access as refuse_access,
    shape_of as shape_of,
    validation_error as validation_error,
)
