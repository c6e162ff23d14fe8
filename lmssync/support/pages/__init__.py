"""pages: how a catalog looks to learners, as HTML without a byte from elsewhere.

The sandbox and the preview show what they have with the same templates. A document is a mapping
with the platform's names, as a read gives it; nothing here knows where one comes from.
"""

from .course_page import (
    CRITERION as CRITERION,
    PATH as PATH,
    VISIBLE as VISIBLE,
    Chip as Chip,
    CoursePage as CoursePage,
    PageLink as PageLink,
    build_course_context as build_course_context,
    complete_entry as complete_entry,
    course_page as course_page,
)
from .page_templates import (
    BODY_STYLE as BODY_STYLE,
    CHANGED as CHANGED,
    NEW as NEW,
    OUTLINE_STYLE as OUTLINE_STYLE,
    REMOVED as REMOVED,
    Document as Document,
    PageText as PageText,
    compare_texts as compare_texts,
    format_day as format_day,
    format_price as format_price,
    make_page_environment as make_page_environment,
    mark_changes as mark_changes,
    sanitise_body as sanitise_body,
)
