"""`tag.list`: the company's tags, by page (spec 4)."""

import orjson

from ..call import Call
from ..documents import Doc
from ..http import Answer, bad
from ..platform import Platform
from .paging import by_page


def of_company(platform: Platform, call: Call) -> Answer:
    """`filters` is a JSON object or `filters[label]=x`; its encoding is not shown."""
    label = _label_filter(call).lower()
    tags = [tag for tag in platform.objects.all("tags") if label in tag["label"].lower()]
    return by_page(platform, call, "tags", items=tags, show=as_wire)


def as_wire(tag: Doc) -> Doc:
    return {"id": tag["id"], "label": tag["label"]}


def _label_filter(call: Call) -> str:
    direct = call.one("filters[label]")
    if direct is not None:
        return direct
    given = call.one("filters")
    if not given:
        return ""
    try:
        filters = orjson.loads(given)
    except orjson.JSONDecodeError:
        filters = None
    if not isinstance(filters, dict):
        raise bad('filters: it must be a JSON object such as {"label": "Safety"}')
    label = filters.get("label") or ""
    if not isinstance(label, str):
        raise bad("filters.label: it must be text")
    return label
