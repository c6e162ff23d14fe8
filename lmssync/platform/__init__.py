"""platform: the platform as seen from here: requests, lists, what it shows, and keys for it."""
