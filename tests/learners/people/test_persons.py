"""Persons in messages: what of them is taken out."""

import pytest

from lmssync.support.persons import bare_code, codes_in, scrub_people

ID = "7d1c0000-0000-4000-8000-000000000410"
KNOWN = {"ann@x.example": "a" * 16, "ext-7": "b" * 16, "ann smith": "c" * 16, "12": "d" * 16}
ANN, EXT, SMITH = (f"person {letter * 16}" for letter in "abc")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("", ""),
        ("no seats left", "no seats left"),
        ("ann@x.example has none.", f"{ANN} has none."),
        ("of Ann@X.Example.", f"of {ANN}."),
        ("<ann@x.example>, 'EXT-7'", f"<{ANN}>, '{EXT}'"),
        ("Ann Smith is in no client", f"{SMITH} is in no client"),
        ("joann@x.example.org", "person hidden joann@x.example.org"),
        ("EXT-70 and my-EXT-7", "EXT-70 and my-EXT-7"),
        ("12 seats", "12 seats"),
        (f"the user {ID}", f"the person hidden {ID}"),
        (f"the license {ID}", f"the license {ID}"),
    ],
)
def test_identifiers_are_taken_out_of_messages(message: str, expected: str):
    """Those that are known, and what looks like one; what is only similar stays."""
    assert expected == scrub_people(message, KNOWN, lambda text: f"hidden {text}")


def test_codes_are_found_wherever_they_stand():
    """In lists and mappings, as deep as they are."""
    value = {"users": [{"id": {"$person": "1"}, "n": 2}, ({"$person": "3"},)], "x": None}
    assert ["1", "3"] == list(codes_in(value))


def test_capitals_stand_apart_in_a_code():
    """The platform's labels have none."""
    assert ["9f2c", "9f2c"] == [bare_code("9f2c-01ab"), bare_code("9f2c")]
