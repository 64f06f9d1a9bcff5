"""Go on from the turn before: `and the plants too`, `no, the other report`, `oh wait, I haven't`.

A message is rewritten into one that can stand alone, or into requests made from the record of what
was done or offered: a bare value takes the place of the one of its type.
"""

import re
from dataclasses import replace
from datetime import timedelta

from todo_tui.domain.dates.text import month_name
from todo_tui.providers.offline import phrases, record
from todo_tui.providers.offline.clauses import spans_of, words_of
from todo_tui.providers.offline.dialogue import Dialogue
from todo_tui.providers.offline.reader import Reader, reader_of
from todo_tui.providers.offline.requests import Add, Ask, Change, Found, NewTask, Ready, Undo, Verb
from todo_tui.providers.offline.words import peeled

_A_WEEK = timedelta(6)
_CLOSING = (Verb.COMPLETE, Verb.DELETE)


def continued(dialogue: Dialogue, reader: Reader) -> str | list[Ready]:
    """Return the message as it is meant after the turn before, or the requests that it means."""
    text = dialogue.text
    did = record.from_json(dialogue.did)
    said = text.strip().rstrip(".!")
    if (same := phrases.SAME_DAY.search(said)) and (day := _day_of(did)):
        # `and the ink the same day`
        said = text = f"{said[: same.start()]} {day}{said[same.end() :]}"
    if (match := phrases.ANOTHER.fullmatch(said)) and (again := _again(match, did, reader)):
        return again
    if phrases.NOT_DONE.fullmatch(said) and (done := _closed(did)):
        return [Ready(Change(Verb.REOPEN, "them"), done)]
    if (match := phrases.DO_NOT.fullmatch(said)) and _closed(did):
        follows = _readings(match["what"], reader)
        if isinstance(follows, Change) and phrases.POINTING.fullmatch(follows.tasks):
            return f"undo; {match['what']}"
    if not dialogue.template:
        return text
    if match := phrases.MEANT_OTHERS.fullmatch(said):
        return _instead(match, dialogue, did, reader)
    match = phrases.CONTINUED.fullmatch(said)
    what = (match["what"] or match["same"]) if match else ""
    if not what or reader.changes.words(what) is not None:
        return text
    is_request = match is not None and not match["same"] and _readings(what, reader) is not None
    return text if is_request else dialogue.template.replace("{}", what)


def _instead(
    match: re.Match[str], dialogue: Dialogue, did: tuple[Ready, ...], reader: Reader
) -> str:
    """Return the last command for the tasks that were meant: `no, the login one`."""
    what = match["what"]
    if phrases.THE_OTHER.fullmatch(what):
        meant = {task.id for each in did if each.found for task in each.found.tasks}
        others = [task for task in dialogue.offered if task.id not in meant]
        if len(others) != 1:
            return dialogue.text
        what = f"#{others[0].id}"
    is_command = not match["surely"] and _readings(what, reader) is not None
    has_value = any(spans_of(words_of(what), reader.changes))
    if is_command or has_value:
        return dialogue.text
    return f"undo; {dialogue.template.replace('{}', what)}"


def filled(dialogue: Dialogue, reader: Reader, template: str) -> str:
    """Return the command with what it lacked, unless the message is a command of its own."""
    said = dialogue.text.strip()
    steps = reader.read()
    readings = steps[0].readings if steps else ()
    acts = any(isinstance(each, Change | Undo) for each in readings)
    asks = any(isinstance(each, Ask) for each in readings[:1]) and said.endswith("?")
    if (acts or asks) and not reader.changes.words(dialogue.text):
        return dialogue.text
    if lead := re.search(r" (to|with) \{\}", template):
        said = re.sub(rf"^{lead[1]} ", "", said, flags=re.IGNORECASE)
    return template.replace("{}", said)


def edited(dialogue: Dialogue, reader: Reader) -> list[Ready]:
    """Return what the open question offers, with a value of the message: `yes, but at 8`."""
    question = dialogue.question
    offer = record.from_json(list(question.offer)) if question and not dialogue.question_age else ()
    more = peeled(phrases.CORRECTING.sub("", dialogue.text.strip(" .!")))
    change = reader.changes.words(f"at {more}" if more.isdigit() else more)
    if not offer or not change:
        return []
    edits: list[Ready] = []
    for each in offer:
        match each.request:
            case Add(tasks):
                new = tuple(
                    replace(task, details=reader.changes.replaced(task.details, change))
                    for task in tasks
                )
                edits.append(replace(each, request=replace(each.request, tasks=new)))
            case Change(Verb.UPDATE, details=details) if details:
                both = reader.changes.replaced(details, change)
                edits.append(replace(each, request=replace(each.request, details=both)))
            case _:
                return []
    return edits


def in_same_week(said: str, dialogue: Dialogue, reader: Reader) -> str:
    """Return the date of `actually friday`, after a day of a week that is yet to come."""
    match = phrases.ON_WEEKDAY.fullmatch(said)
    for each in record.from_json(dialogue.did) if match else ():
        new = each.request.tasks if isinstance(each.request, Add) else ()
        details = " ".join([each.details, *(task.details for task in new)]).strip()
        days = reader.dates.stretch(details)
        wanted = reader.dates.stretch(match["day"]) if match else None
        if days and wanted and days.first - reader.dates.now.date() > _A_WEEK:
            monday = days.first - timedelta(days.first.weekday())
            day = monday + timedelta(wanted.first.weekday())
            # In words, which leave the time of day as it is.
            return f"{day.day} {month_name(day.month)} {day.year}"
    return ""


def _again(match: re.Match[str], did: tuple[Ready, ...], reader: Reader) -> list[Ready]:
    """Return the addition of a task like the last one, with what is said of it."""
    change = reader.changes.words(match["change"] or "") or ""
    title = ""
    for each in did:
        if isinstance(each.request, Add) and len(each.request.tasks) == 1:
            title = each.request.tasks[0].title
        elif each.found and len(each.found.tasks) == 1:
            title = each.found.tasks[0].title
    if not title or (match["change"] and not change):
        return []
    return [Ready(Add((NewTask(title, change),), is_explicit=True))]


def _day_of(did: tuple[Ready, ...]) -> str:
    """Return the date that the turn before gave, as change words; empty if it gave none."""
    for each in did:
        new = each.request.tasks if isinstance(each.request, Add) else ()
        for details in (each.details, *(task.details for task in new)):
            if details and not phrases.NO_DATE.match(details):
                return details
    return ""


def _closed(did: tuple[Ready, ...]) -> Found | None:
    """Return the tasks that were completed, deleted or cancelled, if that is all that was done."""
    for each in did:
        change = each.request
        is_closing = isinstance(change, Change) and (
            change.verb in _CLOSING or change.details == "cancelled"
        )
        if len(did) == 1 and is_closing and each.found and each.found.tasks:
            return each.found
    return None


def _readings(text: str, reader: Reader) -> object:
    """Return what a text is read as by itself; None for no request."""
    other = reader_of(text, reader.dates.now, reader.dates.style)
    steps = other.read()
    return next((step.readings[0] for step in steps if step.is_understood), None)
