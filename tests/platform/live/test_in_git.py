"""Whatever git changes is planned alone and arrives: field by field, for every kind."""

import shutil
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import pytest

from lmssync.resource import is_within

from .by_hand import Case
from .conftest import Seen
from .test_by_hand import applied, cases, held, planned, write

__all__ = ["cases"]  # a fixture


def changed(changes: Mapping[str, Any], case: Case) -> list[str]:
    """What a plan says of a resource that has to do with other fields than the changed one."""
    part, dot, _ = case.path.rpartition(".")
    mine = (case.path, *(f"{part}{dot}{name}" for name in case.values.along))
    fields = [one["path"] for one in changes.get(case.address, {"fields": []})["fields"]]
    return [path for path in fields if not any(is_within(path, own) for own in mine)]


def by_address(seen: Seen, cases: Sequence[Case]) -> Mapping[str, Any]:
    """What the platform holds of each field, with addresses in the place of ids."""
    seen = Seen(seen.platform, seen.work, seen.profile)  # the state has changed
    text = orjson.dumps(held(seen, cases)).decode()
    for address, record in seen.records.items():
        for name, id_ in {**record.ids.own, **record.ids.parts}.items():
            text = text.replace(id_, f"{address}:{name}")
    found: Mapping[str, Any] = orjson.loads(text)
    return found


@pytest.mark.parametrize(
    "profile", ["extended", pytest.param("core", marks=pytest.mark.slow)], indirect=True
)
def test_each_field_that_git_changes_is_planned_alone_and_arrives(
    seen: Seen, cases: Sequence[Case]
) -> None:
    """The platform then holds what it would hold if the value had been there from the beginning."""
    applied(seen, [case.manifest() for case in cases])
    assert {"manual"} >= {change["action"] for change in planned(seen).values()}
    write(seen, [case.manifest(git=True) for case in cases])
    changes = planned(seen)
    assert {case.address for case in cases} <= changes.keys()
    assert {} == {case.address: more for case in cases if (more := changed(changes, case))}
    assert seen.work.apply().code in {0, 7}
    sent = [case for case in cases if "update" == changes[case.address]["action"]]
    assert sent
    updated = by_address(seen, sent)

    seen.platform.renew()
    shutil.rmtree(seen.work.root / ".lmssync")
    applied(seen, [case.manifest(git=True) for case in cases])
    assert by_address(seen, sent) == updated
