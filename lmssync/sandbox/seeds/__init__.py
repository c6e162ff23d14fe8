"""seeds: what a new sandbox begins with: read, checked, and written into an empty platform."""
