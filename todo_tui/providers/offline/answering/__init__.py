"""Answers to questions about tasks, documents and plans, and the words on changes made."""
