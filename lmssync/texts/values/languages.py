"""Language tags (BCP 47): whether one is well-formed, and which one was probably meant."""

import re

from ...problems import Rule
from .refusal import refusal_error, show_text

NOT_A_LANGUAGE_TAG = Rule(
    "language-tag",
    "The value is not a language tag (BCP 47).",
    "Write `de` or `de-CH`; not `german`, not `de_CH`.",
    source="spec 2.4",
    within="a topic",
    wrong="type: article\nlanguages:\n  - {language: German}",
    right="type: article\nlanguages:\n  - {language: de}",
)

TAG = re.compile(
    r"[a-z]{2,3}(-[a-z]{3}){0,3}"  # language
    r"(-[a-z]{4})?"  # script
    r"(-([a-z]{2}|\d{3}))?"  # region
    r"(-([a-z0-9]{5,8}|\d[a-z0-9]{3}))*"  # variants
    r"(-[a-wy-z0-9](-[a-z0-9]{2,8})+)*"  # extensions
    r"(-x(-[a-z0-9]{1,8})+)?"
    r"|x(-[a-z0-9]{1,8})+|i-[a-z]{3,8}",
    re.IGNORECASE | re.ASCII,
)
"""RFC 5646 without languages of four letters and more: none was ever registered."""
_NAMES = """
    arabic=ar chinese=zh czech=cs danish=da dansk=da deutsch=de dutch=nl english=en español=es
    finnish=fi français=fr french=fr german=de greek=el hebrew=he hindi=hi hungarian=hu
    italian=it italiano=it japanese=ja korean=ko nederlands=nl norsk=no norwegian=no polish=pl
    polski=pl portuguese=pt português=pt romanian=ro russian=ru spanish=es svenska=sv swedish=sv
    thai=th turkish=tr ukrainian=uk vietnamese=vi
"""
_TAGS = dict(pair.split("=") for pair in _NAMES.split())
"""By the name of the language, in itself or in English."""


def check_language(text: str) -> str:
    """`text`, if it is a language tag (spec 2.4)."""
    if TAG.fullmatch(text):
        return text
    meant = _meant_language(text)
    hint = f"did you mean `{meant}`?" if meant else "write a tag such as en, de-CH or zh-Hant-TW"
    raise refusal_error(
        NOT_A_LANGUAGE_TAG, f"is `{show_text(text)}`, which is not a language tag (BCP 47)", hint
    )


def _meant_language(text: str) -> str:
    """The language tag for one that somebody has spelled as another system does."""
    plain = text.strip()
    tag = _TAGS.get(plain.lower()) or plain.split(".")[0].split("@")[0].replace("_", "-")
    return tag if TAG.fullmatch(tag) else ""
