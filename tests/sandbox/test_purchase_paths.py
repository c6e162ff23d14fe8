"""Alternate purchase paths: targets, labels, order, errors, limit (spec 2.6, 4, 7, 8)."""

import pytest

UNKNOWN = "00000000-0000-4000-8000-000000000000"
COLLECTION, SUBSCRIPTION = (f"7d1c0000-0000-4000-8000-000000000{n}" for n in (201, 202))
URL = {
    "label": "Buy",
    "targetType": "external_url",
    "targetUrl": "https://shop.example/x",
    "targetUrlTitle": "Shop",
}
ITEM = {"label": "Buy", "targetType": "catalog_item", "targetId": COLLECTION}


@pytest.fixture
def course(platform):
    return platform.course()


def send(platform, course, body):
    return platform.call("path.create", body, contentId=course)


def test_external_url(platform, course):
    """201 with the whole path and its defaults.

    (spec 1 paths; spec 2.6 path; spec 4 paths.create.external, paths.create.answer,
    paths.create.order; spec 7 success)
    """
    response = send(platform, course, URL)
    path = response.json()["data"]
    assert 201 == response.status_code
    assert (0, False, None, course) == tuple(
        path[name] for name in ("displayOrder", "hidePrimaryCta", "targetId", "courseId")
    )


@pytest.mark.parametrize("target", [COLLECTION, SUBSCRIPTION])
def test_catalog_item(platform, course, target):
    """An active, priced collection or subscription can be the target.

    (spec 4 paths.create.catalog, paths.create.one)
    """
    path = send(platform, course, {**ITEM, "targetId": target}).json()["data"]
    assert (target, None, None) == tuple(
        path[name] for name in ("targetId", "targetUrl", "targetUrlTitle")
    )


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"status": "published", "priceInCents": 100}, 201),
        ({"status": "published"}, 400),
        ({"priceInCents": 100}, 400),
    ],
)
def test_course_target_must_be_active_and_priced(platform, course, fields, status):
    """A draft or a free course cannot be bought (spec 4 paths.create.catalog)."""
    body = {**ITEM, "targetId": platform.course(**fields)}
    assert status == send(platform, course, body).status_code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({**URL, "label": "<h1> </h1>"}, "VALIDATION_ERROR"),
        ({**URL, "targetUrlTitle": None}, "VALIDATION_ERROR"),
        ({**URL, "targetUrl": None}, "VALIDATION_ERROR"),
        ({**URL, "targetId": COLLECTION}, "VALIDATION_ERROR"),
        ({**ITEM, "targetId": None}, "VALIDATION_ERROR"),
        ({**ITEM, "targetId": UNKNOWN}, "VALIDATION_ERROR"),
        ({**ITEM, "targetUrlTitle": "x"}, "VALIDATION_ERROR"),
        ({**URL, "targetType": "other"}, "BAD_REQUEST"),
        ({**ITEM, "targetId": "x"}, "BAD_REQUEST"),
        ({**URL, "targetUrl": "ftp://x.example"}, "BAD_REQUEST"),
        ({**URL, "targetUrl": "https://x.example/" + "x" * 2048}, "BAD_REQUEST"),
        ({**URL, "targetUrlTitle": "x" * 256}, "BAD_REQUEST"),
        ({**URL, "label": "x" * 2001}, "BAD_REQUEST"),
        ({**URL, "label": None}, "BAD_REQUEST"),
        ({**URL, "displayOrder": -1}, "BAD_REQUEST"),
        ({**URL, "hidePrimaryCta": "no"}, "BAD_REQUEST"),
        ({**URL, "colour": "red"}, "BAD_REQUEST"),
    ],
)
def test_errors_have_their_code(platform, course, body, code):
    """Pairs and labels are VALIDATION_ERROR, single fields BAD_REQUEST.

    (spec 4 paths.create.external, paths.create.order, paths.create.unknown, paths.create.one;
    spec 7 D.bad, D.validation, paths.validation, paths.bad; spec 8 fields.path)
    """
    answer = send(platform, course, body).json()
    category = "VALIDATION" if code == "VALIDATION_ERROR" else "CLIENT_ERROR"
    assert (code, category, 400) == (answer["code"], answer["category"], answer["statusCode"])
    assert answer["message"] == "; ".join(answer["metadata"]["errors"])


def test_all_constraints_are_told(platform, course):
    """BAD_REQUEST joins every failed constraint (spec 7 D.bad)."""
    answer = send(platform, course, {**URL, "displayOrder": -1, "colour": 1}).json()
    assert 2 == len(answer["metadata"]["errors"])


@pytest.mark.parametrize("id_", [UNKNOWN, "7d1c0000-0000-4000-8000-000000000101", "x"])
def test_unknown_course_is_404(platform, id_):
    """An unknown course, and a learning path, with resource and identifier.

    (spec 4 paths.create.course, paths.list.absent; spec 7 D.404, paths.404)
    """
    for response in (send(platform, id_, URL), platform.call("path.list", contentId=id_)):
        answer = response.json()
        assert ("RESOURCE_NOT_FOUND", "NOT_FOUND") == (answer["code"], answer["category"])
        assert {"resource": "course", "identifier": id_} == answer["metadata"]


def test_deleted_course_is_404(platform, course):
    """A deleted course is a 404, like an unknown one (spec 4 paths.list.absent)."""
    platform.control("edit", {"list": "courses", "id": course, "delete": True})
    assert 404 == platform.call("path.list", contentId=course).status_code
    assert 404 == send(platform, course, URL).status_code


@pytest.mark.parametrize("tag", ["b", "strong", "i", "em", "u", "p", "span"])
def test_label_keeps_its_tags(platform, course, tag):
    """Without their attributes; `br` and links stay as well (spec 2.6 path.label)."""
    answer = send(platform, course, {**URL, "label": f'<{tag} class="x">Buy<br></{tag}>'}).json()
    assert f"<{tag}>Buy<br></{tag}>" == answer["data"]["label"]


@pytest.mark.parametrize(
    ("address", "kept"),
    [("http://x.example", True), ("javascript:alert(1)", False), ("mailto:a@x.example", False)],
)
def test_links_of_labels_keep_http_alone(platform, course, address, kept):
    """A link to another scheme is removed and its text stays (spec 2.6 path.links)."""
    label = send(platform, course, {**URL, "label": f'<a href="{address}">here</a>'}).json()
    assert (kept, True) == tuple(
        text in label["data"]["label"] for text in (f'href="{address}"', "here</a>")
    )


def test_label_is_sanitized(platform, course):
    """Kept tags, kept text of others, safe links (spec 2.6 path.label, path.links)."""
    label = '<h1>Buy</h1> <svg><text>now</text></svg> <a href="https://x.example" id="i">here</a>'
    answer = send(platform, course, {**URL, "label": label}).json()
    expected = (
        'Buy now <a href="https://x.example" target="_blank" rel="noopener noreferrer">here</a>'
    )
    assert expected == answer["data"]["label"]


def test_list_is_ordered(platform, course):
    """By displayOrder, then by age; a course without paths has an empty list.

    (spec 4 paths.list.order, paths.list.empty)
    """
    assert [] == platform.call("path.list", contentId=course).json()["data"]
    for label, order in (("c", 2), ("a", 1), ("b", 1)):
        send(platform, course, {**URL, "label": label, "displayOrder": order})
    paths = platform.call("path.list", contentId=course).json()["data"]
    assert ["a", "b", "c"] == [path["label"] for path in paths]


def test_sixty_a_minute(platform, course):
    """The 61st create of a minute is refused; the clock opens the window again.

    (spec 8 route.paths, headers, headers.429; spec 7 429)
    """
    answers = [send(platform, course, URL) for _ in range(61)]
    first, last = answers[0].headers, answers[-1]
    assert ("60", "59") == (first["x-ratelimit-limit"], first["x-ratelimit-remaining"])
    assert (201, 429) == (answers[59].status_code, last.status_code)
    seconds = int(last.headers["retry-after"])
    assert [f"Rate limit exceeded, retry in {seconds} seconds"] == last.json()["errors"]
    assert "x-ratelimit-limit" not in last.headers
    assert "x-ratelimit-remaining" not in last.headers
    assert "x-ratelimit-reset" in last.headers
    platform.control("clock", {"advanceSeconds": seconds})
    assert 201 == send(platform, course, URL).status_code


def test_list_has_no_limit(platform, course):
    """The list route answers without limiter headers (spec 8 route.paths)."""
    assert "x-ratelimit-limit" not in platform.call("path.list", contentId=course).headers


@pytest.mark.parametrize(
    ("label", "said"),
    [("a" * 20_001, "the most is 20,000"), ("<span>" * 600, "inside each other")],
)
def test_label_is_bounded_before_it_is_parsed(platform, course, label, said):
    """A label that would take too much memory is refused with a message."""
    answer = send(platform, course, {**URL, "label": label}).json()
    assert said in answer["message"]
