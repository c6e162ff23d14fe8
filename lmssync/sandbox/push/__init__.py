"""push: notifications for registered addresses (spec 6)."""
