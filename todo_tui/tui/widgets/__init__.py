"""Widgets and text helpers that several parts of the app share."""
