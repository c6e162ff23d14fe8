"""importers: courses of other systems become manifests, bodies and copies of their files.

A format makes an outline of what it reads, and says what it had to leave out; one writer makes
folders of all of them. It knows nothing of plans, the state or the platform.
"""

from .course_outline import Loss as Loss
from .source_import import (
    SOURCE_READERS as SOURCE_READERS,
    FileImportOptions as FileImportOptions,
    ImportedCourse as ImportedCourse,
    add_courses as add_courses,
    open_staging as open_staging,
)
