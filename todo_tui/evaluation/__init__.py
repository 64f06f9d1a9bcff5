"""Evaluation: scenarios run against providers, and verdicts on what came of them.

Read `runner.py` first, then `scenarios.py` (the file format) and `expectations.py` (the check).
`scenarios.json` has the scenarios that come with the package.
"""
