"""files: the files of a catalog: which exist, whether they changed, how much they may hold.

It knows nothing about their content.
"""

from .attachments import FILE_OUTSIDE as FILE_OUTSIDE
from .attachments import NOT_UTF_8 as NOT_UTF_8
from .attachments import Files as Files
from .attachments import NoFile as NoFile
from .attachments import Sight as Sight
from .limits import BODY_BYTES as BODY_BYTES
from .limits import FORMAT_BYTES as FORMAT_BYTES
from .limits import MANIFEST_BYTES as MANIFEST_BYTES
from .limits import MERGED as MERGED
from .limits import MISTAKES as MISTAKES
from .limits import VALUES as VALUES
from .listing import OVERLAYS as OVERLAYS
from .listing import POLICIES as POLICIES
from .listing import PROJECT as PROJECT
from .listing import TEMPLATE as TEMPLATE
from .listing import TICK as TICK
from .listing import Listing as Listing
from .listing import stamp_of as stamp_of
from .listing import walk as walk
from .named import chosen as chosen
from .named import existing as existing
from .replace import put as put
