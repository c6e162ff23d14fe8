"""Which values the types of fields take, and which they refuse."""

from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import TypeAdapter, ValidationError

from lmssync.kinds import field_types as types
from tests import making


def taken(kind: Any, value: Any) -> Any:
    """The value as the type keeps it."""
    return TypeAdapter(kind).validate_python(value, strict=True)


def refused(kind: Any, value: Any) -> dict[str, Any]:
    """Rule, words and hint of a refusal by a type of our own."""
    with pytest.raises(ValidationError) as caught:
        taken(kind, value)
    return next(error["ctx"] for error in caught.value.errors() if error["type"] == "lmssync")


@pytest.mark.parametrize(
    "text",
    [
        "A",
        "0",
        "no",
        "null",
        "~",
        "12:30",
        "2018-10-90",
        " a ",
        "a\nb",
        "é",
        "e\u0301",
        "🎓",
        "\u00a0a",
    ],
)
def test_a_title_that_can_be_seen_is_kept(text: str):
    """Byte for byte, whatever it looks like."""
    assert text == taken(types.Title, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\t\n",
        "\u00a0",
        "\u2003\u3000",
        "\u200b",
        "\ufeff\u2060\u00ad",
        "\u3164",
        "\u2800",
        "\u202e",
    ],
)
def test_a_title_that_nobody_can_see_is_refused(text: str):
    """Blanks of every alphabet, and characters without a width."""
    assert "blank" == refused(types.Title, text)["rule"].id


@pytest.mark.parametrize("text", ["", "a\n\tb\r\n", "\u2028\u2029\x85", "\ufeff", "\u00ad"])
def test_line_ends_of_every_kind_are_text(text: str):
    """A body is kept as it was written, Windows line ends included."""
    assert text == taken(types.Text, text)


@pytest.mark.parametrize(
    "code", [0x00, 0x07, 0x08, 0x0B, 0x0C, 0x1B, 0x7F, 0x80, 0x9F, 0xFFFE, 0xFFFF]
)
@pytest.mark.parametrize("kind", [types.Text, types.Title, types.Html, types.Url])
def test_control_characters_are_refused(kind: Any, code: int):
    """They cannot be written plainly in YAML, so they come from an escape by mistake."""
    found = refused(kind, f"https://a.example/{chr(code)}")
    assert ("control-character", True) == (found["rule"].id, f"U+{code:04X}" in found["said"])


@pytest.mark.parametrize(
    ("text", "where"),
    [("\x07a", ""), ("press\x07", " after `press`"), ("a\n\nb\x07", " in line 3")],
)
def test_a_control_character_is_led_to(text: str, where: str):
    """It cannot be seen, so the words before it say where it is."""
    assert f"contains the control character U+0007{where}" == refused(types.Text, text)["said"]


@pytest.mark.parametrize("text", ["{code}", "{said} {hint}", "{{ x }}", "{"])
def test_braces_of_an_author_stay_braces(text: str):
    """Nothing is put in where an author wrote what looks like a placeholder."""
    assert f"is `{text}`, which is not a uuid" == refused(types.Uuid, text)["said"]


UUID = "7d1c0000-0000-4000-8000-00000000000a"


@pytest.mark.parametrize("text", [UUID, UUID.upper()])
def test_uuids(text: str):
    """In small letters or large ones."""
    assert text == taken(types.Uuid, text)


@pytest.mark.parametrize(
    "text", ["", "safety", UUID[:-1], f"{UUID}\n", f" {UUID}", UUID.replace("-", "")]
)
def test_what_is_no_uuid(text: str):
    """A line end after it is enough."""
    assert "uuid" == refused(types.Uuid, text)["rule"].id


@pytest.mark.parametrize("text", ["popular", "best-seller", "v1.2", "a_b", "größe", "2027"])
def test_slugs(text: str):
    """Which letters a company uses is its own business."""
    assert text == taken(types.Slug, text)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Best seller", "did you mean `best-seller`?"),
        ("new!", "did you mean `new`?"),
        ("/popular", "did you mean `popular`?"),
        ("", "copy the slug from the platform"),
        ("!!!", "copy the slug from the platform"),
    ],
)
def test_what_is_no_slug(text: str, hint: str):
    """A label in its place is turned into the slug that it probably has."""
    found = refused(types.Slug, text)
    assert ("slug", hint) == (found["rule"].id, found["hint"])


@pytest.mark.parametrize("id_", ["k3v9q2m7xw", "A1", "0042", "a_b-C9", making.UUID])
def test_ids_of_videos(id_: str):
    """A short text of letters and digits, which need not be a uuid (O49)."""
    assert id_ == taken(types.VideoId, id_)


@pytest.mark.parametrize("text", ["", "the drill", "k3v9q2m7xw ", "ä", "a/b", "https://x.y/a"])
def test_what_is_no_id_of_a_video(text: str):
    """A title or an address in its place is told; where an address goes, too."""
    found = refused(types.VideoId, text)
    assert ("video-id", "://" in text) == (found["rule"].id, "`videoUrl`" in found["hint"])


@pytest.mark.parametrize(
    "tag",
    [
        "no",
        "es-LA",
        "es-419",
        "zh-Hant-TW",
        "de-DE-1996",
        "EN-us",
        "x-pirate",
        "en-x-a",
        "i-klingon",
        "sr-Latn-RS",
        "en-US-u-ca-gregory",
        "sl-rozaj-biske",
        "zh-yue",
    ],
)
def test_language_tags(tag: str):
    """All that BCP 47 calls well-formed; `no` is text in YAML 1.2."""
    assert tag == taken(types.LanguageTag, tag)


@pytest.mark.parametrize(
    ("tag", "hint"),
    [
        ("english", "did you mean `en`?"),
        ("Deutsch", "did you mean `de`?"),
        ("de_DE", "did you mean `de-DE`?"),
        ("de_DE.UTF-8", "did you mean `de-DE`?"),
        (" fr ", "did you mean `fr`?"),
        ("e", "write a tag such as en, de-CH or zh-Hant-TW"),
        ("", "write a tag such as en, de-CH or zh-Hant-TW"),
        ("de-", "write a tag such as en, de-CH or zh-Hant-TW"),
        ("en, de", "write a tag such as en, de-CH or zh-Hant-TW"),
        ("x", "write a tag such as en, de-CH or zh-Hant-TW"),
    ],
)
def test_what_is_no_language_tag(tag: str, hint: str):
    """Names of languages and tags of other systems are turned into the tag."""
    found = refused(types.LanguageTag, tag)
    assert ("language-tag", hint) == (found["rule"].id, found["hint"])


@pytest.mark.parametrize(
    "fields", [{}, {"level": "1"}, {"a-b_c.d": ["x", ""]}, {"level": None}, {"level": []}]
)
def test_custom_fields(fields: dict[str, Any]):
    """Slug to text, to texts, or to null (spec 2.2)."""
    assert fields == taken(types.FreeForm, fields)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"cost center": "1"}, "slug"),
        ({"": "1"}, "slug"),
        ({"a": "\x07"}, "control-character"),
        ({"a": ["\x07"]}, "control-character"),
    ],
)
def test_custom_fields_that_are_refused(fields: dict[str, Any], code: str):
    """Their slugs are slugs and their texts are texts."""
    assert code == refused(types.FreeForm, fields)["rule"].id


@given(st.text())
def test_no_type_changes_a_text(text: str):
    """What is taken is taken as it is."""
    for kind in (types.Title, types.Text, types.Html, types.Slug, types.LanguageTag, types.Date):
        try:
            assert text == taken(kind, text)
        except ValidationError:
            continue
