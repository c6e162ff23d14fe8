"""events: what learners did, pulled from the feeds, counted, and kept without names.

It knows the feeds and nothing of the catalog: ids are those that events carry. People are codes
here, and no name, address or title of theirs is written down.
"""

from .deeds import Deed as Deed
from .feeds import FeedPage as FeedPage, read_feed_pages as read_feed_pages
from .happenings import FURTHER as FURTHER, KINDS as KINDS, moment_of as moment_of
from .index import Audience as Audience, LearnerIndex as LearnerIndex
from .listening import receive_notifications as receive_notifications
from .pulling import FeedPulled as FeedPulled, Puller as Puller
from .rows import EventRow as EventRow
from .tables import ENDING as ENDING
