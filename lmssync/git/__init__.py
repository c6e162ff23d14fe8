"""git: what the git of a catalog knows, asked without running what a repository names."""
