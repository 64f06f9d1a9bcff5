"""Reading and indexing of the user's documents. Start with indexing.py, then reader.py.

Their search, by words and by meaning in one ranking, is in store/knowledge.py.
"""
