"""Agent loop: from a stored user message to a finished turn.

Start with loop.py. Asking the model: model_call_policies.py, model_calls.py, and history.py for
what is sent. Running what it requests: tool_calls.py, approval_policy.py; what is not run:
malformed_calls.py, repeated_calls.py. State and record: turn.py, turn_writer.py; the
last words of a turn: final_answer.py.
"""
