"""A topic in the outline: its kind, and its content where it has some."""

from pathlib import Path
from typing import Any

from lmssync.vocabulary.enums import FILLED_TOPICS

from . import wording
from .markup import Html, el

Doc = dict[str, Any]
_STYLE = (Path(__file__).parent / "body.css").read_text("utf-8")
_FILES = {
    "videoUrl": "Video",
    "videoAsset": "Video of the library",
    "scormUrl": "Package",
    "pdfUrl": "File",
    "audioUrl": "Audio",
    "posterImageAsset": "Poster",
}


def topic(doc: Doc) -> Html:
    """A line, which opens where there is something to see."""
    kind = el("span", wording.topic_type(doc["type"]), class_="kind")
    title = el("span", doc["title"] or "Untitled")
    content = [part for part in _content(doc) if part is not None]
    if not content:
        return el("div", kind, title, _state(doc), class_="topic")
    return el("details", el("summary", kind, title, _state(doc)), *content, class_="topic")


def _state(doc: Doc) -> Html | None:
    if wording.is_shell(doc["type"]) and not doc.get("filled"):
        return el("span", "empty shell", class_="badge draft", title="A person must fill it")
    if wording.is_shell(doc["type"]):
        return el("span", "filled", class_="badge open")
    if doc["type"] not in FILLED_TOPICS:
        return el("span", "placeholder", class_="badge")
    return None


def _content(doc: Doc) -> list[Html | None]:
    return [
        _body(doc.get("preTextBlock")),
        el("p", doc["subtitle"], class_="quiet") if doc.get("subtitle") else None,
        _body(doc.get("body")),
        *(_file(name, doc.get(name)) for name in _FILES),
        *(_variant(one) for one in doc.get("languages") or ()),
        el("p", doc["caption"], class_="quiet small") if doc.get("caption") else None,
        _body(doc.get("postTextBlock")),
    ]


def _body(body: str | None) -> Html | None:
    """In a frame without scripts, loading or links."""
    if not body:
        return None
    return el(
        "iframe",
        sandbox="",
        srcdoc=f"<style>{_STYLE}</style>{body}",
        loading="lazy",
        style=wording.height(body),
        title="Body",
    )


def _file(name: str, value: str | None) -> Html | None:
    """Named and not fetched."""
    return el("p", el("b", f"{_FILES[name]}: "), el("code", value)) if value else None


def _variant(variant: Doc) -> Html:
    name = variant.get("label") or variant.get("language") or "Another language"
    return el("div", el("h5", name), _body(variant.get("body")))
