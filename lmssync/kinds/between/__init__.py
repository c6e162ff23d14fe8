"""between: what the rules of the smaller kinds say of courses, and of those beside them."""
