"""The OpenAI Responses format: OpenAI itself, and servers of anybody's that speak it."""
