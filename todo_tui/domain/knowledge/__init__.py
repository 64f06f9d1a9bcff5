"""Documents, passages and evidence; rules for questions and the quality of answers.

Start with documents.py and evidence.py.
"""
