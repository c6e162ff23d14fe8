"""preview: the catalog as learners will see it, before anything is sent.

Each page is made of what a create would send, so it shows what the platform would get. Where
something is recorded, the pages mark what differs from it. Nothing is asked of the platform.
"""

from .preview_courses import Courses as Courses, Documents as Documents
from .preview_site import (
    Preview as Preview,
    PreviewSite as PreviewSite,
    make_preview_server as make_preview_server,
    write_preview_site as write_preview_site,
)
