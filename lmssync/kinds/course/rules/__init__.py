"""course.rules: what must hold in one course beyond its single fields (spec 2.2)."""

from ...siblings import named_twice
from . import content, dates, fields, images, outline, sale
from .itself import not_itself

RULES = (
    *fields.RULES,
    *content.RULES,
    *dates.RULES,
    *outline.RULES,
    *sale.RULES,
    *images.RULES,
    not_itself,
    named_twice(
        "tags", "authors", "relatedCourses", "prerequisiteCourses", "prerequisiteLearningPaths"
    ),
)
SESSION_RULES = (
    fields.check_topics,
    *content.OF_PARTS,
    *dates.RULES,
    *outline.RULES,
    *sale.RULES,
    named_twice("prerequisiteCourses", "prerequisiteLearningPaths"),
)
"""Those that hold in a further session as well."""
