"""schemas: what the models say, for editors as JSON Schema and for people as an explanation.

The two are far apart and heavy: `schema` and `explanations` are imported by name.
"""
