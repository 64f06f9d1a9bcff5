"""Secret: an API key that prints as dots."""

import html
import re
from itertools import groupby

from todo_tui.domain.errors import ConfigError

DOTS = "••••••••"
"""Text printed for a secret of any length."""
_QUOTES = "\"'"


class Secret:
    """API key or token: dots in `str`, `repr` and `format`, text only from `reveal()`.

    Blanks around the key, and quotes around all of it, are dropped: they come from
    copying it.

    Raises:
        ConfigError: the text is empty, or holds characters that no HTTP header may
            carry (line breaks, control characters, anything but printable ASCII).
            The message does not quote it.
    """

    __slots__ = ("__text",)

    def __init__(self, text: str, *, name: str = "The key") -> None:
        """Store the text; `name` says in an error which setting it came from."""
        stripped = text.strip()
        if len(stripped) > 1 and stripped[0] == stripped[-1] and stripped[0] in _QUOTES:
            stripped = stripped[1:-1].strip()
        if not stripped:
            raise ConfigError(f"{name} is empty.", hint="Set the API key, or unset the variable.")
        if not all(" " < character <= "~" for character in stripped):
            raise ConfigError(
                f"{name} contains a space, a line break or another invalid character.",
                hint="Copy the complete key again, without other text.",
            )
        self.__text = stripped

    def reveal(self) -> str:
        """Return the text itself, for the one place that sends it."""
        return self.__text

    def redact(self, text: str) -> str:
        """Replace every occurrence of this secret in a text by dots."""
        return redact_text(text, self.__text)

    def __str__(self) -> str:
        return DOTS

    def __repr__(self) -> str:
        return f"Secret({DOTS})"

    def __format__(self, spec: str) -> str:
        return format(DOTS, spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.__text == self.__text

    def __hash__(self) -> int:
        return hash(self.__text)

    def __reduce__(self) -> str:
        raise TypeError("a Secret is not pickled")


def redact_text(text: str, secret: str) -> str:
    """Replace the secret in a text by dots.

    Escaped forms are found, too: in JSON, URLs, HTML, or the `repr` of any of them.
    """
    return re.sub("".join(map(_escaped_forms, _split_characters(secret))), DOTS, text)


def _split_characters(text: str) -> list[str]:
    """Split into characters; consecutive backslashes are one, as escaping changes their number."""
    runs = ((mark, "".join(run)) for mark, run in groupby(text))
    return [each for mark, run in runs for each in ([mark] if mark == "\\" else run)]


def _escaped_forms(character: str) -> str:
    """Return a pattern for a character and its escaped forms.

    The forms are mutually exclusive: keys are long, and each ambiguity would double the time.
    """
    if character.isalnum() or character in "-_.":
        return re.escape(character)
    code = f"{ord(character):02x}"
    # The backslash of `\u0026` is matched with those before any other form.
    coded = rf"(?i:%{code}|u00{code}|&\#(?:x0*{code}|0*{ord(character)});)"
    if character == "\\":
        return rf"(?:\\|{coded})+"
    alternatives = dict.fromkeys((coded, re.escape(html.escape(character)), re.escape(character)))
    return rf"\\*+(?:{'|'.join(alternatives)})"
