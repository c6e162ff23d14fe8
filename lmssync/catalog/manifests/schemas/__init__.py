"""schemas: the models as JSON Schema for editors, and as an explanation for people.

They are far apart and heavy: `json_schema` and `explanations` are imported by name.
"""
