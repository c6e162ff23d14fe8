"""Questions and answers of Open edX: problems, polls, surveys, and the tasks of assignments."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import Any
from xml.etree.ElementTree import Element, tostring

from ...texts.html_layout import INLINE
from .course_outline import UNSAID, QuizAnswer, QuizQuestion, with_unsaid_texts
from .source_texts import child_text, fold_to_line

_KINDS = {
    "multiplechoiceresponse": "One answer",
    "choiceresponse": "Several answers",
    "optionresponse": "A list to choose from",
    "stringresponse": "A word or text",
    "numericalresponse": "A number",
    "formularesponse": "A formula",
    "truefalseresponse": "True or false",
}
_CHOICES = ("choice", "option")
_NO_HTML = re.compile(
    r"(?!colgroup|optgroup|hgroup)"
    r"(?:\w*(?:input|hint|response|answer|group|responseparam|part|_\w*)|answer|textline|textbox|choice|"
    r"option|label|description|solution|script|schematic|javascript)"
)
"""Elements of a problem that are no text."""
_GROUPS = re.compile(r"\w+group")
_HINTS = ("choicehint", "optionhint", "correcthint", "stringequalhint", "compoundhint")
_SPELLED = {
    *("choice", "option", "textline", "formulaequationinput", "optioninput", "imageinput"),
    *("responseparam", "additional_answer", *_HINTS),
}
"""Elements of a response whose texts are among the answers and notes."""
_SAID = {
    *("answer", "correct_answer", "expect", "correct", "point_value", "weight", "options"),
    *("type", "default", "selected", "value", "src", "rectangle", "regions", "size", "id"),
    *("class", "style", "display_name", "url_name", "slug", "markdown", "filename"),
}
"""Attributes that are spelled in words, and those that say nothing to a person."""
_BLOCK = re.compile(rf"<(?!(?:{'|'.join(INLINE)})\b)[a-zA-Z]")
_NOTES = {"solution": "Solution", "script": "Program"}
_RIGHT = {"answer", "correct_answer", "expect"}
_BETWEEN_OPTIONS = re.compile(r"""(?<=['"]) ?, ?(?=['"])""")


class _Part:
    """What a problem, or a response in it, says beside its answers."""

    def __init__(self) -> None:
        self.text: list[str] = []
        """HTML; empty where a paragraph ends."""
        self.notes: list[tuple[str, str]] = []
        self.source: list[str] = []
        """What has no words here, as it is in the source."""

    def add_piece(self, piece: Element | str) -> None:
        if isinstance(piece, str):
            self.text.append(piece)
        elif piece.tag in {"label", "description"}:
            self.text += ["", _inner_html(piece), ""]
        elif piece.tag == "demandhint":
            self.notes += [("Hint", _inner_html(hint)) for hint in piece]
        elif piece.tag in _NOTES:
            self.notes.append((_NOTES[str(piece.tag)], _spell_note(piece)))
        elif _GROUPS.fullmatch(str(piece.tag)) and piece.tag != "hintgroup":
            for inner in _list_pieces(piece):
                self.add_piece(inner)
        elif piece.tag in {"textline", "formulaequationinput", "optioninput"}:
            self.text.append("…")
        elif piece.tag == "imageinput":
            self.text += ["", f'<img src="{escape(piece.get("src", ""))}" alt="">', ""]
        elif piece.tag not in _SPELLED:
            self.source.append(_outer_html(piece, with_tail=False))

    def spell_text(self) -> str:
        """The text, each line of it a paragraph."""
        # No text of XML contains a zero byte, so it can mark the end of a paragraph.
        ended = "".join(one or "\0" for one in self.text).split("\0")
        lines = (one.strip() for one in ended)
        # A line with gaps alone says nothing.
        return "\n".join(
            one if _BLOCK.match(one) else f"<p>{one}</p>" for one in lines if one.strip("… ")
        )

    def spell_notes(self) -> list[tuple[str, str]]:
        if not self.source:
            return self.notes
        return [*self.notes, (UNSAID, _spell_code("\n".join(self.source)))]


def _read_problem(problem: Element) -> Iterator[QuizQuestion]:
    """The questions of a problem; text between two of them belongs to the one below."""
    part, whole = _Part(), _Part()
    questions: list[QuizQuestion] = []
    whole.source += _list_unsaid_attributes([problem])
    if problem.get("weight"):
        whole.notes.append(("Points", escape(problem.get("weight", ""))))
    for piece in _list_pieces(problem):
        if isinstance(piece, Element) and str(piece.tag).endswith("response"):
            questions.append(_read_response(piece, part))
            part = _Part()
        elif isinstance(piece, Element) and piece.tag not in {"label", "description"}:
            whole.add_piece(piece)
        else:
            part.add_piece(piece)
    text = part.spell_text()
    if not questions and (text or whole.notes):
        questions.append(QuizQuestion(text, "Exercise"))
    elif text:
        whole.notes.insert(0, ("Below the question", text))
    if questions:
        last = questions[-1]
        questions[-1] = last._replace(notes=[*last.notes, *whole.spell_notes()])
    yield from questions


def _list_pieces(holder: Element) -> Iterator[Element | str]:
    """HTML in pieces, empty where a paragraph ends, and the elements between that are none."""
    yield escape(holder.text or "", quote=False)
    for child in holder:
        tag = str(child.tag)
        if _NO_HTML.fullmatch(tag):
            yield child
        elif any(_NO_HTML.fullmatch(str(one.tag)) for one in child.iter()):
            yield from ("", *_list_pieces(child), "")
        elif tag in INLINE:
            yield _outer_html(child, with_tail=False)
        else:
            yield from ("", _outer_html(child, with_tail=False), "")
        yield escape(child.tail or "", quote=False)


def _read_response(response: Element, part: _Part) -> QuizQuestion:
    for piece in _list_pieces(response):
        part.add_piece(piece)
    part.notes += _list_hints(response)
    part.source += _list_unsaid_attributes(response.iter())
    kind = _KINDS.get(str(response.tag), f"Exercise ({response.tag})")
    return QuizQuestion(part.spell_text(), kind, list(_list_answers(response)), part.spell_notes())


def _list_unsaid_attributes(elements: Iterable[Element]) -> Iterator[str]:
    for one in elements:
        unsaid = {k: v for k, v in one.attrib.items() if v and k not in _SAID}
        if unsaid and (one.tag == "problem" or one.tag in _SPELLED or _is_holder(one)):
            words = "".join(f' {name}="{value}"' for name, value in unsaid.items())
            yield f"<{one.tag}{words}>"


def _is_holder(element: Element) -> bool:
    tag = str(element.tag)
    return tag.endswith("response") or bool(_GROUPS.fullmatch(tag) and _NO_HTML.fullmatch(tag))


def _list_hints(response: Element) -> Iterator[tuple[str, str]]:
    """The hints that belong to no choice."""
    within = {
        hint for one in response.iter() if one.tag in _CHOICES for hint in one.iter() if one != hint
    }
    for hint in (one for one in response.iter() if one.tag in _HINTS and one not in within):
        given = hint.get("answer") or hint.get("value")
        yield f"If the answer is {given}" if given else "If right", _inner_html(hint)


def _list_answers(response: Element) -> Iterator[QuizAnswer]:
    for choice in (one for one in response.iter() if one.tag in _CHOICES):
        notes = [_spell_share(choice), *map(_spell_hint, choice.iter())]
        right = choice.get("correct", "").lower() == "true"
        yield QuizAnswer(_inner_html(choice, without=_HINTS), right, _join_notes(notes))
    lists = list(response.iter("optioninput"))
    for number, given in enumerate(lists, 1):
        note = f"list {number}" if len(lists) > 1 else ""
        for option in _split_options(given.get("options", "")):
            yield QuizAnswer(escape(option, quote=False), option == given.get("correct"), note)
    for image in response.iter("imageinput"):
        for name in ("rectangle", "regions"):
            if image.get(name):
                yield QuizAnswer(f"{name} {escape(image.get(name, ''))}", is_right=True)
    tolerance = next((one.get("default") for one in response.iter("responseparam")), "")
    kind = response.get("type", "").split()
    notes = [
        f"tolerance {tolerance}" if tolerance else "",
        "a pattern (regular expression)" if "regexp" in kind else "",
        "in upper or lower case" if "ci" in kind else "",
    ]
    for one in response.iter():
        texts = [one.get(name, "") for name in sorted(_RIGHT)] if one.tag not in _HINTS else []
        if one.tag == "additional_answer" and not any(texts):
            texts = [(one.text or "").strip()]
        for text in filter(None, texts):
            yield QuizAnswer(escape(text, quote=False), is_right=True, note=_join_notes(notes))


def _join_notes(notes: Iterable[str]) -> str:
    return "; ".join(filter(None, notes))


def _spell_share(choice: Element) -> str:
    """What a choice says of its points, if it is neither right nor wrong."""
    correct = choice.get("correct", "").strip()
    if correct.lower() == "partial":
        return f"partly right, {escape(choice.get('point_value', '0.5'))} of the points"
    return "" if correct.lower() in {"", "true", "false"} else f"right: {escape(correct)}"


def _spell_hint(hint: Element) -> str:
    if hint.tag not in _HINTS:
        return ""
    when = {"true": "if chosen: ", "false": "if not chosen: "}.get(hint.get("selected", ""), "")
    return when + escape(fold_to_line("".join(hint.itertext())), quote=False)


def _split_options(options: str) -> Iterator[str]:
    """The options of `('one','two')`, in quotes of either kind or in none."""
    inner = fold_to_line(options).removeprefix("(").removesuffix(")").strip(" ,")
    if inner[:1] in {"'", '"'}:
        return (one[1:-1].strip() for one in _BETWEEN_OPTIONS.split(inner))
    return (one.strip() for one in inner.split(",") if one.strip())


def _spell_note(element: Element) -> str:
    html = _inner_html(element)
    return f"<pre><code>{html}\n</code></pre>" if element.tag == "script" else html


def _spell_code(text: str) -> str:
    return f"<pre><code>{escape(text, quote=False)}\n</code></pre>"


def _read_poll(block: Element) -> Iterator[QuizQuestion]:
    """The questions of a poll or a survey, which are lists in its attributes."""
    answers = [QuizAnswer(escape(text, quote=False)) for text in _list_labels(block.get("answers"))]
    answers += [QuizAnswer(_inner_html(one)) for one in block.iter("answer")]
    kind = "One answer; none is right"
    notes = [("Feedback", block.get("feedback", ""))]
    if block.tag == "survey":
        for text in _list_labels(block.get("questions")):
            yield QuizQuestion(escape(text, quote=False), kind, answers, notes)
    elif block.tag == "word_cloud":
        words = block.get("instructions") or escape(block.get("display_name", ""))
        yield QuizQuestion(words, f"Words, {block.get('num_inputs') or 5} of each learner")
    elif answers or block.get("question"):
        text = block.get("question") or escape((block.text or "").strip(), quote=False)
        yield QuizQuestion(text, kind, answers, notes)


def _read_drag(block: Element) -> Iterator[QuizQuestion]:
    """The one question of a picture onto which learners drag pieces; none if it is damaged."""
    data = _read_json(block.get("data"))
    if not isinstance(data, dict):
        return
    zones = {str(one.get("uid")): one for one in _list_mappings(data.get("zones"))}
    answers = [_read_piece(one, zones) for one in _list_mappings(data.get("items"))]
    places = [
        QuizAnswer(f"place: {_join_texts(z, 'title', 'description')}") for z in zones.values()
    ]
    says = data.get("feedback")
    said = says if isinstance(says, dict) else {}
    notes = [("At the beginning", str(said.get("start") or ""))]
    notes.append(("At the end", str(said.get("finish") or "")))
    text = _spell_picture(data.get("targetImg"), data.get("targetImgDescription"))
    text = f"<p>{block.get('question_text', '')}</p>\n<p>{text}</p>"
    yield QuizQuestion(text, "Pieces on a picture", [*answers, *places], notes)


def _read_piece(piece: dict[str, Any], zones: dict[str, dict[str, Any]]) -> QuizAnswer:
    named = piece.get("zones")
    goes = named if isinstance(named, list) else [piece.get("zone")]
    titles = [_join_texts(zones[str(one)], "title") for one in goes if str(one) in zones]
    said = piece.get("feedback")
    notes = _join_texts(said, "correct", "incorrect") if isinstance(said, dict) else ""
    shown = _spell_picture(piece.get("imageURL"), piece.get("imageDescription"))
    text = f"{_join_texts(piece, 'displayName')} {shown}".strip()
    return QuizAnswer(f"{text} → {' or '.join(titles)}" if titles else text, bool(titles), notes)


def _join_texts(holder: dict[str, Any], *names: str) -> str:
    return ": ".join(filter(None, (str(holder.get(name) or "") for name in names)))


def _spell_picture(address: Any, alt: Any) -> str:
    return f'<img src="{escape(str(address))}" alt="{escape(str(alt or ""))}">' if address else ""


def _list_mappings(listed: Any) -> list[dict[str, Any]]:
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _read_json(text: str | None) -> Any:
    """What a text says in JSON; None where it is something else."""
    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


def _list_labels(listed: str | None) -> Iterator[str]:
    """The texts of a list of pairs in JSON; none where it is something else."""
    pairs = _read_json(listed)
    for pair in pairs if isinstance(pairs, list) else ():
        value = pair[-1] if isinstance(pair, list) and pair else pair
        label = value.get("label", "") if isinstance(value, dict) else value
        if isinstance(label, str) and label:
            yield label


def _read_task(block: Element) -> Iterator[QuizQuestion]:
    """The prompts of an assignment, and the criteria by which it is assessed."""
    prompts = [child_text(one, "description") for one in block.iter("prompt")]
    for text in filter(None, prompts):
        yield QuizQuestion(text if "<" in text else escape(text, quote=False), "Task")
    for criterion in block.iter("criterion"):
        options = [
            QuizAnswer(
                escape(child_text(one, "label") or child_text(one, "name"), quote=False),
                note=f"{one.get('points', '0')} points. {child_text(one, 'explanation')}",
            )
            for one in criterion.iter("option")
        ]
        text = child_text(criterion, "prompt") or child_text(criterion, "label")
        yield QuizQuestion(escape(text, quote=False), "Criterion", options)


_READERS: Mapping[str, Callable[[Element], Iterator[QuizQuestion]]] = {
    **dict.fromkeys(("poll", "survey", "poll_question", "word_cloud"), _read_poll),
    "drag-and-drop-v2": _read_drag,
    "openassessment": _read_task,
}
_ABOUT_BLOCK = {
    *("url_name", "display_name", "xblock-family", "slug", "weight", "filename"),
    *("answers", "questions", "question", "feedback", "instructions", "num_inputs", "data"),
    *("question_text", "title", "prompt"),
}
"""Attributes that are spelled in words, and those that say nothing to a person."""


def read_block_questions(block: Element) -> list[QuizQuestion]:
    """The questions of a block, with what else it says, such as its dates; none if its kind has
    none, or if it is damaged."""
    if block.tag == "problem":
        return with_unsaid_texts(list(_read_problem(block)), block.itertext())
    read = _READERS.get(str(block.tag))
    questions = list(read(block)) if read else []
    rest = (f"{k}={v}" for k, v in block.attrib.items() if v and k not in _ABOUT_BLOCK)
    return with_unsaid_texts(questions, [*block.itertext(), *rest]) if questions else []


def _outer_html(element: Element, *, with_tail: bool = True) -> str:
    # The library writes the text behind an element with it.
    html = tostring(element, encoding="unicode", method="html")
    tail = escape(element.tail or "", quote=False)
    return html if with_tail or not tail else html.removesuffix(tail)


def _inner_html(element: Element, without: tuple[str, ...] = ()) -> str:
    """The HTML inside an element, without some elements right below it."""
    parts = [escape(element.text or "", quote=False)]
    for child in element:
        tail = child.tail or ""
        # The text behind an element that is left out stays.
        parts.append(escape(tail, quote=False) if child.tag in without else _outer_html(child))
    return "".join(parts).strip()
