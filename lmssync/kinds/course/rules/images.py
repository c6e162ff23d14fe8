"""Alternative texts of the pictures of a course (spec 2.2)."""

from collections.abc import Iterator

from ....problems import Finding, warning_rule
from ..spec import CourseSpec

NO_ALT_TEXT = warning_rule(
    "no-alt-text",
    "A picture of the course has no alternative text for people who cannot see it.",
    'Add it, or write `""` if the picture is only decoration.',
    wrong="asset: https://media.example.com/tile.png",
    right="asset: https://media.example.com/tile.png\nassetAltText: A guard on a press",
)
ALT_TEXT_ALONE = warning_rule(
    "alt-text-alone",
    "An alternative text is given without its picture.",
    "Add the picture, or delete the text.",
    source="spec 2.2",
    wrong="assetAltText: A guard on a press",
    right="asset: https://media.example.com/tile.png\nassetAltText: A guard on a press",
)

_PAIRS = (("asset", "assetAltText"), ("detailAsset", "detailAssetAltText"))


def alternative_texts(course: CourseSpec) -> Iterator[Finding]:
    """Each picture has a text, and each text its picture."""
    for picture, words in _PAIRS:
        shown, described = getattr(course, picture), getattr(course, words)
        if described and not shown:
            message = f"`{words}` describes `{picture}`, which is not given"
            yield ALT_TEXT_ALONE.at((words,), message, f"add `{picture}`, or delete `{words}`")
        if shown and described is None:
            yield NO_ALT_TEXT.at(
                (picture,),
                f"`{picture}` has no `{words}` for people who cannot see the picture",
                f'add `{words}` to describe the picture, or `{words}: ""` if it is only decoration',
            )


RULES = (alternative_texts,)
