"""catalog: from files to checked resources, without the platform and without a state."""
