"""overlays: what one environment wants otherwise, and the defaults of the project file."""
