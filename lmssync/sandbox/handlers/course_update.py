"""`course.update`: entries of five levels, changed or added to their parents (O1 to O14)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from lmssync.vocabulary import limits
from lmssync.vocabulary.routes import NO_ITEMS, PROCESSING_ERROR

from ..checks import Wrong, at, json_object, quote_value
from ..data.document_ids import Level
from ..http_exchange import Answer, Refusal, bad_request
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from . import media
from .child_update import add_lesson, add_section, add_topic, change_child
from .course_update_entry import Unnamed, add_session, change_group, change_session

Change = Callable[[Platform, Doc], list[str]]
"""Checks and keeps one entry; the addresses that a job must fetch. Raises Wrong."""

LISTS: dict[str, tuple[Change, Change | None]] = {
    "courseGroups": (change_group, None),
    "courses": (change_session, add_session),
    "sections": (partial(change_child, Level.SECTION), add_section),
    "lessons": (partial(change_child, Level.LESSON), add_lesson),
    "topics": (partial(change_child, Level.TOPIC), add_topic),
}
"""The lists of the wrapper in the order of work, with what an entry with an id and one without
it does; a course group is only made by course create."""


def update_courses(platform: Platform, call: Call) -> Answer:
    """All entries or none, unless the switch `batchAtomic` is off (O16)."""
    urls: list[str] = []
    for name, index, value in _read_entries(call.body):
        try:
            with at("courseAttributes", name, index):
                urls += _change_one(platform, name, value)
        except Unnamed:
            # The platform does not say which entry it means (O14).
            raise Refusal(400, PROCESSING_ERROR, kept=not platform.switches.batchAtomic) from None
        except Wrong as wrong:
            raise Refusal(400, str(wrong), kept=not platform.switches.batchAtomic) from None
    return Answer(media.queue_media_job(platform, urls))


def _read_entries(body: Doc) -> list[tuple[str, int, Any]]:
    """Every entry with its list and index, after the checks of the wrapper (O1, O5)."""
    wrapper = body.get("courseAttributes")
    if isinstance(wrapper, list):
        raise bad_request("courseAttributes: is a list; update takes an object of lists")
    if not isinstance(wrapper, dict):
        raise bad_request(
            f"courseAttributes: is {quote_value(wrapper)}; it must be an object of lists"
        )
    for name, entries in wrapper.items():
        if name not in LISTS:
            known = ", ".join(LISTS)
            raise bad_request(f"courseAttributes.{name[:60]}: no such list; the lists are {known}")
        if entries is not None and not isinstance(entries, list):
            raise bad_request(
                f"courseAttributes.{name}: is {quote_value(entries)}; it must be a list"
            )
    flat = [
        (name, index, entry)
        for name in LISTS
        for index, entry in enumerate(wrapper.get(name) or [])
    ]
    if not flat:
        raise bad_request(NO_ITEMS)
    if len(flat) > limits.ENTRIES_PER_UPDATE:
        most = limits.ENTRIES_PER_UPDATE
        raise bad_request(f"courseAttributes: has {len(flat)} entries in all; the most is {most}")
    return flat


def _change_one(platform: Platform, name: str, value: Any) -> list[str]:
    entry = json_object(value)
    change, add = LISTS[name]
    if entry.get("id") is not None:
        return change(platform, entry)
    if add is None:
        raise Wrong("is required", "id")
    return add(platform, entry)
