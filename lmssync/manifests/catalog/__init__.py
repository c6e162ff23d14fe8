"""catalog: a whole catalog from its files, of which only what has changed is read."""
