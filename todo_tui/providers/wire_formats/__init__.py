"""The protocols of the model servers: request bodies, and what puts their streams together.

Start with wire_format.py and stream_reader.py, which each protocol subclasses:
chat_completions.py, openai_responses.py, anthropic_messages.py and gemini.py.
"""
