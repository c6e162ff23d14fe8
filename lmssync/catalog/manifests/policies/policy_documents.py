"""What a policy file may say, and what may be at a path of a manifest, as its model declares it."""

from collections.abc import Sequence
from functools import reduce
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo

from ....kind import Spec
from ....kinds import Shown, Title
from ....support.annotations import Leaf, leaves_of
from ....texts.values import ReadAs, Role

ID = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
Group = dict[str, Any]
"""Conditions by the path of what they are about, and the groups `any`, `all` and `not`."""


class PolicyFile(Spec):
    """A rule of your own for some manifests, or for plans, in addition to those of the platform."""

    policy: Annotated[
        str,
        Field(pattern=ID, max_length=60),
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
        """It is a list, or may be one: what is asked of it is asked of each item."""
        return self.many or self.free

    @property
    def all_kinds(self) -> frozenset[str]:
        """With `list` for what is one, or may be."""
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


def of_field(field: FieldInfo) -> ValueShape:
    """What the field of a model may be."""
    return _of_leaves(leaves_of(field))


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
