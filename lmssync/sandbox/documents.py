"""A document: a JSON object, as it is kept, sent and answered."""

from typing import Any

Doc = dict[str, Any]
