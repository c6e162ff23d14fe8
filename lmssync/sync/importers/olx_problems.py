"""Questions and answers of Open edX: problems, polls, surveys, and the tasks of assignments."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any
from xml.etree.ElementTree import Element, tostring

from .quiz_questions import QuizAnswer, QuizQuestion
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
_HINTS = ("choicehint", "optionhint", "correcthint", "stringequalhint", "compoundhint")
_BESIDE = ("label", "description", "solution", "demandhint", "script", "additional_answer")
_NOTES = {"solution": "Solution", "script": "Program"}
_RIGHT = {"true", "True"}


def read_problem_questions(problem: Element) -> Iterator[QuizQuestion]:
    """The questions of a problem; what stands between them belongs to the next one."""
    text: list[str] = []
    responses = list(_list_responses(problem))
    if not responses and _inner_html(problem):
        yield QuizQuestion(_inner_html(problem), "Exercise", notes=list(_list_notes(problem)))
    for part in problem if responses else ():
        inside = list(_list_responses(part))
        if not inside and part.tag not in _BESIDE:
            text.append(_outer_html(part))
        for response in inside:
            label = "".join(_inner_html(one) for one in response.iter("label"))
            help_ = "".join(_inner_html(one) for one in response.iter("description"))
            above = problem.text or "" if not text else ""
            whole = [escape(above.strip(), quote=False), *text, label, help_]
            yield QuizQuestion(
                "\n".join(f"<p>{one}</p>" if "<p" not in one else one for one in whole if one),
                _KINDS.get(str(response.tag), f"Exercise ({response.tag})"),
                list(_list_answers(response)),
                [
                    *_list_notes(response),
                    *(_list_notes(problem) if response is responses[-1] else ()),
                ],
            )
            text = []


def _list_responses(problem: Element) -> Iterator[Element]:
    return (one for one in problem.iter() if str(one.tag).endswith("response"))


def _list_answers(response: Element) -> Iterator[QuizAnswer]:
    for choice in (one for one in response.iter() if one.tag in _CHOICES):
        hints = [fold_to_line("".join(h.itertext())) for h in choice if h.tag in _HINTS]
        right = choice.get("correct", "") in _RIGHT
        yield QuizAnswer(_inner_html(choice, without=_HINTS), right, "; ".join(filter(None, hints)))
    for given in response.iter("optioninput"):
        for option in _split_options(given.get("options", "")):
            yield QuizAnswer(escape(option, quote=False), option == given.get("correct"))
    others = [one.get("answer", "") for one in response.iter("additional_answer")]
    for text in (response.get("answer", ""), *others):
        if text:
            tolerance = [one.get("default", "") for one in response.iter("responseparam")]
            note = f"tolerance {tolerance[0]}" if tolerance and tolerance[0] else ""
            yield QuizAnswer(escape(text, quote=False), is_right=True, note=note)


def _split_options(options: str) -> Iterator[str]:
    """The options of `('one','two')`."""
    inner = options.strip().removeprefix("(").removesuffix(")")
    return (one.strip().strip("'\"") for one in inner.split("',") if one.strip())


def _list_notes(element: Element) -> Iterator[tuple[str, str]]:
    """The solutions and the hints of a response, or of a whole problem outside its responses."""
    for child in element:
        if child.tag == "demandhint":
            yield from (("Hint", _inner_html(hint)) for hint in child)
        elif child.tag in _NOTES:
            yield _NOTES[str(child.tag)], _inner_html(child)


def read_poll_questions(block: Element) -> Iterator[QuizQuestion]:
    """The questions of a poll or a survey, which are lists in its attributes."""
    answers = [QuizAnswer(escape(text, quote=False)) for text in _list_labels(block.get("answers"))]
    answers += [QuizAnswer(_inner_html(one)) for one in block.iter("answer")]
    kind = "One answer; none is right"
    if block.tag == "survey":
        for text in _list_labels(block.get("questions")):
            yield QuizQuestion(escape(text, quote=False), kind, answers)
    elif answers or block.get("question"):
        text = block.get("question") or escape((block.text or "").strip(), quote=False)
        yield QuizQuestion(text, kind, answers)


def _list_labels(listed: str | None) -> Iterator[str]:
    """The texts of a list of pairs in JSON; none where it is something else."""
    try:
        pairs: Any = json.loads(listed or "[]")
    except (ValueError, RecursionError):
        return
    for pair in pairs if isinstance(pairs, list) else ():
        value = pair[-1] if isinstance(pair, list) and pair else pair
        label = value.get("label", "") if isinstance(value, dict) else value
        if isinstance(label, str) and label:
            yield label


def read_task_questions(block: Element) -> Iterator[QuizQuestion]:
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


def _outer_html(element: Element) -> str:
    return tostring(element, encoding="unicode", method="html")


def _inner_html(element: Element, without: tuple[str, ...] = _BESIDE) -> str:
    """The HTML inside an element, without some elements right below it."""
    parts = [escape(element.text or "", quote=False)]
    for child in element:
        tail = child.tail or ""
        parts.append(escape(tail, quote=False) if child.tag in without else _outer_html(child))
    return "".join(parts).strip()
