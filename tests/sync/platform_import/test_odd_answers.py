"""Answers of the platform in which a field is null or a list is empty."""

from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from typing import Any

import pytest

from tests.answer_proxy import answer_proxy
from tests.platform.client.answering import Asked, Said
from tests.served_catalog import Platform, Workspace

from .filled_courses import FIELDS, create_course

BUG = 70
DRY = ("import", "--all", "--dry-run")
"""While nothing is managed yet: later there is nothing to import."""
COMMANDS = (
    ("drift", "--refresh", "all"),
    ("plan", "--refresh", "all"),
    ("pull", "course.*", "--dry-run"),
)
Oddity = tuple[tuple[str, ...], Any]
"""The names of fields that lead to a value, and what it is set to."""


def list_oddities(value: Any, place: tuple[str, ...] = ()) -> Iterator[Oddity]:
    """Each field as null, and each list as empty; items of a list have the fields of any."""
    for item in value if isinstance(value, list) else [value]:
        for name, inner in item.items() if isinstance(item, dict) else ():
            yield (*place, name), None
            yield from [((*place, name), [])] * isinstance(inner, list)
            yield from list_oddities(inner, (*place, name))


def set_everywhere(value: Any, place: tuple[str, ...], new: Any) -> None:
    """Sets the fields that a place leads to, in all items of the lists on the way."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict) and place[0] in item:
            if place[1:]:
                set_everywhere(item[place[0]], place[1:], new)
            else:
                item[place[0]] = new


def change_answer(oddity: Oddity, _asked: Asked, said: Said) -> Said:
    body = deepcopy(said.body)
    set_everywhere(body, *oddity)
    return said._replace(body=body)


@pytest.mark.parametrize(
    "step",
    [pytest.param(3, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.exhaustive)],
)
@pytest.mark.parametrize("route", ["group.list", "course.full", "content.search", "license.list"])
def test_no_null_ends_as_a_bug(
    work: Workspace, instance: Platform, monkeypatch: pytest.MonkeyPatch, route: str, step: int
) -> None:
    """Import, drift, plan, pull and adopt end in words, whatever is null or empty.

    Each null meets one in so many of the commands.
    """
    ids = {kind: create_course(instance, kind) for kind in FIELDS}
    seen: dict[str, Oddity] = {}

    def remember(_asked: Asked, said: Said) -> Said:
        seen.update((repr(one), one) for one in list_oddities(said.body))
        return said

    adopt = ("adopt", f"course.unit={ids['microCourse']}")
    bugs = []
    with answer_proxy(instance.base_url) as way:
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        for before, commands in ((DRY, [DRY]), (("import", "--all"), [*COMMANDS, adopt])):
            way.bend(route, remember)
            work.run(*before)
            work.run("drift", "--refresh", "all")
            for number, oddity in enumerate(seen.values()):
                way.bend(route, partial(change_answer, oddity))
                tried = commands[number % step :: step]
                bugs += [(oddity, words) for words in tried if work.run(*words).code == BUG]
    assert len(seen) > 10
    assert [] == bugs
