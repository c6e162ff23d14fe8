"""Reading answers: envelopes, waits, lists, cursors."""

from typing import Any

import pytest

from lmssync.platform.client import answer_bodies as answers


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param({"errors": ["one", "two"]}, "one; two", id="A"),
        pytest.param({"valid": False, "errors": ["taken"]}, "taken", id="B"),
        pytest.param({"error": "unauthorized", "message": "bad key"}, "bad key", id="C"),
        pytest.param(
            {
                "error": "invalid",
                "message": "not valid",
                "details": [{"field": "name", "code": "x", "message": "is empty"}],
            },
            "not valid (name: is empty)",
            id="C with details",
        ),
        pytest.param({"error": "no permission"}, "no permission", id="error alone"),
        pytest.param(
            {
                "code": "BAD_REQUEST",
                "message": "wrong",
                "category": "CLIENT_ERROR",
                "timestamp": "2027-01-01T00:00:00Z",
                "statusCode": 400,
                "metadata": {"errors": ["limit must be an integer", "x"]},
            },
            "wrong (limit must be an integer; x)",
            id="D",
        ),
        pytest.param(
            {"message": "a; b", "metadata": {"errors": ["a", "b"]}}, "a; b", id="D said once"
        ),
        pytest.param({"message": "gone", "metadata": None}, "gone", id="D without metadata"),
        pytest.param({"errors": [{"message": "failed"}]}, "failed", id="E"),
        pytest.param({"errors": {"name": ["is empty"]}}, "name: is empty", id="by field"),
        pytest.param({"errors": "failed"}, "failed", id="a text alone"),
    ],
)
def test_the_five_envelopes(answer: Any, said: str):
    """The messages are read from each of the five envelopes (spec 7)."""
    assert said == answers.describe_refusal(answer)


@pytest.mark.parametrize(
    "answer", [None, [], "no", 5, {}, {"errors": []}, {"courseIds": []}, {"message": 5}]
)
def test_what_is_no_envelope_says_nothing(answer: Any):
    """A body that is not an error envelope has no messages."""
    assert None is answers.describe_refusal(answer)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([{"message": "no such client"}, {"message": "no seat"}], "no such client; no seat"),
        ({"errors": [{"message": "no seat"}]}, "no seat"),
        ([{"id": "1", "message": "hello"}], None),
        ([], None),
        (["a"], None),
    ],
)
def test_a_refusal_inside_a_success(answer: Any, said: str | None):
    """A list of messages alone is one; a bare list of what has ids is not (O64)."""
    assert said == answers.describe_failure(answer)


@pytest.mark.parametrize(
    "answer",
    [[1, 2], {"tags": [1, 2]}, {"data": [1, 2]}, {"data": {"tags": [1, 2]}}],
    ids=["bare", "under its key", "under data", "under its key under data"],
)
def test_the_shapes_of_a_list(answer: Any):
    """A list is found in each of its envelopes and nowhere else (O44)."""
    assert [1, 2] == answers.find_items(answer, "tags")


@pytest.mark.parametrize("answer", [None, {}, {"items": [1]}, {"data": {"items": [1]}}, "tags"])
def test_what_is_no_list_is_none(answer: Any):
    """An answer without a list gives None; the client does not guess."""
    assert None is answers.find_items(answer, "tags")


def test_a_message_stays_on_its_line():
    """A message of the platform cannot control a terminal, a log or a build server."""
    said = answers.describe_refusal({"errors": ["\n::set-output name=a::b\x1b[2J\u202e"]})
    assert "::set-output name=a::b\\x1b[2J\\u202e" == said


def test_a_message_without_end_is_cut():
    """A long message is cut, since some servers answer with a page."""
    assert 2_001 == len(answers.platform_words("x" * 5_000))
