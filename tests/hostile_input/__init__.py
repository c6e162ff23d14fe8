"""What a stranger may put into a pull request, and what must not come of it."""
