"""Several runs at the limits of one account: none is refused, and who goes first is decided."""

import json
from random import Random

import pytest

from lmssync.platform.client import DeliveryStatus, Outcome, Urgency
from lmssync.platform.client.request_outcomes import WindowStanding
from lmssync.platform.client.request_windows import SendTurn
from lmssync.platform.client.shared_limits import ActiveRun, LimitLedger, SharedWindow
from lmssync.platform.client.window_count import WindowUse
from lmssync.sandbox.request_gateway import account_limits
from lmssync.vocabulary.limits import Tier
from lmssync.vocabulary.routes import ROUTES, Route

from .runs_together import Account, Run, Shelf

EVENTS, PING, CREATE = ROUTES["event.list"], ROUTES["ping"], ROUTES["course.create"]


def three(
    shelf: Shelf | None, *, fast: tuple[float, ...] = (0, 0, 0), forecast: float = 1.0
) -> list[Run]:
    """Two applies of 70 creates, and a look for drift at 35 things, that begin together; after so
    many seconds each is asked for its `forecast`."""
    account = Account()
    runs = [
        Run(account, 70, Urgency.APPLY, fast=fast[0]),
        Run(account, 70, Urgency.APPLY, fast=fast[1]),
        Run(account, 35, Urgency.LOOK, fast=fast[2]),
    ]
    for run in runs:
        if shelf:
            run.share(shelf)
        account.begin(run)
    account.later(forecast, lambda: [run.note_forecast() for run in runs if not run.ended])
    account.pass_time()
    return runs


def test_without_a_ledger_requests_are_refused():
    """What the ledger is for: each run knows what was sent, but not what others send now."""
    assert sum(run.refused for run in three(None)) > 0


@pytest.mark.parametrize("fast", [(0, 0, 0), (0, 300, -300)])
def test_no_run_is_refused(fast: tuple[float, ...]):
    """Two applies and a look for drift at the standard limits, whatever their clocks say."""
    assert [0, 0, 0] == [run.refused for run in three(Shelf(), fast=fast)]


@pytest.mark.parametrize("moment", [1.0, 62.5, 75.0])
def test_each_run_ends_when_it_was_forecast(moment: float):
    """Within a fifth, from the moment on at which all of them have begun; also in a minute of which
    others have used up all before it could send anything."""
    for run in three(Shelf(), forecast=moment):
        assert run.forecast == pytest.approx(run.ended, rel=0.2)


def test_applies_go_before_a_look():
    """The look has the fewest calls and ends last."""
    first, second, look = three(Shelf())
    assert max(first.ended, second.ended) < look.ended


def test_nothing_is_forecast_beside_a_run_that_is_still_planning():
    """An apply knows after 20 seconds what it needs; the look that began before says only then
    how long it takes, and is right."""
    account, shelf = Account(), Shelf()
    look = account.begin(Run(account, 100, Urgency.LOOK).share(shelf))
    account.begin(Run(account, 70, Urgency.APPLY, plans=20).share(shelf), after=0.5)
    unclear: list[bool] = []
    for moment in (5, 70):
        account.later(moment, lambda: unclear.append(look.throttle.has_guesses()))
    account.later(70, look.note_forecast)
    account.pass_time()
    assert [True, False] == unclear
    assert look.forecast == pytest.approx(look.ended, rel=0.2)


def test_room_is_left_for_the_first_request_of_a_run_that_begins():
    """No window goes on when it begins, and others use one up before its request arrives."""
    account, shelf = Account(), Shelf()
    account.begin(Run(account, 5, Urgency.APPLY).share(shelf))
    slow = account.begin(Run(account, 30, Urgency.LOOK).share(shelf), after=200)
    slow.way = 1.5
    fast = account.begin(Run(account, 100, Urgency.APPLY).share(shelf), after=200.01)
    account.pass_time()
    assert [0, 0] == [slow.refused, fast.refused]


def test_a_run_that_has_to_wait_with_its_first_request_is_noted():
    """The minute is used up: what comes next is kept for the more urgent run."""
    account, shelf = Account(), Shelf()
    account.begin(Run(account, 100, Urgency.LOOK).share(shelf))
    apply = account.begin(Run(account, 55, Urgency.APPLY).share(shelf), after=30)
    account.later(40, lambda: noted.update(LimitLedger.parse_text(shelf.text).runs))
    noted: dict[str, ActiveRun] = {}
    account.pass_time()
    assert {Urgency.LOOK, Urgency.APPLY} == {one.urgency for one in noted.values()}
    assert (0, 0) == (apply.left, apply.refused)
    assert apply.ended < 60


def test_a_lonely_run_is_as_fast_as_without():
    """And writes a few times a minute, not with each call."""
    times = []
    for shelf in (None, Shelf(), Shelf(broken=True)):
        account = Account()
        run = Run(account, 190, Urgency.APPLY)
        account.begin(run.share(shelf) if shelf else run)
        account.pass_time()
        times.append(run.ended)
        assert shelf is None or shelf.written <= 190 / 10
    assert times[0] == pytest.approx(times[1], abs=1) == pytest.approx(times[2], abs=1)


def test_a_run_that_is_alone_waits_for_nobody():
    """A long call on a new route is not counted twice: once as that of another run."""
    account = Account()
    throttle = (run := Run(account, 0, Urgency.APPLY).share(Shelf())).throttle

    def answer(route: Route, turn: SendTurn, counted: int) -> bool:
        run.hear()
        standing = WindowStanding(60, 60 - counted, 60.0, account.now + 60)
        told = Outcome(DeliveryStatus.ACKNOWLEDGED, 200, standing=standing)
        throttle.end_request(route, turn, told)
        return turn.is_now

    assert answer(PING, throttle.take_turn(PING), 1)
    long = throttle.take_turn(CREATE)
    assert all(answer(PING, throttle.take_turn(PING), counted) for counted in range(3, 40))
    assert answer(CREATE, long, 2)
    assert all(answer(PING, throttle.take_turn(PING), counted) for counted in range(40, 61))


def test_a_killed_run_keeps_others_for_a_moment_only():
    """What it has taken is lost for this window, and what it needs is forgotten."""
    account, shelf = Account(), Shelf()
    killed = account.begin(Run(account, 500, Urgency.APPLY).share(shelf))
    look = account.begin(Run(account, 30, Urgency.LOOK).share(shelf), after=1)
    account.later(5, killed.kill)
    account.pass_time()
    assert (0, 0) == (look.left, look.refused)
    assert look.ended < 130


def test_a_lowered_limit_counts_at_once():
    """The instance allows 30 from the middle of a run on; nobody is refused more than once."""
    account, shelf = Account(), Shelf()
    runs = [account.begin(Run(account, 60, Urgency.APPLY).share(shelf)) for _ in range(2)]
    account.later(65, lambda: account.lower_limits(30))
    account.pass_time()
    assert [0, 0] == [run.left for run in runs]
    assert sum(run.refused for run in runs) <= len(runs)


def test_a_late_run_learns_of_the_limits_before_it_asks():
    """A window that others have used up is waited for, and not run into."""
    account, shelf = Account(), Shelf()
    account.begin(Run(account, 150, Urgency.APPLY).share(shelf))
    late = account.begin(Run(account, 5, Urgency.PLAN).share(shelf), after=30)
    account.pass_time()
    assert (0, 0) == (late.left, late.refused)


def test_a_run_that_is_alone_asks_before_a_long_wait():
    """The hour is used up: it is refused once, and then waits for the next one."""
    account, shelf = Account(), Shelf()
    account.begin(Run(account, 1_000, Urgency.APPLY).share(shelf))
    late = account.begin(Run(account, 20, Urgency.PLAN).share(shelf), after=1_500)
    account.pass_time()
    assert (0, 1) == (late.left, late.refused)
    assert late.ended == pytest.approx(2_100, abs=10)


@pytest.mark.parametrize("later", ["off", "enterprise"])
def test_a_run_learns_that_the_limits_were_lifted(later: str):
    """Its first answer tells of none, or of one that has more left than the former could have."""
    account, shelf = Account(), Shelf()
    account.begin(Run(account, 1_000, Urgency.APPLY).share(shelf))
    account.later(1_400, lambda: setattr(account, "limits", [*account_limits(later)]))
    late = account.begin(Run(account, 290, Urgency.PLAN).share(shelf), after=1_500)
    account.pass_time()
    assert (0, 0) == (late.left, late.refused)
    assert late.ended < 60
    assert "account 60" not in shelf.text


@pytest.mark.slow
def test_ten_runs_with_wrong_clocks_come_to_an_end():
    """Nobody waits for what is over already; those whose clocks are right are hardly refused."""
    account, shelf, random = Account(), Shelf(), Random(13)
    runs = [
        Run(account, random.randint(1, 60), random.choice([*Urgency]), fast=fast).share(shelf)
        for fast in (0, 0, 0, 0, 300, -300, 300, 3600, -3600, 0)
    ]
    for run in runs:
        account.begin(run, after=random.choice([0, 0, 5, 30, 70]))
    account.pass_time()
    assert [0] * 10 == [run.left for run in runs]
    assert sum(run.refused for run in runs) < 15


@pytest.mark.parametrize("text", ["", "{", "[]", '{"windows": 3}', "[" * 5000])
def test_a_text_that_is_no_ledger_counts_as_none(text: str):
    """It can be of a later version, or damaged."""
    assert LimitLedger() == LimitLedger.parse_text(text)


def test_odd_values_are_no_ledger():
    """Each value has the type that is counted with."""
    window = {"limit": "60", "seconds": 60, "ends": 5}
    text = json.dumps({"windows": {"x": window}, "runs": {}, "written": 1})
    assert LimitLedger() == LimitLedger.parse_text(text)
    assert LimitLedger() == LimitLedger.parse_text('{"windows": {}, "runs": {}, "written": "1"}')


def test_a_window_that_ends_too_late_is_over():
    """A damaged ledger, or one of a wrong clock, lets nobody wait for years."""
    ledger = LimitLedger({"x": SharedWindow(60, 60.0, 9e15, is_told=True, others=60)})
    taken = ledger.take_requests("me", Urgency.LOOK, WindowUse("x", 60, 60.0), 1e9, is_sure=True)
    assert taken is not None
    assert taken > 0


def test_a_run_that_is_noted_for_too_long_is_gone():
    """Nobody leaves room for it."""
    ledger = LimitLedger({}, {"other": ActiveRun(Urgency.APPLY, 9e15, {"x": 1_000})})
    taken = ledger.take_requests("me", Urgency.LOOK, WindowUse("x", 60, 60.0), 1e9, is_sure=True)
    assert taken is not None
    assert taken > 0


def test_a_window_of_a_tier_is_written():
    """Its key is the name of the tier."""
    ledger = LimitLedger()
    ledger.runs["one"] = ActiveRun(Urgency.LOOK, 9.0, {Tier.EVENT: 3})
    assert ledger == LimitLedger.parse_text(ledger.spell_text(0.0))


def test_declared_limits_are_shared_as_well():
    """That of a tier counts for all routes of the tier, whichever run asks."""
    account, shelf = Account(), Shelf()
    first, second = (Run(account, 0, Urgency.LOOK).share(shelf) for _ in range(2))
    answer = Outcome(DeliveryStatus.ACKNOWLEDGED, 200)
    sent = 0
    for run in [first, second] * 40:
        if (turn := run.throttle.take_turn(EVENTS)).is_now:
            run.hear()
            run.throttle.end_request(EVENTS, turn, answer)
            sent += 1
    assert EVENTS.tier
    assert sent == EVENTS.tier.window.requests
