"""The output items of one answer, put together from the events that bring them.

Servers differ in which of the events of an item they send, and in whether ids and
indexes hold from one to the next: `added` may be missing, and the whole of an item
may come in its deltas, in `done`, in the last response, or in all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from todo_tui.domain.conversation import Meta
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.providers.foreign import items_of, member, text_of
from todo_tui.providers.responses.payload import PHASE, SEALED


class Kind(StrEnum):
    """The types of items that are read; all others are passed over."""

    MESSAGE = "message"
    CALL = "function_call"
    REASONING = "reasoning"


class Piece(StrEnum):
    """What the text of an item is."""

    WORDS = "output_text"
    REFUSAL = "refusal"
    ARGUMENTS = "arguments"
    SUMMARY = "summary_text"
    THOUGHT = "reasoning_text"


Place = tuple[Piece, int]
"""A piece, and which one of several in its item."""


@dataclass(slots=True, eq=False)
class Item:
    """One item as far as it has come."""

    kind: Kind
    id: str
    index: object
    """Where it stands in the answer, if the server said it."""
    name: str = ""
    call_id: str = ""
    phase: str = ""
    sealed: str = ""
    done: bool = False
    shown: list[str] = field(default_factory=list)
    """Of it, what a person has seen."""
    _texts: dict[Place, list[str]] = field(default_factory=dict)

    def add(self, place: Place, delta: str) -> None:
        """Append a delta to one of its texts."""
        self._texts.setdefault(place, []).append(delta)

    def complete(self, place: Place, whole: str) -> str:
        """Take one of its texts as a whole; what of it is new.

        Words that were shown stay as they were; arguments are what was said last
        before the item was done.
        """
        known = "".join(self._texts.get(place, ()))
        if whole.startswith(known):
            self._texts[place] = [whole]
            return whole[len(known) :]
        if whole and place[0] is Piece.ARGUMENTS and not self.done:
            self._texts[place] = [whole]
        return ""

    def text(self, piece: Piece) -> str:
        """All that there is of a piece."""
        return "".join(self._all_of(piece))

    def _all_of(self, piece: Piece) -> list[str]:
        places = sorted(place for place in self._texts if place[0] is piece)
        return [whole_characters("".join(self._texts[place])) for place in places]

    @property
    def meta(self) -> Meta:
        """What has to go back with it, as the server wants it."""
        if self.kind is Kind.MESSAGE:
            return {PHASE: self.phase} if self.phase else {}
        if self.kind is Kind.CALL:
            return {}
        meta: dict[str, JsonValue] = {"summary": self._parts(Piece.SUMMARY)}
        if self.id:
            meta["id"] = whole_characters(self.id)
        if self.sealed:
            meta[SEALED] = self.sealed
        elif content := self._parts(Piece.THOUGHT):
            meta["content"] = content
        return meta

    def _parts(self, piece: Piece) -> list[JsonValue]:
        return [{"type": piece.value, "text": text} for text in self._all_of(piece)]


class Items:
    """All items of an answer, found by whatever an event tells of them."""

    def __init__(self) -> None:
        self._items: list[Item] = []

    def __iter__(self) -> Iterator[Item]:
        """In the order of the answer."""
        places = {item.index: item for item in self._items if isinstance(item.index, int)}
        if len(places) < len(self._items):
            return iter(self._items)
        return iter([places[index] for index in sorted(places)])

    def of(self, kind: Kind) -> list[Item]:
        """Those of one kind, in the order of the answer."""
        return [item for item in self if item.kind is kind]

    def begin(self, kind: Kind, item_id: str, index: object) -> Item:
        """A new item."""
        item = Item(kind, item_id, index)
        self._items.append(item)
        return item

    def about(self, kind: Kind, item_id: str, index: object) -> Item | None:
        """The item that an event is about; None where it fits none."""
        candidates = [item for item in reversed(self._items) if item.kind is kind]
        same_id = [item for item in candidates if item_id and item.id == item_id]
        for item in same_id:
            if item.index == index:
                return item
        if same_id:
            return same_id[0]
        # Some servers give an item another id in each event, others one index to all items.
        unfinished = [item for item in candidates if not item.done]
        if index is not None:
            unfinished = [item for item in unfinished if item.index == index]
        return unfinished[0] if unfinished else None

    def matching(self, kind: Kind, value: object, taken: list[Item]) -> Item | None:
        """The item that one in the last response is, beside those taken already."""
        item_id, name = text_of(value, "id"), text_of(value, "name")
        candidates = [item for item in self.of(kind) if item not in taken]
        same_id = [item for item in candidates if item_id and item.id == item_id]
        alike = [item for item in candidates if not item.name or item.name == name]
        return next(iter(same_id or alike), None)


def learn(item: Item, value: object) -> None:
    """Take over what an item's object says beside its texts."""
    item.id = item.id or text_of(value, "id")
    item.name = item.name or whole_characters(text_of(value, "name"))
    item.call_id = item.call_id or text_of(value, "call_id")
    item.phase = item.phase or whole_characters(text_of(value, "phase"))


def texts_of(kind: Kind, value: object) -> Iterator[tuple[Place, str]]:
    """The whole texts in an item's object."""
    match kind:
        case Kind.MESSAGE:
            yield (Piece.WORDS, 0), text_of(value, "content")
            yield from _texts(value, "content", (Piece.WORDS, Piece.REFUSAL))
        case Kind.CALL:
            yield (Piece.ARGUMENTS, 0), arguments_text(member(value, "arguments"))
        case Kind.REASONING:
            yield from _texts(value, "summary", (Piece.SUMMARY,))
            yield from _texts(value, "content", (Piece.THOUGHT,))


def arguments_text(arguments: object) -> str:
    """Arguments as JSON text, which some servers send as the object itself."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)


def _texts(value: object, name: str, pieces: tuple[Piece, ...]) -> Iterator[tuple[Place, str]]:
    for number, part in enumerate(items_of(value, name)):
        for piece in pieces:
            if text_of(part, "type") == piece:
                text = text_of(part, "refusal" if piece is Piece.REFUSAL else "text")
                yield (piece, number), text
