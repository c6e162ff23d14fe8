"""Texts before and after."""

from lmssync.manifests.formatter import formatted


def after(text: str) -> str:
    """The canonical form of a text."""
    return formatted(text.encode()).decode()


def stays(text: str) -> bool:
    """True for a text that is canonical already."""
    return text == after(text)
