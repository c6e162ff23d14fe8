"""Questions and answers of QTI 1.2, as Common Cartridges have them, with what Canvas adds."""

from collections.abc import Callable, Iterator, Set
from html import escape
from xml.etree.ElementTree import Element

from .course_outline import (
    ANSWERS_MOST,
    QUESTIONS_MOST,
    QuizAnswer,
    QuizQuestion,
    with_unsaid_texts,
)
from .source_texts import child_text, fold_to_line

_KINDS = {
    "multiple_choice": "One answer",
    "multiple_response": "Several answers",
    "multiple_answers": "Several answers",
    "true_false": "True or false",
    "fib": "A word or text",
    "short_answer": "A word or text",
    "fill_in_multiple_blanks": "Several words",
    "pattern_match": "A text",
    "essay": "An essay",
    "matching": "Pairs",
    "multiple_dropdowns": "Lists to choose from",
    "numerical": "A number",
    "calculated": "A formula",
    "file_upload": "A file",
    "text_only": "A text without a question",
}
_BOUNDS = {"vargte": "at least", "vargt": "more than", "varlte": "at most", "varlt": "less than"}
_MEDIA = {"mataudio", "matvideo", "matapplet", "matapplication"}
_NOT_SHOWN = {"itemmetadata", "qtimetadata", "resprocessing", "itemproc_extension"}
"""Parts of an item for programs; what people need of them is spelled in words."""
_DEPTH_MOST = 20
_ROOT = "root_section"
"""The section that only holds the others."""

FindBank = Callable[[str], Element]
"""The bank of an identifier, without a question if it is not in the archive."""


def read_qti_questions(root: Element, find_bank: FindBank) -> Iterator[QuizQuestion]:
    """All questions of an assessment or a bank, in their order."""
    return _read_items(root, find_bank, 0)


def _read_items(holder: Element, find_bank: FindBank, depth: int) -> Iterator[QuizQuestion]:
    """Questions below an element; a section may take some from a bank, and that from another."""
    if depth > _DEPTH_MOST:
        return
    for child in holder:
        if child.tag == "item":
            shown = (part for part in child if part.tag not in _NOT_SHOWN)
            texts = (text for part in shown for text in part.itertext())
            yield from with_unsaid_texts([_read_item(child)], texts)
        elif child.tag in {"assessment", "section", "objectbank"}:
            title = fold_to_line(child.get("title"))
            if child.tag == "section" and title and child.get("ident") != _ROOT:
                yield QuizQuestion(escape(title, quote=False), "The title of a group of questions")
            yield from _read_items(child, find_bank, depth + 1)
        elif child.tag == "selection_ordering":
            yield from _read_selection(child, find_bank, depth)
        elif text := _material_html(child):
            yield QuizQuestion(text, _KINDS["text_only"])


def _read_selection(chosen: Element, find_bank: FindBank, depth: int) -> Iterator[QuizQuestion]:
    number = child_text(chosen, "selection/selection_number")
    name = child_text(chosen, "selection/sourcebank_ref")
    if name or number:
        source = f" of the bank <code>{escape(name)}</code>" if name else ""
        text = f"Each learner gets {escape(number or 'all')} of the following questions{source}."
        yield QuizQuestion(text, "A choice of questions")
    if name:
        yield from _read_items(find_bank(name), find_bank, depth + 1)


def _read_item(item: Element) -> QuizQuestion:
    fields = {
        child_text(one, "fieldlabel"): child_text(one, "fieldentry")
        for one in item.iter("qtimetadatafield")
    }
    profile = fields.get("question_type") or fields.get("cc_profile") or ""
    # `cc.multiple_choice.v0p1` in the standard, `multiple_choice_question` in Canvas.
    name = profile.removeprefix("cc.").partition(".v0p")[0].removesuffix("_question")
    shown = item.find("presentation")
    points = fields.get("points_possible") or fields.get("cc_weighting") or ""
    notes = [("Points", escape(points))] if points else []
    notes += [("Feedback", _material_html(one)) for one in item.iterfind("itemfeedback")]
    notes += _list_formulas(item)
    if shown is None:
        return QuizQuestion(escape(item.get("title", "")), _KINDS.get(name, name), (), notes)
    right, bounds = _list_right_answers(item)
    answers = list(_list_choices(shown, right, is_paired=name == "matching"))
    given = {response.get("ident") for response in shown.iter("response_str")}
    typed = [(ident, value) for ident, value in right if ident in given or not answers]
    answers += [QuizAnswer(escape(value, quote=False), is_right=True) for _, value in typed]
    answers += [QuizAnswer(escape(words, quote=False), is_right=True) for words in bounds]
    answers += _list_wrong_texts(item, given, {value for _, value in right})
    parts = [*shown, *(inner for flow in shown.iterfind("flow") for inner in flow)]
    texts = [_material_html(one) for one in parts if one.tag == "material"]
    return QuizQuestion("\n".join(texts), _KINDS.get(name, name.replace("_", " ")), answers, notes)


def _list_formulas(item: Element) -> Iterator[tuple[str, str]]:
    """What Canvas says of a question with a formula; its variables have bounds."""
    for calculated in item.iter("calculated"):
        for one in calculated.iterfind("formulas/formula"):
            yield "Formula", f"<code>{escape((one.text or '').strip())}</code>"
        for one in calculated.iterfind("formulas"):
            yield "Decimal places", escape(one.get("decimal_places", ""))
        yield "Tolerance", escape(child_text(calculated, "answer_tolerance"))
        for var in calculated.iterfind("vars/var"):
            words = f"{var.get('name')} from {child_text(var, 'min')} to {child_text(var, 'max')}"
            yield "Variable", escape(words)
        sets = [_spell_values(one) for one in calculated.iterfind("var_sets/var_set")]
        if sets:
            more = [f"and {len(sets) - ANSWERS_MOST:,} more"] if len(sets) > ANSWERS_MOST else []
            listed = "".join(f"<li>{words}</li>" for words in [*sets[:ANSWERS_MOST], *more])
            yield "Values that learners get", f"<ul>{listed}</ul>"


def _spell_values(chosen: Element) -> str:
    """The values of the variables that a learner gets together, and the answer to them."""
    values = [f"{var.get('name')} = {(var.text or '').strip()}" for var in chosen.iterfind("var")]
    return escape(f"{', '.join(values)}: {child_text(chosen, 'answer')}", quote=False)


def _list_choices(
    shown: Element, right: list[tuple[str, str]], *, is_paired: bool
) -> Iterator[QuizAnswer]:
    """What can be chosen; of pairs, each left side with its right side, then those without one."""
    lists = list(shown.iter("response_lid"))
    paired = is_paired or len(lists) > 1
    wanted = {ident for _, ident in right}
    for chosen in lists:
        left = "".join(_material_html(one) for one in chosen if one.tag == "material")
        for label in chosen.iter("response_label"):
            text, ident = _material_html(label), label.get("ident", "")
            if (chosen.get("ident", ""), ident) in right:
                yield QuizAnswer(f"{left} → {text}" if paired else text, is_right=True)
            # Each left side lists all right sides: those that belong to none are shown once.
            elif not paired or (chosen is lists[0] and ident not in wanted):
                yield QuizAnswer(text)


def _list_right_answers(item: Element) -> tuple[list[tuple[str, str]], list[str]]:
    """The answers that give points, by their response; and the bounds of numbers, in words."""
    right: list[tuple[str, str]] = []
    bounds: list[str] = []
    for condition in item.iter("respcondition"):
        points = [(one.text or "").strip() for one in condition.iter("setvar")]
        if not any(_is_positive(one) for one in points):
            continue
        for test in condition.iterfind("conditionvar"):
            # What must not be chosen says what is right only where nothing must be chosen.
            wrong = {equal for no in test.iter("not") for equal in no.iter("varequal")}
            equal = (one for one in test.iter() if one.tag in {"varequal", "varsubstring"})
            named = [one for one in equal if one not in wrong]
            right += [(one.get("respident", ""), (one.text or "").strip()) for one in named]
            if wrong and not named:
                right += _list_others(item, wrong)
            limits = [
                f"{_BOUNDS[str(one.tag)]} {(one.text or '').strip()}"
                for one in test.iter()
                if one.tag in _BOUNDS
            ]
            bounds += [" and ".join(limits)] if limits else []
    return right[:QUESTIONS_MOST], bounds[:QUESTIONS_MOST]


def _list_wrong_texts(
    item: Element, given: Set[str | None], right: Set[str]
) -> Iterator[QuizAnswer]:
    """The texts that learners may type and that give no points."""
    # They are there because they have feedback of their own.
    wrong = [
        (one.text or "").strip()
        for condition in item.iter("respcondition")
        if not any(_is_positive((points.text or "").strip()) for points in condition.iter("setvar"))
        for one in condition.iter("varequal")
        if one.get("respident") in given
    ]
    for value in dict.fromkeys(wrong):
        if value and value not in right:
            yield QuizAnswer(escape(value, quote=False))


def _list_others(item: Element, wrong: set[Element]) -> Iterator[tuple[str, str]]:
    """The choices that are right where a test only names those that must not be chosen."""
    for chosen in item.iter("response_lid"):
        ident = chosen.get("ident", "")
        refused = {(one.text or "").strip() for one in wrong if one.get("respident") == ident}
        for label in chosen.iter("response_label") if refused else ():
            if label.get("ident") not in refused:
                yield ident, label.get("ident", "")


def _is_positive(number: str) -> bool:
    try:
        return float(number) > 0
    except ValueError:
        return False


def _material_html(holder: Element) -> str:
    """The texts, pictures and other media below an element as HTML."""
    return "\n".join(filter(None, map(_spell_material, holder.iter()))).strip()


def _spell_material(one: Element) -> str:
    tag, file = str(one.tag), escape(one.get("uri", ""))
    if tag == "mattext" and one.get("texttype", "").lower() == "text/html":
        return one.text or ""
    if tag == "mattext":
        return escape(fold_to_line("".join(one.itertext())), quote=False)
    if tag == "matimage" and file:
        return f'<img src="{file}" alt="">'
    return f'<a href="{file}">{file}</a>' if tag in _MEDIA and file else ""
