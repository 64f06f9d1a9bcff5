"""What is remembered of models from one start to the next: those used, those without tools."""

from __future__ import annotations

import json
import logging

from todo_tui.domain.errors import StoreError
from todo_tui.store.memory import Memory
from todo_tui.tui.workbench import ProviderChoice

RECENT_MODELS = 6
"""How many are remembered; more would be a list of its own."""

_RECENT, _TOOLLESS = "recent_models", "models_without_tools"
_MOST_TOOLLESS = 50

_log = logging.getLogger(__name__)


class ModelMemory:
    """Names such as `groq:openai/gpt-oss-120b`, kept in the store, the newest first.

    A courtesy: where the store cannot be read or written there is nothing to remember.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._kept: dict[str, tuple[str, ...]] = {}

    @property
    def recent(self) -> tuple[ProviderChoice, ...]:
        """The models that answered last; `""` stands for what a server decided."""
        named = (name.partition(":") for name in self._names(_RECENT))
        return tuple(ProviderChoice(row_id, model) for row_id, _, model in named)

    def note_use(self, row_id: str, model: str) -> None:
        """This one answers now."""
        self._put_first(_RECENT, model_name(row_id, model), RECENT_MODELS)

    def calls_no_tools(self, row_id: str, model: str) -> bool:
        """Whether it has shown that it cannot call tools."""
        return model_name(row_id, model) in self._names(_TOOLLESS)

    def note_tools(self, row_id: str, model: str, *, called: bool) -> None:
        """It was seen calling a tool, or seen not to be able to."""
        name = model_name(row_id, model)
        if not called:
            self._put_first(_TOOLLESS, name, _MOST_TOOLLESS)
        elif name in self._names(_TOOLLESS):
            self._write(_TOOLLESS, tuple(n for n in self._names(_TOOLLESS) if n != name))

    def _put_first(self, key: str, name: str, most: int) -> None:
        names = self._names(key)
        if names[:1] != (name,):
            self._write(key, (name, *(each for each in names if each != name))[:most])

    def _names(self, key: str) -> tuple[str, ...]:
        if key not in self._kept:
            try:
                self._kept[key] = _read(self._memory.get(key))
            except StoreError as error:
                _log.warning("%s could not be read: %s", key, error.message)
                return ()
        return self._kept[key]

    def _write(self, key: str, names: tuple[str, ...]) -> None:
        self._kept[key] = names
        try:
            self._memory.set(key, json.dumps(names))
        except StoreError as error:
            _log.warning("%s could not be written: %s", key, error.message)


def model_name(row_id: str, model: str) -> str:
    """`provider:model`, as conversations and configuration write it."""
    return f"{row_id}:{model}"


def _read(text: str | None) -> tuple[str, ...]:
    try:
        names = json.loads(text or "[]")
    except ValueError:
        return ()
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()
