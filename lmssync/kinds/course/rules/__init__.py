"""course.rules: what must hold in one course beyond its single fields (spec 2.2)."""

from ...siblings import named_twice
from . import content, dates, fields, images, outline, sale

RULES = (
    *fields.RULES,
    *content.RULES,
    *dates.RULES,
    *outline.RULES,
    *sale.RULES,
    *images.RULES,
    named_twice(
        "tags", "authors", "relatedCourses", "prerequisiteCourses", "prerequisiteLearningPaths"
    ),
)
