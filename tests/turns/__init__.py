"""Whole turns: the agent, the store and the tools with real SDKs over real sockets."""
