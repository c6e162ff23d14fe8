"""texts: what the texts of a manifest may hold, and what learners see of their HTML."""
