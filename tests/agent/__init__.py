"""Tests of the turn and of what surrounds it."""
