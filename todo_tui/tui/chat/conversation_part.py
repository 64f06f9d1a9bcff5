"""Part of a conversation: what the keys for browsing stop at and copy."""

from typing import ClassVar


class ConversationPart:
    """Widget that the keys for browsing the conversation stop at and copy."""

    noun: ClassVar[str]
    """Name of the part in notices."""

    @property
    def copied_text(self) -> str:
        """Text that is copied: all of it, also what is not shown."""
        raise NotImplementedError
