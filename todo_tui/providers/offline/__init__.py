"""The built-in assistant: plain English about to-dos, no network."""
