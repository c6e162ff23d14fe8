"""schemas: what the models say, for editors as JSON Schema and for people as an explanation.

They are far apart and heavy: `schema`, `offers` and `explanations` are imported by name.
"""
