"""Shell completion: values of arguments and options, and the scripts of the shells."""

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from todo_tui.cli.options import TaskScope
from todo_tui.cli.provider_options import all_provider_rows
from todo_tui.cli.session import CliSession
from todo_tui.cli.targets import rows_in_scope
from todo_tui.domain.filters.completion import complete_filter, complete_sign
from todo_tui.domain.filters.lexer import FilterNames
from todo_tui.domain.text import fold_case, plain_line, shorten

Items = list[CompletionItem[str]]
SHELLS = ("bash", "zsh", "fish")
_MAX_ITEMS = 200
_MAX_WIDTH = 60
_ID_LENGTH = 8
"""Characters of the id of a conversation, as lists show it."""
_NAME_KEY = re.compile(r"\w+:")
_MENU_TYPES = ("37", "42")
"""Values of COMP_TYPE with which bash inserts what is listed, which must not be explained."""
_ID = re.compile("#?[0-9a-f]+")
_EXPANDED = frozenset('$`"\\!')
"""Characters that mean something to bash within double quotes."""


def _complete_tasks(session: CliSession, incomplete: str, scope: TaskScope) -> Items:
    """Return the ids of tasks in the scope, explained by their titles."""
    mark = "#" if incomplete.startswith("#") else ""
    digits = incomplete.removeprefix("#")
    if not _has_store(session) or (digits and not digits.isdecimal()):
        return []
    rows = {str(row.id): row.title for row in rows_in_scope(session.store, scope)}
    found = [(f"{mark}{each}", rows[each]) for each in rows if each.startswith(digits)]
    return _explained(found[:_MAX_ITEMS], are_ids=True)


def _complete_filter(session: CliSession, incomplete: str) -> Items:
    """Return the words of the filter language, and projects, tags and views."""
    names = session.store.filter_names() if _has_store(session) else FilterNames()
    found = complete_filter(incomplete, len(incomplete), names).candidates
    key = _NAME_KEY.match(incomplete)
    return [
        # `project:home` as it was begun, not `#home`, which means the same.
        CompletionItem(
            f"{key[0]}{each.text[1:]}" if key and each.text[0] in "#@" else each.text,
            help=each.about or None,
        )
        for each in found
    ]


def _complete_signs(session: CliSession, incomplete: str) -> Items:
    """Return `#project` and `@tag` for quick add."""
    if not incomplete.startswith(("#", "@")) or not _has_store(session):
        return []
    names = session.store.filter_names()
    found = complete_sign(incomplete, len(incomplete), names).candidates
    return [CompletionItem(each.text) for each in found]


def _complete_projects(session: CliSession, incomplete: str) -> Items:
    names = session.store.filter_names().projects_and_above if _has_store(session) else ()
    return _matching(incomplete, [(each, "") for each in names])


def _complete_tags(session: CliSession, incomplete: str) -> Items:
    names = session.store.tasks.tags() if _has_store(session) else ()
    return _matching(incomplete, [(each, "") for each in names])


def _complete_views(session: CliSession, incomplete: str, *built_in: str) -> Items:
    saved = session.store.views.list() if _has_store(session) else ()
    names = {view.name: view.filter_text for view in saved}
    found = [*names.items(), *((each, "Built-in view") for each in built_in if each not in names)]
    return _matching(incomplete, found)


def _complete_providers(session: CliSession, incomplete: str) -> Items:
    rows = all_provider_rows(session.settings)
    return _matching(incomplete, [(row.id, row.label) for row in rows if not row.hidden])


def _complete_conversations(session: CliSession, incomplete: str) -> Items:
    entries = session.store.conversations.list(_MAX_ITEMS) if _has_store(session) else ()
    wanted = incomplete.lower()
    found = [(each.id[:_ID_LENGTH], each.title) for each in entries]
    return _explained((each for each in found if each[0].startswith(wanted)), are_ids=True)


def _complete_files(session: CliSession, incomplete: str) -> Items:
    return [CompletionItem(incomplete, type="file")]


COMPLETERS: Mapping[str, Callable[..., Items]] = {
    "tasks": _complete_tasks,
    "filter": _complete_filter,
    "signs": _complete_signs,
    "projects": _complete_projects,
    "tags": _complete_tags,
    "views": _complete_views,
    "providers": _complete_providers,
    "conversations": _complete_conversations,
    "files": _complete_files,
}
"""By name, for `todo_tui.cli.options.complete_with`."""


def _has_store(session: CliSession) -> bool:
    """Return True if there is a database; completion creates none."""
    return session.settings.db.exists()


def _matching(incomplete: str, found: Iterable[tuple[str, str]]) -> Items:
    wanted = fold_case(incomplete)
    return _explained((value, text) for value, text in found if fold_case(value).startswith(wanted))


def _explained(found: Iterable[tuple[str, str]], *, are_ids: bool = False) -> Items:
    return [
        CompletionItem(
            value,
            help=shorten(plain_line(text), _MAX_WIDTH) or None,
            # The database may come from elsewhere, with anything for an id.
            is_id=are_ids and bool(_ID.fullmatch(value)),
        )
        for value, text in found
    ]


class _WholeWordComplete(ShellComplete):
    """Completion by whole words that a shell and a terminal can take as they are."""

    def get_completions(self, args: list[str], incomplete: str) -> Items:
        """Return the completions of the word: `--project=home` for `--project=ho`.

        Words that a terminal does not show as they are, such as those with control characters,
        are left out.
        """
        items = super().get_completions(args, incomplete)
        option, sign, _ = incomplete.partition("=")
        if sign and option.startswith("-"):
            for item in items:
                if item.type == "plain":
                    item.value = f"{option}={item.value}"
        return [
            item for item in items if item.type != "plain" or plain_line(item.value) == item.value
        ]


class _BashComplete(_WholeWordComplete, BashComplete):
    """Completion for bash that quotes words, and knows `#project`, `@tag` and `key:value`.

    bash inserts what it is given as it is; click's script leaves the quoting to nobody. bash
    also splits words at `@`, `:` and `=`, and only what is behind these is replaced. Ids are
    listed with their titles, as bash has no other place for these.
    """

    source_template = """\
%(complete_func)s() {
    local IFS= line
    COMPREPLY=()
    while read -r line; do
        case $line in
            file,*) compopt -o default 2>/dev/null ;;
            dir,*) compopt -o dirnames 2>/dev/null ;;
            plain,*:)
                COMPREPLY+=("${line#plain,}")
                compopt -o nospace 2>/dev/null
                ;;
            plain,*) COMPREPLY+=("${line#plain,}") ;;
        esac
    done < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORD="$2" COMP_TYPE="$COMP_TYPE" \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
}

complete -o nosort -F %(complete_func)s %(prog_name)s 2>/dev/null ||
    complete -F %(complete_func)s %(prog_name)s
"""

    def source(self) -> str:
        """Return the script; works in bash 3.2 too, so that no version is checked."""
        return self.source_template % self.source_vars()

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, the last one apart."""
        words, _ = _split_line(os.environ["COMP_LINE"])
        return words[1:-1], words[-1]

    def complete(self) -> str:
        """Return a line for each completion, which replaces COMP_WORD."""
        words, quote = _split_line(os.environ["COMP_LINE"])
        typed = os.environ["COMP_WORD"]
        if not quote:
            typed = re.sub(r"\\(.?)", r"\1", typed)
        before = words[-1].removesuffix(typed)
        # What stays on the line must be the text that it looks like, not `$(` or a variable.
        if not words[-1].endswith(typed) or not _EXPANDED.isdisjoint(before):
            return ""
        replies: dict[str, CompletionItem[str]] = {}
        for item in self.get_completions(words[1:-1], words[-1]):
            if item.type != "plain":
                replies[item.value] = item
            elif item.value.startswith(before):
                reply = _quote_for_bash(item.value.removeprefix(before), quote)
                if reply is not None:
                    replies[reply] = item
        width = max(map(len, replies), default=0)
        is_list = len(replies) > 1 and os.environ["COMP_TYPE"] not in _MENU_TYPES
        # bash inserts what all lines begin with: never an explanation, as ids differ.
        return "\n".join(
            f"{item.type},{reply:<{width}}  ({item.help})"
            if is_list and item.is_id and item.help
            else f"{item.type},{reply}"
            for reply, item in replies.items()
        )


class _ZshComplete(_WholeWordComplete, ZshComplete):
    """Completion for zsh that completes the file of `--output=file`."""

    source_template = ZshComplete.source_template.replace(
        "_path_files -f", "compset -P '-*='; _path_files -f"
    )


class _FishComplete(_WholeWordComplete, FishComplete):
    """Completion for fish that keeps commas in titles, and completes behind an open quote.

    fish quotes what it is given, but for a tilde in front.
    """

    source_template = FishComplete.source_template.replace('split ","', 'split -m1 ","')

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, the last one apart."""
        words, _ = _split_line(os.environ["COMP_WORDS"])
        return words[1:-1], words[-1]

    def get_completions(self, args: list[str], incomplete: str) -> Items:
        """Return the completions without those that fish would expand."""
        items = super().get_completions(args, incomplete)
        return [item for item in items if not item.value.startswith("~")]


def _split_line(line: str) -> tuple[list[str], str]:
    """Return the words of a command line, the last one unfinished, and the quote open there."""
    # With a letter at the end, blanks and quotes there belong to the last word.
    lexer = shlex.shlex(f"{line}x", posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    quote = ""
    try:
        words.extend(lexer)
    except ValueError:
        words.append(lexer.token)
        quote = str(lexer.state)  # type: ignore[attr-defined]  # missing in typeshed
    return [*words[:-1], words[-1][:-1]], quote


def _quote_for_bash(text: str, quote: str) -> str | None:
    """Return the text as it is typed within that open quote; None if it cannot be."""
    if quote == "'":
        # bash adds the closing quote, but not behind a quote.
        return text.replace("'", r"'\''").removesuffix("'")
    if quote:
        return text if _EXPANDED.isdisjoint(text) else None
    return re.sub(r"[^\w%+,./:=@-]", r"\\\g<0>", text)


def add_completion_classes() -> None:
    """Let click use these classes in place of its own."""
    for each in (_BashComplete, _ZshComplete, _FishComplete):
        add_completion_class(each)


def silence_errors() -> None:
    """Let nothing reach the command line that is being typed but completions."""
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - stays open
