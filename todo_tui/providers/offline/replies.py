"""Texts of the assistant as Markdown; titles in them are never markup."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from todo_tui.domain.when import When
from todo_tui.providers.offline.tool_results import Item, Seen

MOST_SHOWN = 25
"""Lines of a list in an answer; the task list beside it has the rest."""
MOST_NAMED = 3
"""Tasks that a sentence names one by one."""
_ACTIVE = re.compile(r"[\\`*<>\[\]~|]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|!(?=\[)|\$(?=\$)")
_LEADING = re.compile(r"^(\s*\d{0,9})((?<!\d)[-+#=]|(?<=\d)[.)](?=\s|$))")
HELP = """Just say what you want, for example:

- add buy milk tomorrow 5pm and call mom on friday
- what's due this week? · what should I do first? · anything overdue?
- I called mom · mark the report as done · done #3
- move the dentist to friday 9am · postpone the report by a week
- rename "Buy milk" to "Buy oat milk" · make it high priority · tag it with home
- put milk in project errands · add a note to the dentist: bring the card
- make rent repeat every month · skip this week's gym · pause yoga until january
- find anything about the report · end rent after december · swap milk and bread
- add subtasks to plan party: cake and music · #3 waits for #2 · put #3 before #1
- show me only work tasks sorted by priority · group by project · why is the rent first?
- delete the dentist task · undo that

I am the built-in assistant: I work offline, by rules, and only know about your to-do list."""
MODEL = (
    "To talk to a language model, set a key such as GROQ_API_KEY or GEMINI_API_KEY, or run Ollama, "
    "then press Ctrl+T to switch, or F2 to pick one. Your list stays the same."
)
DECLINE = (
    "That is beyond me: I am the built-in assistant and only look after your to-do list. "
    "Try “add buy milk tomorrow” or “what's due this week?”. For anything else, connect a model: "
    "set GROQ_API_KEY or run Ollama, then press Ctrl+T or F2."
)
EXPORT = (
    "I cannot write files. In the shell, `todo-tui export --output tasks.md` does it, also as "
    "JSON, CSV, todo.txt, iCalendar or for Taskwarrior."
)
IMPORT = (
    "I cannot read files. In the shell, `todo-tui import FILE` does it and knows JSON, CSV, "
    "todo.txt, Markdown, iCalendar and Taskwarrior; `--dry-run` shows first what would come of it."
)
TALK = {
    "hello": "Hello! I look after your to-do list. Try “add buy milk tomorrow 5pm” or “what's due "
    "this week?”.",
    "how": "All fine here, thank you. What shall we get done? “What should I do next?” is a good "
    "start.",
    "thanks": "You're welcome!",
    "bye": "Goodbye! Your list is saved.",
    "fine": "Good. Tell me when there is something to add or to tick off.",
    "nothing": "All right, nothing was changed.",
    "sorry": "No problem. Nothing is lost: “undo that” takes back the last change.",
    "joke": "I only know to-do lists, and those are funny enough. What shall we tick off?",
    "feeling": "I hear you. Ask “what should I do next?” and take one thing at a time.",
    "who": (
        "I am the built-in assistant of todo-tui: rules, no language model, and nothing leaves "
        f"this machine. I add, find, change and complete tasks. {MODEL}"
    ),
    "model": MODEL,
}
REGRETTED = (
    "I asked nothing, so I leave all as it is. “Undo that” takes back what was changed last."
)
_TOPICS: tuple[tuple[str, str], ...] = (
    (
        r"sub-?task|break (?:down|up)|split|nest|parent|child",
        "Say “add subtasks to plan party: cake, music and guests”, “make #5 a subtask of #2” or "
        "“move the trip and everything under it to #travel”. Completing a task asks about its "
        "open subtasks.",
    ),
    (
        r"block|depend|wait for|blocker",
        "Say “#3 waits for #2” or “block pay rent until call bank”; “what blocks #3?” tells, and "
        "“unblock #3” sets it free.",
    ),
    (
        r"skip|series|pause",
        "Say “skip this week's gym”, “skip the next two gym” or “pause gym until january” to go on "
        "to a later date; “end gym after december” or “stop repeating gym” to let it end.",
    ),
    (
        r"empty (?:the )?trash|purge",
        "Press P on a task in the trash view, or run `todo-tui purge --all` in the shell.",
    ),
    (r"import", IMPORT),
    (r"export|back ?up", EXPORT),
    (
        r"sort|order|group by|reorder|rearrange|top of the list|swap",
        "Say “show my tasks sorted by priority”, “group by project”, “put #3 before #1” or “move "
        "milk to the top”.",
    ),
    (
        r"saved view|views?$|save (?:a |the )?filter",
        "Say “show me only work tasks due this week”; the filter box then holds that filter, and "
        "Ctrl+S there saves it as a view. “show view work” opens it again.",
    ),
    (
        r"undo|revert|take back|go back|restore|recover",
        "Say “undo that”; again, to go further back. “redo” brings it back. In the list, u and "
        "U do the same.",
    ),
    (
        r"delet|remov|trash|get rid|drop",
        "Say “delete the dentist task” or “delete #3”; in the list, press d. It goes to the "
        "trash and “undo that” brings it back.",
    ),
    (
        r"renam|title|chang\w* the name|reword",
        "Say “rename Buy milk to Buy oat milk”; in the list, press e.",
    ),
    (
        r"repeat|recur|every\b|weekly|daily|monthly",
        "Say “make the rent repeat every month”, or add it so: “add take out trash every monday "
        "8pm”. “Stop repeating the rent” ends it.",
    ),
    (
        r"reschedul|postpone|mov|due|date|deadline|snooze",
        "Say “move the dentist to friday 9am”, “postpone the report by a week” or “remove the "
        "due date from the plants”.",
    ),
    (
        r"priorit|important|urgent",
        "Say “set the report to high priority” or “lower the priority of the rent”. When "
        "adding, !high does it.",
    ),
    (
        r"tag|label",
        "Say “tag pay rent with home” or “remove the tag home from pay rent”. When adding, "
        "@home does it.",
    ),
    (
        r"project|group|categor|folder",
        "Say “put milk in project errands”. When adding, #errands does it; “list errands” shows "
        "them.",
    ),
    (r"note|comment", "Say “add a note to the dentist: bring the card”."),
    (
        r"filter|list|show|see|view",
        "Say “what's due this week?”, “show high priority” or “list errands”; in the list, "
        "press / to filter.",
    ),
    (
        r"complet|finish|tick|check|mark|done",
        "Say “I called mom”, “mark the report as done” or “done #3”; in the list, press Space. "
        "“Reopen the report” takes it back.",
    ),
    (r"reopen|uncheck|untick", "Say “reopen the milk task”."),
    (
        r"search|find|look for",
        "Say “find anything about the report”; in the list, press / to filter.",
    ),
    (r"model|groq|gemini|ollama|openai|gpt|claude|llm|connect|provider|\bai\b|key", MODEL),
    (
        r"add|creat|new|remind|put",
        "Say “add buy milk tomorrow 5pm”, or several at once: “add milk, eggs and bread”. In "
        "the list, press a.",
    ),
    (r"quit|exit|close|leave", "Press Ctrl+Q. Everything is saved as you go."),
)


def escaped(text: str) -> str:
    """Text in which no character is markup."""
    return _LEADING.sub(r"\1\\\2", _ACTIVE.sub(r"\\\g<0>", text))


def name(task: Seen) -> str:
    """A task in a sentence: its title, bold."""
    return f"**{escaped(task.title)}**"


def numbered(task: Seen) -> str:
    """A task in a sentence, with its number."""
    return f"{name(task)} (#{task.id})"


def line(task: Seen) -> str:
    """A task in a list: title, due, priority, project, tags, number."""
    parts = [escaped(task.title)]
    if not task.is_open and task.status != "todo":
        parts.append(task.status)
    if when := task.overdue or task.due_words:
        parts.append(when)
    if task.repeat_words:
        parts.append(task.repeat_words)
    if task.blocked:
        parts.append(f"waits for {', '.join(f'#{each}' for each in task.blocked_by)}")
    if task.progress:
        parts.append(task.progress)
    if task.priority:
        parts.append(f"{task.priority} priority")
    if task.project:
        parts.append(f"#{escaped(task.project)}")
    parts += [f"@{escaped(tag)}" for tag in task.tags]
    return f"- {' · '.join(parts)} (#{task.id})"


def lines(tasks: Sequence[Seen], total: int | None = None) -> str:
    """A Markdown list of tasks; says how many more there are than it shows."""
    shown = tasks[:MOST_SHOWN]
    more = (len(tasks) if total is None else total) - len(shown)
    rows = [line(task) for task in shown]
    if more > 0:
        rows.append(f"- …and {more:,} more")
    return "\n".join(rows)


def names(tasks: Sequence[Seen], joint: str = "and", *, ids: bool = False) -> str:
    """Tasks in a sentence: `**A**, **B** and **C**`."""
    each = [numbered(task) if ids else name(task) for task in tasks]
    if len(each) < 2:
        return "".join(each)
    return f"{', '.join(each[:-1])} {joint} {each[-1]}"


def tasks_word(number: int, kind: str = "") -> str:
    """`1 task`, `5 open tasks`."""
    words = f"{kind} " if kind else ""
    return f"{number:,} {words}task{'' if number == 1 else 's'}"


def facts(task: Seen, known: Mapping[int, Seen] = MappingProxyType({})) -> str:
    """What a task has, in words: due, repeat, priority, project, tags.

    Its parent is named by its title where it is `known`.
    """
    parts = []
    if task.due_words:
        parts.append(f"due {task.due_words}" + (f", {task.overdue}" if task.overdue else ""))
    if task.repeat_words:
        parts.append(f"repeats {task.repeat_words}")
    if task.parent:
        parent = known.get(task.parent)
        parts.append(f"part of {numbered(parent) if parent else f'#{task.parent}'}")
    if task.progress:
        parts.append(f"subtasks: {task.progress}")
    if task.blocked:
        parts.append(f"waits for {', '.join(f'#{each}' for each in task.blocked_by)}")
    if task.priority:
        parts.append(f"{task.priority} priority")
    if task.project:
        parts.append(f"in project {escaped(task.project)}")
    if task.tags:
        parts.append("tagged " + ", ".join(escaped(tag) for tag in task.tags))
    return ", ".join(parts)


def days(moments: Sequence[When], now: datetime) -> str:
    """Moments in a sentence: `tomorrow 17:00, Fri 4 Dec 17:00 and 1 Jan 2027`; `now` is local."""
    from todo_tui.domain.dates.text import format_when

    words = [format_when(each, now) for each in moments]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1] if words else "")))


def quoted(words: str) -> str:
    """The person's words, in quotes, as text and not too long."""
    plain = " ".join(words.split()).rstrip(".")
    return f"“{escaped(plain if len(plain) <= 80 else plain[:79] + '…')}”"


def sentence(remark: str) -> str:
    """A remark of the date grammar as a sentence of its own, as text."""
    plain = escaped(remark.strip())
    return f"{plain[:1].upper()}{plain[1:].rstrip('.')}."


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a deed: the tasks as they are now, with the tool's word on each."""

    tasks: Sequence[Seen]
    items: Sequence[Item]
    value: str
    now: datetime
    """The present moment, as a local time."""
    other: Sequence[Seen] = ()
    along: int = 0
    """How many subtasks went along."""
    count: int = 0
    """How many tasks it was done to, where not all of them are told."""

    @property
    def who(self) -> str:
        """The tasks by name, or how many they are."""
        if max(len(self.tasks), self.count) > MOST_NAMED:
            return tasks_word(self.count or len(self.tasks))
        return names(self.tasks)

    @property
    def family(self) -> str:
        """Those subtasks in words, empty where there are none."""
        if not self.along:
            return ""
        whose = "its" if len(self.tasks) == 1 else "their"
        return f" with {whose} {self.along:,} subtask{'' if self.along == 1 else 's'}"

    @property
    def are(self) -> str:
        """`is` of one task, `are` of more."""
        return "is" if len(self.tasks) == 1 else "are"

    @property
    def have(self) -> str:
        """`has` of one task, `have` of more."""
        return "has" if len(self.tasks) == 1 else "have"


def completed_told(done: Done) -> str:
    """What is done, what comes round again and what is free now."""
    nexts = [item.next for item in done.items if item.next and item.next.due_words]
    again = "".join(f" {name(each)} comes round again {each.due_words}." for each in nexts)
    free = [task for item in done.items for task in item.unblocked]
    if free:
        again += f" Nothing blocks {names(free[:MOST_NAMED])} any more."
    return f"Done: {done.who}{done.family}.{again}"


def deleted_told(done: Done) -> str:
    """What went into the trash, and how it comes back."""
    them = "it" if len(done.tasks) == 1 and not done.along else "them"
    return f"Deleted {done.who}{done.family}. “Undo that” brings {them} back."


def due_told(done: Done) -> str:
    """When the tasks are due now."""
    first = done.tasks[0]
    if len({task.due_words for task in done.tasks}) > 1:
        return f"Moved {done.who}:\n\n{lines(done.tasks)}"
    if not first.due_words:
        return f"{done.who} {done.have} no due date any more."
    late = f" ({first.overdue})" if first.overdue else ""
    return f"{done.who} {done.are} now due {first.due_words}{late}."


def weighed_told(done: Done) -> str:
    """Which priority they have now."""
    if len({task.priority for task in done.tasks}) > 1:
        return f"Changed the priority of {done.who}."
    return f"{done.who} {done.have} {done.tasks[0].priority or 'no'} priority now."


def tagged_told(done: Done) -> str:
    """Which tags they were given."""
    return f"{done.who} {done.are} tagged {done.value.replace(',', ', ')} now."


def started_told(done: Done) -> str:
    """Until when they are hidden."""
    if done.value == "none":
        return f"{done.who} {done.are} hidden no more."
    return f"{done.who} {done.are} hidden until {done.value}."


def filed_told(done: Done) -> str:
    """In which project they are now."""
    if done.value == "none":
        return f"{done.who} {done.are} in no project any more."
    return f"{done.who} {done.are} in project {done.value.lstrip('#')} now."


def noted_told(done: Done) -> str:
    """What was noted."""
    if not done.value:
        return f"{done.who} {done.have} no notes any more."
    return f"Noted on {done.who}: {done.value}"


def nested_told(done: Done) -> str:
    """What they are part of now."""
    if not done.other:
        return f"{done.who} {done.are} part of no other task any more."
    return f"{done.who} {done.are} part of {numbered(done.other[0])} now."


def blocked_told(done: Done) -> str:
    """What they wait for now."""
    waits = "waits" if len(done.tasks) == 1 else "wait"
    return f"{done.who} {waits} for {names(done.other, ids=True)} now."


def unblocked_told(done: Done) -> str:
    """What they still wait for."""
    left = sorted({each for task in done.tasks for each in task.blocked_by})
    if left:
        waits = "waits" if len(done.tasks) == 1 else "wait"
        return f"{done.who} still {waits} for {', '.join(f'#{each}' for each in left)} only."
    return f"{done.who} {'waits' if len(done.tasks) == 1 else 'wait'} for nothing any more."


def placed_told(done: Done) -> str:
    """Where they stand in the manual order."""
    if done.other:
        word = done.value.split(" ", 1)[0].casefold()
        return f"{done.who} {done.are} right {word} {name(done.other[0])} now."
    end = "top" if done.value == "top" else "bottom"
    dated = any(task.due for task in done.tasks)
    but = " Where tasks have dates, the list still goes by those." if dated else ""
    return f"{done.who} {done.are} at the {end} of the manual order now.{but}"


def skipped_told(done: Done) -> str:
    """How far was skipped, and the date that comes."""
    extent = "" if done.value == "missed" else f" {done.value.replace('until in ', 'for ')}"
    return "\n\n".join(
        f"Skipped{extent.rstrip()}: {name(task)} is now due {task.due_words}."
        for task in done.tasks
    )


def repeat_told(done: Done) -> str:
    """How they repeat now, with the dates to come."""
    first = done.tasks[0]
    one = len(done.tasks) == 1
    if not first.repeat_words:
        return f"{done.who} {'does' if one else 'do'} not repeat any more."
    following = f", next {first.due_words}" if first.due_words else ""
    if first.next_dates:
        following += f", then {days(first.next_dates[:2], done.now)}"
    return f"{done.who} {'repeats' if one else 'repeat'} {first.repeat_words}{following}."


def talk(kind: str, deed: str) -> str:
    """The answer to small talk; a no after a deed wants that deed taken back, perhaps."""
    regretted = kind == "nothing" and deed not in ("", "ask", "list", "undo", "redo")
    return REGRETTED if regretted else TALK[kind]


def help_on(topic: str) -> str | None:
    """How to do what was asked about; None where that is unknown."""
    words = topic.casefold()
    return next(
        (text for pattern, text in _TOPICS if re.search(rf"(?<!\w)(?:{pattern})", words)), None
    )
