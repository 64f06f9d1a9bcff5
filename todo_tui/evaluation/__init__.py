"""Evaluation: scenarios run against providers, and their verdicts."""
