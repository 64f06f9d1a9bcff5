"""Drawers below the list: quick add, filter, change, save view, rename.

Start with controller.py.
"""
