"""The store over real files."""
