"""importing: courses of other systems become manifests, bodies and copies of their files.

A format makes an outline of what it reads, and says what it had to leave out; one writer makes
folders of all of them. It knows nothing of plans, the state or the platform.
"""

from .folders import Copied as Copied
from .folders import Imported as Imported
from .folders import staging as staging
from .formats import FORMATS as FORMATS
from .formats import add as add
from .outline import Loss as Loss
from .outline import Lost as Lost
from .to_markdown import to_markdown as to_markdown
