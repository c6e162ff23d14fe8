"""support: what every room may use and no user asks for: git, files, secrets, plugins, pages."""
