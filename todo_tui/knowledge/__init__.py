"""Reading and indexing of the user's documents. Start with indexing.py, then reader.py."""
