"""events: what learners did, pulled from the feeds, counted, and kept without names.

It knows the feeds and nothing of the catalog: ids are those that events carry. People are codes
here, and no name, address or title of theirs is written down.
"""

from .index import Audience as Audience, LearnerIndex as LearnerIndex
