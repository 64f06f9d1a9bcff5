"""Completion classes for bash, zsh and fish, in place of click's, which do not quote names."""

import os
import re
import shlex

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from todo_tui.domain.text import plain_line

SHELLS = ("bash", "zsh", "fish")
_MENU_TYPES = ("37", "42")
"""Values of COMP_TYPE with which bash inserts what is listed, which must not be explained."""
_EXPANDED = frozenset('$`"\\!')
"""Characters that mean something to bash within double quotes."""


class _WholeWordComplete(ShellComplete):
    """Completion by whole words that a shell and a terminal can take as they are."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
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


@add_completion_class
class _BashComplete(_WholeWordComplete, BashComplete):
    """Completion for bash that quotes words, and knows `#project`, `@tag` and `key:value`.

    bash inserts completions unquoted, and click's script does not quote them either. bash
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
        word = os.environ["COMP_WORD"]
        if not quote:
            word = re.sub(r"\\(.?)", r"\1", word)
        prefix = words[-1].removesuffix(word)
        # What stays on the line must be the text that it looks like, not `$(` or a variable.
        if not words[-1].endswith(word) or not _EXPANDED.isdisjoint(prefix):
            return ""
        replies: dict[str, CompletionItem[str]] = {}
        for item in self.get_completions(words[1:-1], words[-1]):
            if item.type != "plain":
                replies[item.value] = item
            elif item.value.startswith(prefix):
                reply = _quote_for_bash(item.value.removeprefix(prefix), quote)
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


@add_completion_class
class _ZshComplete(_WholeWordComplete, ZshComplete):
    """Completion for zsh that completes the file of `--output=file`."""

    source_template = ZshComplete.source_template.replace(
        "_path_files -f", "compset -P '-*='; _path_files -f"
    )


@add_completion_class
class _FishComplete(_WholeWordComplete, FishComplete):
    """Completion for fish that keeps commas in titles, and completes behind an open quote.

    fish quotes what it is given, but for a tilde in front.
    """

    source_template = FishComplete.source_template.replace('split ","', 'split -m1 ","')

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, the last one apart."""
        words, _ = _split_line(os.environ["COMP_WORDS"])
        return words[1:-1], words[-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
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
