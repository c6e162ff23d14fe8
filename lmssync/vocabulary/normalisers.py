"""The platform's normalisers, bit for bit: what it changes in a text before it stores it."""

import html
import re
from urllib.parse import urlsplit

from . import limits
from .markup import TAG, measure_markup, read_references

_TO_HYPHEN = re.compile(r"[\s_/]+")
_NOT_SLUG = re.compile(r"[^a-z0-9-]")
_HYPHENS = re.compile(r"-{2,}")
_ROUNDS_MOST = 20

LABEL_TAGS = frozenset({"a", "b", "strong", "i", "em", "u", "br", "p", "span"})
"""The tags a purchase path label may keep (spec 2.6)."""

_OTHER_TAG = re.compile(
    rf"</?(?!(?:{'|'.join(sorted(LABEL_TAGS))})[\s/>])[a-z]"
    r"""[^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>""",
    re.IGNORECASE,
)
"""A tag that a label may not keep; the cleaner would drop the text in some of them too."""


def derive_slug(name: str, limit: int = 255) -> str:
    """The slug a cloned client gets from its name when none is sent (spec 4, clone rule 2)."""
    if name.isascii():
        text = name.encode().translate(_ASCII, _DROPPED).decode()  # most names, much faster
    else:
        text = _NOT_SLUG.sub("", _TO_HYPHEN.sub("-", name).lower())
    if "--" in text:
        text = _HYPHENS.sub("-", text)
    return text.strip("-")[:limit]


_SLUGS = [_NOT_SLUG.sub("", _TO_HYPHEN.sub("-", chr(code)).lower()) for code in range(128)]
"""What each ASCII character becomes in a slug, if it is kept."""
_ASCII = "".join(kept or " " for kept in _SLUGS).encode().ljust(256)
_DROPPED = bytes(code for code, kept in enumerate(_SLUGS) if not kept)


def strip_markup(text: str) -> str:
    """A meta title or meta description with its HTML stripped (spec 2.2).

    The result has no markup, even if it is parsed again: `&lt;b&gt;` is removed as `<b>` is. The
    sandbox has an implementation of its own, so that tests find a mistake in either.
    """
    # `&amp;lt;b&amp;gt;` is markup after two rounds of reading, and an author can nest it as deep
    # as they like.
    for _ in range(_ROUNDS_MOST):
        kept = read_references(TAG.sub("", text)).strip()
        if kept == text:
            break
        text = kept
    return text


def label_excess(label: str) -> str:
    """Why a label is refused before it is parsed, in words that go on from its name; or nothing."""
    if len(label) > limits.PATH_LABEL_RAW:
        size = f"has {len(label):,} characters with its markup"
        return f"{size}; the most is {limits.PATH_LABEL_RAW:,}"
    return measure_markup(_OTHER_TAG.sub("", label)).excess


def sanitize_label(label: str) -> str:
    """A purchase path label as the platform keeps it (spec 2.6).

    The tags of `LABEL_TAGS` stay, with no attribute except the http or https address of a link.
    Every other tag is removed and its text stays. A second pass changes nothing. A label that is
    too large to be parsed (`label_excess`) loses all of its tags.
    """
    if label_excess(label):
        return html.escape(read_references(TAG.sub("", label)), quote=False)
    kept = _clean_label(_OTHER_TAG.sub("", label))
    while (again := _clean_label(kept)) != kept:  # misnested links and paragraphs take two rounds
        kept = again
    return kept


def _clean_label(label: str) -> str:
    import nh3  # a compiled library that few runs need

    return nh3.clean(
        label,
        tags=set(LABEL_TAGS),
        clean_content_tags=set(),
        attributes={"*": set(), "a": {"href"}},
        url_schemes={"http", "https"},
        url_relative="deny",
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def is_web_address(text: str) -> bool:
    """True for an address that begins with `http://` or `https://` and names a host."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    spaced = any(character.isspace() for character in text)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not spaced
