"""What a kind declares: data and pure functions, never I/O.

Stages ask a kind through these fields and never by its name. A new field here needs two
kinds that use it, or a name that would read well in the manual.
"""

from .authoring import Data as Data
from .authoring import Json as Json
from .authoring import Nested as Nested
from .authoring import Slot as Slot
from .authoring import Spec as Spec
from .authoring import Table as Table
from .calls import Change as Change
from .calls import Departure as Departure
from .calls import Described as Described
from .calls import Manual as Manual
from .calls import Piece as Piece
from .calls import Settled as Settled
from .calls import as_meant as as_meant
from .declaration import Kind as Kind
from .declaration import nothing as nothing
from .impact import Effect as Effect
from .impact import Loss as Loss
from .people import Concealed as Concealed
from .people import Listed as Listed
from .reads import Doubt as Doubt
from .reads import Ids as Ids
from .reads import Reading as Reading
from .reads import Reconciled as Reconciled
from .reads import Search as Search
from .relations import Families as Families
from .relations import Resources as Resources
