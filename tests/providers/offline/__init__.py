"""Tests of the built-in assistant."""
