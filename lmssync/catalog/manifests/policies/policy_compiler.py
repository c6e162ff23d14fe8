"""Makes the conditions of a policy from its file, or says what is wrong."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel

from ....problems import Finding, Rule, suggest_near
from ....resource import Path
from ..validation_errors import kind_of
from .policy_conditions import Condition, ConditionGroup, FieldRef, ItemCondition, Node, Not, Test
from .policy_documents import CHECKS, BadOperand, NoPath, ResolvedPath, ValueShape, resolve_target
from .policy_operators import OPERATORS, PAIRS, Operator, PatternBudget, count_of, cut_to_line
from .policy_subjects import PolicySubject

POLICY_PATH = Rule(
    "policy-path",
    "A policy names a field that manifests of this kind do not have.",
    "Use the field that the hint names; a dot leads into a mapping, or into the items of a list.",
)
POLICY_GROUP = Rule(
    "policy-group",
    "A group has no conditions, is nested too deeply, or is not a group of conditions.",
    "Write a mapping of fields and conditions; `any` and `all` take a list of such mappings.",
)
POLICY_OPERATOR = Rule(
    "policy-operator",
    "There is no such operator, or it does not work with values of this field.",
    "Use one of those that the hint lists.",
)
POLICY_OPERAND = Rule(
    "policy-operand",
    "The value after an operator has the wrong type, or could never be met.",
    "Write a value that the field can have.",
)
POLICY_EXPRESSION = Rule(
    "policy-expression",
    "The regular expression is not valid.",
    "Close what is open, and put a backslash before characters that you mean literally; "
    "look-around and back-references are not supported.",
)

_FEWER = "the regular expressions of this catalog take too much memory: repeat `\\w` less often"
DEEPEST = 12
"""How deeply groups may be nested."""
_EVERY, _SOME, _WHERE, _FIELD = "every", "some", "where", "field"
_WORDS = (*(name for name in OPERATORS if name != "absent"), _SOME, _EVERY, _WHERE)
_MAY_NAME_FIELDS = frozenset({"value", "number", "date"})
_UNITS = {"minWords": "word", "maxWords": "word"}


class CompileContext(NamedTuple):
    """The policy that a group of conditions belongs to, and the model its paths begin at."""

    subject: PolicySubject
    model: type[BaseModel]
    mistakes: list[Finding]
    """All mistakes of the policy are added to this list."""
    patterns: PatternBudget
    """The memory that the regular expressions of the catalog take together."""
    every: bool
    """True if a path through a list is about every item, not about at least one."""
    depth: int = 0

    def note_mistake(self, rule: Rule, path: Path, message: str, hint: str = "") -> None:
        self.mistakes.append(rule.at(path, message, hint))

    def find_field(self, written: str, path: Path) -> ResolvedPath | None:
        """The field that a path of the policy names; a path that leads nowhere is a mistake."""
        try:
            return resolve_target(self.subject, self.model, written)
        except NoPath as lost:
            self.note_mistake(POLICY_PATH, path, lost.message, lost.hint)
            return None


def compile_group(context: CompileContext, written: Any, path: Path) -> ConditionGroup:
    """All conditions of a mapping; mistakes go to the context."""
    name = path[-1] if isinstance(path[-1], str) else path[-2]
    if not isinstance(written, dict):
        text = f"`{name}` is {kind_of(written)}; it must be a mapping of fields and conditions"
        context.note_mistake(POLICY_GROUP, path, text, "write `FIELD: CONDITION`, one per line")
        return ConditionGroup(())
    if not written:
        context.note_mistake(
            POLICY_GROUP, path, f"`{name}` is empty", "write at least one condition"
        )
    if context.depth > DEEPEST:
        text = f"groups are nested more than {DEEPEST} deep"
        context.note_mistake(POLICY_GROUP, path, text, "split it into several policies")
        return ConditionGroup(())
    deeper = context._replace(depth=context.depth + 1)
    parts: list[Node] = []
    for key, value in written.items():
        parts += _compile_part(deeper, key, value, (*path, key))
    return ConditionGroup(tuple(parts))


def _compile_part(context: CompileContext, key: Any, written: Any, path: Path) -> Iterator[Node]:
    if key == "not":
        yield Not(compile_group(context._replace(every=False), written, path))
    elif key in {"any", "all"}:
        yield ConditionGroup(
            tuple(_compile_groups(context, key, written, path)), every=key == "all"
        )
    else:
        yield from _compile_conditions(context, key, written, path)


def _compile_groups(
    context: CompileContext, key: str, written: Any, path: Path
) -> Iterator[ConditionGroup]:
    if not isinstance(written, list) or not written:
        what = "an empty list" if isinstance(written, list) else kind_of(written)
        text = f"`{cut_to_line(key)}` is {what}; it must be a list of groups"
        context.note_mistake(POLICY_GROUP, path, text, "write one group per line, after a dash")
        return
    for number, one in enumerate(written):
        yield compile_group(context, one, (*path, number))


def _compile_conditions(
    context: CompileContext, key: Any, written: Any, path: Path
) -> Iterator[Condition]:
    """The conditions for one path: those for a list as a whole, and those for its items."""
    if not isinstance(key, str):
        text = f"a path is {kind_of(key)}; it must be the name of a field"
        context.note_mistake(POLICY_PATH, path, text)
        return
    field = context.find_field(key, path)
    if field is None:
        return
    plain = {}
    for word, operand, below in _read_operators(context, written, path, key):
        if word in {_SOME, _EVERY}:
            yield from _compile_quantified(context, field, word, operand, below)
        else:
            plain[word] = (operand, below)
    tests, spread = list(_compile_tests(context, field.shape, plain)), field.shape.spread
    whole = [t for t in tests if spread and isinstance(t, Test) and OPERATORS[t.name].whole]
    items = [test for test in tests if test not in whole]
    if whole:
        yield Condition(field.path, tuple(whole), context.every)
    if items:
        yield Condition(field.path, tuple(items), context.every, spread)


_Operators = Iterator[tuple[str, Any, Path]]


def _read_operators(context: CompileContext, written: Any, path: Path, key: str) -> _Operators:
    """Operators, operands and their paths; a value is short for `is`, a list for `oneOf`."""
    if written is None or written == {}:
        text = f"`{cut_to_line(key)}` has no condition"
        hint = f"write a value, or `{cut_to_line(key)}: {{present: true}}`"
        context.note_mistake(POLICY_OPERAND, path, text, hint)
    elif not isinstance(written, dict):
        yield ("oneOf" if isinstance(written, list) else "is"), written, path
    else:
        for word, operand in written.items():
            if word in _WORDS:
                yield word, operand, (*path, word)
            else:
                _note_unknown(context, word, (*path, word), key)


def _note_unknown(context: CompileContext, word: Any, path: Path, key: str) -> None:
    try:
        resolve_target(context.subject, context.model, f"{key}.{word}")
    except NoPath:
        hint = suggest_near(str(word), _WORDS) or f"known: {', '.join(_WORDS)}"
    else:
        hint = f"if you mean the field in it, write `{cut_to_line(key)}.{cut_to_line(word)}`"
    context.note_mistake(POLICY_OPERATOR, path, f"there is no operator `{cut_to_line(word)}`", hint)


def _compile_quantified(
    context: CompileContext, field: ResolvedPath, word: str, written: Any, path: Path
) -> Iterator[Condition]:
    """`some` and `every`: conditions for the values of a path, each by itself."""
    name = field.path.written
    if not field.several:
        text = f"`{word}` is for lists; `{name}` is {field.shape.noun}"
        context.note_mistake(
            POLICY_OPERATOR, path, text, f"write the same conditions without `{word}`"
        )
        return
    plain = {}
    for inner, operand, below in _read_operators(context, written, path, name):
        if inner in {_SOME, _EVERY}:
            text = f"`{inner}` is inside `{word}`, which looks at one value at a time"
            context.note_mistake(POLICY_OPERATOR, below, text)
        else:
            plain[inner] = (operand, below)
    tests = tuple(_compile_tests(context, field.shape.item, plain))
    if tests:
        yield Condition(field.path, tests, word == _EVERY, field.shape.spread)


def _compile_tests(
    context: CompileContext, shape: ValueShape, written: dict[str, tuple[Any, Path]]
) -> Iterator[Test | ItemCondition]:
    for word, (operand, path) in written.items():
        if word == _WHERE:
            if shape.model is None:
                text = f"`where` is for items with fields; this is {shape.noun}"
                context.note_mistake(POLICY_OPERATOR, path, text)
            else:
                yield ItemCondition(
                    compile_group(context._replace(model=shape.model), operand, path)
                )
        elif not OPERATORS[word].fits & shape.all_kinds:
            text = f"`{word}` is for {_fitting_fields(OPERATORS[word])}; this is {shape.noun}"
            fits = (w for w in _WORDS if w in OPERATORS and OPERATORS[w].fits & shape.all_kinds)
            context.note_mistake(POLICY_OPERATOR, path, text, f"what fits: {', '.join(fits)}")
        else:
            yield from _compile_test(context, shape, word, operand, path)
    _check_bounds(context, written)


def _fitting_fields(operator: Operator) -> str:
    plural = {"text": "text", "date": "dates", "number": "numbers", "boolean": "booleans"}
    return " and ".join(plural.get(kind, f"{kind}s") for kind in sorted(operator.fits))


def _compile_test(
    context: CompileContext, shape: ValueShape, word: str, written: Any, path: Path
) -> Iterator[Test]:
    takes = OPERATORS[word].takes
    try:
        if takes in _MAY_NAME_FIELDS and isinstance(written, dict) and _FIELD in written:
            other = _field_ref(context, OPERATORS[word], written)
            yield Test(word, other, f"`{other.path.written}`")
            return
        shown = CHECKS[takes](written, shape)
        if takes == "pattern" and not context.patterns.has_room(written):
            raise BadOperand("is one of too many", _FEWER)
    except BadOperand as bad:
        rule = POLICY_EXPRESSION if takes == "pattern" else POLICY_OPERAND
        # A value that stands for itself is known by its field.
        context.note_mistake(rule, path, f"`{cut_to_line(path[-1])}` {bad.message}", bad.hint)
    except NoPath as lost:
        context.note_mistake(POLICY_PATH, (*path, _FIELD), lost.message, lost.hint)
    else:
        if word == "present" and not written:
            word, written = "absent", True
        if takes == "count":
            shown = count_of(written, _UNITS.get(word) or ("item" if shape.many else "character"))
        yield Test(word, written, shown)


def _field_ref(context: CompileContext, operator: Operator, written: dict[Any, Any]) -> FieldRef:
    """The field that is named in place of a value: one of the item, else of the document."""
    name = written[_FIELD]
    if not isinstance(name, str) or len(written) > 1:
        raise BadOperand("names no field", "write `{field: NAME}`")
    outer = False
    try:
        field = resolve_target(context.subject, context.model, name)
    except NoPath:
        if context.model is context.subject.spec:
            raise
        field, outer = resolve_target(context.subject, context.subject.spec, name), True
    if field.shape.many or any(step.each for step in field.path.steps):
        text = f"`{name}` has several values; a comparison needs one"
        raise NoPath(text, "use a field outside lists")
    if not operator.fits & field.shape.kinds:
        raise NoPath(f"`{name}` is {field.shape.noun}; this is for {_fitting_fields(operator)}")
    return FieldRef(field.path, outer)


def _check_bounds(context: CompileContext, written: dict[str, tuple[Any, Path]]) -> None:
    """Nothing is both at least 160 and at most 50."""
    for least, most in PAIRS:
        if least in written and most in written:
            low, high = written[least][0], written[most][0]
            plain = all(isinstance(bound, (int, float)) for bound in (low, high))
            if plain and low > high:
                text = f"nothing can be at least {low:,} and at most {high:,}"
                context.note_mistake(
                    POLICY_OPERAND, written[most][1], text, "change one of the two"
                )
