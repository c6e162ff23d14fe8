"""Texts for search engines: kept without their HTML (spec 2.2).

This uses a parser of the HTML standard, not `vocabulary.normalisers.strip_markup`, which the client
uses: two implementations show each other's mistakes.
"""

import html
from functools import partial
from typing import Any

import nh3

from lmssync.vocabulary.markup import measure_markup

from .checks import Rule, Wrong, check_length, check_text

RAW_MOST = 50_000
"""Characters of a text with its markup."""
_ROUNDS_MOST = 20


def stripped_up_to(most: int) -> Rule:
    """Text that is kept without its HTML; counted as it is kept."""
    return partial(check_stripped_text, most=most)


def check_stripped_text(value: Any, *, most: int) -> str:
    return check_length(plain_text(check_text(value)), least=0, most=most)


def plain_text(written: str) -> str:
    """The text without tags and comments, character references read, blanks at its ends cut off.

    The result has no markup, even if it is parsed again: `&lt;b&gt;` is removed as `<b>` is.
    Raises Wrong.
    """
    if len(written) > RAW_MOST:
        raise Wrong(f"has {len(written)} characters with its markup; the most is {RAW_MOST}")
    if excess := measure_markup(written).excess:
        raise Wrong(excess)
    for _ in range(_ROUNDS_MOST):
        kept = written
        if "<" in written or "&" in written:
            kept = html.unescape(nh3.clean(written, tags=set(), clean_content_tags=set()))
        kept = kept.strip()
        if kept == written:
            return kept
        written = kept
    raise Wrong(f"is markup in markup, more than {_ROUNDS_MOST} deep; write the text itself")
