"""The table of statements and of the tests that show them."""

from collections.abc import Callable, Mapping

from .statements import ROOT, Marked, marked, statements
from .tables import table


def parts() -> dict[str, Callable[[], str]]:
    """The generated parts of the page."""
    return {"statements": by_section, "observations": by_observation, "advice": beyond_tests}


def by_section() -> str:
    """A heading and a table for each section."""
    known, shown = statements(), _shown()
    return "\n".join(
        f"### {section} {title}\n\n{_rows(section, known.says, shown)}"
        for section, title in known.titles.items()
        if any(id_.startswith(section + " ") for id_ in known.says)
    )


def by_observation() -> str:
    shown = _shown()
    rows = [(id_, said, _tests(shown.get(id_, []))) for id_, said in _observations()]
    return table(("observation", "what is seen", "shown by"), rows)


def beyond_tests() -> str:
    return table(("section", "why no test shows it"), _advice())


def _rows(section: str, says: Mapping[str, str], shown: Mapping[str, list[Marked]]) -> str:
    rows = [
        (f"`{id_.partition(' ')[2]}`", said, _tests(shown.get(id_, [])))
        for id_, said in says.items()
        if id_.startswith(section + " ")
    ]
    return table(("statement", "what is stated", "shown by"), rows)


def _observations() -> list[tuple[str, str]]:
    return list(statements().observations.items())


def _advice() -> list[tuple[str, str]]:
    return list(statements().advice.items())


def _shown() -> dict[str, list[Marked]]:
    found: dict[str, list[Marked]] = {}
    for one in marked():
        found.setdefault(one.mark, []).append(one)
    return found


def _tests(found: list[Marked]) -> str:
    """The tests by file, each file a link."""
    files: dict[str, list[str]] = {}
    for one in found:
        files.setdefault(str(one.file.relative_to(ROOT)), []).append(one.test)
    return "; ".join(
        f"[{file.rpartition('/')[2]}](../{file}) " + ", ".join(f"`{test}`" for test in tests)
        for file, tests in files.items()
    )
