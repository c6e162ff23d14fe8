"""pages: how a catalog looks to learners, as HTML without a byte from elsewhere.

The sandbox and the preview show what they have with the same templates. A document is a mapping
with the platform's names, as a read gives it; nothing here knows where one comes from.
"""

from .compare import NEW as NEW, REMOVED as REMOVED, PageText as PageText, compared as compared
from .course import (
    VISIBLE as VISIBLE,
    Button as Button,
    Chip as Chip,
    Document as Document,
    PageLink as PageLink,
    button as button,
    criterion as criterion,
    facts as facts,
    outline as outline,
    primary as primary,
)
from .templates import environment as environment
from .wording import day as day, price as price
