"""What a step touches: two steps that touch the same go one after the other, in their order."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...kind import CallPart
from ...kinds import KINDS
from ...planning.plan import Step
from ...platform.live import list_named


def touched(step: Step) -> frozenset[str]:
    """The resources of a step, what they are added to, and looks that only one may have.

    Where several are added to the same, their order may be seen, as that of purchase paths is. Of
    two that look the same, a read could take one for the other while neither is recorded. Work
    that jobs do touches more than its call names, such as the seats of licenses.
    """
    return frozenset(name for part in step.parts for name in _touched(part))


def _touched(part: CallPart) -> Iterator[str]:
    kind = KINDS[part.address.kind]
    yield str(part.address)
    if part.look:
        yield f"look {part.look}"
    if kind.calls.works_in_jobs(part.route):
        yield "jobs"
    yield from _holders(part.params)
    form = kind.reads.asked_with(lambda: part.after)
    reading = kind.reads.request(part.address, form)
    if reading is not None:
        yield from _holders(reading.params)
    search = kind.reads.search(form, part.marker)
    if search is not None:
        yield from _holders(search.request.params)


def _holders(params: Mapping[str, Any]) -> Iterator[str]:
    """What an address of a request names: by its address in the catalog, or by its id."""
    for value in params.values():
        if isinstance(value, str):
            yield value
        else:
            yield from map(str, list_named(value))
