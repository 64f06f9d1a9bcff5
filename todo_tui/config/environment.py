"""Environment variables as settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from todo_tui.domain.errors import ConfigError


class Environment:
    """Variables as settings; an empty one counts as unset."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str) -> str | None:
        """The value without blanks around it; None when unset or empty."""
        return self._environ.get(name, "").strip() or None

    def count(self, name: str) -> int | None:
        """A whole number from 1 on.

        Raises:
            ConfigError: the variable holds anything else.
        """
        text = self.text(name)
        if text is None:
            return None
        if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 6 or int(text) < 1:
            raise ConfigError(
                f"{name} is {quoted(text)}, which is not a count.",
                hint="Set it to a whole number from 1 on, or unset it.",
            )
        return int(text)

    def seconds(self, name: str) -> float | None:
        """A number above 0.

        Raises:
            ConfigError: the variable holds anything else.
        """
        text = self.text(name)
        if text is None:
            return None
        if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text, re.ASCII) or float(text) <= 0:
            raise ConfigError(
                f"{name} is {quoted(text)}, which is not a number of seconds.",
                hint="Set it to a number above 0, such as 30, or unset it.",
            )
        return float(text)

    def moment(self, name: str) -> datetime | None:
        """A naive local wall time in ISO form.

        Raises:
            ConfigError: the variable holds anything else.
        """
        text = self.text(name)
        if text is None:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError as error:
            raise _not_a_moment(name, text) from error
        if moment.tzinfo is not None:
            raise _not_a_moment(name, text)
        return moment


def _not_a_moment(name: str, text: str) -> ConfigError:
    return ConfigError(
        f"{name} is {quoted(text)}, which is not a local wall time.",
        hint="Write it as 2026-11-18T14:30, or unset it.",
    )


def quoted(text: str) -> str:
    """The text as a person typed it, short and printable."""
    shown = text if len(text) <= 60 else f"{text[:59]}…"
    return "“" + "".join(c if c.isprintable() else "?" for c in shown) + "”"
