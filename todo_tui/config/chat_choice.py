"""Who is talked to: the provider and model that flags, environment and file name together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from todo_tui.config import catalogue
from todo_tui.config.model_names import ModelNames
from todo_tui.config.printable import quoted
from todo_tui.config.resolving import Resolver
from todo_tui.config.role_reading import RoleReading
from todo_tui.config.sources import Source, SourceKind


class Place(NamedTuple):
    """What one place names, and where exactly."""

    provider: str | None = None
    model: str | None = None
    provider_source: Source | None = None
    model_source: Source | None = None
    inferred: bool = False
    """Whether the provider was found by the name of its model alone."""


class Choice(NamedTuple):
    """The provider and the model to begin with; None: the person's last choice."""

    provider: str | None
    model: str | None
    is_named: bool
    """Whether the provider itself is named."""


class ChatChoice:
    """Reads the places, and picks among what they name."""

    def __init__(self, resolver: Resolver, names: ModelNames, roles: RoleReading) -> None:
        self._resolver = resolver
        self._names = names
        self._roles = roles

    def read(self) -> Choice:
        """What flags, environment and file say together."""
        picked = self._picked([*self._typed(), self._filed()])
        self._resolver.sources.pop("provider", None)
        self._resolver.sources.pop("model", None)
        if picked.provider_source is not None:
            self._resolver.sources["provider"] = picked.provider_source
        if picked.model_source is not None:
            self._resolver.sources["model"] = picked.model_source
        is_named = picked.provider is not None and not picked.inferred
        return Choice(picked.provider, picked.model, is_named)

    def _picked(self, places: Sequence[Place]) -> Place:
        """The provider of the strongest place that names one, and a model for it.

        A model that is named beside another provider is that one's. One that is named
        alone finds its provider by itself, unless a weaker place names one that may
        have it.
        """
        top = next((at for at, place in enumerate(places) if place.provider), len(places))
        chosen = places[top] if top < len(places) else Place()
        alone = next((place for place in places[:top] if place.model), None)
        if alone is not None and alone.model is not None:
            home = (
                self._names.home(alone.model)
                if chosen.provider is None
                else self._names.elsewhere(alone.model, chosen.provider)
            )
            if home is None:
                return chosen._replace(model=alone.model, model_source=alone.model_source)
            source = alone.model_source
            return Place(home, alone.model, source, source, inferred=True)
        if chosen.model is None and chosen.provider is not None:
            for weaker in places[top + 1 :]:
                if weaker.model and self._is_for(chosen.provider, weaker):
                    return chosen._replace(model=weaker.model, model_source=weaker.model_source)
        return chosen

    def _is_for(self, provider_id: str, place: Place) -> bool:
        """Whether the model that a weaker place names is one for that provider."""
        if place.provider is None and place.model is not None:
            return self._names.elsewhere(place.model, provider_id) is None
        return place.provider == provider_id

    def _typed(self) -> list[Place]:
        """What the flags name, then what the environment does."""
        places = {SourceKind.FLAG: Place(), SourceKind.VARIABLE: Place()}
        for source, text in self._resolver.typed(catalogue.MODEL):
            if catalogue.MODEL.kind.of_text(text) is None:
                message = f"{source.name} is {quoted(text)}, which is no model's name."
                self._resolver.refuse(message, "Set it to the name of one, or leave it out.")
            else:
                places[source.kind] = Place(model=text, model_source=source)
        for source, text in self._resolver.typed(catalogue.PROVIDER):
            provider = self._names.provider(text)
            if provider is None:
                message = f"There is no provider {quoted(text)} ({source.name})."
                self._resolver.refuse(message, self._roles.known(text))
            else:
                named = places[source.kind]
                places[source.kind] = named._replace(provider=provider, provider_source=source)
        return [self._split(place) for place in places.values()]

    def _filed(self) -> Place:
        """What the file names: `provider` and `model`, or the role `chat`."""
        resolver = self._resolver
        model = resolver.filed(catalogue.MODEL)
        model_source = resolver.in_file(("model",)) if model else None
        named = self._split(Place(self._provider_in_file(), model, None, model_source))
        if named.provider is not None and named.provider_source is None:
            named = named._replace(provider_source=resolver.in_file(("provider",)))
        chat = self._roles.role(catalogue.CHAT)
        if chat is None:
            return named
        source = resolver.in_file(("roles", "chat"))
        for key, above, here in (
            ("provider", named.provider, chat.provider),
            ("model", named.model, chat.model or named.model),
        ):
            if above not in (None, here):
                message = f"`{key}` is not the one that the role `chat` names."
                resolver.file.note((key,), message, "Take one of the two out.")
        if not chat.model and named.provider in (None, chat.provider):
            return Place(chat.provider, named.model, source, named.model_source)
        text = resolver.filed(catalogue.CHAT) or ""
        inferred = self._names.spelled_out(text) is None and named.provider != chat.provider
        return Place(chat.provider, chat.model or None, source, source, inferred)

    def _provider_in_file(self) -> str | None:
        file = self._resolver.file
        if isinstance(file.find(("provider",)), Mapping):
            file.wrong(("provider",), "Did you mean [providers.groq]?", "is not a table")
            return None
        text = self._resolver.filed(catalogue.PROVIDER)
        provider = text and self._names.provider(text)
        if text and not provider:
            message = f"`provider`: there is no provider {quoted(text)}."
            file.note(("provider",), message, self._roles.known(text))
        return provider or None

    def _split(self, place: Place) -> Place:
        """`groq:openai/gpt-oss-20b` as provider and model, where no other one is named."""
        spelled = self._names.spelled_out(place.model) if place.model else None
        if spelled is None or place.provider not in (None, spelled.provider):
            return place
        source = place.provider_source or place.model_source
        model_source = place.model_source if spelled.model else None
        return Place(spelled.provider, spelled.model or None, source, model_source)
