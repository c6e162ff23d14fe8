"""Laying one mapping over another, and knowing afterwards where each value stands."""

from typing import Any

from lmssync.catalog.manifests.overlays import Merge, lay_over, lay_under
from lmssync.resource import Origin

BASE, PATCH = Origin("a.yaml"), Origin("overlays/test/a.yaml")
SECTIONS = {
    "sections": [
        {"id": "one", "title": "One"},
        {"title": "Second Part", "lessons": [{"id": "l", "title": "L"}]},
    ]
}


def merged(data: dict[str, Any], patch: dict[str, Any], below: Origin = BASE) -> tuple[Any, Merge]:
    merge = Merge(below, PATCH)
    return lay_over(data, patch, merge), merge


def test_mappings_are_merged_key_by_key():
    """What the patch does not mention stays."""
    found, _ = merged({"a": 1, "b": {"x": 1, "y": 2}}, {"b": {"y": 3}})
    assert {"a": 1, "b": {"x": 1, "y": 3}} == found


def test_other_values_are_replaced():
    """A list without ids is one value; a null is a value too."""
    found, _ = merged({"tags": ["A", "B"], "ribbon": "new"}, {"tags": ["C"], "ribbon": None})
    assert {"tags": ["C"], "ribbon": None} == found


def test_items_are_merged_by_id():
    """Whether the id is written or is the slug of the title."""
    found, _ = merged(SECTIONS, {"sections": [{"id": "second-part", "title": "Better"}]})
    assert ["One", "Better"] == [section["title"] for section in found["sections"]]


def test_items_are_merged_by_language():
    """Languages of an article have no ids."""
    data = {"languages": [{"language": "de", "title": "A"}, {"language": "fr", "title": "B"}]}
    found, _ = merged(data, {"languages": [{"language": "fr", "title": "C"}]})
    assert ["A", "C"] == [language["title"] for language in found["languages"]]


def test_an_item_is_taken_away():
    """`$patch: delete` says so."""
    found, _ = merged(SECTIONS, {"sections": [{"id": "one", "$patch": "delete"}]})
    assert ["Second Part"] == [section["title"] for section in found["sections"]]


def test_an_item_is_added():
    """`$patch: add` says so; it goes to the end and the word goes away."""
    found, _ = merged(SECTIONS, {"sections": [{"id": "x", "title": "X", "$patch": "add"}]})
    assert {"id": "x", "title": "X"} == found["sections"][-1]


def test_an_unknown_item_is_a_misfit():
    """It is not added by accident; the likeliest id is guessed."""
    found, merge = merged(SECTIONS, {"sections": [{"id": "seond-part", "title": "X"}]})
    (misfit,) = merge.misfits
    assert 2 == len(found["sections"])
    assert "did you mean `second-part`?" in misfit.hint
    assert PATCH.at(("sections", 0)) == misfit.origin


def test_nothing_is_changed_in_place():
    """Aliases share values: the other place must not change."""
    shared = {"x": 1}
    found, _ = merged({"a": shared, "b": shared}, {"a": {"x": 2}})
    assert ({"x": 2}, {"x": 1}) == (found["a"], found["b"])


def test_a_value_of_the_patch_stands_in_the_patch():
    """A problem with it leads there."""
    _, merge = merged({"a": 1, "b": 2}, {"b": {"c": 3}})
    assert PATCH.at(("b", "c")) == merge.origin.at(("b", "c"))
    assert BASE.at(("a",)) == merge.origin.at(("a",))


def test_items_are_found_where_they_stood():
    """An item that moved up stands where it stood in the manifest."""
    _, merge = merged(SECTIONS, {"sections": [{"id": "one", "$patch": "delete"}]})
    here = ("sections", 0, "lessons", 0, "title")
    assert BASE.at(("sections", 1, "lessons", 0, "title")) == merge.origin.at(here)


def test_layers_on_layers():
    """What an earlier overlay brought is found in that one, wherever a later one has put it."""
    earlier = Origin("overlays/test/0.yaml")
    first = Merge(BASE, earlier)
    between = lay_over(SECTIONS, {"sections": [{"id": "second-part", "title": "Better"}]}, first)
    last, merge = merged(
        between, {"sections": [{"id": "one", "$patch": "delete"}]}, below=first.origin
    )
    assert "Better" == last["sections"][0]["title"]
    assert earlier.at(("sections", 0, "title")) == merge.origin.at(("sections", 0, "title"))


def test_defaults_fill_what_is_left_out():
    """What is there stays, a null too; mappings are filled key by key."""
    merge = Merge(BASE, Origin("lmssync.yaml", 0, ("defaults", "course")))
    data = {"ribbon": None, "customFields": {"a": "1"}}
    defaults = {"ribbon": "new", "status": "draft", "customFields": {"a": "2", "b": "3"}}
    found = lay_under(data, defaults, merge)
    assert {"ribbon": None, "customFields": {"a": "1", "b": "3"}, "status": "draft"} == found
    home = Origin("lmssync.yaml", 0, ("defaults", "course", "customFields", "b"))
    assert home == merge.origin.at(("customFields", "b"))
