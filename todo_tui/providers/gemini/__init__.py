"""Gemini's own protocol, generateContent: its thoughts, signatures and calls."""
