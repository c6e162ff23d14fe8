"""preview: the catalog as learners will see it, before anything is sent.

Each page is made of what a create would send, so it shows what the platform would get. Where
something is recorded, the pages mark what differs from it. Nothing is asked of the platform.
"""

from .courses import Courses as Courses
from .documents import Documents as Documents
from .folder import write as write
from .serving import Preview as Preview, server as server
from .site import PreviewSite as PreviewSite
