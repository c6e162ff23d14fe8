"""The job of a bulk sublicense request: its life, seats, users that fail (spec 2.6, 3, 4)."""

import pytest

from .school import (
    DELETE,
    KEEP,
    accepted,
    assigned,
    demo,
    finished,
    licenses,
    outcome,
    person,
    send,
    user,
)

PLANT = 612
"""The license with one seat left of five; 408, 409, 413 and 414 hold it."""


def test_job_is_queued_then_processing_then_complete(platform):
    """The life of a job that succeeds (spec 3 job)."""
    platform.control("switches", {"jobSeconds": 100})
    job = accepted(platform, user(408, add=(613,)))["jobId"]
    seen = []
    for seconds in (0, 60, 50):
        platform.control("clock", {"advanceSeconds": seconds})
        seen.append(platform.call("job.read", id=job).json()["status"])
    assert ["queued", "processing", "complete"] == seen


def test_nothing_changes_before_the_work_is_done(platform):
    """Work runs as a background job (spec 4 sublicense.7)."""
    platform.control("switches", {"jobSeconds": 100})
    job = accepted(platform, user(410, add=(613,)))["jobId"]
    before = licenses(platform, 410)
    platform.control("clock", {"advanceSeconds": 101})
    assert ([611], [611, 613]) == (before, licenses(platform, 410))
    assert "complete" == platform.call("job.read", id=job).json()["status"]


def test_job_shows_no_results_of_users(platform):
    """Only id, description, status and errorMessage (spec 2.6 job; spec 4 sublicense.8)."""
    job = assigned(platform, user(408, add=(613,)), user(438, add=(613,)))
    assert {"id", "description", "status", "errorMessage"} == set(job)
    assert ("complete", None) == (job["status"], job["errorMessage"])


def test_job_cannot_be_cancelled(platform):
    """No method on the job's address stops it (spec 4, sublicense rule 7)."""
    job = accepted(platform, user(410, add=(613,)))["jobId"]
    headers = {"Authorization": f"Bearer {platform.key}"}
    response = platform.http.delete(f"/incoming/v2/jobs/{job}", headers=headers)
    assert (405, "complete") == (response.status_code, finished(platform, job)["status"])


def test_licenses_are_added_and_removed(platform):
    """The profile shows the added and removed licenses (spec 2.4, 2.7)."""
    assigned(platform, user(408, add=(613,), remove=(612,)), options=KEEP)
    profile = platform.call("user.read", id=demo(408)).json()
    held = [{"licenseId": demo(611)}, {"licenseId": demo(613)}]
    assert held == profile["allocatedLicenses"]


def test_learning_paths_of_a_license_stand_in_the_profile(platform):
    """A license brings its learning paths and takes them along (spec 2.4, 2.5)."""
    assigned(platform, user(410, add=(613,)))
    with_it = [one["learningPathId"] for one in person(platform, 410)["allocatedLearningPaths"]]
    assigned(platform, user(410, remove=(613,)), options=DELETE)
    without = [one["learningPathId"] for one in person(platform, 410)["allocatedLearningPaths"]]
    assert ([demo(101), demo(102)], [demo(101)]) == (with_it, without)


def test_seats_that_do_not_suffice_fail_the_whole_job(platform):
    """Demand above a seat limit changes nobody, and the job says why.

    (spec 3 job.failed; spec 4 sublicense.7.seats; spec 4, sublicense rule 7)
    """
    job = assigned(
        platform, user(410, add=(PLANT,)), user(411, add=(613,)), user(415, add=(PLANT,))
    )
    message = 'The license "Brightwater, plant" has 5 seats; 6 would be taken'
    assert ("failed", message) == (job["status"], job["errorMessage"])
    assert [[611], [611, 613], [611]] == [licenses(platform, n) for n in (410, 411, 415)]


def test_last_seat_can_be_taken(platform):
    """Demand up to the limit is met (spec 4 sublicense.7.seats; spec 4, sublicense rule 7)."""
    assert "complete" == assigned(platform, user(410, add=(PLANT,)))["status"]
    assert "failed" == assigned(platform, user(415, add=(PLANT,)))["status"]


def test_request_is_accepted_whatever_the_seats(platform):
    """Seat capacity is checked inside the job.

    (spec 4 sublicense.7.seats; spec 4, sublicense rule 7)
    """
    assert 202 == send(platform, *[user(n, add=(PLANT,)) for n in (410, 415)]).status_code


def test_users_that_fail_take_no_seat(platform):
    """Neither those of other clients nor those that hold the license
    (spec 4, sublicense rule 7)."""
    users = [user(number, add=(PLANT,)) for number in (410, 408, 420, 438)]
    assert "complete" == assigned(platform, *users)["status"]


def test_seat_given_back_can_be_taken_in_the_same_job(platform):
    """Holders after the job are what counts (spec 4, sublicense rule 7; not shown)."""
    users = [user(408, remove=(PLANT,)), user(410, add=(PLANT,)), user(415, add=(PLANT,))]
    assert "complete" == assigned(platform, *users, options=KEEP)["status"]


def test_license_without_a_limit_has_seats_for_all(platform):
    """seatsLimit omitted means unlimited (spec 2.5 seats)."""
    users = [user(number, add=(613,)) for number in (408, 409, 410, 413, 414, 415, 417, 418)]
    assert "complete" == assigned(platform, *users)["status"]


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (user(438, add=(611,)), "The user does not belong to a client"),
        (user(408, add=(621,)), f"The license {demo(621)} does not exist on the user's client"),
        (user(408, add=(699,)), f"The license {demo(699)} does not exist on the user's client"),
        (user(408, add=(613, 621)), f"The license {demo(621)} does not exist on the user's client"),
        (user(408, remove=(621,)), f"The license {demo(621)} does not exist on the user's client"),
        (user(408, add=(611, 612)), "The licenses already match"),
        (user(408, remove=(613,)), "The licenses already match"),
        (user(408, add=(611,), remove=(611,)), "The licenses already match"),
    ],
)
def test_users_that_fail(platform, entry, error):
    """In no client, a license of another client, nothing to change: a failure of that user, the
    job completes and the others are done.

    (spec 4 sublicense.7.client, sublicense.7.same; spec 4, sublicense rule 7)
    """
    job = assigned(platform, entry, user(410, add=(613,)), options=KEEP)
    failed = entry["id"]
    assert "complete" == job["status"]
    assert {failed: error, demo(410): None} == outcome(platform)
    assert [611, 613] == licenses(platform, 410)


def test_user_that_fails_keeps_all(platform):
    """One bad license leaves all licenses of the user unchanged.

    (spec 4 sublicense.7.client; spec 4, sublicense rule 7)
    """
    assigned(platform, user(408, add=(613, 621), remove=(611,)), options=DELETE)
    assert [611, 612] == licenses(platform, 408)


def test_licenses_that_are_held_already_do_not_stop_others(platform):
    """Only a user with nothing to change fails.

    (spec 4 sublicense.7.same; spec 4, sublicense rule 7)
    """
    assigned(platform, user(408, add=(611, 613), remove=(614,)), options=KEEP)
    assert [611, 612, 613] == licenses(platform, 408)


def test_users_are_locked_while_they_are_worked_on(platform):
    """Two jobs for one user come one after the other, each whole (spec 4, sublicense rule 7)."""
    first = accepted(platform, user(410, add=(613,)))["jobId"]
    second = accepted(platform, user(410, add=(612,), remove=(613,)), options=KEEP)["jobId"]
    statuses = [finished(platform, job)["status"] for job in (first, second)]
    assert (["complete", "complete"], [611, 612]) == (statuses, licenses(platform, 410))


def test_failed_job_may_be_sent_again(platform):
    """Where seats are free meanwhile it succeeds (spec 4, sublicense rule 7)."""
    users = [user(410, add=(PLANT,)), user(415, add=(PLANT,))]
    before = assigned(platform, *users)["status"]
    assigned(platform, user(408, remove=(PLANT,)), options=KEEP)
    assert ("failed", "complete") == (before, assigned(platform, *users)["status"])


def test_job_survives_users_that_are_gone(platform):
    """An account deleted before the work starts is a failure of that user (spec 4; not shown)."""
    job = accepted(platform, user(410, add=(613,)), user(415, add=(613,)))["jobId"]
    platform.control("edit", {"list": "users", "id": demo(410), "delete": True})
    assert "complete" == finished(platform, job)["status"]
    assert {demo(410): "The user no longer exists", demo(415): None} == outcome(platform)
