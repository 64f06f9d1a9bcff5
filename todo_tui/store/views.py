"""Saved views of a user."""

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from sqlite3 import Connection

from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.filters.lexer import FilterNames, FilterProblem
from todo_tui.domain.filters.terms import Query
from todo_tui.domain.filters.views import (
    SavedView,
    clean_view_key,
    clean_view_name,
    clean_view_text,
)
from todo_tui.domain.text import fold_case, similar
from todo_tui.store.database import Repository


class ViewStore(Repository):
    """Saved views of one user, in the user's order; names are unique ignoring case.

    Methods raise NotFound for the name of no view, and ValidationError for a name, key or filter
    that cannot be used. Writes raise StoreError if the file cannot be written; then nothing was
    stored.
    """

    def list(self) -> tuple[SavedView, ...]:
        """Return all views in the user's order."""
        with self._db.file.reading() as database:
            return tuple(self._read(database))

    def get(self, name: str) -> SavedView:
        """Return the view of that name, ignoring case."""
        return _find(self.list(), name)

    def save(self, name: str, filter_text: str, *, key: str | None = None) -> SavedView:
        """Create a view at the end, or overwrite the view of that name in its place.

        A key of another view moves to this one. Without a key an existing view keeps its own.
        """
        view = SavedView(clean_view_name(name), clean_view_text(filter_text), clean_view_key(key))
        with self._rewriting() as views:
            present = _named(views, view.name)
            if present is None:
                views.append(view)
            else:
                view = replace(view, key=view.key or present.key)
                views[views.index(present)] = view
            self.parse(view.filter_text, FilterNames(views=_texts(views)))
            _free_key(views, view)
        return view

    def rename(self, name: str, new_name: str) -> SavedView:
        """Rename a view.

        Raises:
            Conflict: another one has the new name.
        """
        return self.replace(name, lambda present: replace(present, name=new_name))

    def set_key(self, name: str, key: str | None) -> SavedView:
        """Assign a key, taking it from another view if necessary; None removes the key."""
        return self.replace(name, lambda present: replace(present, key=key))

    def replace(self, name: str, edit: Callable[[SavedView], SavedView]) -> SavedView:
        """Replace a view, in its place, by what `edit` makes of it.

        Raises:
            Conflict: another one has the new name.
        """
        with self._rewriting() as views:
            present = _find(views, name)
            edited = edit(present)
            view = SavedView(
                clean_view_name(edited.name),
                clean_view_text(edited.filter_text),
                clean_view_key(edited.key),
            )
            if _named(views, view.name) not in (None, present):
                raise Conflict(f"View “{view.name}” already exists.", hint="Choose another name.")
            views[views.index(present)] = view
            if view.filter_text != present.filter_text:
                self.parse(view.filter_text, FilterNames(views=_texts(views)))
            _free_key(views, view)
        return view

    def reorder(self, names: Sequence[str]) -> tuple[SavedView, ...]:
        """Move these views to the front, in this order; the others keep their order."""
        with self._rewriting() as views:
            views[:] = dict.fromkeys((*(_find(views, name) for name in names), *views))
        return tuple(views)

    def delete(self, name: str) -> SavedView:
        """Delete a view, but no tasks; return the deleted view."""
        with self._rewriting() as views:
            present = _find(views, name)
            views.remove(present)
        return present

    def problem_of(self, view: SavedView) -> str:
        """Return why a view's filter can no longer be parsed; empty if it can."""
        try:
            self.parse(view.filter_text, self.names())
        except FilterProblem as found:
            return found.message
        return ""

    def names(
        self, projects: tuple[str, ...] | None = None, tags: tuple[str, ...] | None = None
    ) -> FilterNames:
        """Return the names that a filter can mention: the views, and projects and tags if given."""
        return FilterNames(projects, tags, _texts(self.list()))

    def names_in(self, text: str) -> FilterNames:
        """Return the names needed to parse a filter: the views, if it mentions any."""
        # Most filters mention no view and need no query.
        return self.names() if "view" in fold_case(text) else FilterNames()

    def parse(self, text: str, names: FilterNames) -> Query:
        """Parse a filter in the user's date style and at the current time.

        Raises:
            FilterProblem: it cannot be read.
        """
        # Deferred: the grammar is large, and listing views does not need it.
        from todo_tui.domain.filters.parser import parse_query

        return parse_query(text, self._db.clock.now(), self._db.style, names)

    def _read(self, database: Connection) -> Iterator[SavedView]:
        rows = database.execute(
            "SELECT name, filter_text, key FROM views WHERE user = ? ORDER BY position, row",
            (self._db.user,),
        )
        return (SavedView(*row) for row in rows)

    @contextmanager
    def _rewriting(self) -> Iterator[builtins.list[SavedView]]:
        """Yield all views, and store them as they are afterwards."""
        with self._db.file.writing() as database:
            views = [*self._read(database)]
            yield views
            database.execute("DELETE FROM views WHERE user = ?", (self._db.user,))
            database.executemany(
                "INSERT INTO views (user, name, folded, filter_text, key, position)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (self._db.user, view.name, fold_case(view.name), view.filter_text, view.key, at)
                    for at, view in enumerate(views, start=1)
                ),
            )


def _texts(views: Iterable[SavedView]) -> dict[str, str]:
    return {view.name: view.filter_text for view in views}


def _free_key(views: list[SavedView], owner: SavedView) -> None:
    for at, view in enumerate(views):
        if view is not owner and view.key == owner.key:
            views[at] = replace(view, key=None)


def _named(views: Iterable[SavedView], name: str) -> SavedView | None:
    wanted = fold_case(" ".join(name.split()))
    return next((view for view in views if fold_case(view.name) == wanted), None)


def _find(views: Sequence[SavedView], name: str) -> SavedView:
    found = _named(views, name)
    if found is not None:
        return found
    if meant := similar(name, (view.name for view in views)):
        hint = f"Did you mean {' or '.join(meant)}?"
    else:
        hint = "`todo-tui views` lists them." if views else "No views saved yet."
    raise NotFound(f"No view named “{name[:60]}”.", hint=hint)
