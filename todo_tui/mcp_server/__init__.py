"""MCP server over standard input and output: the tools, resources and prompts for other agents.

Start with server.py, which alone imports the SDK; session.py runs the calls, and
roles.py says which a client may make.
"""
