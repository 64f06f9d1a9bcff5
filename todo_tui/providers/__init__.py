"""Model providers. Start with registry.py (rows), factory.py (opening), remote.py (a request).

A protocol is a subclass of WireFormat (wire_format.py) and one of StreamReader (stream_reader.py):
chat_completions.py, openai_responses.py, anthropic_messages.py and gemini.py.
"""
