"""What a kind declares: data and pure functions, never I/O.

Stages ask a kind through these fields and never by its name. A new field here needs two
kinds that use it, or a name that would read well in the manual.
"""

from .authoring import Authoring as Authoring
from .authoring import BodyField as BodyField
from .authoring import Data as Data
from .authoring import Json as Json
from .authoring import Nested as Nested
from .authoring import Spec as Spec
from .authoring import Table as Table
from .authoring import nothing as nothing
from .calls import ApplyResult as ApplyResult
from .calls import Calls as Calls
from .calls import Change as Change
from .calls import ManualStep as ManualStep
from .calls import Piece as Piece
from .calls import Removal as Removal
from .calls import UpdatePlan as UpdatePlan
from .calls import as_meant as as_meant
from .declaration import Kind as Kind
from .impact import Effect as Effect
from .impact import Impact as Impact
from .impact import Loss as Loss
from .people import Concealed as Concealed
from .people import Listed as Listed
from .reads import Ambiguity as Ambiguity
from .reads import Ids as Ids
from .reads import ReadRequest as ReadRequest
from .reads import Reads as Reads
from .reads import Reconciled as Reconciled
from .reads import Search as Search
from .relations import Groups as Groups
from .relations import Relations as Relations
from .relations import Resources as Resources
