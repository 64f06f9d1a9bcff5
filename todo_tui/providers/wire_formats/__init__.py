"""Wire formats of model servers, with long request bodies in modules of their own.

Start with chat.py.
"""
