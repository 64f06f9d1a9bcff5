"""Precedence of sources for one setting; choice of chat model, roles and fallbacks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from todo_tui.config import catalogue
from todo_tui.config.catalogue import Setting
from todo_tui.config.file import ConfigFile
from todo_tui.config.settings import (
    CustomProvider,
    Flags,
    ModelName,
    ProviderDefaults,
    ProviderSettings,
    Roles,
)
from todo_tui.config.values import quote_for_message
from todo_tui.domain.errors import ConfigError

_Value = TypeVar("_Value")


class Environment:
    """Variables as settings; an empty one counts as unset."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str) -> str | None:
        """The value without blanks around it; None when unset or empty."""
        return self._environ.get(name, "").strip() or None


def variable_prefix(provider_id: str) -> str:
    """Return the prefix of a provider's environment variables: `GEMINI_NATIVE`."""
    return provider_id.upper().replace("-", "_")


class ModelNameResolver:
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
        """Return true if the provider is a model server rather than the built-in assistant."""
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
        """Parse `groq:openai/gpt-oss-20b` or `groq`; None if no provider is named.

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
            if isinstance(row, CustomProvider) and self._providers[row_id].model == model:
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


class SourceKind(StrEnum):
    """The kinds of places in which a setting is looked for, the strongest first."""

    FLAG = "flag"
    VARIABLE = "variable"
    KEY_FILE = "key file"
    FILE = "file"
    MACHINE = "machine"
    DEFAULT = "default"


class Source(NamedTuple):
    """One such place."""

    kind: SourceKind
    name: str = ""
    """The flag, the variable or the file."""
    path: tuple[str, ...] = ()
    """Of a value in the configuration file: the tables and the name that it stands under."""


DEFAULT = Source(SourceKind.DEFAULT)

MACHINE = Source(SourceKind.MACHINE)


class SettingResolver:
    """Looks each setting up where it may be set, the strongest place first.

    `sources` tells, by the setting's name, where what was found came from. A flag or
    variable that cannot be used is among the `refusals`; the next place counts then.
    """

    def __init__(self, flags: Flags, env: Environment, file: ConfigFile) -> None:
        self.flags = flags
        self.env = env
        self.file = file
        self.sources: dict[str, Source] = {}
        self.refusals: list[ConfigError] = []

    def value(self, setting: Setting[_Value]) -> _Value | None:
        """The value of the setting; None where nothing that can be used sets it."""
        for source, text in self.typed(setting):
            value = setting.kind.of_text(text)
            if value is not None:
                self.sources[setting.name] = source
                return value
            self.refuse(
                f"{source.name} is {quote_for_message(text)}, which cannot be used.",
                f"Set it to {setting.kind.expected}, or leave it out.",
            )
        return self.filed(setting)

    def filed(self, setting: Setting[_Value]) -> _Value | None:
        """The value in the file; of two places where it may stand, the one in its table."""
        if not setting.example:
            return None
        named = tuple(setting.name.split("."))
        value = self._in_file(setting, named)
        if not setting.also or self.file.find((setting.also,)) is None:
            return value
        if value is None:
            return self._in_file(setting, (setting.also,))
        self.file.note(
            (setting.also,),
            f"`{setting.also}` is set under [{setting.section}] too.",
            "Take this one out; that one holds.",
        )
        return value

    def typed(self, setting: Setting[_Value]) -> list[tuple[Source, str]]:
        """Return the values of the flag and the variable that are set, strongest first."""
        found: list[tuple[Source, str]] = []
        flag: str | None = getattr(self.flags, setting.flag) if setting.flag else None
        if flag and flag.strip():
            found.append((Source(SourceKind.FLAG, f"--{setting.flag}"), flag.strip()))
        text = self.env.text(setting.variable) if setting.variable else None
        if text:
            found.append((Source(SourceKind.VARIABLE, setting.variable), text))
        return found

    def refuse(self, message: str, hint: str) -> None:
        """Note a reason not to start."""
        self.refusals.append(ConfigError(message, hint=hint))

    def in_file(self, path: tuple[str, ...]) -> Source:
        """The source of what stands there."""
        return Source(SourceKind.FILE, str(self.file.path), path)

    def _in_file(self, setting: Setting[_Value], path: tuple[str, ...]) -> _Value | None:
        value = self.file.value(path, setting.kind)
        if value is not None:
            self.sources[setting.name] = self.in_file(path)
        return value


class RoleReader:
    """Reads them; a name that means nobody is noted and left out."""

    def __init__(self, resolver: SettingResolver, names: ModelNameResolver) -> None:
        self._resolver = resolver
        self._names = names

    def roles(self) -> Roles:
        """Read the models of the roles other than the chat."""
        return Roles(self._writer(catalogue.TITLE), self._writer(catalogue.COMPACT))

    def role(self, setting: Setting[str]) -> ModelName | None:
        """Read the model of one role, or None."""
        text = self._resolver.value(setting)
        path = tuple(setting.name.split("."))
        return None if text is None else self._found(path, setting.name, text)

    def _writer(self, setting: Setting[str]) -> ModelName | None:
        """Read the model of a role that writes text; the built-in assistant cannot have it."""
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
        """Read the fallback models, each once, in file order."""
        texts = self._resolver.value(catalogue.FALLBACK) or ()
        found = [self._found(("fallback", at), "fallback", text) for at, text in enumerate(texts)]
        return tuple(dict.fromkeys(name for name in found if name is not None))

    def known(self, text: str) -> str:
        """The cure for a name that means nobody."""
        from todo_tui.config.file import closest_name  # only mistakes pay for it

        ids = self._names.provider_ids
        meant = closest_name(text.partition(":")[0].lower(), ids)
        guess = f"Did you mean {meant}? " if meant else ""
        return f"{guess}Known are: {', '.join(ids)}."

    def _found(self, path: tuple[str | int, ...], key: str, text: str) -> ModelName | None:
        name = self._names.read(text)
        if name is None:
            nobody = (
                f"`{key}`: {quote_for_message(text)} is no provider, nor a model whose provider "
                "is known."
            )
            self._resolver.file.note(path, nobody, self.known(text))
        return name


class ModelSource(NamedTuple):
    """Provider and model named in one place, with the name of that place."""

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


class ChatModelResolver:
    """Reads the places, and picks among what they name."""

    def __init__(
        self, resolver: SettingResolver, names: ModelNameResolver, roles: RoleReader
    ) -> None:
        self._resolver = resolver
        self._names = names
        self._roles = roles

    def read(self) -> Choice:
        """Resolve flags, environment and file to one choice."""
        picked = self._picked([*self._typed(), self._filed()])
        self._resolver.sources.pop("provider", None)
        self._resolver.sources.pop("model", None)
        if picked.provider_source is not None:
            self._resolver.sources["provider"] = picked.provider_source
        if picked.model_source is not None:
            self._resolver.sources["model"] = picked.model_source
        is_named = picked.provider is not None and not picked.inferred
        return Choice(picked.provider, picked.model, is_named)

    def _picked(self, places: Sequence[ModelSource]) -> ModelSource:
        """The provider of the strongest place that names one, and a model for it.

        A model that is named beside another provider is that one's. One that is named
        alone finds its provider by itself, unless a weaker place names one that may
        have it.
        """
        top = next((at for at, place in enumerate(places) if place.provider), len(places))
        chosen = places[top] if top < len(places) else ModelSource()
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
            return ModelSource(home, alone.model, source, source, inferred=True)
        if chosen.model is None and chosen.provider is not None:
            for weaker in places[top + 1 :]:
                if weaker.model and self._is_for(chosen.provider, weaker):
                    return chosen._replace(model=weaker.model, model_source=weaker.model_source)
        return chosen

    def _is_for(self, provider_id: str, place: ModelSource) -> bool:
        """Return true if the model named in a weaker place belongs to that provider."""
        if place.provider is None and place.model is not None:
            return self._names.elsewhere(place.model, provider_id) is None
        return place.provider == provider_id

    def _typed(self) -> list[ModelSource]:
        """Return the models named by the flags, then those named by the environment."""
        places = {SourceKind.FLAG: ModelSource(), SourceKind.VARIABLE: ModelSource()}
        for source, text in self._resolver.typed(catalogue.MODEL):
            if catalogue.MODEL.kind.of_text(text) is None:
                message = f"{source.name} is {quote_for_message(text)}, which is no model's name."
                self._resolver.refuse(message, "Set it to the name of one, or leave it out.")
            else:
                places[source.kind] = ModelSource(model=text, model_source=source)
        for source, text in self._resolver.typed(catalogue.PROVIDER):
            provider = self._names.provider(text)
            if provider is None:
                message = f"There is no provider {quote_for_message(text)} ({source.name})."
                self._resolver.refuse(message, self._roles.known(text))
            else:
                named = places[source.kind]
                places[source.kind] = named._replace(provider=provider, provider_source=source)
        return [self._split(place) for place in places.values()]

    def _filed(self) -> ModelSource:
        """Return the model named by the file: `provider` and `model`, or the role `chat`."""
        resolver = self._resolver
        model = resolver.filed(catalogue.MODEL)
        model_source = resolver.in_file(("model",)) if model else None
        named = self._split(ModelSource(self._provider_in_file(), model, None, model_source))
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
            return ModelSource(chat.provider, named.model, source, named.model_source)
        text = resolver.filed(catalogue.CHAT) or ""
        inferred = self._names.spelled_out(text) is None and named.provider != chat.provider
        return ModelSource(chat.provider, chat.model or None, source, source, inferred)

    def _provider_in_file(self) -> str | None:
        file = self._resolver.file
        if isinstance(file.find(("provider",)), Mapping):
            file.note_invalid(("provider",), "Did you mean [providers.groq]?", "is not a table")
            return None
        text = self._resolver.filed(catalogue.PROVIDER)
        provider = text and self._names.provider(text)
        if text and not provider:
            message = f"`provider`: there is no provider {quote_for_message(text)}."
            file.note(("provider",), message, self._roles.known(text))
        return provider or None

    def _split(self, place: ModelSource) -> ModelSource:
        """`groq:openai/gpt-oss-20b` as provider and model, where no other one is named."""
        spelled = self._names.spelled_out(place.model) if place.model else None
        if spelled is None or place.provider not in (None, spelled.provider):
            return place
        source = place.provider_source or place.model_source
        model_source = place.model_source if spelled.model else None
        return ModelSource(spelled.provider, spelled.model or None, source, model_source)
