"""Brain dump: many lines and sentences at once become rows, each a line of quick add.

No word is lost: what is not taken apart stays in a title.
"""

from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.change_words.quick_add import QuickAdd, read_quick_add, split_task_lines
from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import is_verb
from todo_tui.providers.offline.reading.items import split_items

MAX_ROWS = 1_000
PLAIN = "maybe not a task"
"""Mark of a row with neither a date nor a verb."""
_LEAD = regex(
    r"^((and|also|then|oh|ok|so|well|please|first|next|finally)[, ]+(?=(i|we|add"
    r"|remember|don't|do not|remind|to-?do)\b))*((i|we)( still| also| really| just)* (need|have"
    r"|want|ought|got|must|should|gotta)( to)?|(don't|do not) forget( to| about)?|remember( to)?"
    r"|remind me( to| about)?|add( (a|another) (task|reminder|to-?do)( to| for|:)?)?|to-?do:)"
    r" +(?=(?!to$)\w)"
)
"""Words before a task that are no part of its title."""


class DumpRow(NamedTuple):
    """A row as a line of quick add, and what was read of it."""

    text: str
    read: QuickAdd

    @property
    def is_plain(self) -> bool:
        """True for a title with neither a date nor a verb: perhaps no task."""
        first = self.read.title.split(" ")[0].casefold()
        dated = self.read.due or self.read.start or self.read.recurrence
        return not dated and not is_verb(first)


def read_row(text: str, now: datetime, style: DateStyle) -> DumpRow:
    """Read one row."""
    line = " ".join(text.split())
    return DumpRow(line, read_quick_add(line, now, style))


def read_rows(text: str, now: datetime, style: DateStyle) -> tuple[DumpRow, ...]:
    """Split a text into rows: lines, sentences, and things listed in one sentence.

    Raises:
        ValidationError: there are too many rows.
    """

    def title_of(words: str) -> str:
        is_change = read_change_words(words, now, style).changes_something
        return "" if is_change else read_quick_add(words, now, style).title

    rows: list[DumpRow] = []
    lines = split_task_lines(text)
    for sentence in (each for line in lines for each in phrases.sentences(line)):
        for item in split_items(_LEAD.sub("", sentence), title_of):
            rows.append(read_row(_LEAD.sub("", item).rstrip(" .;"), now, style))
            if len(rows) > MAX_ROWS:
                raise ValidationError(
                    f"More than {MAX_ROWS:,} tasks at once.",
                    hint="Write them to a file, and run: todo-tui import FILE",
                )
    return tuple(row for row in rows if row.text)
