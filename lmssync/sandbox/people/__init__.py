"""people: accounts, what they are enrolled in, how far they are, and the feed of what they do."""
