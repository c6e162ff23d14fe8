"""A field, a rule or a kind explained at a terminal, in eighty columns."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..catalog.manifests.schemas.explanations import (
    Explanation,
    FieldExplanation,
    KindExplanation,
    Overview,
    RuleExplanation,
)
from ..problems import Severity
from ..support.invisible_characters import escape_invisible
from .terminal_style import PLAIN, Colour, TextStyle
from .value_words import count_noun

if TYPE_CHECKING:
    from ..catalog.manifests.check import PartFile

WIDTH = 80
_LABEL = 12
_WHOLE = 3
"""Up to this many fields of one name are explained in full; more are only listed."""
_LINK = re.compile(r"\[([^\]]+)\]\(([\w.]+)[^)]*\)")
"""A link of the reference, which stands in `docs`."""
_LATER = {
    "update": "lmssync makes it with a call",
    "nothing": "nothing is sent for it alone",
    "never": "nothing is sent: the field is for lmssync alone",
}


def meanings_text(name: str, explanations: Sequence[Explanation], style: TextStyle = PLAIN) -> str:
    """Everything that a name means; with too many meanings, they are only listed."""
    fields = [one for one in explanations if isinstance(one, FieldExplanation)]
    if len(fields) > _WHOLE:
        return _text(_list(name, fields, style))
    return "\n".join(_text(_one(explanation, style)) for explanation in explanations)


def explained_json(explanations: Sequence[Explanation]) -> dict[str, Any]:
    what = {FieldExplanation: "field", RuleExplanation: "rule", KindExplanation: "kind"}
    return {
        "format": "lmssync.explain/1",
        "found": [{"what": what[type(one)]} | _plain(one) for one in explanations],
    }


def overview_json(overview: Overview) -> dict[str, Any]:
    """The overview of what can be explained, as JSON."""
    return {"format": "lmssync.explain/1", **_plain(overview)}


def part_text(name: str, part: "PartFile", style: TextStyle = PLAIN) -> str:
    """What a part file is, and the parameters that each use of it gives."""
    lines = [style(escape_invisible(name), Colour.BOLD), f"  a {part.sort}"]
    for key, parameter in part.parameters.items():
        kept = "required" if parameter.default is None else f"default: {parameter.default}"
        one_of = f", one of {', '.join(map(str, parameter.values))}" if parameter.values else ""
        said = escape_invisible(f"{parameter.type}{one_of}; {kept}")
        lines.append(f"  {style(key, Colour.BOLD)}  {said}")
        lines += _wrap_text(escape_invisible(parameter.means), "    ")
    return _text(lines)


def part_json(part: "PartFile") -> dict[str, Any]:
    """The same for programs."""
    return {
        "format": "lmssync.part/1",
        "part": part.sort,
        "parameters": {key: _plain(one) for key, one in part.parameters.items()},
    }


def _plain(value: Any) -> Any:
    """Named tuples as mappings."""
    if hasattr(value, "_asdict"):
        return {key: _plain(item) for key, item in value._asdict().items()}
    return dict(value) if isinstance(value, Mapping) else value


def overview_text(overview: Overview, style: TextStyle = PLAIN) -> str:
    """What can be asked about, and how."""
    rules = sum(overview.chapters.values())
    width = max(map(len, overview.kinds)) + 2
    examples = (f"...{ending} ({example})" for ending, example in overview.families.items())
    lines = [style("Kinds", Colour.BOLD)]
    lines += _columns(overview.kinds, width)
    lines += ["", f"{style('Rules', Colour.BOLD)} ({rules})"]
    lines += [f"  {number:>3}  {title}" for title, number in overview.chapters.items()]
    lines += _wrap_text(f"Each field has its own: {', '.join(examples)}.", "  ")
    lines += [
        "",
        style("Ask", Colour.BOLD),
        "  lmssync explain license             a kind",
        "  lmssync explain license.seatsLimit  a field; the end of its path is enough",
        "  lmssync explain unknown-field       a rule: what problems show in brackets",
    ]
    return _text(lines)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _one(explanation: Explanation, style: TextStyle) -> Iterator[str]:
    match explanation:
        case FieldExplanation():
            return _field_lines(explanation, style)
        case RuleExplanation():
            return _rule(explanation, style)
        case KindExplanation():
            return _kind(explanation, style)


def _list(name: str, fields: Sequence[FieldExplanation], style: TextStyle) -> Iterator[str]:
    yield f"`{name}` is a field in {count_noun(len(fields), 'place')}:"
    for field in fields:
        yield ""
        yield style(field.path, Colour.BOLD)
        yield from _wrap_text(f"{field.text} {_type(field).capitalize()}.", "  ")
    yield ""
    yield f"`lmssync explain {fields[0].path}` explains one in full."


def _field_lines(field: FieldExplanation, style: TextStyle) -> Iterator[str]:
    yield style(field.path, Colour.BOLD)
    yield from _wrap_text(field.text, "  ")
    yield ""
    yield from _label_lines("Type", _type(field), style)
    yield from _table("Words", field.words, style)
    yield from _label_lines("Inside", ", ".join(field.fields), style)
    yield from _label_lines("Belongs to", field.belongs, style)
    yield from _label_lines("Default", _default(field.default), style)
    yield from _label_lines("API name", field.wire, style)
    yield from _label_lines("A change", _change(field), style)
    yield from _label_lines("Rules", ", ".join(field.rules), style)
    yield from _sample("Example", field.example, style)


def _type(field: FieldExplanation) -> str:
    return ", ".join([field.type, *field.limits, *(["required"] if field.required else [])])


def _default(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if value != "" else "no text"


def _change(field: FieldExplanation) -> str:
    later = field.later
    how = f"a person makes it: {later.text}" if later.by == "person" else _LATER.get(later.by, "")
    more = f"; {later.text}" if later.by == "update" and later.text else ""
    if later.route:
        more = f"; where the instance has `{later.route}`, lmssync makes it with a call"
    return "; ".join(part for part in (str(later.effect), how + more) if part)


def _table(label: str, words: Mapping[str, str], style: TextStyle) -> Iterator[str]:
    """A label with words and what they mean below it; no lines if there are none."""
    if not words:
        return
    yield f"  {style(label, Colour.DIM)}"
    yield from (f"  {line}" for line in _columns(words, max(map(len, words)) + 2))


def _columns(meanings: Mapping[str, str], width: int) -> Iterator[str]:
    """Words and what they mean, side by side."""
    for word, text in meanings.items():
        parts = wrap(text, WIDTH - width - 4) or [""]
        yield f"  {word:<{width}}{parts[0]}"
        yield from (f"  {'':<{width}}{part}" for part in parts[1:])


def _rule(rule: RuleExplanation, style: TextStyle) -> Iterator[str]:
    colour = Colour.RED if rule.severity is Severity.ERROR else Colour.YELLOW
    yield f"{style(rule.id, Colour.BOLD)}  {style(rule.severity, colour)}"
    yield from _wrap_text(rule.means, "  ")
    yield ""
    yield from _label_lines("Do", _LINK.sub(r"\1 (docs/\2)", rule.remedy), style)
    yield from _label_lines("Settings", _describe_grade(rule), style)
    yield from _label_lines("From", _source(rule.source), style)
    yield from _table("Fields", rule.of, style)
    if rule.lines:
        yield ""
        yield from _sample("Wrong", rule.lines.wrong, style, f"in {rule.lines.within}")
        yield from _sample("Right", rule.lines.right, style)


def _describe_grade(rule: RuleExplanation) -> str:
    if rule.fixed:
        return (
            "its severity is fixed: the platform or lmssync cannot handle a manifest that breaks it"
        )
    return (
        f"lmssync.yaml can change its severity: `rules: {{{rule.id}: off}}`, or `warning`, `error`"
    )


def _source(source: str) -> str:
    if source.startswith("spec"):
        return f"the platform's specification, section {source.removeprefix('spec ')}"
    return f"the observed behaviour of the platform ({source})" if source else ""


def _kind(kind: KindExplanation, style: TextStyle) -> Iterator[str]:
    yield style(kind.noun, Colour.BOLD)
    yield from _wrap_text(kind.text, "  ")
    yield ""
    address = f"`{kind.address}.KEY`" if kind.address else ""
    yield from _label_lines("Address", address, style)
    yield from _label_lines("Short form", kind.short_form, style)
    yield from _label_lines("Making one", kind.creation, style)
    yield from _label_lines("Required", ", ".join(kind.required), style)
    yield from _label_lines("Fields", ", ".join(kind.fields), style)
    yield ""
    yield from _sample("Example", kind.example, style)


def _label_lines(label: str, text: str, style: TextStyle) -> Iterator[str]:
    """A label with its text beside it; no lines if there is no text."""
    head = style(f"{label:<{_LABEL}}", Colour.DIM)
    for number, part in enumerate(wrap(text, WIDTH - _LABEL - 2)):
        yield f"  {'' if number else head}{'':<{_LABEL if number else 0}}{part}"


def _sample(label: str, yaml: str, style: TextStyle, beside: str = "") -> Iterator[str]:
    yield f"  {style(label, Colour.DIM)}{f' {beside}' if beside else ''}"
    yield from (f"    {line}" for line in yaml.splitlines())


def _wrap_text(text: str, indent: str) -> Iterator[str]:
    yield from wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)
