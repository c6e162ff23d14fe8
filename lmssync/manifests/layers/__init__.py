"""layers: what is laid over a document and under it: overlays, templates, defaults."""
