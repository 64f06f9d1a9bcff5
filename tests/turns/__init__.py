"""Whole turns: agent, store and tools with real SDKs over real sockets."""
