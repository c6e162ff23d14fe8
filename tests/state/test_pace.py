"""The log tells the next run what others have sent."""

from lmssync.platform.client import Writer

from .conftest import Open
from .test_journal import call


def test_a_run_waits_for_the_window_that_another_has_used_up(opened: Open) -> None:
    """Sixty purchase paths a minute is for all runs, on whichever machine (spec 8)."""
    with opened("other"):
        pass  # it has been here before: a new one knows what has come since the last snapshot
    with opened("one") as one, one.hold_state():
        for number in range(60):
            one.write_intent(call(f"{number}")._replace(route="path.create"))
    with opened("other", read_only=True) as other, Writer("http://127.0.0.1:1", "key") as writer:
        assert 0 == writer.seconds_limited({"path.create": 1})
        writer.count_earlier(other.sent_within())

        assert 0 < writer.seconds_limited({"path.create": 1}) <= 61


def test_what_is_older_than_any_window_does_not_count(opened: Open) -> None:
    """It is not even read."""
    with opened("one") as one, one.hold_state():
        one.write_intent(call("1"))
        assert [] == list(one.sent_within(seconds=-1.0))
        assert ["course.create"] == [route for route, _ in one.sent_within()]
