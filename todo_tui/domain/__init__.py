"""Frozen values and pure rules that every layer speaks of."""
