"""Problems for tests of their forms: a few by hand, and any that an author could bring about."""

from typing import Any

from hypothesis import strategies as st

from lmssync.problems import Problem, Severity
from lmssync.report.problems import Checked
from lmssync.resource import Address, Origin, Place

CHECKED = Checked(files=3, resources=4)
ERROR, WARNING = Severity.ERROR, Severity.WARNING


def problem(file: str = "a.yaml", line: int = 1, column: int = 1, **given: Any) -> Problem:
    """An error without an address, but for what is given; `path` is where it stands."""
    path = given.pop("path", ())
    plain = {"code": "title-length", "message": "title is long"} | given
    return Problem(origin=Origin(file, 0, path), place=Place(file, line, column), **plain)


def a_few() -> list[Problem]:
    """Two errors and a warning, in two files of two folders."""
    return [
        problem("b/x.yaml", 2, 3, code="no-content", message="empty", severity=WARNING),
        problem("b/x.yaml", 4, 5, message="title is 300", hint="shorten it"),
        problem("c/d/y.yaml", 6, 7, path=("sections", 0), address=Address("course", "y")),
    ]


def many(number: int, **given: Any) -> list[Problem]:
    """One problem a line, from the first line on."""
    return [problem("many.yaml", line, **given) for line in range(1, number + 1)]


_SIGNS = st.one_of(
    st.characters(),
    st.sampled_from("%:,;[](){}<>&\"'=#\\/\r\n\t\x00\x1b\x85\u2028\u202e\ufffe"),
    st.sampled_from(["::", "](", "%0A", "]]>", "\ud800", "\udce9", "\udc80"]),  # halves too
)
TEXTS = st.lists(_SIGNS, max_size=8).map("".join)
"""Not `st.text`: that would make one large alphabet of these, and hardly ever find the odd ones."""
FILES = TEXTS.map(lambda text: text.replace("/", "").replace("\0", "")).filter(len)
"""Names that a file can have: anything but a slash and NUL."""


@st.composite
def anything(draw: st.DrawFn) -> Problem:
    """A problem whose every word came from a file."""
    return problem(
        draw(FILES),
        draw(st.integers(1, 10**6)),
        draw(st.integers(1, 10**6)),
        message=draw(TEXTS.filter(len)),
        hint=draw(TEXTS),
        path=(draw(TEXTS), 0),
        address=draw(st.none() | TEXTS.map(lambda key: Address("course", key))),
        severity=draw(st.sampled_from(Severity)),
    )


ANY = st.lists(anything(), max_size=4)
