"""data: what the platform keeps, durable before it answers."""
