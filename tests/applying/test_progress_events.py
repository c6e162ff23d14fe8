"""How an apply tells its progress to programs."""

import orjson

from tests.served_catalog import Workspace


def test_progress_for_programs(work: Workspace) -> None:
    """`--progress json` writes an event a line on stderr, and leaves stdout to the report."""
    work.course("a")
    done = work.apply("--json", "--progress", "json")
    events = [orjson.loads(line) for line in done.err.splitlines()]
    assert ["begin", "step", "reading", "resource", "end"] == [one["event"] for one in events]
    assert ("course.a", "created") == (events[3]["address"], events[3]["outcome"])
    assert {"created": 1} == {name: n for name, n in done.json["summary"].items() if n}
