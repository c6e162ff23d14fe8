"""cli: options become values, one call into the pipeline, a view, an exit code."""
