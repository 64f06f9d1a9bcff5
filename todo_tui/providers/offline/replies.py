"""Texts of the built-in assistant, as Markdown in which titles are never markup."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType

from todo_tui.domain.changes import CHANGE_WORDS, CLOSING_KINDS, ChangeKind, inverted_word
from todo_tui.domain.dates.reader import DayRange
from todo_tui.domain.dates.text import (
    format_day,
    format_when,
    month_name,
    notes_beside,
    weekday_name,
)
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.recurrence.later_occurrences import ComingTask, format_days
from todo_tui.domain.text import format_count, join_words, listed_count, plain_line
from todo_tui.domain.when import When
from todo_tui.providers.offline.help import MODEL, TOPICS
from todo_tui.providers.offline.language.words import ARTICLES
from todo_tui.providers.offline.requests import Change, FoundTasks, Verb
from todo_tui.providers.offline.tool_results import Outcome, ShownTask

MAX_SHOWN = 25
"""Lines of a list in an answer; the task list beside it has the rest."""
_ACTIVE = re.compile(r"[\\`*<>\[\]~|]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|!(?=\[)|\$(?=\$)")
_LEADING = re.compile(r"^(\s*\d{0,9})((?<!\d)[-+#=]|(?<=\d)[.)](?=\s|$))")
_MAX_COMING = 10
"""Recurring tasks that are named below a list."""
_VERBS = {Verb.COMPLETE: "complete", Verb.REOPEN: "reopen", Verb.DELETE: "delete"}
_DEEDS = {"cancelled": "cancel", "skip": "skip"}
"""Verbs of changes that set a state."""


def escaped(text: str) -> str:
    """Text in which no character is markup."""
    return _LEADING.sub(r"\1\\\2", _ACTIVE.sub(r"\\\g<0>", text))


def answered_by(sentence: str, number: int) -> str:
    """Return the sentence of a document that answers a question.

    It is a quotation as all of a document is: those are left out of what a model gets later.
    """
    return f"> **{escaped(sentence)}** [{number}]"


def not_in_documents(place: str, sentence: str, number: int) -> str:
    """Return that no document answers a question, with what comes nearest."""
    return (
        f"Your documents do not seem to say this; nearest, in **{escaped(place)}**:"
        f"\n\n> {escaped(sentence)} [{number}]"
    )


IN_NO_DOCUMENT = "Your documents do not seem to say this."
NOWHERE = "Your documents do not seem to say this, and neither do your tasks."


def name(task: ShownTask) -> str:
    """A task in a sentence: its title, bold."""
    return f"**{escaped(task.title)}**"


def numbered(task: ShownTask) -> str:
    """A task in a sentence, with its number."""
    return f"{name(task)} (#{task.id})"


def line(task: ShownTask) -> str:
    """A task in a list: title, due, priority, project, tags, number."""
    parts = [escaped(task.title)]
    if not task.is_open and task.status != "todo":
        parts.append(task.status)
    elif when := task.overdue or task.due_words:
        parts.append(when)
    if task.repeat_words:
        parts.append(task.repeat_words)
    if task.blocked:
        parts.append(f"blocked by {', '.join(f'#{each}' for each in task.blocked_by)}")
    if task.progress:
        parts.append(task.progress)
    if task.priority:
        parts.append(f"{task.priority} priority")
    if task.estimate:
        parts.append(format_estimate(task.estimate))
    if task.project:
        parts.append(f"#{escaped(task.project)}")
    parts += [f"@{escaped(tag)}" for tag in task.tags]
    return f"- {' · '.join(parts)} (#{task.id})"


def lines(tasks: Sequence[ShownTask], total: int | None = None) -> str:
    """A Markdown list of tasks; says how many more there are than it shows."""
    count = len(tasks) if total is None else total
    shown = tasks[: listed_count(count, MAX_SHOWN)]
    more = count - len(shown)
    rows = [line(task) for task in shown]
    if more > 0:
        rows.append(f"- …and {more:,} more")
    return "\n".join(rows)


def names(tasks: Sequence[ShownTask], joint: str = "and", *, ids: bool = False) -> str:
    """Tasks in a sentence: `**A**, **B** and **C**`."""
    each = [numbered(task) if ids else name(task) for task in tasks]
    return join_words(each, joint)


def facts(
    task: ShownTask,
    known: Mapping[int, ShownTask] = MappingProxyType({}),
    now: datetime | None = None,
) -> str:
    """What a task has, in words: due, repeat, priority, project, tags.

    Its parent and blockers are named by their titles where they are `known`. With `now`, the days
    until then are counted.
    """
    parts = []
    if task.due_words:
        days = (task.due.day - now.date()).days if task.due and now else 0
        ahead = f" (in {days} days)" if days > 1 and task.is_open else ""
        late = f", {task.overdue}" if task.overdue not in ("", task.due_words) else ""
        parts.append(f"due {task.due_words}{ahead}{late}")
    if task.repeat_words:
        parts.append(f"repeats {task.repeat_words}")
    if task.parent:
        parent = known.get(task.parent)
        parts.append(f"subtask of {numbered(parent) if parent else f'#{task.parent}'}")
    if task.progress:
        parts.append(f"subtasks: {task.progress}")
    if task.blocked:
        blockers = [numbered(known[id]) if id in known else f"#{id}" for id in task.blocked_by]
        parts.append(f"blocked by {', '.join(blockers)}")
    if task.priority:
        parts.append(f"{task.priority} priority")
    if task.estimate:
        parts.append(format_estimate(task.estimate))
    if task.project:
        parts.append(f"#{escaped(task.project)}")
    if task.tags:
        parts.append("tagged " + ", ".join(escaped(tag) for tag in task.tags))
    return ", ".join(parts)


def quoted(words: str) -> str:
    """The person's words, in quotes, as text and not too long."""
    plain = " ".join(words.split()).rstrip(".")
    return f"“{escaped(plain if len(plain) <= 80 else plain[:79] + '…')}”"


def sentence(remark: str) -> str:
    """A remark of the date grammar as a sentence of its own, as text."""
    plain = escaped(remark.strip())
    return f"{plain[:1].upper()}{plain[1:].rstrip('.')}."


MAX_NAMED = 3
STATES = {"todo": "open", "doing": "in progress"}
NOT_UNDERSTOOD = "I didn't understand that."
DECLINED = f"{NOT_UNDERSTOOD} Try “add buy milk tomorrow”, or connect a model (F2 in the app)."
WHICH_TASK = "Which task? Use its title or #number."
REVIEW_LEFT = "That left the review. To go on with it, say “weekly review”."
HOW_TO_UNDO = "To undo the last change, say “undo”."
NO_QUESTION = "No question of mine is open. Nothing changed."
NOTHING_CHANGED = "OK, nothing changed."
ALL_CHANGES = "In the app, `/changes` lists all changes."
COMPLETED_TODAY = "It counts as completed today."
UNDO_ALL = (
    "Nothing was changed. Undo and redo take the newest change first, or several: “undo the last 3 "
    f"changes”. {ALL_CHANGES}"
)
TAKEN_BACK = "Part of your message undoes another part. Nothing changed. Send only what to do."
REMINDERS = (
    "Reminders come at the due time, or earlier if you set `reminders.before` (F11 in the app)."
)
TOO_LONG = (
    "Your message is too long for the built-in assistant ({length:,} of {longest:,} characters). "
    "Nothing was changed. Send it in parts, or connect a model (F2 in the app)."
)
STOPPED = "I stopped here: the limit of tool calls for this message is reached."
TALK = {
    "hello": "Hello! Try “add buy milk tomorrow 5pm” or “what's due this week?”.",
    "thanks": "You're welcome!",
    "bye": "Goodbye! Your tasks are saved.",
    "fine": "OK.",
    "nothing": NOTHING_CHANGED,
    "no": NOTHING_CHANGED,
    "no question": NO_QUESTION,
    "reminders": REMINDERS,
    "who": "I am the built-in assistant of todo-tui: rules, no language model, and nothing "
    f"leaves this computer. {MODEL}",
    "decline": DECLINED,
    "project": "A project begins with its first task: say “add book the hall #party”, or “create a "
    "project party with the tasks book the hall and invite friends”.",
    "older undo": "Nothing was changed. “undo” takes back the last change; say it again for the "
    "one before. To take back one older message alone, type `/undo` and a blank in the app: it "
    "lists your messages.",
    "all undo": UNDO_ALL,
    "said": "I can look through tasks and documents, not through what was said. F5 in the app and "
    "`todo-tui conversations list WORDS` in the shell find messages.",
}
SUGGESTIONS = frozenset(re.findall("“(.+?)”", "\n".join([*TOPICS.values(), *TALK.values()])))
"""Messages that answers suggest, between quotation marks."""


def partly(understood: str, unclear: str) -> str:
    """Return the reply to a message of which one part has no meaning; nothing was changed."""
    return f"I understood {quoted(understood)} but not {quoted(unclear)}. Nothing changed."


def no_project(name: str) -> str:
    """Return that no task is in a project."""
    return f"No project is called {quoted(name.lstrip('#'))}. Nothing changed."


def no_match(words: str, near: Sequence[ShownTask] = ()) -> str:
    """Return that no task matches, and those nearest."""
    hint = f" Did you mean {names(near, 'or', ids=True)}?" if near else ""
    return f"No task matches {quoted(words)}. Nothing changed.{hint}"


def closed_already(tasks: Sequence[ShownTask], now: datetime) -> str:
    """Return that each of the tasks is done or cancelled already, or in the trash."""
    sentences = []
    for task in tasks:
        if task.in_trash:
            state = "in the trash"
        elif task.status == "cancelled":
            state = "cancelled already"
        else:
            day = format_when(When.parse(task.done_on), now) if task.done_on else ""
            state = f"done already{f', completed {day}' if day else ''}"
        sentences.append(f"{numbered(task)} is {state}.")
    return " ".join([*sentences, "Nothing changed."])


def no_number(ids: Sequence[int]) -> str:
    """Return that tasks with these ids do not exist."""
    return f"There is no task {' or '.join(f'#{number}' for number in ids)}. Nothing changed."


def no_subtasks(tasks: Sequence[ShownTask]) -> str:
    """Return that tasks have no open subtasks."""
    return f"{names(tasks, ids=True)} has no open subtasks. Nothing changed."


def unblocked(task: ShownTask) -> str:
    """Say that no task blocks one."""
    return f"No open task blocks {numbered(task)}."


def blocks_nothing(tasks: Sequence[ShownTask]) -> str:
    """Return that no task is blocked by these."""
    return f"No task is blocked by {names(tasks, ids=True)}."


def plans(message: str) -> str:
    """Return what can be planned, where other days were asked for."""
    spans = "“plan my day”, “plan tomorrow” or “plan my week”"
    task = quoted(f"add {message}")
    return f"I plan today, tomorrow or the week: {spans}. For a task, say {task}."


def confirm_skip(task: ShownTask, days: DayRange, today: date) -> str:
    """Return the question whether the next occurrence is skipped, which is not on these days."""
    first, last = format_day(days.first, today), format_day(days.last, today)
    when = f"on {first}" if first == last else f"from {first} to {last}"
    due = f"the next one of {numbered(task)} is {task.due_words}, not {when}"
    return f"Only the next occurrence can be skipped; {due}. Skip it? [yes/no]"


def not_recurring(tasks: Sequence[ShownTask]) -> str:
    """Return that tasks have no occurrence to skip."""
    verb = "does" if len(tasks) == 1 else "do"
    return f"{names(tasks, ids=True)} {verb} not repeat. Nothing changed."


def not_linked(tasks: Sequence[ShownTask], others: Sequence[ShownTask], *, is_parent: bool) -> str:
    """Return that tasks are not part of, or blocked by, others."""
    relation = "a subtask of" if is_parent else "blocked by"
    verb = "is" if len(tasks) == 1 else "are"
    who, whom = names(tasks, ids=True), names(others, "or", ids=True)
    return f"{who} {verb} not {relation} {whom}. Nothing changed."


def still_open(tasks: Sequence[ShownTask]) -> str:
    """Return that tasks are open, as was said."""
    verb = "is" if len(tasks) == 1 else "are"
    return f"{names(tasks, ids=True)} {verb} still open. Nothing changed."


def day_done(left: int) -> str:
    """Return the reply to `I'm done for today`."""
    return f"Nice. {format_count(left, 'task') if left else 'Nothing is'} due tomorrow."


def time(now: datetime) -> str:
    """Return the date and the time of day."""
    return f"It is {weekday_name(now.weekday())} {now.day} {month_name(now.month)} {now:%Y, %H:%M}."


def no_rule(words: str) -> str:
    """Return that words are no recurrence."""
    return f"I can't repeat {quoted(words)}. Name the days, e.g. every Mon and Thu."


def which(tasks: Sequence[ShownTask]) -> str:
    """Return the question which of several tasks is meant."""
    return f"Which of these do you mean?\n\n{lines(tasks)}"


def stays(count: int, when: str) -> str:
    """Return that tasks without a date, or with one later than `when`, are left as they are."""
    why = f"due later than {when}" if when else "without a date"
    verb = "stays as it is" if count == 1 else "stay as they are"
    return f"{format_count(count, 'task')} {why} {verb}."


def confirm_earlier(tasks: Sequence[ShownTask], when: str) -> str:
    """Return the question whether tasks that were to be put off come earlier, on a day."""
    if len(tasks) == 1:
        due = f"{numbered(tasks[0])} is due {tasks[0].due_words}, later than {when}"
        return f"{due}. Move it anyway? [yes/no]"
    return f"{lines(tasks)}\n\nAll are due later than {when}. Move them anyway? [yes/no]"


def confirm(change: Change, details: str, found: FoundTasks) -> str:
    """Return the question before many tasks change; `details` are the change words, as read."""
    verb = _VERBS.get(change.verb) or _DEEDS.get(change.details)
    meant = "this task" if found.count == 1 else f"these {found.count:,} tasks"
    what = f"{verb.capitalize()} {meant}" if verb else f"Change {meant}: {escaped(details)}"
    question = f"{found.stays} {what}? [yes/no]".strip()
    return f"{lines(found.tasks, found.count)}\n\n{question}"


def confirm_subtasks(tasks: Sequence[ShownTask], below: Sequence[ShownTask]) -> str:
    """Return the question before tasks are completed with their open subtasks."""
    whose = "its" if len(tasks) == 1 else "their"
    who = f"“{escaped(tasks[0].title)}”" if len(tasks) == 1 else f"these {len(tasks):,} tasks"
    subtasks = f"{len(below):,} subtask{'' if len(below) == 1 else 's'}"
    return f"{lines(below)}\n\nComplete {who} with {whose} {subtasks}? [yes/no]"


def wish(title: str, details: str, subtasks: Sequence[str] = ()) -> str:
    """Return what adding a task would do."""
    more = f" ({escaped(details)})" if details else ""
    below = join_words([f"“{escaped(each)}”" for each in subtasks], "and")
    return f"add “{escaped(title)}”{more}{f' with the subtasks {below}' if below else ''}"


def intent(change: Change, tasks: Sequence[ShownTask], details: str, title: str) -> str:
    """Return what a change would do to tasks; `details` are its change words, as read."""
    who = names(tasks, ids=True) if len(tasks) <= MAX_NAMED else f"{len(tasks):,} tasks"
    if verb := _VERBS.get(change.verb) or _DEEDS.get(change.details):
        return f"{verb} {who}"
    if title:
        return f"rename {who} to “{escaped(title)}”"
    if change.notes is not None:
        return f"add a note to {who}" if change.notes else f"remove the notes of {who}"
    return f"change {who}: {escaped(details)}"


def waiting(tasks: Sequence[ShownTask], others: Sequence[ShownTask]) -> str:
    """Return what a new blocker of tasks would do."""
    return f"make {names(tasks, ids=True)} wait for {names(others, ids=True)}"


def no_blocker(words: str, tasks: Sequence[ShownTask]) -> str:
    """Return that no task matches the words for what tasks wait for."""
    waiting = f"{names(tasks, ids=True)} can't wait for it"
    return f"No task matches {quoted(words)}, so {waiting}. Nothing changed."


def offered(intents: Iterable[str], unread: Sequence[str] = (), remarks: Sequence[str] = ()) -> str:
    """Return the question whether something is meant; `unread` are words that it leaves out."""
    text = join_words(list(intents), "and")
    notes = [f"I could not use {quoted(', '.join(unread))}."] if unread else []
    ignored = "".join(f"{each} " for each in (*notes, *map(sentence, remarks)))
    return f"{ignored}{text[:1].upper()}{text[1:]}? [yes/no]"


def already(tasks: Sequence[ShownTask]) -> str:
    """Return that a statement names tasks on the list."""
    verb = "is" if len(tasks) == 1 else "are"
    return f"{names(tasks, ids=True)} {verb} already on the list."


def remarked(remarks: Iterable[str], beside: str) -> str:
    """Return how words were read that can be read in two ways; empty without remarks.

    A date that the text beside them shows is not repeated.
    """
    return " ".join(
        sentence(each) for each in notes_beside([beside], dict.fromkeys(remarks)) if each
    )


def added(tasks: Sequence[ShownTask], parent: ShownTask | None = None) -> str:
    """Return what was added, and how to undo it."""
    if len(tasks) == 1:
        task = tasks[0]
        known = facts(task, {parent.id: parent} if parent else {})
        text = f"Added {name(task)} (#{task.id}){f', {known}' if known else ''}. "
    else:
        to = f" to {numbered(parent)}" if parent else ""
        text = f"Added {len(tasks)} tasks{to}:\n\n{lines(tasks)}\n\n"
    return f"{text}Say “undo” to remove {'it' if len(tasks) == 1 else 'them'}."


def not_an_answer(words: str) -> str:
    """Return that words answer no question of the review."""
    return f"I could not use {quoted(words)} here. Nothing changed."


def last_done_here(intents: Iterable[str]) -> str:
    """Return what the answer before did, in the words in which it would be offered."""
    done = [each for each in intents if each]
    lead = f"Your last request here: {join_words(done, 'and')}. " if done else ""
    return f"{lead}{ALL_CHANGES}"


def undo_offer(intents: Sequence[str]) -> str:
    """Return the question whether to undo what the answer before did."""
    return f"Undo my last change ({join_words(list(intents), 'and')})? [yes/no]"


def other_undo(tasks: Sequence[ShownTask]) -> str:
    """Return that the last change, the only one that can be undone, was not one of tasks."""
    whose = names(tasks, "or", ids=True)
    return f"Undo takes back the last change, which was not one of {whose}. Nothing changed."


def ignored(words: str) -> str:
    """Return that words were no condition of an answer."""
    return f"I ignored {quoted(words)}."


def not_mentioned(words: str) -> str:
    """Return that no task, done ones included, has any of the words."""
    return f"Nothing on your list mentions {quoted(words)}."


def nearest(words: str, tasks: Sequence[ShownTask]) -> str:
    """Return that no task has all of the words, and those that have most of them."""
    telling = [word for word in words.split() if word.casefold() not in ARTICLES]
    return (
        f"No task has all of {quoted(' '.join(telling) or words)}. The nearest:\n\n{lines(tasks)}"
    )


def unused(tasks: Sequence[ShownTask], words: Sequence[str]) -> str:
    """Return that words name tasks and say nothing of them that is understood."""
    what = f"what to do with {quoted(', '.join(words))}" if words else "what to do"
    return f"I found {names(tasks[:MAX_NAMED], ids=True)}, but not {what}. Nothing changed."


_ASKS_DONE = re.compile(
    r"(?:have|did) (?:i|we) (?!have\b|any|need)|(?:has|am|is|are|was|were) .*"
    r"\b(?:done|finished|complete|\w+ed|\w+en|paid|sent|bought|made|met|back|already|yet)\b",
    re.IGNORECASE,
)
_ASKS_IF_THERE = re.compile(
    r"(?i:(?:did|have) (?:i|we) (?:ever |already )?(?:add|put|note|write|got\b|enter)"
    r"|do (?:i|we) have (?!to\b)|is there)"
)


_ASKS = re.compile(r"(?:do|does|did|is|are|am|was|were|have|has|will|can)\b", re.IGNORECASE)


_ASKS_TO_DO = re.compile(r"do (?:i|we) (?:still )?(?:have|need) to\b", re.IGNORECASE)


def asks(question: str) -> bool:
    """Return True for a question that is answered by yes or no."""
    return bool(_ASKS.match(question))


def yes_or_no(question: str, task: ShownTask, *, fits: bool = True) -> str:
    """Return `Yes: ` or `No: ` for a question that asks for it; `fits`: all it says is true."""
    if not fits:
        return "No: " if asks(question) else ""
    if _ASKS_TO_DO.match(question):
        return "Yes: " if task.is_open else "No: "
    if _ASKS_IF_THERE.match(question):
        return "Yes: "
    if not _ASKS_DONE.match(question):
        return ""
    return "Yes: " if task.status == "done" else "No: "


def because(task: ShownTask, reasons: str) -> str:
    """Return why a task comes first."""
    return f"{numbered(task)}: {escaped(reasons)}."


def last_done(task: ShownTask, now: datetime) -> str:
    """Return when a task was done last."""
    if not task.done_on:
        return f"{numbered(task)} has not been done yet."
    return f"{numbered(task)} was done {format_when(When.parse(task.done_on), now)}."


def listing(tasks: Sequence[ShownTask], total: int, about: str = "") -> str:
    """Return the answer to a question about the list; `about` says how many of which tasks."""
    heading = about or format_count(total, "task")
    return f"{heading}:\n\n{lines(tasks, total)}" if tasks else f"{heading}."


def coming(tasks: Sequence[ComingTask], now: datetime) -> str:
    """Return the recurring tasks that come again on the days of a list, and when."""
    each = [
        f"**{escaped(plain_line(task.title))}** (#{task.id}) {format_days(days, now)}"
        for task, days in tasks[: listed_count(len(tasks), _MAX_COMING)]
    ]
    more = len(tasks) - len(each)
    left_out = [f"and {more:,} more"] if more > 0 else []
    return f"Coming repeats: {'; '.join([*each, *left_out])}."


def none_but(about: str, others: Sequence[ShownTask], now: datetime) -> str:
    """Return that no task fits all that was asked for, and those that fit some of it."""
    is_later = all(task.due and task.due.day > now.date() for task in others)
    return f"{about}. {'Later' if is_later else 'Others'}:\n\n{lines(others)}"


def most_urgent(tasks: Sequence[ShownTask], total: int) -> str:
    """Return the most urgent of so many tasks that could be done now."""
    if total > len(tasks):
        heading = f"The {len(tasks)} most urgent of {total:,} tasks"
    else:
        heading = f"{format_count(total, 'task')}{', most urgent first' if total > 1 else ''}"
    return f"{heading}:\n\n{lines(tasks)}"


def grouped(outcome: Outcome) -> str:
    """Return tasks under the headings of their groups."""
    known = {task.id: task for task in outcome.tasks}
    parts = []
    for heading, total, ids in outcome.groups:
        shown = [known[number] for number in ids if number in known]
        parts.append(f"**{escaped(heading)}** ({total:,})\n\n{lines(shown, total)}")
    return "\n\n".join(parts)


def one(
    task: ShownTask,
    others: Mapping[int, ShownTask] = MappingProxyType({}),
    below: Sequence[ShownTask] = (),
    now: datetime | None = None,
) -> str:
    """Return all that is known of a task; `others` are its blockers and parent."""
    on = f" ({format_when(When.parse(task.done_on), now)})" if task.done_on and now else ""
    state = "in the trash" if task.in_trash else STATES.get(task.status, task.status)
    known = facts(task, others, now)
    if coming := [format_when(each, now) for each in task.next_dates] if now else []:
        known += f", then {', '.join(coming)}"
    rest = "".join(f"\n- {escaped(each)}" for each in task.remarks)
    notes = f"\n\n{escaped(task.notes)}" if task.notes else ""
    subtasks = f"\n\n{lines(below)}" if below else ""
    return f"{numbered(task)} is {state}{on}{f': {known}' if known else ''}.{notes}{rest}{subtasks}"


def undone(outcomes: Sequence[Outcome], *, redo: bool) -> str:
    """Return what was undone or redone, as in `Undone: “Added Buy milk”`."""
    parts: list[str] = []
    for outcome in outcomes:
        if outcome.error:
            parts.append(escaped(outcome.error))
            break
        # The next occurrence went along with the completion of the one before.
        by_title = {change.task.title: change for change in reversed(outcome.changes)}
        turned = CLOSING_KINDS | {ChangeKind.REOPENED}
        has_turned = not turned.isdisjoint(change.kind for change in outcome.changes)
        changes = list(by_title.values())[::-1] if has_turned else outcome.changes
        each = []
        for kind, task, was in changes[: listed_count(len(changes), MAX_NAMED)]:
            known = ChangeKind(kind) if kind in CHANGE_WORDS else ChangeKind.UPDATED
            verb = inverted_word(known, was, redo=redo)
            each.append(quoted(f"{verb.capitalize()} {task.title}"))
        more = len(changes) - len(each)
        rest = f" and {more} more" if more > 0 else ""
        if each:
            parts.append(f"{'Redone' if redo else 'Undone'}: {', '.join(each)}{rest}.")
        kept = dict.fromkeys(outcome.conflicts)
        parts += [f"{quoted(title)} was changed since and stays as it is." for title in kept]
    return " ".join(parts)
