"""http: requests and answers as HTTP has them: bodies, refusals, who may ask, and no rule."""

from .exchange import BODY_MOST as BODY_MOST
from .exchange import Answer as Answer
from .exchange import Gone as Gone
from .exchange import headers_of as headers_of
from .exchange import json_object as json_object
from .exchange import query_of as query_of
from .exchange import read_body as read_body
from .exchange import require_modest as require_modest
from .exchange import send_answer as send_answer
from .origin_guard import OriginGuard as OriginGuard
from .origin_guard import is_loopback as is_loopback
from .origin_guard import require_neighbour as require_neighbour
from .protocol import Protocol as Protocol
from .protocol import cut as cut
from .protocol import reset as reset
from .refusals import NO_KEY as NO_KEY
from .refusals import Refusal as Refusal
from .refusals import absent as absent
from .refusals import bad as bad
from .refusals import body_of as body_of
from .refusals import forbidden as forbidden
from .refusals import invalid as invalid
from .refusals import of_path as of_path
from .refusals import shape_of as shape_of
