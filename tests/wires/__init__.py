"""Fake servers of each wire format, and the rules that requests are checked against."""
