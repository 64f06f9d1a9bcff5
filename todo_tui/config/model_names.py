"""Models by name: `provider:model`, a provider for its usual model, or a model alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from todo_tui.config.settings import ModelName, OwnProvider, ProviderDefaults, ProviderSettings


class ModelNames:
    """Finds the provider that is meant when a model is named."""

    def __init__(
        self, rows: Sequence[ProviderDefaults], providers: Mapping[str, ProviderSettings]
    ) -> None:
        """Know all providers, the person's own too, and their settings by id."""
        self._rows = {row.id: row for row in rows}
        self._providers = providers

    @property
    def provider_ids(self) -> tuple[str, ...]:
        """The ids that may be named, in order."""
        return tuple(self._rows)

    def is_model(self, provider_id: str) -> bool:
        """Whether a server answers there, and not rules of our own."""
        return bool(self._rows[provider_id].base_url)

    def provider(self, text: str) -> str | None:
        """The id that is meant, in any case; None where there is none."""
        return text.lower() if text.lower() in self._rows else None

    def read(self, text: str) -> ModelName | None:
        """The provider and model in a text that stands alone; None where nobody is meant."""
        named = self.spelled_out(text)
        if named is None and (home := self.home(text)) is not None:
            return ModelName(home, text)
        return named

    def spelled_out(self, text: str) -> ModelName | None:
        """What `groq:openai/gpt-oss-20b` and `groq` say; None where no provider is named.

        Models have colons in their names too (`qwen3.5:4b`): only what stands before the
        first one and is a provider is one.
        """
        before, _, model = text.partition(":")
        provider_id = self.provider(before.strip())
        return None if provider_id is None else ModelName(provider_id, model.strip())

    def home(self, model: str) -> str | None:
        """The provider of a model, by its name alone.

        A provider of the person's own comes first, if that is the model configured for it;
        then those whose models look so: the first that has a key, else the first.
        """
        for row_id, row in self._rows.items():
            if isinstance(row, OwnProvider) and self._providers[row_id].model == model:
                return row_id
        fitting = [row_id for row_id in self._rows if self._fits(row_id, model)]
        with_key = (row_id for row_id in fitting if self._providers[row_id].has_key)
        return next(with_key, next(iter(fitting), None))

    def elsewhere(self, model: str, provider_id: str) -> str | None:
        """The provider of a model that a weaker setting's provider cannot have.

        None where that one may have it: its models have no look of their own, or it is
        reached at another address than usual, where anything may be served; then only
        who has a key for the model's own provider means that one.
        """
        row, home = self._rows[provider_id], self.home(model)
        if home is None or not row.model_patterns or self._fits(provider_id, model):
            return None
        moved = self._providers[provider_id].base_url != row.base_url
        return None if moved and not self._providers[home].has_key else home

    def _fits(self, provider_id: str, model: str) -> bool:
        return any(
            re.match(pattern, model, re.IGNORECASE)
            for pattern in self._rows[provider_id].model_patterns
        )
