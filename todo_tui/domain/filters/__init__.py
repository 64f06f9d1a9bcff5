"""The filter language, from text to a query. Start with vocabulary.py, terms.py and parser.py."""
