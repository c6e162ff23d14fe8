"""What a policy file may say: its form, and the paths and operands that the model of a kind has."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from math import isfinite
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import SchemaError

from ....kind import Spec
from ....kinds import Shown, Title
from ....problems import Rule
from ....support import rulebook
from ....support.annotations import Leaf, leaves_of
from ....texts.values import ReadAs, Role, date_exists, refusal_error
from ..model_fields import fields_of, guess_field, guess_word
from ..validation_errors import kind_of, of_type, quoting_remedy
from .policy_conditions import FieldPath, PathStep
from .policy_operators import (
    PATTERN,
    PATTERN_SIZE,
    PolicyMistake,
    any_of,
    compile_pattern,
    cut_to_line,
    measure_pattern,
    pattern_error,
    show_value,
)
from .policy_subjects import PolicySubject

ID = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
Group = dict[str, Any]
"""Conditions by the path of what they are about, and the groups `any`, `all` and `not`."""


POLICY_TAKEN = Rule(
    "policy-taken",
    "The id of a policy is already used by another policy, or by a rule of lmssync.",
    "Give it another id. Ids that end in `-type`, `-range`, `-length` or `-value` are taken.",
)
OTHER_ID = "give this policy another id"


def _refuse_rule(id_: str) -> str:
    # Here and not where policies are read: what has passed the checks of its file is remembered,
    # and to find all rules takes every module that has some.
    if rule := rulebook.find_rule(id_):
        text = f"is `{id_}`, which is a rule of lmssync: {rule.means}"
        raise refusal_error(POLICY_TAKEN, text, OTHER_ID)
    return id_


class PolicyFile(Spec):
    """A rule of your own for some manifests, or for plans, in addition to those of the platform."""

    policy: Annotated[
        str,
        Field(pattern=ID, max_length=60),
        AfterValidator(_refuse_rule),
        Shown(("published-has-meta",), message="Write lowercase words with hyphens between them."),
    ]
    """Its id, which problems show: lowercase words with hyphens between them."""
    resource: str | list[str]
    """The kind of manifest that it looks at, or a list of kinds; `plan` for what a plan would
    do."""
    severity: Annotated[Literal["error", "warning"], Shown(("warning",))] = "error"
    """Severity of its problems; `rules:` of the project file can change it."""
    when: Annotated[Group, Shown(({"status": "published"},))] = Field(default_factory=dict)
    """Which manifests it applies to: those that meet all of this; every one when left out."""
    each: Annotated[str | list[str], Shown(("sections.lessons.topics",))] = ""
    """Path, or paths, to items of the manifest: `where` and `require` apply to each of them."""
    where: Annotated[Group, Shown(({"type": "video"},))] = Field(default_factory=dict)
    """Which of the items it applies to; only with `each`."""
    require: Annotated[Group, Shown(({"metaDescription": {"present": True}},))]
    """Conditions that must all hold."""
    message: Annotated[Title, Shown(("a published course has a description",))]
    """The rule in a sentence; problems show it, followed by what is wrong."""
    hint: Annotated[Title, Shown(("see the handbook, chapter 3",))] = ""
    """What to do about it."""


_WORDS = {str: "text", int: "number", float: "number", bool: "boolean"}
_ANYTHING = frozenset({"text", "date", "number", "boolean"})


class ValueShape(NamedTuple):
    """The values that a field may have."""

    kinds: frozenset[str] = frozenset()
    """Of one value: `text`, `date` (a text too), `number`, `boolean`, `mapping`."""
    many: bool = False
    """It is a list of these."""
    free: bool = False
    """The author's own: one value, or a list of them."""
    model: type[BaseModel] | None = None
    """Of a mapping with fields."""
    values: "ValueShape | None" = None
    """Of a mapping with keys of the author's own: what stands under one."""
    words: tuple[str, ...] = ()
    """All that it may be."""

    @property
    def spread(self) -> bool:
        """Whether the field may be a list: what is asked of it is asked of each item."""
        return self.many or self.free

    @property
    def all_kinds(self) -> frozenset[str]:
        """The kinds of value that the field may have, with `list` where it may be one."""
        return self.kinds | {"list"} if self.spread else self.kinds

    @property
    def item(self) -> "ValueShape":
        """One of several."""
        return self._replace(many=False, free=False)

    @property
    def noun(self) -> str:
        """What the field is, in words."""
        if self.free:
            return "text, or a list of texts"
        kind = next((k for k in ("date", "number", "boolean", "mapping") if k in self.kinds), "")
        if self.many:
            return f"a list of {kind}s" if kind else "a list of texts"
        return f"a {kind}" if kind else "text"


def _of_leaves(several: Sequence[Leaf]) -> ValueShape:
    keyed = [leaf._replace(keyed=False) for leaf in several if leaf.keyed]
    if keyed:
        return ValueShape(frozenset({"mapping"}), values=_of_leaves(keyed))
    shape = reduce(_with_leaf, several, ValueShape())
    if {leaf.listed for leaf in several} == {True, False}:
        # The values of fields that an author names may be dates: no model can say.
        return shape._replace(free=True, kinds=shape.kinds | {"date"})
    return shape._replace(many=any(leaf.listed for leaf in several))


def _with_leaf(shape: ValueShape, leaf: Leaf) -> ValueShape:
    if leaf.bare is Any:
        return shape._replace(kinds=shape.kinds | _ANYTHING, free=True)
    if leaf.model:
        return shape._replace(kinds=shape.kinds | {"mapping"}, model=leaf.model)
    if leaf.allowed_words:
        return shape._replace(kinds=shape.kinds | {"text"}, words=leaf.allowed_words)
    roles = {mark.role for mark in leaf.marks if isinstance(mark, ReadAs)}
    dates = {"date"} if Role.DATE in roles else set()
    return shape._replace(kinds=shape.kinds | {_WORDS[leaf.bare]} | dates)


class BadOperand(PolicyMistake):
    """What is wrong with an operand, as a sentence without its subject."""


def refuse_flag(written: Any, _shape: ValueShape) -> str:
    if not isinstance(written, bool):
        raise BadOperand(f"is {kind_of(written)}; it must be true or false")
    return ""


def refuse_value(written: Any, shape: ValueShape) -> str:
    """One value that the field can have: anything else would never be met."""
    if isinstance(written, list):
        raise BadOperand("is a list; it must be one value", "`oneOf` and `noneOf` take a list")
    if written is None or (isinstance(written, str) and not written.strip()):
        raise BadOperand(f"is {kind_of(written) if written is None else 'blank'}", _ABSENT)
    if isinstance(written, dict):
        raise BadOperand("is a mapping; it must be one value", _FIELD)
    if shape.words and written not in shape.words:
        message = f"is {kind_of(written)}, which this field cannot be"
        raise BadOperand(message, guess_word(written, list(shape.words)))
    if _kind_of(written) not in shape.kinds:
        noun = shape.item.noun
        hint = (
            quoting_remedy(written)
            if "text" in shape.kinds
            else of_type(_WANTED[noun], "", written, ())
        )
        raise BadOperand(f"is {kind_of(written)}; the field is {noun}", hint)
    return show_value(written)


_WANTED = {"a number": "a whole number", "a boolean": "true or false", "a mapping": ""}
_FIELD = "write `{field: NAME}`, or use the opposite operator, such as `notMatches`"
_ABSENT = "write `{present: false}` for a field that is left out"


def refuse_values(written: Any, shape: ValueShape) -> str:
    if not isinstance(written, list) or not written:
        what = "an empty list" if isinstance(written, list) else kind_of(written)
        raise BadOperand(f"is {what}; it must be a list of values")
    return any_of([refuse_value(item, shape) for item in written])


def refuse_piece(written: Any, shape: ValueShape) -> str:
    """An item of a list; of a text any part, whatever words the whole may be."""
    return refuse_value(written, shape if shape.many else shape._replace(words=()))


def refuse_number(written: Any, _shape: ValueShape) -> str:
    if isinstance(written, bool) or not isinstance(written, (int, float)) or not isfinite(written):
        raise BadOperand(f"is {kind_of(written)}; it must be a number")
    return f"{written:,}"


def refuse_count(written: Any, _shape: ValueShape) -> str:
    if isinstance(written, bool) or not isinstance(written, int) or written < 0:
        raise BadOperand(f"is {kind_of(written)}; it must be a whole number, 0 or more")
    return f"{written:,}"


def refuse_date(written: Any, _shape: ValueShape) -> str:
    if not isinstance(written, str) or not date_exists(written):
        message = f"is {kind_of(written)}; it must be a date that exists"
        raise BadOperand(message, "write 2027-01-31, 2027-01-31T09:00:00Z, or `{field: NAME}`")
    return written


def refuse_pattern(written: Any, _shape: ValueShape) -> str:
    if not isinstance(written, str) or not written:
        raise BadOperand(f"is {kind_of(written)}; it must be a regular expression")
    if len(written) > PATTERN:
        message = f"has {len(written):,} characters; an expression may have {PATTERN:,}"
        raise BadOperand(message, "split it: `any` joins several")
    if measure_pattern(written) > PATTERN_SIZE:
        raise BadOperand("repeats too large a set of characters too often", _LARGE_PATTERN)
    try:
        compile_pattern(written)
    except SchemaError as error:
        raise BadOperand(f"is not a regular expression: {pattern_error(error)}", _LOOK) from None
    except UnicodeError:
        raise BadOperand("contains half a character", "write it again") from None
    return show_value(written)


_LARGE_PATTERN = "write `[A-Za-z0-9_]` for `\\w`, `+` for a count, or use `maxLength`"


def _kind_of(written: Any) -> str:
    if isinstance(written, bool):
        return "boolean"
    return "text" if isinstance(written, str) else "number"


_LOOK = (
    "put a backslash before a character that you mean literally; "
    "use `notMatches` instead of look-around"
)


CHECKS: Mapping[str, Callable[[Any, ValueShape], str]] = {
    "flag": refuse_flag,
    "value": refuse_value,
    "values": refuse_values,
    "piece": refuse_piece,
    "number": refuse_number,
    "count": refuse_count,
    "date": refuse_date,
    "pattern": refuse_pattern,
}
"""The check of an operand, by what its operator takes: it returns the operand in words, or raises
`BadOperand`."""


_BRACKETS = re.compile(r"\[[^\]]*\]")


class ResolvedPath(NamedTuple):
    """The field that a path leads to, and the values that it can have."""

    path: FieldPath
    shape: ValueShape

    @property
    def several(self) -> bool:
        """True if the path may lead to more than one value."""
        return self.shape.spread or any(step.each for step in self.path.steps)


class NoPath(PolicyMistake):
    """A path that leads nowhere."""


def resolve_target(subject: PolicySubject, model: type[BaseModel], written: str) -> ResolvedPath:
    """The field that the path `written` leads to from a mapping of `model`; raises `NoPath`."""
    here = ValueShape(frozenset({"mapping"}), model=model)
    steps: list[PathStep] = []
    names = written.split(".")
    for number, name in enumerate(names):
        if steps:
            steps[-1] = steps[-1]._replace(each=here.many)
        if here.values is not None:
            # The author's own keys may have dots in them, and their values have no fields.
            key = ".".join(names[number:])
            if not key:
                raise _no_path(subject, here, names, number)
            return ResolvedPath(FieldPath(written, (*steps, PathStep(key))), here.values)
        field = fields_of(here.model).get(name) if here.model else None
        if field is None:
            raise _no_path(subject, here, names, number)
        here = _of_leaves(leaves_of(field))
        steps.append(PathStep(name))
    return ResolvedPath(FieldPath(written, tuple(steps)), here)


def _no_path(subject: PolicySubject, here: ValueShape, names: list[str], number: int) -> NoPath:
    name, above, written = names[number], ".".join(names[:number]), ".".join(names)
    if "[" in written:
        plain = _BRACKETS.sub("", written)
        text = f"`{cut_to_line(written)}` has brackets; a path goes through every item of a list"
        return NoPath(text, f"write `{cut_to_line(plain)}`" if plain else "")
    if not name:
        return NoPath(f"`{cut_to_line(written)}` has a dot too many", "a dot separates two names")
    if here.model is None:
        text = f"`{cut_to_line(above)}` is {here.noun}; it has no parts"
        return NoPath(text, f"write `{cut_to_line(above)}`")
    article = "an" if subject.noun[0] in "aeiou" else "a"
    place = f"in `{cut_to_line(above)}`" if above else f"in {article} {subject.noun}"
    if not above and name in subject.short:
        text = (
            f"`{cut_to_line(name)}` cannot be seen {place}: each of them is a document of its own"
        )
        return NoPath(text, f"write a policy with `resource: {subject.short[name]}`")
    hint = guess_field(here.model, (), name, None)
    return NoPath(f"there is no field `{cut_to_line(name)}` {place}", hint)
