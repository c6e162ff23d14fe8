"""What a kind declares: data and pure functions, never I/O.

Stages ask a kind through these fields and never by its name. A new field here needs two
kinds that use it, or a name that would read well in the manual.
"""

from dataclasses import dataclass

from .authoring import Authoring as Authoring
from .authoring import BodyField as BodyField
from .authoring import Concealed as Concealed
from .authoring import Data as Data
from .authoring import Groups as Groups
from .authoring import Json as Json
from .authoring import Listed as Listed
from .authoring import Meanings as Meanings
from .authoring import Nested as Nested
from .authoring import Relations as Relations
from .authoring import Resources as Resources
from .authoring import Spec as Spec
from .authoring import Table as Table
from .authoring import nothing as nothing
from .call_part import CallPart as CallPart
from .call_part import entries as entries
from .call_part import merged as merged
from .calls import ApplyResult as ApplyResult
from .calls import Calls as Calls
from .calls import Change as Change
from .calls import Effect as Effect
from .calls import Impact as Impact
from .calls import Loss as Loss
from .calls import ManualStep as ManualStep
from .calls import Removal as Removal
from .calls import UpdatePlan as UpdatePlan
from .calls import as_meant as as_meant
from .combinations import ByWord as ByWord
from .combinations import Combination as Combination
from .combinations import Companion as Companion
from .combinations import Either as Either
from .combinations import OneAtMost as OneAtMost
from .combinations import SomeOf as SomeOf
from .combinations import Together as Together
from .combinations import Without as Without
from .combinations import Word as Word
from .imports import Imported as Imported
from .imports import Imports as Imports
from .imports import NameOf as NameOf
from .imports import Shown as Shown
from .reads import Ambiguity as Ambiguity
from .reads import Ids as Ids
from .reads import InList as InList
from .reads import Reading as Reading
from .reads import ReadRequest as ReadRequest
from .reads import Reads as Reads
from .reads import Reconciled as Reconciled
from .reads import Search as Search


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Everything the stages need to know about one kind of resource."""

    name: str
    """First word of its addresses."""
    resource: str
    """Its word in `resource:`."""
    noun: str
    """What people call one."""
    spec: type[Spec]
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
        """What people call several."""
        return f"{self.noun[:-2]}a" if self.noun.endswith("rion") else f"{self.noun}s"
