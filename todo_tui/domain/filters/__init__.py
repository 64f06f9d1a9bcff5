"""The filter language, from text to a query and back. Start with terms.py, then parser.py."""
