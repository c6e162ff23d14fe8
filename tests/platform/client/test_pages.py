"""Lists in pages: every item once, and an end."""

from collections.abc import Callable
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from lmssync.errors import Unreadable
from lmssync.platform.client import Writer
from lmssync.platform.client.answer_bodies import Misfit
from lmssync.platform.client.platform_reader import Reader, Walk

from .answering import Answering, Asked, Said

Page = Callable[[int], Any]


def tags(*numbers: int) -> list[dict[str, str]]:
    return [
        {"id": f"7d1c0000-0000-4000-8000-{number:012}", "label": f"Tag {number}"}
        for number in numbers
    ]


def serve(server: Answering, page: Page) -> None:
    """The nth answer is the nth page, whatever is asked for."""
    numbers = count()
    server.answer = lambda _asked: Said(page(next(numbers)))


def labels(client: Reader) -> list[str]:
    return [item["label"] for item in client.read_pages("tag.list", "tags")]


def test_pages_are_followed_to_the_last(client: Writer, server: Answering):
    """A cursor, which may be a number, is passed back unchanged (spec 4, O42, O47)."""
    infos = [{"hasMore": True, "cursor": "a+b/="}, {"hasMore": True, "cursor": 17}]
    infos.append({"hasMore": False, "cursor": "left over"})
    serve(server, lambda n: {"tags": tags(n), "pageInfo": infos[n]})
    assert ["Tag 0", "Tag 1", "Tag 2"] == labels(client)
    asked = [parse_qs(urlsplit(request.path).query) for request in server.asked]
    assert [{}, {"cursor": ["a+b/="]}, {"cursor": ["17"]}] == asked


def test_pages_are_followed_by_number(client: Writer, server: Answering):
    """A list without a cursor is read by page number (tags, O26)."""

    def answer(asked: Asked) -> Said:
        number = int(parse_qs(urlsplit(asked.path).query).get("page", ["1"])[0])
        info = {"currentPage": number, "hasMore": number < 3}
        return Said({"tags": tags(number), "pageInfo": info})

    server.answer = answer
    assert ["Tag 1", "Tag 2", "Tag 3"] == labels(client)


def test_a_row_that_moves_between_pages_is_read_once(client: Writer, server: Answering):
    """An item that moves to the next page is read once."""
    serve(
        server,
        lambda n: {"tags": tags(n, n + 1), "pageInfo": {"hasMore": n < 2, "cursor": f"c{n}"}},
    )
    assert ["Tag 0", "Tag 1", "Tag 2", "Tag 3"] == labels(client)


@pytest.mark.parametrize("answer", [tags(1), {"tags": tags(1)}, {"data": tags(1)}], ids=type)
def test_an_answer_without_pages_is_the_whole_list(client: Writer, server: Answering, answer: Any):
    """An answer without page information is a whole list in each envelope (O44)."""
    serve(server, lambda _n: answer)
    assert ["Tag 1"] == labels(client)


def more(**info: Any) -> dict[str, Any]:
    return {"hasMore": True, **info}


@pytest.mark.parametrize(
    ("page", "said", "asked"),
    [
        (
            lambda n: {"tags": tags(n), "pageInfo": more(cursor="same")},
            "the list `tags`: it names the cursor `same` a second time",
            2,
        ),
        (
            lambda n: {"tags": tags(n), "pageInfo": more(cursor="ab"[n % 2])},
            "it names the cursor `a` a second time",
            3,
        ),
        (
            lambda n: {"tags": [], "pageInfo": more(cursor=f"c{n}")},
            "page 1 is empty, but says that there are more items",
            1,
        ),
        (
            lambda n: {"tags": tags(7), "pageInfo": more(cursor=f"c{n}")},
            "page 2 has only items of earlier pages",
            2,
        ),
        (
            lambda _n: {"tags": tags(7), "pageInfo": more(currentPage=1)},
            "page 2 has only items of earlier pages",
            2,
        ),
        (
            lambda n: {
                "tags": tags(*range(100 * n, 100 * n + 100)),
                "pageInfo": more(cursor=f"c{n}", total=3),
            },
            "300 items have come, but the answer says that there are 3",
            3,
        ),
        (
            lambda n: {"tags": tags(n), "pageInfo": more()},
            "it says that there is more but names no cursor and no page",
            1,
        ),
    ],
    ids=["cursor", "circle", "empty", "again", "page ignored", "total", "no way"],
)
def test_a_list_without_end_is_left(
    client: Writer, server: Answering, page: Page, said: str, asked: int
):
    """The read stops when pages repeat, and names what repeats."""
    serve(server, page)
    with pytest.raises(Unreadable) as caught:
        labels(client)
    assert said in caught.value.message
    assert asked == len(server.asked)


def test_a_list_that_only_grows_is_left_as_well(
    client: Writer, server: Answering, monkeypatch: pytest.MonkeyPatch
):
    """The read stops when new pages never end."""
    monkeypatch.setattr("lmssync.platform.client.platform_reader._PAGES_MOST", 20)
    serve(server, lambda n: {"tags": tags(n), "pageInfo": more(cursor=f"c{n}")})
    with pytest.raises(Unreadable, match="it has not ended after 20 pages"):
        labels(client)


def test_a_list_that_is_not_there_cannot_be_read(client: Writer, server: Answering):
    """A 404 for a list is an error, not an empty list."""
    server.answer = lambda _asked: Said(status=404)
    with pytest.raises(Unreadable, match="the platform has no such list"):
        labels(client)


def test_a_list_is_left_when_it_has_become_too_large(
    client: Writer, server: Answering, monkeypatch: pytest.MonkeyPatch
):
    """The read stops when all pages together exceed the size limit."""
    monkeypatch.setattr("lmssync.platform.client.platform_reader._SIZE_MOST", 1024 * 1024)
    long = {"padding": "x" * 300_000}
    serve(server, lambda n: {"tags": tags(n), "pageInfo": more(cursor=f"c{n}"), **long})
    with pytest.raises(Unreadable, match="it has not ended after 1 MB"):
        labels(client)
    assert 4 == len(server.asked)


def test_a_list_is_left_after_an_hour():
    """The read stops after an hour, even if each page is in time."""
    now = iter([0.0, 10.0, 3_601.0])
    walk = Walk("tags", lambda: next(now))
    walk.take_page({"tags": tags(1), "pageInfo": more(cursor="a")})
    with pytest.raises(Misfit, match="it has not ended after 60 minutes"):
        walk.take_page({"tags": tags(2), "pageInfo": more(cursor="b")})
