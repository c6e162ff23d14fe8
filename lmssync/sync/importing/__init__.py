"""importing: courses of other systems become manifests, bodies and copies of their files.

A format makes an outline of what it reads, and says what it had to leave out; one writer makes
folders of all of them. It knows nothing of plans, the state or the platform.
"""

from .folders import (
    Copied as Copied,
    ImportedCourse as ImportedCourse,
    open_staging as open_staging,
)
from .formats import FORMATS as FORMATS, add_courses as add_courses
from .outline import Loss as Loss, Lost as Lost
