"""events: what learners did, pulled from the feeds, counted, and kept without names.

It knows the feeds and nothing of the catalog: ids are those that events carry. People are codes
here, and no name, address or title of theirs is written down.
"""

from .feed_events import FURTHER as FURTHER, KINDS as KINDS, LearnerAction as LearnerAction
from .feed_pulling import (
    FeedPulled as FeedPulled,
    Puller as Puller,
    read_feed_pages as read_feed_pages,
    receive_notifications as receive_notifications,
)
from .index_file import ENDING as ENDING
from .learner_index import (
    Audience as Audience,
    CourseLearner as CourseLearner,
    EventRow as EventRow,
    LearnerIndex as LearnerIndex,
)
