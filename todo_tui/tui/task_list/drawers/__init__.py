"""Drawers: quick add, filter, change, save view, rename. Start with controller.py."""
