"""The asset library list: who may ask, how often, and nonsense (spec 4, 5, 7, 8)."""

from hypothesis import given, strategies as st


def test_key_of_a_client_is_refused(platform):
    """The list needs a manager session or a company API key (spec 4 assets.key; spec 5 403)."""
    acme = platform.client("acme")
    platform.key = platform.control("keys", {"scope": "client", "clientIds": [acme]})["key"]
    response = platform.call("asset.list")
    assert (403, "FORBIDDEN", "CLIENT_ERROR") == (
        response.status_code,
        response.json()["code"],
        response.json()["category"],
    )


def test_company_key_needs_no_permission(platform):
    """None is named for the route (spec 4 assets.key; spec 5 company)."""
    platform.key = platform.control("keys", {"permissions": []})["key"]
    assert 200 == platform.call("asset.list").status_code


def test_fields_of_envelope_d(platform):
    """Status and moment stand in the body too; the errors in its metadata (spec 7 D)."""
    before = platform.control("clock")["now"]
    body = platform.call("asset.list", query={"limit": "0"}).json()
    assert before <= body.pop("timestamp") <= platform.control("clock")["now"]
    message = "limit must be an integer between 1 and 200"
    assert {
        "code": "BAD_REQUEST",
        "message": message,
        "category": "CLIENT_ERROR",
        "statusCode": 400,
        "metadata": {"errors": [message]},
    } == body


def test_key_in_the_query_is_no_unknown_property(platform):
    """`secretKey` in the query authenticates and is not an unknown property (spec 5 secretKey)."""
    path = "/v3/assetLibraryItems"
    response = platform.http.get(path, params={"secretKey": platform.key, "limit": 1})
    assert 200 == response.status_code


def test_two_hundred_requests_a_minute(platform):
    """The next one is a 429 that says when to come back (spec 8 route.assets, headers.429)."""
    seen = [platform.call("asset.list", query={"limit": "1"}) for _ in range(201)]
    assert [*[200] * 200, 429] == [response.status_code for response in seen]
    assert ("200", "0") == (
        seen[199].headers["X-RateLimit-Limit"],
        seen[199].headers["X-RateLimit-Remaining"],
    )
    assert 1 <= int(seen[200].headers["Retry-After"]) <= 60


def test_requests_count_by_instance(platform):
    """Another key does not open another window (spec 8 route.assets)."""
    first = platform.call("asset.list").headers["X-RateLimit-Remaining"]
    platform.key = platform.control("keys", {})["key"]
    second = platform.call("asset.list").headers["X-RateLimit-Remaining"]
    assert ("199", "198") == (first, second)


def test_seed_with_a_bad_moment_is_refused(platform):
    """A seed says when its assets were changed, or is told that it does not (spec 2.6)."""
    seed = {"assets": [{"title": "A", "assetType": "image", "updatedAt": "soon"}]}
    response = platform.http.post("/_sandbox/reset", json={"seed": seed})
    assert platform.errors(response)[0].startswith("seed: assets[0].updatedAt: is")


@given(
    query=st.dictionaries(
        st.sampled_from(["assetType", "search", "tagIds", "updatedAfter", "cursor", "limit"]),
        st.text(max_size=12) | st.lists(st.text(max_size=40), max_size=3),
    )
)
def test_any_query_gets_an_answer(served, query):
    """No combination of filters makes the list fail (spec 7)."""
    served.control("clock", {"advanceSeconds": 61})
    assert served.call("asset.list", query=query).status_code in (200, 400)
