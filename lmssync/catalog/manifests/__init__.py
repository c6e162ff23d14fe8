"""manifests: files become documents with places, documents become typed resources.

Nothing here knows the platform. YAML, Markdown and the words for authors live here and
nowhere else; a document is dropped as soon as its form has been packed. The rooms are imported
one by one: a second look at an unchanged catalog needs two of them, files and cache.
"""
