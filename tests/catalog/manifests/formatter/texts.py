"""Texts before and after."""

from lmssync.catalog.manifests.formatter import format_manifest


def after(text: str) -> str:
    """The canonical form of a text."""
    return format_manifest(text.encode()).decode()


def stays(text: str) -> bool:
    """True for a text that is canonical already."""
    return text == after(text)
