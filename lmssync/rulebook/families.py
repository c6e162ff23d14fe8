"""Rules whose id is made of the name of a field: `title-length`, `percent-range`."""

from .rule import Family

FAMILIES = (
    Family(
        "-type",
        "The value is of the wrong type: a number where text belongs, text where true "
        "or false belongs.",
        "Put text that looks like a number in quotes; write true and false without quotes.",
    ),
    Family(
        "-range",
        "The number is outside what the platform allows.",
        "Stay within it.",
    ),
    Family(
        "-length",
        "The text or list is longer than the platform allows.",
        "Shorten it.",
    ),
    Family(
        "-value",
        "The value is not one of the words, or not of the form, that the field allows.",
        "Take one that the hint lists.",
    ),
)
