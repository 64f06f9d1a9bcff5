"""Tests of the agent loop."""
