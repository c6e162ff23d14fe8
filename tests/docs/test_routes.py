"""The table of routes: every route has a row, and every cell says something that is there."""

import pytest
from reference import routes

from lmssync.vocabulary.routes import ROUTES

from . import pages


def test_every_route_has_its_row():
    """Each stands in the page once, with four cells, none of them empty."""
    rows = [line for line in pages.text("docs/routes.md").splitlines() if line.startswith("| `")]
    assert [f"(`{name}`)" for name in ROUTES] == [
        row.split(" | ")[0].partition("` ")[2] for row in rows
    ]
    assert {4} == {len([cell for cell in row.strip("| ").split(" | ") if cell]) for row in rows}


def test_a_test_that_is_not_there_is_told():
    """A renamed test, and a route of which nothing is said, stop the page from being made."""
    route, about = ROUTES["course.create"], routes.said()["course.create"]
    gone = {**about, "client": "tests/platform/lists/test_get.py::test_nothing_of_this_name"}
    with pytest.raises(routes.Unexplained, match="there is no test"):
        routes.row(route, gone)
    with pytest.raises(routes.Unexplained, match="has an empty cell"):
        routes.row(route, {"client": about["client"]})


def test_what_uses_no_route_is_explained():
    """A route that nothing sends says why; the routes without a shape are among these."""
    used = {name: routes.row(route, routes.said()[name])[1] for name, route in ROUTES.items()}
    silent = {name for name, users in used.items() if users.startswith("nothing: ")}
    assert silent <= {name for name, about in routes.said().items() if "why" in about}
    assert {"user.update", "content.xlf", "license.delete"} <= silent
