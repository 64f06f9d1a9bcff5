"""Wording: the fixed texts of the assistant: help, small talk, how to connect a model."""

from __future__ import annotations

import re

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
