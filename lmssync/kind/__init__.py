"""What a kind declares: data and pure functions, never I/O.

Stages ask a kind through these fields and never by its name. A new field here needs two
kinds that use it, or a name that would read well in the manual.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from .authoring import (
    Authoring as Authoring,
    BodyField as BodyField,
    ByWord as ByWord,
    Combination as Combination,
    Companion as Companion,
    Concealed as Concealed,
    Data as Data,
    Either as Either,
    Groups as Groups,
    Json as Json,
    Listed as Listed,
    Meanings as Meanings,
    Nested as Nested,
    OneAtMost as OneAtMost,
    Relations as Relations,
    Resources as Resources,
    SomeOf as SomeOf,
    Together as Together,
    Without as Without,
    Word as Word,
    declare_nothing as declare_nothing,
    form_title as form_title,
)
from .call_part import (
    CallPart as CallPart,
    body_entries as body_entries,
    merge_bodies as merge_bodies,
)
from .kind_calls import (
    REMOVAL as REMOVAL,
    ApplyResult as ApplyResult,
    Calls as Calls,
    Effect as Effect,
    FormChange as FormChange,
    Impact as Impact,
    ManualStep as ManualStep,
    PermanentLoss as PermanentLoss,
    Removal as Removal,
    Reversal as Reversal,
    Subject as Subject,
    SubjectKind as SubjectKind,
    Undo as Undo,
    UpdatePlan as UpdatePlan,
    as_meant as as_meant,
    by_hand as by_hand,
    word_change as word_change,
)
from .kind_reads import (
    Ambiguity as Ambiguity,
    Ids as Ids,
    ImportedManifest as ImportedManifest,
    Imports as Imports,
    InList as InList,
    LivePart as LivePart,
    Mention as Mention,
    Mentioned as Mentioned,
    NameOf as NameOf,
    PartDrift as PartDrift,
    Reading as Reading,
    ReadRequest as ReadRequest,
    Reads as Reads,
    Reconciled as Reconciled,
    Roster as Roster,
    RosterEntry as RosterEntry,
    Search as Search,
    Shown as Shown,
    part_name as part_name,
)

if TYPE_CHECKING:
    from .manifest_model import Spec as Spec, Table as Table


def __getattr__(name: str) -> Any:
    """The models, loaded when one is asked for: what only looks at a state needs none."""
    if name not in {"Spec", "Table"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import manifest_model

    return getattr(manifest_model, name)


class Kind(NamedTuple):
    """Everything the stages need to know about one kind of resource."""

    name: str
    """First word of its addresses."""
    resource: str
    """Its word in `resource:`."""
    noun: str
    """What people call one."""
    spec: "type[Spec]"
    authoring: Authoring
    relations: Relations
    impact: Impact
    calls: Calls
    reads: Reads
    imports: Imports | None = None
    """Set if what others have made on the platform can become a manifest."""
    concealed: Concealed | None = None
    """Set if its forms name people: outside the catalog, codes stand for them."""

    @property
    def nouns(self) -> str:
        """The plural of the noun of the kind."""
        return f"{self.noun[:-2]}a" if self.noun.endswith("rion") else f"{self.noun}s"

    @property
    def with_same_ids(self) -> frozenset[str]:
        """This kind, and those among whose ids one of its own may not be."""
        return frozenset({self.name, *self.reads.same_ids})
