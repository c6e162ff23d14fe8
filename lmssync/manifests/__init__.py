"""manifests: files become documents with places, documents become typed resources.

Nothing here knows the platform. YAML, Markdown and the words for authors live here and
nowhere else; a document is dropped as soon as its form has been packed. Its modules are
imported by name: a second look at an unchanged catalog needs two of them.
"""
