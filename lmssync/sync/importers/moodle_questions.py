"""The question bank of a Moodle backup, and the questions that a quiz takes from it."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from xml.etree.ElementTree import Element

from .course_outline import ANSWERS_MOST, QuizAnswer, QuizQuestion, with_unsaid_texts
from .source_texts import child_text, fold_to_line, parse_whole_number

_KINDS = {
    "truefalse": "True or false",
    "shortanswer": "A word or text",
    "numerical": "A number",
    "essay": "An essay",
    "match": "Pairs",
    "randomsamatch": "Pairs",
    "description": "A text without a question",
    "multianswer": "A text with gaps",
    "gapselect": "A text with gaps",
    "ddwtos": "A text with gaps",
    "ddmarker": "Marks on a picture",
    "ddimageortext": "Pieces on a picture",
    "calculated": "A formula",
    "calculatedmulti": "A formula",
    "calculatedsimple": "A formula",
    "random": "A random question",
    "ordering": "Things to put in order",
}
_GAPS = {"gapselect", "ddwtos"}
"""Kinds whose text has `[[1]]` for the first of their answers."""
_GROUP = re.compile(r'(?:^|draggroup";(?:i:|s:\d+:"))(?P<group>\d+)')
_SERIALIZED = re.compile(r"[aO]:\d+:")
"""How values of PHP begin, which are settings."""
_PLAIN = {"0", "2"}
"""Formats of texts without markup; the others are read as HTML."""
_SAYS = (
    ("generalfeedback", "Feedback"),
    ("correctfeedback", "If right"),
    ("partiallycorrectfeedback", "If partly right"),
    ("incorrectfeedback", "If wrong"),
    ("graderinfo", "For who grades it"),
    ("responsetemplate", "The answer begins as"),
)
_TECHNICAL = re.compile(
    r"name|stamp|version|qtype|idnumber|status|\w*format|time\w+|\w+by|answernumbering|"
    r"shownumcorrect|unitgradingtype|showunits|options|type|sequence|responseformat"
)
"""Elements whose texts are settings, or labels that only teachers see in the bank."""


QUESTION_FILES = "question"
"""The owner of the files of all questions; their paths begin with an area and an item."""
_FILE_MARK = "@@PLUGINFILE@@/"
FileAreas = Mapping[tuple[str, str], str]
"""By an element and a text in it: the area of its files, whose item is that element's."""
_AREAS: FileAreas = {
    ("answer", "answertext"): "answer",
    ("answer", "feedback"): "answerfeedback",
    ("question_hint", "hint"): "hint",
    ("match", "questiontext"): "subquestion",
}


def mark_file_owners(question: Element, areas: FileAreas) -> None:
    """Writes into the addresses of a question the area and the item that each file belongs to.

    Answers of one question may show different files of one name.
    """
    for holder in question.iter():
        for field in holder:
            if field.text and _FILE_MARK in field.text:
                area = areas.get((holder.tag, field.tag), "")
                item = (holder if area else question).get("id", "")
                owner = f"{_FILE_MARK}{area or field.tag}/{item}/"
                field.text = field.text.replace(_FILE_MARK, owner)


class QuestionBank:
    """All questions of a backup, by their ids and by the entries that hold their versions."""

    def __init__(self, root: Element, pictures: Mapping[str, str]) -> None:
        self._root, self._pictures = root, pictures

    @cached_property
    def _questions(self) -> Mapping[str, Element]:
        found: dict[str, Element] = {}
        for question in self._root.iter("question"):
            if question.get("id"):
                mark_file_owners(question, _AREAS)
                found[question.get("id", "")] = question
        return found

    @cached_property
    def _versions(self) -> Mapping[str, dict[int, str]]:
        """By the id of an entry, the ids of its question by their versions, the newest last."""
        return {
            entry.get("id", ""): _order_versions(entry)
            for entry in self._root.iter("question_bank_entry")
        }

    def _find_version(self, slot: Element) -> str:
        """The id of the question that a slot names: of a version, or of the newest."""
        entry = child_text(slot, "question_reference/questionbankentryid")
        versions = self._versions.get(entry, {})
        pinned = parse_whole_number(child_text(slot, "question_reference/version"))
        return versions.get(pinned, "") if pinned else next(reversed(versions.values()), "")

    @cached_property
    def _categories(self) -> Mapping[str, str]:
        return {
            category.get("id", ""): fold_to_line(child_text(category, "name"))
            for category in self._root.iter("question_category")
        }

    def list_quiz_questions(self, quiz: Element) -> Iterator[QuizQuestion]:
        """The questions of a quiz, as its slots name them."""
        for slot in quiz.iter("question_instance"):
            id_ = child_text(slot, "questionid") or child_text(slot, "question")
            entry = child_text(slot, "question_reference/questionbankentryid")
            # Older backups name the question itself, newer ones an entry with its versions.
            found = self._questions.get(id_ or self._find_version(slot))
            points = child_text(slot, "maxmark") or child_text(slot, "grade")
            if found is None and (id_ or entry):
                name = f"question {id_}" if id_ else f"entry {entry} of the bank"
                if pinned := child_text(slot, "question_reference/version"):
                    name += f", version {pinned}"
                text = f"This question ({escape(name)}) is missing from the backup."
                yield QuizQuestion(text, "A missing question", (), _list_points(points))
            elif found is None:
                yield QuizQuestion(self._spell_random(slot), "A random question")
            else:
                texts = (
                    one.text or ""
                    for one in found.iter()
                    if not len(one) and not _TECHNICAL.fullmatch(str(one.tag))
                )
                said = (
                    text
                    for text in texts
                    if any(map(str.isalpha, text)) and not _SERIALIZED.match(text)
                )
                yield from with_unsaid_texts([self._read_question(found, points)], said)

    def _spell_random(self, slot: Element) -> str:
        """What a slot says that takes any question of a category."""
        chosen = child_text(slot, "question_set_reference/filtercondition")
        named = [name for id_, name in self._categories.items() if id_ and f'"{id_}"' in chosen]
        where = f": {escape(', '.join(named))}" if named else ""
        return f"Each learner gets another question of the bank{where}."

    def _read_question(self, data: Element, points: str) -> QuizQuestion:
        kind = child_text(data, "qtype")
        words = _KINDS.get(kind, kind or "Question")
        if kind == "multichoice":
            single = next((one.text for one in data.iter("single")), "1")
            words = "One answer" if single == "1" else "Several answers"
        answers = [*_list_answers(data), *_list_pairs(data), *self._list_gaps(data)]
        answers += self._list_pieces(data)
        notes = _list_points(points)
        for field, says in _SAYS:
            holders = (one for one in data.iter() if one.find(field) is not None)
            notes += [(says, _spell_text(one, field)) for one in holders]
        notes += [("Hint", _spell_text(one, "hint")) for one in data.iter("question_hint")]
        notes += _list_values(data)
        text = _spell_text(data, "questiontext")
        if kind == "random":
            text = "Each learner gets another question of the bank."
        if picture := self._show_picture("bgimage", data):
            text += f"\n<p>{picture.strip()}</p>"
        return QuizQuestion(text, words, answers, notes, QUESTION_FILES)

    def _show_picture(self, area: str, holder: Element) -> str:
        """A picture that belongs to a question or a piece without being named in it; or nothing."""
        path = f"{area}/{holder.get('id')}"
        name = self._pictures.get(path)
        address, shown = escape(f"{_FILE_MARK}{path}/{name}"), escape(name or "")
        return f' <img src="{address}" alt="{shown}">' if name else ""

    def _list_pieces(self, data: Element) -> Iterator[QuizAnswer]:
        """Pieces or marks that learners put on a picture, each with its places."""
        places: dict[str, list[str]] = {}
        for drop in data.iter("drop"):
            at = f"{child_text(drop, 'xleft')},{child_text(drop, 'ytop')}"
            spot, label = child_text(drop, "coords") or at, child_text(drop, "label")
            words = f"{label} ({spot})" if label else spot
            places.setdefault(child_text(drop, "choice"), []).append(words)
        for drag in data.iter("drag"):
            number = child_text(drag, "no")
            text = child_text(drag, "label") or f"piece {escape(number)}"
            where = escape("; ".join(places.get(number, [])), quote=False)
            text = f"{text} → {where}" if where else text
            yield QuizAnswer(text + self._show_picture("dragimage", drag), is_right=bool(where))

    def _list_gaps(self, data: Element) -> Iterator[QuizAnswer]:
        """The questions in the gaps of a text, in the writing of Moodle."""
        for gap in child_text(data, "plugin_qtype_multianswer_question/multianswer/sequence").split(
            ","
        ):
            inner = self._questions.get(gap.strip())
            if inner is not None:
                yield QuizAnswer(f"<code>{escape(child_text(inner, 'questiontext'))}</code>")


def _order_versions(entry: Element) -> dict[int, str]:
    """The ids of a question by its versions; drafts first."""
    numbered = (
        (parse_whole_number(child_text(one, "version")) or 0, one)
        for one in entry.iter("question_versions")
    )
    # The last one is the newest that a quiz takes, and no quiz takes a draft.
    ordered = sorted(numbered, key=lambda pair: (child_text(pair[1], "status") != "draft", pair[0]))
    return {number: one.get("id", "") for number, held in ordered for one in held.iter("question")}


def _list_points(points: str) -> list[tuple[str, str]]:
    return [("Points", escape(points))] if points.strip("0.") else []


def _list_answers(data: Element) -> Iterator[QuizAnswer]:
    kind, text = child_text(data, "qtype"), child_text(data, "questiontext")
    answers = [answer for answer in data.iter("answer") if answer.get("id") is not None]
    if kind in _GAPS:
        for number, answer in enumerate(answers, 1):
            mark, group = f"[[{number}]]", _GROUP.search(child_text(answer, "feedback"))
            words = f"<code>{mark}</code> {_spell_text(answer, 'answertext', 'answerformat')}"
            yield QuizAnswer(words, mark in text, f"group {group['group']}" if group else "")
    elif kind == "ordering":
        for answer in answers:
            place = child_text(answer, "fraction").partition(".")[0]
            yield QuizAnswer(
                _spell_text(answer, "answertext", "answerformat"), note=f"place {place}"
            )
    else:
        yield from _list_valued_answers(data, answers)


def _list_valued_answers(data: Element, answers: list[Element]) -> Iterator[QuizAnswer]:
    """Answers that give points, with what is said to learners."""
    tolerances = {
        child_text(one, "answer"): child_text(one, "tolerance")
        for one in data.iter()
        if one.tag in {"numerical_record", "calculated_record"}
    }
    for answer in answers:
        share = child_text(answer, "fraction")
        parts = [f"{float(share):.0%} of the points" if _is_part(share) else ""]
        tolerance = tolerances.get(answer.get("id", ""), "")
        parts += [f"tolerance {tolerance}" if tolerance.strip("0.") else ""]
        parts += [_spell_text(answer, "feedback")]
        yield QuizAnswer(
            _spell_text(answer, "answertext", "answerformat"),
            share.startswith("1"),
            "; ".join(filter(None, parts)),
        )


def _is_part(share: str) -> bool:
    """Whether an answer gives a part of the points, or takes some away."""
    try:
        return float(share) not in {0.0, 1.0} and -1 <= float(share) < 1
    except ValueError:
        return False


def _list_pairs(data: Element) -> Iterator[QuizAnswer]:
    for pair in data.iter("match"):
        left, right = _spell_text(pair, "questiontext"), escape(child_text(pair, "answertext"))
        if right:
            yield QuizAnswer(f"{left} → {right}" if left else right, is_right=bool(left))


def _list_values(data: Element) -> Iterator[tuple[str, str]]:
    """The variables of a formula, each with the values that learners get, and its units."""
    for variable in data.iter("dataset_definition"):
        values = [child_text(one, "value") for one in variable.iter("dataset_item")]
        more = ["…"] if len(values) > ANSWERS_MOST else []
        listed = ", ".join([*values[:ANSWERS_MOST], *more])
        parts = filter(None, (child_text(variable, "options"), listed))
        yield f"Variable {fold_to_line(child_text(variable, 'name'))}", escape("; ".join(parts))
    units = [child_text(one, "unit") for one in data.iter("numerical_unit")]
    yield "Units", escape(", ".join(filter(None, units)))


def _spell_text(holder: Element, field: str, format_field: str = "") -> str:
    """A field as HTML, whatever the format beside it is."""
    text = child_text(holder, field)
    form = child_text(holder, format_field or f"{field}format")
    return escape(text, quote=False) if form in _PLAIN and "<" not in text else text
