"""export: forms become manifests again, and files of their own."""
