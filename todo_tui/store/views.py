"""Saved views of a user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sqlite3 import Connection

from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.filters.lexer import FilterNames, FilterProblem, close_matches
from todo_tui.domain.filters.views import (
    SavedView,
    clean_view_key,
    clean_view_name,
    clean_view_text,
)
from todo_tui.domain.text import fold_case
from todo_tui.store.database import Repository

_COLUMNS = "name, filter_text, key"


class ViewStore(Repository):
    """Saved views of one user, in the user's order; names are unique ignoring case.

    Writes raise StoreError if the file cannot be written; then nothing was stored.
    """

    def list(self) -> tuple[SavedView, ...]:
        """Return all views in the user's order."""
        with self._db.file.reading() as database:
            return _read(database, self._db.user)

    def texts(self) -> Mapping[str, str]:
        """Return filter texts by view name, for parsing `view:` in a filter."""
        return {view.name: view.filter_text for view in self.list()}

    def get(self, name: str) -> SavedView:
        """Return the view of that name, ignoring case.

        Raises:
            NotFound: there is none.
        """
        with self._db.file.reading() as database:
            return _find(database, self._db.user, name)

    def save(self, name: str, filter_text: str, *, key: str | None = None) -> SavedView:
        """Create a view at the end, or overwrite the view of that name in its place.

        A key of another view moves to this one. Without a key an existing view keeps its own.

        Raises:
            ValidationError: name or key cannot be used, or the filter cannot be parsed.
        """
        name, text, key = clean_view_name(name), clean_view_text(filter_text), clean_view_key(key)
        with self._db.file.writing() as database:
            others = {
                view.name: view.filter_text
                for view in _read(database, self._db.user)
                if fold_case(view.name) != fold_case(name)
            }
            self._check(text, {**others, name: text})
            if key is not None:
                self._free(database, key)
            database.execute(
                "INSERT INTO views (user, name, folded, filter_text, key, position)"
                " VALUES (?, ?, ?, ?, ?,"
                " (SELECT coalesce(max(position), 0) + 1 FROM views WHERE user = ?))"
                " ON CONFLICT (user, folded) DO UPDATE SET name = excluded.name,"
                " filter_text = excluded.filter_text, key = coalesce(excluded.key, key)",
                (self._db.user, name, fold_case(name), text, key, self._db.user),
            )
            return _find(database, self._db.user, name)

    def rename(self, name: str, new_name: str) -> SavedView:
        """Rename a view.

        Raises:
            NotFound: there is no such view.
            Conflict: another one has the new name.
            ValidationError: the new name cannot be used.
        """
        new_name = clean_view_name(new_name)
        with self._db.file.writing() as database:
            present = _find(database, self._db.user, name)
            other = _row(database, self._db.user, new_name)
            if other is not None and fold_case(new_name) != fold_case(present.name):
                raise Conflict(
                    f"There is a view “{new_name}” already.", hint="Choose another name."
                )
            self._write(database, present, "name = ?, folded = ?", new_name, fold_case(new_name))
            return _find(database, self._db.user, new_name)

    def set_key(self, name: str, key: str | None) -> SavedView:
        """Assign a key, taking it from another view if necessary; None removes the key.

        Raises:
            NotFound: there is no such view.
            ValidationError: the key cannot be used.
        """
        key = clean_view_key(key)
        with self._db.file.writing() as database:
            present = _find(database, self._db.user, name)
            if key is not None:
                self._free(database, key)
            self._write(database, present, "key = ?", key)
            return _find(database, self._db.user, name)

    def reorder(self, names: Sequence[str]) -> tuple[SavedView, ...]:
        """Move these views to the front, in this order; the others keep their order.

        Raises:
            NotFound: there is no view of one of the names.
        """
        with self._db.file.writing() as database:
            first = [_find(database, self._db.user, name) for name in dict.fromkeys(names)]
            order = dict.fromkeys((*first, *_read(database, self._db.user)))
            for position, view in enumerate(order, start=1):
                self._write(database, view, "position = ?", position)
            return _read(database, self._db.user)

    def delete(self, name: str) -> SavedView:
        """Delete a view, but no tasks; return the deleted view.

        Raises:
            NotFound: there is no such view.
        """
        with self._db.file.writing() as database:
            present = _find(database, self._db.user, name)
            database.execute(
                "DELETE FROM views WHERE user = ? AND folded = ?",
                (self._db.user, fold_case(present.name)),
            )
            return present

    def problem_of(self, view: SavedView) -> str:
        """Return why a view's filter can no longer be parsed; empty if it can."""
        try:
            self._check(view.filter_text, self.texts())
        except FilterProblem as found:
            return found.message
        return ""

    def _check(self, text: str, views: Mapping[str, str]) -> None:
        # Deferred: the grammar is large, and listing views does not need it.
        from todo_tui.domain.filters.parser import parse_query

        parse_query(text, self._db.clock.now(), self._db.style, FilterNames(views=views))

    def _write(
        self, database: Connection, view: SavedView, columns: str, *values: str | int | None
    ) -> None:
        database.execute(
            f"UPDATE views SET {columns} WHERE user = ? AND folded = ?",  # noqa: S608 - our columns
            (*values, self._db.user, fold_case(view.name)),
        )

    def _free(self, database: Connection, key: str) -> None:
        database.execute(
            "UPDATE views SET key = NULL WHERE user = ? AND key = ?", (self._db.user, key)
        )


def _read(database: Connection, user: str) -> tuple[SavedView, ...]:
    rows = database.execute(
        f"SELECT {_COLUMNS} FROM views WHERE user = ? ORDER BY position, row",  # noqa: S608
        (user,),
    )
    return tuple(SavedView(*row) for row in rows)


def _row(database: Connection, user: str, name: str) -> tuple[str, str, str | None] | None:
    found: tuple[str, str, str | None] | None = database.execute(
        f"SELECT {_COLUMNS} FROM views WHERE user = ? AND folded = ?",  # noqa: S608
        (user, fold_case(" ".join(name.split()))),
    ).fetchone()
    return found


def _find(database: Connection, user: str, name: str) -> SavedView:
    row = _row(database, user, name)
    if row is not None:
        return SavedView(*row)
    known = [view.name for view in _read(database, user)]
    if meant := close_matches(name, known):
        hint = f"Did you mean {' or '.join(meant)}?"
    else:
        hint = "`todo-tui views` lists them." if known else "None has been saved yet."
    raise NotFound(f"There is no view “{name[:60]}”.", hint=hint)
