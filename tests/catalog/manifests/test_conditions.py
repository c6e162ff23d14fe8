"""What the conditions of policies mean: operators, paths, groups."""

from pathlib import Path
from typing import Any

import pytest

from tests import making

from . import house

DAY, NEXT = "2027-03-01", "2027-03-02"


@pytest.mark.parametrize(
    ("require", "right", "wrong"),
    [
        ({"ribbon": {"present": True}}, {"ribbon": "new"}, {}),
        ({"ribbon": {"present": True}}, {"ribbon": "new"}, {"ribbon": None}),
        ({"description": {"present": True}}, {"description": "x"}, {"description": " \n"}),
        ({"tags": {"present": True}}, {"tags": ["a"]}, {"tags": []}),
        ({"lifecycle": {"present": True}}, {"lifecycle": {"protect": True}}, {"lifecycle": {}}),
        ({"ribbon": {"present": False}}, {}, {"ribbon": "new"}),
        ({"status": "published"}, {"status": "published"}, {"status": "draft"}),
        ({"status": {"is": "draft"}}, {"status": "draft"}, {}),
        ({"showProgress": False}, {"showProgress": False}, {"showProgress": True}),
        ({"priceInCents": 0}, {"priceInCents": 0}, {"priceInCents": 1}),
        ({"status": {"not": "published"}}, {"status": "draft"}, {"status": "published"}),
        ({"status": {"not": "published"}}, {}, {"status": "published"}),
        ({"ribbon": ["new", "hot"]}, {"ribbon": "hot"}, {"ribbon": "old"}),
        ({"ribbon": {"oneOf": ["new", "hot"]}}, {"ribbon": "new"}, {}),
        ({"ribbon": {"noneOf": ["new", "hot"]}}, {}, {"ribbon": "new"}),
        ({"sku": {"matches": "^[A-Z]+-"}}, {"sku": "SAF-1"}, {"sku": "saf-1"}),
        ({"sku": {"matches": "F"}}, {"sku": "SAF-1"}, {}),
        ({"title": {"notMatches": "(?i)todo"}}, {"title": "Done"}, {"title": "A Todo"}),
        ({"sku": {"notMatches": "."}}, {}, {"sku": "x"}),
        ({"tags": {"contains": "A"}}, {"tags": ["B", "A"]}, {"tags": ["AB"]}),
        ({"tags": {"contains": "A"}}, {"tags": ["A"]}, {}),
        ({"title": {"contains": "fet"}}, {"title": "Safety"}, {"title": "SAFETY"}),
        ({"tags": {"notContains": "A"}}, {}, {"tags": ["A"]}),
        ({"title": {"notContains": "fet"}}, {"title": "SAFETY"}, {"title": "Safety"}),
        ({"priceInCents": {"min": 500}}, {"priceInCents": 500}, {"priceInCents": 499}),
        ({"priceInCents": {"min": 0}}, {"priceInCents": 0}, {}),
        ({"priceInCents": {"max": 500}}, {"priceInCents": 500}, {"priceInCents": 501}),
        ({"priceInCents": {"max": 5}}, {}, {"priceInCents": 6}),
        ({"title": {"minLength": 3}}, {"title": "abc"}, {"title": "ab"}),
        ({"sku": {"minLength": 1}}, {"sku": "a"}, {}),
        ({"tags": {"minLength": 2}}, {"tags": ["a", "b"]}, {"tags": ["abc"]}),
        ({"title": {"maxLength": 3}}, {"title": "abc"}, {"title": "abcd"}),
        ({"tags": {"maxLength": 1}}, {"tags": ["abc"]}, {"tags": ["a", "b"]}),
        ({"sku": {"maxLength": 1}}, {}, {"sku": "ab"}),
        ({"description": {"minWords": 2}}, {"description": "two words"}, {"description": "one"}),
        ({"description": {"maxWords": 1}}, {"description": "one"}, {"description": "two words"}),
        ({"publishDate": {"before": NEXT}}, {"publishDate": DAY}, {"publishDate": NEXT}),
        ({"publishDate": {"before": NEXT}}, {"publishDate": f"{DAY}T23:59Z"}, {}),
        ({"publishDate": {"after": DAY}}, {"publishDate": NEXT}, {"publishDate": DAY}),
        ({"publishDate": {"after": DAY}}, {"publishDate": NEXT}, {"publishDate": f"{DAY}T12:00Z"}),
    ],
)
def test_each_operator(
    tmp_path: Path, require: Any, right: dict[str, Any], wrong: dict[str, Any]
) -> None:
    """Holds on the one side and not on the other; what is absent meets no request and no ban."""
    answers = [house.holds(tmp_path, require, making.course() | data) for data in (right, wrong)]
    assert [True, False] == answers


@pytest.mark.parametrize(
    ("require", "data", "text"),
    [
        ({"sku": {"present": True}}, {}, "`sku` is missing"),
        ({"sku": {"present": True}}, {"sku": ""}, "`sku` is empty"),
        ({"sku": {"present": False}}, {"sku": "A"}, "`sku` is `A`; it must be left out"),
        ({"sku": "A"}, {"sku": "B"}, "`sku` is `B`; it must be `A`"),
        ({"sku": "A"}, {}, "`sku` is missing; it must be `A`"),
        ({"sku": ["A", "B"]}, {"sku": "C"}, "`sku` is `C`; it must be `A` or `B`"),
        ({"sku": {"not": "A"}}, {"sku": "A"}, "`sku` is `A`; it must not be `A`"),
        ({"sku": {"matches": "^A"}}, {"sku": "B"}, "`sku` is `B`; it must match `^A`"),
        (
            {"title": {"minLength": 1000}},
            {},
            "`title` has 6 characters; it must have at least 1,000 characters",
        ),
        (
            {"tags": {"minLength": 2}},
            {"tags": ["a"]},
            "`tags` has 1 item; it must have at least 2 items",
        ),
        (
            {"title": {"minWords": 1, "maxWords": 1}},
            {"title": "a b"},
            "`title` has 2 words; it must have at most 1 word",
        ),
        (
            {"tags": {"contains": "x"}},
            {"tags": ["a", "b"]},
            "`tags` is `a`, `b`; it must contain `x`",
        ),
        (
            {"showProgress": True},
            {"showProgress": False},
            "`showProgress` is `false`; it must be `true`",
        ),
        (
            {"tags": {"some": {"is": "x"}}},
            {"tags": ["a"]},
            "nothing in `tags` fits; at least one must be `x`",
        ),
        (
            {"any": [{"sku": {"present": True}}, {"isbn": {"present": True}}]},
            {},
            "none of this is true: `sku` is present or `isbn` is present",
        ),
        (
            {"not": {"tags": "x"}},
            {"tags": ["x"]},
            "this is true but must not be: some `tags` is `x`",
        ),
    ],
)
def test_what_is_said(tmp_path: Path, require: Any, data: dict[str, Any], text: str) -> None:
    """What is, and what must be; the same words whatever the operator."""
    assert [text] == house.missed(tmp_path, require, making.course() | data)


def test_long_texts_are_cut(tmp_path: Path) -> None:
    """A message stays on one line, however long the value is."""
    (text,) = house.missed(tmp_path, {"description": "x"}, making.course(description="a\n" * 900))
    assert len(text) < 100
    assert "\n" not in text


def test_all_that_does_not_hold_is_found(tmp_path: Path) -> None:
    """Each field, and each condition of it, has a finding of its own."""
    require = {"title": {"minLength": 9, "matches": "x"}, "sku": {"present": True}}
    assert 3 == len(house.missed(tmp_path, require, making.course()))


@pytest.mark.parametrize(
    "require",
    [
        {"sku": {"minLength": 9, "matches": "x", "contains": "y"}},
        {"customFields.owner": {"present": True, "matches": "x"}},
        {"tags": {"present": True, "matches": "x"}},
    ],
)
def test_of_an_absent_value_one_thing_is_said(tmp_path: Path, require: Any) -> None:
    """Several conditions for what is missing are one mistake."""
    assert 1 == len(house.missed(tmp_path, require, making.course()))


# Paths.


def topics(*titles: str, **fields: Any) -> dict[str, Any]:
    """A course with these topics in one lesson."""
    listed = [making.topic(f"t{n}") | {"title": title} for n, title in enumerate(titles)]
    return making.course(sections=[making.section("s", making.lesson("l", *listed))], **fields)


TITLES = "sections.lessons.topics.title"


@pytest.mark.parametrize(("titles", "expected"), [(("A", "A"), True), (("A", "B"), False)])
def test_in_require_a_path_speaks_of_every_item(
    tmp_path: Path, titles: tuple[str, ...], expected: bool
) -> None:
    """One item that is otherwise is a mistake."""
    assert expected is house.holds(tmp_path, {TITLES: "A"}, topics(*titles))


@pytest.mark.parametrize(("titles", "expected"), [(("A", "B"), 1), (("B", "B"), 0)])
def test_in_when_a_path_speaks_of_one_item(
    tmp_path: Path, titles: tuple[str, ...], expected: int
) -> None:
    """One item that is so is enough for the policy to speak."""
    data, require = topics(*titles), {"sku": {"present": True}}
    assert expected == len(house.missed(tmp_path, require, data, when={TITLES: "A"}))


@pytest.mark.parametrize(("titles", "expected"), [(("A", "B"), False), (("B", "B"), True)])
def test_under_not_a_path_speaks_of_one_item(
    tmp_path: Path, titles: tuple[str, ...], expected: bool
) -> None:
    """`not` means that none is so."""
    assert expected is house.holds(tmp_path, {"not": {TITLES: "A"}}, topics(*titles))


@pytest.mark.parametrize(("titles", "expected"), [(("A", "B"), True), (("B", "B"), False)])
def test_some_asks_for_one(tmp_path: Path, titles: tuple[str, ...], expected: bool) -> None:
    """`some` in `require`: at least one, in whichever lesson."""
    assert expected is house.holds(tmp_path, {TITLES: {"some": "A"}}, topics(*titles))


@pytest.mark.parametrize(("titles", "expected"), [(("A", "A"), 1), (("A", "B"), 0)])
def test_every_asks_for_all(tmp_path: Path, titles: tuple[str, ...], expected: int) -> None:
    """`every` in `when`: all of them."""
    when, require = {TITLES: {"every": "A"}}, {"sku": {"present": True}}
    assert expected == len(house.missed(tmp_path, require, topics(*titles), when=when))


def test_each_item_that_is_otherwise_is_pointed_at(tmp_path: Path) -> None:
    """The path of a finding leads to the very value."""
    found = house.findings(tmp_path, topics("A", "B", "C"), require={TITLES: "A"})
    top = ("sections", 0, "lessons", 0, "topics")
    assert [(*top, 1, "title"), (*top, 2, "title")] == [finding.path for finding in found]


def test_where_a_list_is_missing_nothing_is_said_of_its_items(tmp_path: Path) -> None:
    """An article has no sections: that is no mistake of their titles."""
    data = making.course(kind="article", sections=None)
    assert house.holds(tmp_path, {"sections.title": {"minLength": 3}}, data)


def test_where_a_list_is_missing_none_of_its_items_is_found(tmp_path: Path) -> None:
    """`some` needs one."""
    data = making.course(kind="article", sections=None)
    assert not house.holds(tmp_path, {"sections.title": {"some": {"minLength": 3}}}, data)


def test_a_missing_field_is_said_of_its_parent(tmp_path: Path) -> None:
    """An editor lands where the field would stand."""
    (finding,) = house.findings(
        tmp_path,
        making.course(customFields={"owner": ""}),
        require={"customFields.site": {"present": True}},
    )
    assert ("customFields",) == finding.path


def test_a_field_of_a_missing_mapping_is_said_of_the_document(tmp_path: Path) -> None:
    """Further up, if the parent is not there either."""
    require = {"customFields.owner": {"present": True}}
    (finding,) = house.findings(tmp_path, making.course(), require=require)
    assert ((), "the rule of the house: `customFields.owner` is missing") == (
        finding.path,
        finding.message,
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("staff", True),
        (["staff", "staff"], True),
        (["staff", "x"], False),
        ([], False),
        ("x", False),
    ],
)
def test_a_field_of_the_authors_own_may_be_one_or_several(
    tmp_path: Path, value: Any, expected: bool
) -> None:
    """A list stands for its items; an empty one is absent."""
    data = making.course(customFields={"audience": value})
    assert expected is house.holds(tmp_path, {"customFields.audience": "staff"}, data)


def test_a_key_of_the_authors_own_may_have_dots(tmp_path: Path) -> None:
    """What follows a free-form mapping is one key."""
    data = making.course(customFields={"cost.centre": "12"})
    assert house.holds(tmp_path, {"customFields.cost.centre": "12"}, data)


@pytest.mark.parametrize(("date", "expected"), [("2027-01-01", True), ("soon", False)])
def test_a_field_of_the_authors_own_may_be_a_date(
    tmp_path: Path, date: str, expected: bool
) -> None:
    """What is no date is neither before nor after one."""
    data = making.course(customFields={"review": date})
    assert expected is house.holds(tmp_path, {"customFields.review": {"before": DAY}}, data)


# Other fields.


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ({"courseStartDate": DAY, "courseEndDate": NEXT}, True),
        ({"courseStartDate": NEXT, "courseEndDate": DAY}, False),
        ({"courseEndDate": DAY}, False),
        ({"courseStartDate": DAY}, False),
    ],
)
def test_a_value_may_be_that_of_another_field(
    tmp_path: Path, dates: dict[str, str], expected: bool
) -> None:
    """Where one of the two is absent, what asks is not met."""
    require = {"courseEndDate": {"after": {"field": "courseStartDate"}}}
    assert expected is house.holds(tmp_path, require, making.course(**dates))


def test_the_other_value_is_shown(tmp_path: Path) -> None:
    """Both values stand in the message."""
    data = making.course(title="Safety", assetAltText="Safety")
    require = {"assetAltText": {"not": {"field": "title"}}}
    assert [
        "`assetAltText` is `Safety`; it must not be `title`, which is `Safety`"
    ] == house.missed(tmp_path, require, data)


def test_an_absent_other_breaks_no_ban(tmp_path: Path) -> None:
    """`not` holds where there is nothing to be equal to."""
    data = making.course(assetAltText="A yard")
    assert house.holds(tmp_path, {"assetAltText": {"not": {"field": "description"}}}, data)


def test_the_other_field_may_stand_in_the_document(tmp_path: Path) -> None:
    """A field that the item does not have is looked for at the top."""
    data = making.course(courseEndDate=DAY, sections=[making.section(releaseDate=NEXT)])
    require = {"releaseDate": {"before": {"field": "courseEndDate"}}}
    assert [
        f"`releaseDate` is `{NEXT}`; it must be before `courseEndDate`, which is `{DAY}`"
    ] == house.missed(tmp_path, require, data, each="sections")


# Groups.


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ({"any": [{"sku": "A"}, {"ribbon": "x"}]}, True),
        ({"any": [{"sku": "B"}, {"ribbon": "x"}]}, False),
        ({"all": [{"sku": "A"}, {"sku": {"minLength": 1}}]}, True),
        ({"all": [{"sku": "A"}, {"sku": {"minLength": 2}}]}, False),
        ({"not": {"sku": "B"}}, True),
        ({"not": {"sku": "A"}}, False),
        ({"not": {"sku": "A", "ribbon": "x"}}, True),
        ({"not": {"not": {"sku": "A"}}}, True),
        ({"any": [{"not": {"sku": "A"}}, {"all": [{"title": "Safety"}, {"sku": "A"}]}]}, True),
    ],
)
def test_groups(tmp_path: Path, group: Any, expected: bool) -> None:
    """`any` of several groups, `all` of them, `not` this one; in one another too."""
    assert expected is house.holds(tmp_path, group, making.course(sku="A"))


@pytest.mark.parametrize(("group", "count"), [({"sku": "A"}, 1), ({"not": {"sku": "A"}}, 0)])
def test_groups_mean_the_same_in_when(tmp_path: Path, group: Any, count: int) -> None:
    """`when` is a group like `require`."""
    found = house.missed(tmp_path, {"isbn": {"present": True}}, making.course(sku="A"), when=group)
    assert count == len(found)


def test_a_ban_in_when_holds_for_what_is_left_out(tmp_path: Path) -> None:
    """Defaults of the platform are not assumed: no status is not `published`."""
    when, require = {"status": {"not": "published"}}, {"sku": {"present": True}}
    assert 1 == len(house.missed(tmp_path, require, making.course(), when=when))


def test_the_place_of_a_ban_is_what_it_bans(tmp_path: Path) -> None:
    """Of the items of a list the one that is so."""
    (finding,) = house.findings(
        tmp_path, making.course(tags=["a", "Draft"]), require={"not": {"tags": "Draft"}}
    )
    assert ("tags", 1) == finding.path


@pytest.mark.parametrize(("kind", "expected"), [("quiz", True), ("text", False)])
def test_where_asks_for_several_things_of_one_item(
    tmp_path: Path, kind: str, expected: bool
) -> None:
    """`where` inside `some`: one item that is all of this."""
    last = making.topic("end", type=kind, title="Final test")
    data = making.course(
        sections=[making.section("s", making.lesson("l", making.topic("a", type="quiz"), last))]
    )
    wanted = {"some": {"where": {"type": "quiz", "title": {"contains": "Final"}}}}
    assert expected is house.holds(tmp_path, {"sections.lessons.topics": wanted}, data)


@pytest.mark.parametrize("sections", [None, []])
def test_an_empty_list_has_no_item_that_is_as_wanted(
    tmp_path: Path, sections: list[Any] | None
) -> None:
    """`where` asks for items; a list without any is absent."""
    data = making.course(kind="article") | {"sections": sections}
    assert ["`sections` is empty; it must be such that `title` is `A`"] == house.missed(
        tmp_path, {"sections": {"where": {"title": "A"}}}, data
    )


# Items.


def videos() -> dict[str, Any]:
    """A course with a text and two videos, one with a text after it."""
    bare = making.topic("bare", type="video")
    full = making.topic("full", type="video", postTextBlock="<p>Well?</p>")
    return making.course(
        status="draft",
        sections=[making.section("s", making.lesson("l", making.topic(), bare, full))],
    )


ITEMS: dict[str, Any] = {
    "each": "sections.lessons.topics",
    "where": {"type": "video"},
    "require": {"postTextBlock": {"present": True}},
}


def test_each_is_about_items(tmp_path: Path) -> None:
    """The items that `where` picks are judged one by one; the finding points to the item."""
    (finding,) = house.findings(tmp_path, videos(), **ITEMS)
    assert ("sections", 0, "lessons", 0, "topics", 1) == finding.path


def test_when_is_about_the_document(tmp_path: Path) -> None:
    """Beside `each` as without it."""
    assert [] == house.findings(tmp_path, videos(), **ITEMS, when={"status": "published"})


def test_each_may_lead_to_several_places(tmp_path: Path) -> None:
    """Topics stand in lessons, or in the microCourse itself."""
    data = making.micro("m", making.topic(type="video"))
    found = house.findings(tmp_path, data, **ITEMS | {"each": [ITEMS["each"], "topics"]})
    assert [("topics", 0)] == [finding.path for finding in found]


def test_each_may_lead_to_one_mapping(tmp_path: Path) -> None:
    """A mapping is one item; a missing one is none."""
    fields = {"each": "articleVariant", "require": {"title": {"present": True}}}
    documents = [
        making.course(kind="article", sections=None, **more)
        for more in ({}, {"articleVariant": {"body": "<p>Hello</p>"}})
    ]
    assert [0, 1] == [len(house.findings(tmp_path, data, **fields)) for data in documents]


# What must not hang or fall.


def test_no_expression_takes_for_ever(tmp_path: Path) -> None:
    """An expression that others take years for is searched at once."""
    data = making.course(description="a" * 2_000 + "!")
    assert not house.holds(tmp_path, {"description": {"matches": "^(a+)+$"}}, data)


def test_only_the_beginning_of_a_long_text_is_searched(tmp_path: Path) -> None:
    """100,000 characters are looked at."""
    data = making.course(description="a" * 100_000 + "b")
    assert house.holds(tmp_path, {"description": {"notMatches": "b"}}, data)
