"""Alternative texts of the pictures of a course (spec 2.2)."""

from collections.abc import Iterator

from ....problems import Finding, Severity
from ..spec import CourseSpec

_PAIRS = (("asset", "assetAltText"), ("detailAsset", "detailAssetAltText"))


def words_without_picture(course: CourseSpec) -> Iterator[Finding]:
    for picture, words in _PAIRS:
        if getattr(course, words) and not getattr(course, picture):
            yield Finding(
                "alt-text-alone",
                (words,),
                f"`{words}` describes `{picture}`, which is not given",
                f"add `{picture}`, or delete `{words}`",
                Severity.WARNING,
            )


def picture_without_words(course: CourseSpec) -> Iterator[Finding]:
    for picture, words in _PAIRS:
        if getattr(course, picture) and getattr(course, words) is None:
            yield Finding(
                "no-alt-text",
                (picture,),
                f"`{picture}` has no `{words}` for people who cannot see the picture",
                f'add `{words}` to describe the picture, or `{words}: ""` if it is only decoration',
                Severity.WARNING,
            )


RULES = (words_without_picture, picture_without_words)
