"""What rides in the meta of a part, so that Gemini gets it back as it sent it."""

from __future__ import annotations

SIGNATURE = "thought_signature"
"""The signature of a part, in base64: a call without its own is refused by Gemini 3."""
GIVEN_ID = "given_id"
"""The id that the server gave a call, where it gave one; sent back as it was."""
CONTINUATION = "continuation_token"
"""With it, instead of the message that it came with, the server goes on with that message."""
