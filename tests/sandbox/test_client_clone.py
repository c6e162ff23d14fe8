"""Cloning a client: the slug, the job, what is refused (spec 4, 7)."""

import pytest
from hypothesis import given, strategies as st

from .cloning import ask, cloned, finish, kept

UNKNOWN = "00000000-0000-4000-8000-000000000000"
TAKEN = "A client already exists with that path"
QUEUED = "A clone job with that path is already queued"


# The slug


@pytest.mark.parametrize("slug", ["a", "a-b-1", "-", "--x--", "0", "x" * 255])
def test_slug_is_used_as_given(platform, slug):
    """What matches the pattern stays, hyphens at its edges too (spec 4 clone.1)."""
    _, clone = cloned(platform, slug=slug)
    assert slug == clone["slug"]


@pytest.mark.parametrize(
    "slug", ["Acme", "a b", "a_b", "a/b", "ä", "a.b", "x" * 256, "a\n", "\n", " ", "a'--"]
)
def test_slug_outside_the_pattern(platform, slug):
    """A bad slug is a 400 in envelope E, which does not name the field.

    (spec 4 clone.1; spec 7 E, clone.pattern; spec 8 fields.slug)
    """
    response = ask(platform, name="N", slug=slug)
    assert (400, {"errors": [{"message": "A processing error occurred"}]}) == (
        response.status_code,
        response.json(),
    )


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Harbour Works", "harbour-works"),
        ("  Two\t words_and/more ", "two-words-and-more"),
        ("A & B, Ltd.", "a-b-ltd"),
        ("--Edge--case--", "edge-case"),
        ("Acme (North) 2026!", "acme-north-2026"),
        ("x" * 300, "x" * 255),
    ],
)
def test_slug_is_derived_from_the_name(platform, name, slug):
    """Hyphens for blanks, underscores and slashes, nothing for the rest (spec 4 clone.2)."""
    assert 200 == ask(platform, name=name).status_code
    finish(platform)
    assert name == kept(platform, slug)["name"]


@pytest.mark.parametrize("slug", [None, ""])
def test_empty_slug_counts_as_none(platform, slug):
    """The slug is derived then: by an empty one no client is found (spec 4, clone rule 6)."""
    assert 200 == ask(platform, name="Harbour Works", slug=slug).status_code
    finish(platform)
    assert "Harbour Works" == kept(platform, "harbour-works")["name"]


# The answer and the job


def test_answer_holds_a_job(platform):
    """`data.APICloneClient` has id, description, errorMessage, status.

    (spec 4 clone.3; spec 1 licensing)
    """
    response = ask(platform, name="Harbour")
    job = response.json()["data"]["APICloneClient"]
    assert (200, ["data"], ["id", "description", "errorMessage", "status"]) == (
        response.status_code,
        list(response.json()),
        list(job),
    )
    assert ("queued", None) == (job["status"], job["errorMessage"])


def test_job_goes_through_its_states(platform):
    """queued, processing, complete; the client is there at the end only (spec 3 job)."""
    platform.control("switches", {"jobSeconds": 100})
    job = ask(platform, name="Harbour").json()["data"]["APICloneClient"]["id"]
    seen = []
    for seconds in (0, 50, 51):
        platform.control("clock", {"advanceSeconds": seconds})
        found = platform.call("client.list", query={"query": "harbour"}).json()["clients"]
        seen.append((platform.call("job.read", id=job).json()["status"], len(found)))
    assert [("queued", 0), ("processing", 0), ("complete", 1)] == seen


def test_status_of_the_answer_can_be_202(platform):
    """cloneStatus: accepted for background work (spec 7: which of the two is not shown)."""
    platform.control("switches", {"cloneStatus": "202"})
    assert 202 == ask(platform, name="Harbour").status_code


def test_clone_is_found_by_its_slug(platform):
    """`GET clients?query=<slug>` finds it once the job is complete (spec 4, clone rule 6)."""
    cloned(platform, name="Harbour Works Ltd", slug="hwl-2026")
    (found,) = platform.call("client.list", query={"query": "hwl-2026"}).json()["clients"]
    assert ("Harbour Works Ltd", "hwl-2026") == (found["name"], found["slug"])


def test_clone_lags_like_every_write(platform):
    """A read does not see it at once where reads lag (spec 4, clone rule 6; O31)."""
    platform.control("switches", {"readLagSeconds": 100})
    ask(platform, name="Harbour")
    seen = []
    for seconds in (60, 120):
        platform.control("clock", {"advanceSeconds": seconds})
        answer = platform.call("client.list", query={"query": "harbour"}).json()
        seen.append(answer["pageInfo"]["total"])
    assert [0, 1] == seen


def test_clone_is_made_from_the_source_at_the_end(platform):
    """What changes while the job waits is copied (spec 4, clone rule 4)."""
    ask(platform, name="Harbour")
    course = platform.course()
    ids = {"courseIds": [course], "learningPathIds": [], "courseTagIds": []}
    body = {"clientId": platform.client("golden"), "name": "Late", **ids}
    platform.call("license.create", body)
    finish(platform)
    assert course in kept(platform, "harbour")["courseIds"]


def test_two_sources_race_for_a_slug(platform):
    """Both jobs are accepted, the second fails and changes nothing (spec 3 job.failed)."""
    first, second = (
        ask(platform, source=source, name="Harbour").json()["data"]["APICloneClient"]["id"]
        for source in ("golden", "acme")
    )
    finish(platform)
    answers = [platform.call("job.read", id=id_).json() for id_ in (first, second)]
    assert [("complete", None), ("failed", TAKEN)] == [
        (job["status"], job["errorMessage"]) for job in answers
    ]
    assert 5 == len(platform.dump("clients"))


# What is refused


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": None}, {"name": " \t"}, {"slug": "x"}])
def test_missing_name(platform, body):
    """400 in envelope B about a missing required parameter (spec 7 B, clone.name)."""
    response = ask(platform, **body)
    assert (400, {"valid": False, "errors": ["Missing required parameter: name"]}) == (
        response.status_code,
        response.json(),
    )


@pytest.mark.parametrize("name", ["!!!", "---", "___", "日本"])
def test_name_that_makes_no_slug(platform, name):
    """An empty derived slug is a missing parameter too (spec 7 clone.name)."""
    answer = ask(platform, name=name)
    assert (400, False) == (answer.status_code, answer.json()["valid"])
    assert answer.json()["errors"][0].startswith("Missing required parameter: slug")


@pytest.mark.parametrize("body", [{"name": 5}, {"name": ["N"]}, {"name": "N", "slug": 5}])
def test_wrong_types_are_masked(platform, body):
    """Wrong types get the generic validation message (spec 7 E)."""
    response = ask(platform, **body)
    assert (400, {"errors": [{"message": "A processing error occurred"}]}) == (
        response.status_code,
        response.json(),
    )


@pytest.mark.parametrize("body", [{"name": "N", "slug": "acme"}, {"name": "ACME"}])
def test_slug_of_another_client(platform, body):
    """Given or derived, a slug is unique in the company (spec 4 clone.1; spec 7 clone.taken)."""
    response = ask(platform, **body)
    assert (400, {"valid": False, "errors": [TAKEN]}) == (response.status_code, response.json())


def test_slug_of_the_source_itself(platform):
    """The source's own slug is taken as well (spec 4 clone.1; spec 7 clone.taken)."""
    assert [TAKEN] == ask(platform, name="N", slug="golden").json()["errors"]


def test_same_clone_is_queued_already(platform):
    """Same source and slug in flight: refused until the job is done (spec 7 clone.queued)."""
    ask(platform, name="Harbour")
    response = ask(platform, name="harbour")
    finish(platform)
    after = ask(platform, name="Harbour")
    assert (400, {"valid": False, "errors": [QUEUED]}) == (response.status_code, response.json())
    assert [TAKEN] == after.json()["errors"]


def test_other_slug_of_the_same_source_is_accepted(platform):
    """Only the pair of source and slug is in flight (spec 7)."""
    answers = [ask(platform, name=name).status_code for name in ("Harbour", "Quay")]
    assert [200, 200] == answers


def test_key_without_the_permission(platform):
    """403 `{error}` for a role that lacks clients.edit (spec 5 403; spec 7 clone.403)."""
    golden = platform.client("golden")
    platform.key = platform.control("keys", {"permissions": ["courses.edit"]})["key"]
    response = platform.call("client.clone", {"name": "N"}, id=golden)
    assert (403, ["error"], True) == (
        response.status_code,
        list(response.json()),
        "clients.edit" in response.json()["error"],
    )


def test_key_with_the_permission(platform):
    """A key with only clients.edit may clone (spec 5 permissions)."""
    golden = platform.client("golden")
    platform.key = platform.control("keys", {"permissions": ["clients.edit"]})["key"]
    assert 200 == platform.call("client.clone", {"name": "N"}, id=golden).status_code


def test_key_of_a_client_clones_none(platform):
    """It could not see what it made (spec 5; spec 4, clone rule 6)."""
    golden = platform.client("golden")
    platform.key = platform.control("keys", {"scope": "client", "clientIds": [golden]})["key"]
    response = platform.call("client.clone", {"name": "N"}, id=golden)
    assert (403, ["error"]) == (response.status_code, list(response.json()))


@pytest.mark.parametrize("id_", [UNKNOWN, "nonsense", "%00", "x" * 3000])
def test_unknown_source(platform, id_):
    """404 in the general envelope of v2: B is for the 400s (spec 7)."""
    response = platform.call("client.clone", {"name": "N"}, id=id_)
    assert (404, ["errors"]) == (response.status_code, list(response.json()))


def test_body_that_is_not_json(platform):
    """A body that is not JSON is a 400 in envelope B (spec 7)."""
    response = platform.http.post(
        f"/incoming/v2/clients/{UNKNOWN}/clone",
        content=b"{",
        headers={"Authorization": f"Bearer {platform.key}", "Content-Type": "application/json"},
    )
    assert (400, ["valid", "errors"]) == (response.status_code, list(response.json()))


def test_without_a_key(platform):
    """A request without a key is a 401 in envelope C (spec 5, 7)."""
    platform.key = "unknown"
    response = platform.call("client.clone", {"name": "N"}, id=UNKNOWN)
    assert (401, "unauthorized") == (response.status_code, response.json()["error"])


VALUES = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.lists(st.text(max_size=3))
)


@given(body=st.dictionaries(st.sampled_from(["name", "slug", "id", "secret"]), VALUES))
def test_any_body_gets_an_answer(served, body):
    """No name and no slug makes the route or its job fail (spec 7)."""
    served.key = served.ready["apiKey"]
    answer = served.call("client.clone", body, id=served.client("golden"))
    served.control("clock", {"advanceSeconds": 60})
    assert answer.status_code in (200, 400)
    assert {"complete"} >= {job["status"] for job in served.dump("jobs") if job["work"] == "clone"}
