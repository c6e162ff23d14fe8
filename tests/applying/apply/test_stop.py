"""Signals that ask a run to stop."""

import signal

from lmssync.applying.apply import catch_stop_signals


def test_a_block_around_learns_that_somebody_asked():
    """A service whose apply has heard the signal ends as well."""
    with catch_stop_signals() as service:
        with catch_stop_signals() as run:
            signal.raise_signal(signal.SIGTERM)
            assert (True, False) == (run.asked, service.asked)
        assert service.asked


def test_a_block_around_goes_on_where_nobody_asked():
    """The end of a run alone asks for nothing."""
    with catch_stop_signals() as service:
        with catch_stop_signals():
            pass
        assert not service.asked
