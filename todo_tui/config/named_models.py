"""Choice of the chat model, of the models of roles, and of fallbacks."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from todo_tui.config.kinds import quote_for_message
from todo_tui.config.provider_row import ProviderRow, Wire
from todo_tui.config.resolver import SettingResolver, Source, SourceKind
from todo_tui.config.settings import SETTING, ModelName, ProviderSettings
from todo_tui.domain.text import similar

_EMBEDDING_WIRES = (Wire.CHAT, Wire.RESPONSES)


class ModelSource(NamedTuple):
    """Provider and model named in one place, with the name of that place."""

    provider: str | None = None
    model: str | None = None
    provider_source: Source | None = None
    model_source: Source | None = None
    inferred: bool = False
    """True if the provider was found by the name of its model alone."""


class ModelChoice:
    """Finds providers and models by their names; unknown names are noted."""

    def __init__(
        self,
        resolver: SettingResolver,
        rows: Mapping[str, ProviderRow],
        providers: Mapping[str, ProviderSettings],
    ) -> None:
        self._resolver = resolver
        self._rows = rows
        """All providers by id, custom ones too."""
        self._providers = providers
        self._chat_role = self._role("roles.chat")

    def values(self, chat: ModelSource) -> dict[str, object]:
        """Return the values of the settings of MODEL_KINDS; `chat` comes from the method."""
        return {
            "provider": chat.provider,
            "model": chat.model,
            "fallback": self._fallback(),
            "roles.chat": self._chat_role,
            "roles.title": self._text_model("roles.title"),
            "roles.compact": self._text_model("roles.compact"),
            "roles.embed": self._embedding_model(),
        }

    def chat(self) -> ModelSource:
        """Resolve flags, environment and file to one provider and model to begin with."""
        chosen = self._strongest([*self._typed(), self._filed()])
        for name, source in (
            ("provider", chosen.provider_source),
            ("model", chosen.model_source),
        ):
            self._resolver.sources.pop(name, None)
            if source is not None:
                self._resolver.sources[name] = source
        return chosen

    def _fallback(self) -> tuple[ModelName, ...]:
        """Return the fallback models, each once, in file order."""
        texts: tuple[str, ...] = self._resolver.value(SETTING["fallback"])
        names = [self._parse(("fallback", at), text) for at, text in enumerate(texts)]
        return tuple(dict.fromkeys(name for name in names if name is not None))

    def _strongest(self, places: Sequence[ModelSource]) -> ModelSource:
        """Return the provider of the strongest place that names one, and a model for it.

        A model that is named beside another provider is that one's. One that is named
        alone finds its provider by itself, unless a weaker place names one that may
        have it.
        """
        top = next((at for at, place in enumerate(places) if place.provider), len(places))
        chosen = places[top] if top < len(places) else ModelSource()
        alone = next((place for place in places[:top] if place.model), None)
        if alone is not None and alone.model is not None:
            home = (
                self._home(alone.model)
                if chosen.provider is None
                else self._elsewhere(alone.model, chosen.provider)
            )
            if home is None:
                return chosen._replace(model=alone.model, model_source=alone.model_source)
            source = alone.model_source
            return ModelSource(home, alone.model, source, source, inferred=True)
        if chosen.model is None and chosen.provider is not None:
            for weaker in places[top + 1 :]:
                if weaker.model and (
                    weaker.provider == chosen.provider
                    if weaker.provider
                    else self._elsewhere(weaker.model, chosen.provider) is None
                ):
                    return chosen._replace(model=weaker.model, model_source=weaker.model_source)
        return chosen

    def _typed(self) -> list[ModelSource]:
        """Return the model named by flags, then the one named by variables."""
        places = {SourceKind.FLAG: ModelSource(), SourceKind.VARIABLE: ModelSource()}
        for source, text in self._resolver.texts(SETTING["model"]):
            if SETTING["model"].kind.parse_text(text) is None:
                message = f"{source.name} is {quote_for_message(text)}, which is not a model name."
                self._resolver.refuse(message, "Set it to a model name, or remove it.")
            else:
                places[source.kind] = ModelSource(model=text, model_source=source)
        for source, text in self._resolver.texts(SETTING["provider"]):
            if text.lower() not in self._rows:
                message = f"Unknown provider {quote_for_message(text)} ({source.name})."
                self._resolver.refuse(message, self._suggestion(text))
            else:
                named = places[source.kind]
                places[source.kind] = named._replace(provider=text.lower(), provider_source=source)
        return [self._split(place) for place in places.values()]

    def _filed(self) -> ModelSource:
        """Return the model named by the file: `provider` and `model`, or the role `chat`."""
        resolver, chat = self._resolver, self._chat_role
        model: str | None = resolver.value_in_file(SETTING["model"])
        model_source = resolver.in_file(("model",)) if model else None
        named = self._split(ModelSource(self._provider_in_file(), model, None, model_source))
        if named.provider is not None and named.provider_source is None:
            named = named._replace(provider_source=resolver.in_file(("provider",)))
        if chat is None:
            return named
        source = resolver.in_file(("roles", "chat"))
        for key, above, here in (
            ("provider", named.provider, chat.provider),
            ("model", named.model, chat.model or named.model),
        ):
            if above not in (None, here):
                message = f"`{key}` and the role `chat` differ."
                resolver.file.note((key,), message, "Remove one of the two.")
        if not chat.model and named.provider in (None, chat.provider):
            return ModelSource(chat.provider, named.model, source, named.model_source)
        text: str = resolver.value_in_file(SETTING["roles.chat"])
        inferred = self._spelled_out(text) is None and named.provider != chat.provider
        return ModelSource(chat.provider, chat.model or None, source, source, inferred)

    def _provider_in_file(self) -> str | None:
        file = self._resolver.file
        if isinstance(file.find(("provider",)), Mapping):
            file.note_invalid(("provider",), "Did you mean [providers.groq]?", "is not a table")
            return None
        text: str | None = self._resolver.value_in_file(SETTING["provider"])
        if text is None or text.lower() in self._rows:
            return text and text.lower()
        message = f"`provider`: unknown provider {quote_for_message(text)}."
        file.note(("provider",), message, self._suggestion(text))
        return None

    def _split(self, place: ModelSource) -> ModelSource:
        """Split `groq:openai/gpt-oss-20b` into provider and model if no other one is named."""
        spelled = self._spelled_out(place.model) if place.model else None
        if spelled is None or place.provider not in (None, spelled.provider):
            return place
        source = place.provider_source or place.model_source
        model_source = place.model_source if spelled.model else None
        return ModelSource(spelled.provider, spelled.model or None, source, model_source)

    def _role(self, name: str) -> ModelName | None:
        text: str | None = self._resolver.value_in_file(SETTING[name])
        return None if text is None else self._parse(SETTING[name].path, text)

    def _text_model(self, name: str) -> ModelName | None:
        """Return the model of a role that writes text; the built-in assistant cannot have it."""
        model = self._role(name)
        if model is None or self._rows[model.provider].base_url:
            return model
        self._resolver.file.note(
            SETTING[name].path,
            f"`{name}`: {model.provider} is not a language model.",
            "Set a model, such as groq:openai/gpt-oss-20b.",
        )
        return None

    def _embedding_model(self) -> ModelName | None:
        """Return the embedding model; its name is needed, as no provider has a default one."""
        text: str | None = self._resolver.value_in_file(SETTING["roles.embed"])
        if text is None:
            return None
        path, name = SETTING["roles.embed"].path, self._spelled_out(text)
        example = "Set provider and model, such as ollama:nomic-embed-text."
        if name is None or not name.model:
            message = f"`roles.embed`: {quote_for_message(text)} is not `provider:model`."
            self._resolver.file.note(path, message, example)
            return None
        row = self._rows[name.provider]
        if row.wire not in _EMBEDDING_WIRES or not row.base_url:
            message = f"`roles.embed`: {name.provider} has no OpenAI-compatible embeddings."
            self._resolver.file.note(path, message, example)
            return None
        return name

    def _parse(self, path: tuple[str | int, ...], text: str) -> ModelName | None:
        """Return the provider and model that a text in the file names."""
        if (spelled := self._spelled_out(text)) is not None:
            return spelled
        if (home := self._home(text)) is not None:
            return ModelName(home, text)
        key = ".".join(name for name in path if isinstance(name, str))
        message = f"`{key}`: {quote_for_message(text)} is neither a provider nor a known model."
        self._resolver.file.note(path, message, self._suggestion(text))
        return None

    def _spelled_out(self, text: str) -> ModelName | None:
        """Parse `groq:openai/gpt-oss-20b` or `groq`; None if no provider is named.

        Models have colons in their names too (`qwen3.5:4b`): only what stands before the
        first one and is a provider is one.
        """
        before, _, model = text.partition(":")
        provider_id = before.strip().lower()
        return ModelName(provider_id, model.strip()) if provider_id in self._rows else None

    def _home(self, model: str) -> str | None:
        """Return the provider of a model, by its name alone.

        A custom provider comes first, if that is the model configured for it;
        then those whose models look so: the first that has a key, else the first.
        """
        for row_id, row in self._rows.items():
            if row.custom and self._providers[row_id].model == model:
                return row_id
        fitting = [row_id for row_id in self._rows if self._fits(row_id, model)]
        with_key = (row_id for row_id in fitting if self._providers[row_id].has_key)
        return next(with_key, next(iter(fitting), None))

    def _elsewhere(self, model: str, provider_id: str) -> str | None:
        """Return the provider of a model that a weaker setting's provider cannot have.

        None if that one may have it: its models have no look of their own, or it is
        reached at another address than usual, where anything may be served; then only
        who has a key for the model's own provider means that one.
        """
        row, home = self._rows[provider_id], self._home(model)
        if home is None or not row.model_patterns or self._fits(provider_id, model):
            return None
        moved = self._providers[provider_id].base_url != row.base_url
        return None if moved and not self._providers[home].has_key else home

    def _fits(self, provider_id: str, model: str) -> bool:
        return any(
            re.match(pattern, model, re.IGNORECASE)
            for pattern in self._rows[provider_id].model_patterns
        )

    def _suggestion(self, text: str) -> str:
        closest = similar(text.partition(":")[0], self._rows, most=1)
        guess = f"Did you mean {closest[0]}? " if closest else ""
        return f"{guess}Available: {', '.join(self._rows)}."
