"""What the built-in assistant says to questions about itself and the app, by topics."""

import re

_ONLY_TASKS = (
    "only know about your to-do list. I can also answer from documents you add with `/attach PATH`."
)
_WITH_DOCUMENTS = (
    "know about your to-do list and your documents: “how much is the deposit?” is answered with "
    "the sentence that says it."
)
HELP = f"""Just say what you want, for example:

- add buy milk tomorrow 5pm and call mom on friday
- what's due this week? · what should I do first? · plan my day · weekly review
- I called mom · mark the report as done · complete #3 and its subtasks
- move the dentist to friday 9am · postpone the report by a week
- rename "Buy milk" to "Buy oat milk" · make it high priority · tag it with home
- put milk in project errands · add a note to the dentist: bring the card
- make rent repeat every month · skip this week's gym · stop repeating yoga
- add subtasks to plan party: cake and music · #3 waits for #2 · what blocks #3?
- show work tasks sorted by priority · group by project · find anything about the report
- cancel the dentist · delete the dentist · undo

I am the built-in assistant: I work offline, by rules, and {_ONLY_TASKS}"""
MODEL = (
    "To talk to a language model, set a key such as GROQ_API_KEY or GEMINI_API_KEY, or run Ollama. "
    "Then choose it: Ctrl+T or F2 in the app, `--provider ID` in the shell. Your list stays the "
    "same."
)
EXPORT = (
    "I can't write files. Run `todo-tui export --plain --output tasks.md` in the shell; it also "
    "writes JSON, CSV, todo.txt, iCalendar and Taskwarrior files."
)
IMPORT = (
    "I can't read files. Run `todo-tui import FILE` in the shell; it reads JSON, CSV, todo.txt, "
    "Markdown, iCalendar and Taskwarrior files. `--dry-run` shows a preview."
)
APP = {
    "calendar": "In the app, `/calendar` opens the calendar.",
    "statistics|stats": "In the app, `/stats` shows what you completed by day; in the shell, "
        "`todo-tui stats`.",
    "usage|costs?|tokens": "In the app, `/usage` shows tokens and cost; in the shell, `todo-tui "
        "usage`.",
    "settings?|preferences|config(?:uration)?": "In the app, `/settings` lists all settings; in "
        "the shell, `todo-tui config`.",
    "themes?|(?:dark|light) (?:mode|theme)|colou?rs?(?: scheme)?": "In the app, F9 shows all "
        "themes, each as it will look.",
    "(?:keyboard )?shortcuts?|key ?bindings?|hotkeys?": "In the app, F1 lists the keyboard "
        "shortcuts; `/settings` changes them.",
    "new (?:conversation|chat)": "In the app, `/new` starts a new conversation.",
    "(?:old )?(?:conversations?|chats?|chat history)": "In the app, `/conversations` lists your "
        "conversations: to search, open, rename and delete them.",
}  # fmt: skip
"""Screens and commands of the app, by the words for them."""
TOPICS = {
    r"sync|google|outlook|caldav|cloud|phone":
        "The list stays on this computer; todo-tui does not sync. `todo-tui export --format "
        "icalendar` writes files for calendars, and `todo-tui import` reads theirs.",
    **APP,
    r"sub-?task|break (?:down|up)|split|nest|parent|child|(?:bits|steps|parts|pieces)\b|inside":
        "Say “add subtasks to plan party: cake, music and guests”, “make #5 a subtask of #2” or "
        "“complete #2 and its subtasks”. “Make #5 a top-level task” moves it out.",
    r"block|depend|wait for|blocker":
        "Say “#3 waits for #2” or “block pay rent until call bank”. “What blocks #3?” lists its "
        "blockers, “unblock #3” removes them.",
    r"skip|series|pause":
        "Say “skip this week's gym” to go to its next date, or “stop repeating gym” to end the "
        "recurrence.",
    r"(?:empty|clear|erase) (?:the |my )?(?:trash|bin)|purge":
        "To delete permanently, press P on a task in the trash view, or run `todo-tui purge --all`"
        " in the shell.",
    r"import": IMPORT,
    r"export|back ?up": EXPORT,
    r"sort|order|group by|reorder|rearrange|top of the list|swap":
        "Say “show my tasks sorted by priority” or “group by project”. In the list, move a task "
        "with J and K.",
    r"saved view|views?$|save (?:a |the )?filter":
        "In the list, press / to filter, then Ctrl+S to save the filter as a view.",
    r"understand|natural|in words|type (?:it|them|dates)|formats?\b":
        "Write dates as you would say them: “tomorrow 5pm”, “next tuesday”, “in 2 weeks”, “the "
        "15th”, “every monday 9am”.",
    r"undo|revert|(?:take|get|bring) (?:\w+ )?back|go back|mistake|accident|for good|restore"
    r"|recover":
        "Say “undo”, again to undo more, or “redo”. In the list, press u or U. Deleted tasks stay "
        "in the trash: “restore the dentist” brings one back.",
    r"delet|remov|trash|get rid|drop":
        "Say “delete the dentist task” or “delete #3”; in the list, press d. Deleted tasks go to "
        "the trash: “undo” or “restore the dentist” brings them back.",
    r"cancel|call off":
        "Say “cancel the dentist”. A recurring task skips this occurrence. “Reopen the dentist” "
        "brings it back.",
    r"renam|title|chang\w* the name|reword":
        "Say “rename Buy milk to Buy oat milk”; in the list, press e.",
    r"repeat|recur|every\b|weekly|daily|monthly":
        "Say “make the rent repeat every month”, or “add take out trash every monday "
        "8pm”. “Stop repeating the rent” ends it.",
    r"reschedul|postpone|mov|due|date|deadline|snooze":
        "Say “move the dentist to friday 9am”, “postpone the report by a week” or “remove the due "
        "date from the plants”.",
    r"priorit|important|urgent":
        "Say “set the report to high priority” or “lower the priority of the rent”. To a new task, "
        "add !high.",
    r"tag|label":
        "Say “tag pay rent with home” or “remove the tag home from pay rent”. To a new task, add "
        "@home.",
    r"project|group|categor|folder":
        "Say “put milk in project errands”. To a new task, add #errands; “list errands” shows the "
        "project.",
    r"note|comment": "Say “add a note to the dentist: bring the card”.",
    r"filter|list|show|see|view":
        "Say “what's due this week?”, “show high priority” or “list errands”; in the list, press /"
        " to filter.",
    r"complet|finish|tick|check|mark|done":
        "Say “I called mom”, “mark the report as done” or “done #3”; in the list, press Space. "
        "“Reopen the report” reopens the task.",
    r"reopen|uncheck|untick": "Say “reopen the milk task”.",
    r"search|find|look for":
        "Say “find anything about the report”; in the list, press / to filter.",
    r"model|groq|gemini|ollama|openai|gpt|claude|llm|connect|provider|\bai\b|key": MODEL,
    r"add|creat|new|remind|put":
        "Say “add buy milk tomorrow 5pm”, or several at once: “add milk, eggs and bread”. In the "
        "list, press a.",
    r"quit|exit|close|leave": "Press Ctrl+Q. Everything is saved as you go.",
}  # fmt: skip


def help_text(topic: str) -> str:
    """Return how to do what was asked about, or what can be done."""
    words = topic.casefold()
    known = (text for pattern, text in TOPICS.items() if re.search(rf"(?<!\w)(?:{pattern})", words))
    return next(known, HELP)


def for_documents(text: str) -> str:
    """Return a help text as it is once there are documents."""
    return text.replace(_ONLY_TASKS, _WITH_DOCUMENTS)
