"""What became of each person in the lists of a catalog, as CSV and as JSON."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from ..applying.apply import PersonLine
from ..learners.operations.result import Ended
from .receipts import in_summary
from .tables import join_csv_line

_COLUMNS = ("address", "file", "line", "person", "outcome", "reason")


def people_bytes(form: str, people: Sequence[PersonLine], environment: str) -> Iterable[bytes]:
    """A receipt as a file, `csv` or `json`; it names people."""
    if form == "csv":
        return [join_csv_line(_COLUMNS), *(join_csv_line(_fields(one).values()) for one in people)]
    counts = Counter(one.ended for one in people)
    document = {
        "format": "lmssync.people-receipt/1",
        "environment": environment,
        "summary": in_summary({ended: counts[ended] for ended in Ended}),
        "people": [_fields(one) for one in people],
    }
    return [orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)]


def _fields(one: PersonLine) -> dict[str, Any]:
    file, line = (one.place.file, one.place.line) if one.place else (None, None)
    cells = (str(one.address), file, line, one.person, str(one.ended), one.reason or None)
    return dict(zip(_COLUMNS, cells, strict=True))
