"""Models that the file names for something: roles, and who takes over from whom."""

from __future__ import annotations

from todo_tui.config import catalogue
from todo_tui.config.catalogue import Setting
from todo_tui.config.model_names import ModelNames
from todo_tui.config.printable import quoted
from todo_tui.config.resolving import Resolver
from todo_tui.config.settings import ModelName, Roles


class RoleReading:
    """Reads them; a name that means nobody is noted and left out."""

    def __init__(self, resolver: Resolver, names: ModelNames) -> None:
        self._resolver = resolver
        self._names = names

    def roles(self) -> Roles:
        """Who does what beside the one that is talked to."""
        return Roles(self._writer(catalogue.TITLE), self._writer(catalogue.COMPACT))

    def role(self, setting: Setting[str]) -> ModelName | None:
        """Who has that role; None: nobody."""
        text = self._resolver.value(setting)
        path = tuple(setting.name.split("."))
        return None if text is None else self._found(path, setting.name, text)

    def _writer(self, setting: Setting[str]) -> ModelName | None:
        """Who has a role that takes writing, which the built-in rules do not do."""
        name = self.role(setting)
        if name is None or self._names.is_model(name.provider):
            return name
        self._resolver.file.note(
            tuple(setting.name.split(".")),
            f"`{setting.name}`: {name.provider} follows rules and writes nothing.",
            "Name a model, such as groq:openai/gpt-oss-20b.",
        )
        return None

    def fallback(self) -> tuple[ModelName, ...]:
        """Who takes over, each once, in the order of the file."""
        texts = self._resolver.value(catalogue.FALLBACK) or ()
        found = [self._found(("fallback", at), "fallback", text) for at, text in enumerate(texts)]
        return tuple(dict.fromkeys(name for name in found if name is not None))

    def known(self, text: str) -> str:
        """The cure for a name that means nobody."""
        from todo_tui.config.spelling import close_to  # only mistakes pay for it

        ids = self._names.provider_ids
        meant = close_to(text.partition(":")[0].lower(), ids)
        guess = f"Did you mean {meant}? " if meant else ""
        return f"{guess}Known are: {', '.join(ids)}."

    def _found(self, path: tuple[str | int, ...], key: str, text: str) -> ModelName | None:
        name = self._names.read(text)
        if name is None:
            nobody = f"`{key}`: {quoted(text)} is no provider, nor a model whose provider is known."
            self._resolver.file.note(path, nobody, self.known(text))
        return name
