"""Go on from the turn before: `and the plants too`, `no, the other report`, `oh wait, I haven't`.

A message is rewritten into one that can stand alone, or into requests made from the record of what
was done or offered: a bare value takes the place of the one of its type.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from todo_tui.domain.dates.resolution import day_of_week
from todo_tui.domain.dates.text import month_name
from todo_tui.providers.offline import record
from todo_tui.providers.offline.dialogue import Dialogue
from todo_tui.providers.offline.follow_ups.amendments import (
    IN_PROJECT,
    Amendment,
    closes,
    titles_of,
)
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.clauses import spans_of, words_of
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import (
    NUMBERS,
    is_verb,
    peeled,
    respelled_whole,
    surely_verb,
    tokens,
)
from todo_tui.providers.offline.reading.command_rules import LENGTHS
from todo_tui.providers.offline.reading.meaning import is_remark
from todo_tui.providers.offline.reading.reader import Reader, reader_of
from todo_tui.providers.offline.reading.reference_resolver import Resolver
from todo_tui.providers.offline.reading.title_matching import mentioned, stems
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Change,
    FoundTasks,
    NewTask,
    TaskRequest,
    Undo,
    Verb,
)
from todo_tui.providers.offline.tool_results import ShownTask

_LEVELS = ("low", "medium", "high")
_A_WEEK = timedelta(6)
_DAYS = {"before": -1, "after": 1}


def continued(dialogue: Dialogue, reader: Reader, resolver: Resolver) -> str | list[TaskRequest]:
    """Return the message as it is meant after the turn before, or the requests that it means."""
    did = record.from_json(dialogue.did)
    amendment = Amendment(dialogue, reader, resolver, did)
    return _Continuation(dialogue, reader, resolver, did, amendment).meant()


_CONTINUED = regex(
    r"((and|also|plus)\b[, ]*(also )?(?P<what>.+?)( too| as well| also| please)?"
    r"|(the )?(same|ditto|likewise)( again| thing| goes)? (for|with) (?P<same>.+?))"
)
_MEANT_OTHERS = regex(
    rf"{phrases.OOPS}((?P<surely>(wrong (one|task)[,. ]+(sorry[,. ]+)?)?(i )?(mean|meant))"
    r"|(?P<was>(that|it) (was (meant|supposed) to be|was|should be|should have been))"
    r"|no|nope|sorry|wait|actually|not (that|this)( one)?|(the )?(wrong|other) (one|task))[,. ]+"
    r"(?!(OOPS|TAKEN_BACK)\b)(?P<what>[^.!]+?)( i (mean|meant)| sorry| instead)?"
    r"([.,;!]+ .*(\b(not|leave|keep|still|stays?|stayed|remains?|fine|ok)\b|n't).*)?"
    r"|(?P<other>(the|my) [^.,!]+) instead"
)
_MEANT_BESIDE = regex(
    r"( (that |which )?(i|we) (\w+ed|paid|did|bought|sent|wanted|had)( \w+)?)?(,? (and )?not .*)?$"
)
"""What is said of the task that was meant, and which one was not."""
_PUTS_DOWN = regex(
    r"(put|add|stick|pop|pencil|book|slot|schedule|set|remind|(a|another|one) "
    r"(separate|second|new|different|further|extra)|another)\b"
)
"""What begins an order for a new task."""
_OTHER_DAYS = regex(
    r"(and|what about|how about|and what about)( (on|for|in|during))? (the (?P<unit>day|week"
    r"|month) (?P<side>before|after)( that)?|(?P<days>.+))"
)
"""What asks the last question again for other days."""
_THERE = regex(r",? ((?P<there>there)|then|(on )?that day)\b(?=$|[,.;:]),?")
"""Words for a day that was asked about."""
_THAT_WEEK = regex(r"\b((on|in|for) )?(that|the same) (day|(?P<week>week))\b")
_SAME_DAY = regex(
    r",? ?((on|at|for) )?the same (day|date|time|deadline)( (as (that|it|those)|too|as well))*$"
    r"|,? same (day|date|time)( too)?$|,? (straight|right) after(wards)?( that)?(?=$|, ?at\b)"
)
_ANOTHER = regex(
    r"(and |add |also |make )*(another( one)?|one more|one(?= (for|on)\b)|(it )?again"
    r"|(the )?same( again| thing)*)( task)?( (like|as) (it|that|this)( one)?)?( again)?"
    r"(?P<lead> for| on)?( (?P<change>.+?))?"
    r"( too| as well| please)*"
)
"""What asks for a second task like the last one."""
_DO_NOT = regex(
    rf"{phrases.OOPS}(don't|do not)( (do|delete|cancel) (it|that))?[,. ]+(just )?(?P<what>.+)"
)


@dataclass(frozen=True, slots=True)
class _Continuation:
    """Reads a message by the record of what the turn before did."""

    dialogue: Dialogue
    reader: Reader
    resolver: Resolver
    did: tuple[TaskRequest, ...]
    amendment: Amendment

    def meant(self) -> str | list[TaskRequest]:
        """Return the message as it is meant, or its requests."""
        text = self._dated()
        said = respelled_whole(text.strip().rstrip(".!"))
        made: str | list[TaskRequest]
        if match := _ANOTHER.fullmatch(said):
            made = self._again(match)
        else:
            made = self.amendment.requests(said)
        made = made or self.amendment.restored(said)
        if made or (made := self.amendment.noted(said)):
            return made
        if value := self.amendment.value(said):
            return value
        if (match := _DO_NOT.fullmatch(said)) and self.amendment.closed():
            follows = self._readings(match["what"])
            if isinstance(follows, Change) and phrases.POINTING.fullmatch(follows.tasks):
                return f"undo; {match['what']}"
        if match := _MEANT_OTHERS.fullmatch(said):
            return self._instead(match) or text
        match = _CONTINUED.fullmatch(said)
        if match and len(self.did) == 1 and isinstance(self.did[0].request, Add):
            what = match["what"] or match["same"]
            # `and beans too`; what is a value, or a request of its own, is none.
            is_new = self.reader.changes.words(what) is None and self._readings(what) is None
            return f"add {what}" if is_new else text
        return self._asked_again(said) or text

    def _asked_again(self, said: str) -> str:
        """Return the last question for other days: `and the week before?`."""
        match = _OTHER_DAYS.fullmatch(said.rstrip(" ?"))
        if match and not self.did and (match["days"] or "").casefold() in _LEVELS:
            return f"{match['days']} priority tasks"
        asked = self.reader.dates.stretch(self.dialogue.day)
        if match is None or self.did or asked is None:
            return ""
        days = match["days"] or ""
        if match["unit"]:
            side = _DAYS[match["side"].casefold()]
            length = {"day": 1, "week": 7}.get(match["unit"].casefold(), 0)
            first = asked.first + timedelta(side * length)
            last = asked.last + timedelta(side * length)
            if not length:
                last = asked.first - timedelta(1) if side < 0 else asked.last + timedelta(28)
                first = last.replace(day=1)
            days = f"between {first} and {last}" if first < last else str(first)
        if not self.reader.dates.is_stretch(days):
            return ""
        return self.dialogue.template.replace("{}", days)

    def _dated(self) -> str:
        """Return the message with the day of the turn before: `the same day`, `put it there`."""
        text = self._with_that_week(self.dialogue.text)
        said = text.strip().rstrip(".!")
        same = _SAME_DAY.search(said)
        if (
            same
            and (due := self.amendment.due())
            and not self.amendment.sets_day(said[: same.start()])
        ):
            # `and the ink the same day`
            is_moment = "time" in same[0] or "deadline" in same[0]
            day = due.iso().replace("T", " ") if is_moment else due.day.isoformat()
            return f"{said[: same.start()]} {day}{said[same.end() :]}"
        parts = map(peeled, phrases.PART.split(said))
        if not any(_PUTS_DOWN.match(phrases.LEADING.sub("", each)) for each in parts):
            return text
        asked, there = self.dialogue.day, _THERE.search(said)
        days = self.reader.dates.stretch(asked) if asked else None
        if not days or days.first != days.last or self.amendment.sets_day(said):
            return text
        # `put lunch there` is an order for a task, whatever the day.
        word = " there" if there and there["there"] else ""
        return f"{said[: there.start()]}{word} on {asked} {said[there.end() :]}" if there else text

    def _with_that_week(self, text: str) -> str:
        """Return a question about `that week` with the days of what was spoken of."""
        that = _THAT_WEEK.search(text) if phrases.QUESTION.match(peeled(text)) else None
        if that is None:
            return text
        asked = self.reader.dates.stretch(self.dialogue.day) if self.dialogue.day else None
        due = self.amendment.due() if asked is None else None
        first = asked.first if asked else due.day if due else None
        if first is None:
            return text
        monday = first - timedelta(first.weekday())
        days = f"between {monday} and {monday + timedelta(6)}" if that["week"] else f"on {first}"
        return f"{text[: that.start()]}{days}{text[that.end() :]}"

    def _instead(self, match: re.Match[str]) -> str | list[TaskRequest]:
        """Return the last command for the tasks that were meant: `no, the login one`."""
        what = _MEANT_BESIDE.sub("", match["what"] or match["other"])
        template = self.dialogue.template
        changed = {task.id for each in self.did if each.found for task in each.found.tasks}
        if phrases.POINTING.fullmatch(what):
            return ""
        if phrases.THE_OTHER.fullmatch(what):
            others = [task for task in self.dialogue.shown if task.id not in changed]
            is_clear = template and len(others) == 1
            return f"undo; {template.replace('{}', f'#{others[0].id}')}" if is_clear else ""
        if len(self.did) == 1 and self.dialogue.wrote and (meant := self._meant_task(what)):
            return [TaskRequest(Undo()), replace(self.did[0], found=FoundTasks((meant,)))]
        for each in self.did:
            title = each.request.title if isinstance(each.request, Change) else ""
            if {*stems(title)} & {*stems(what)}:
                # `no, mend roof` after the title was set to `paint roof`
                retitle = Change(Verb.UPDATE, "it", title=what, is_guess=True)
                return [TaskRequest(retitle, each.found)]
        is_command = not match["surely"] and self._readings(what) is not None
        found = self.resolver.resolve(what)
        named = mentioned(tokens(what), self.resolver.pool(what, "all"))[0]
        is_named = isinstance(found, FoundTasks) or bool(named)
        if what.isdigit() and len(named) == 1:
            # `invoice 1042`, `I meant 1043`
            what = f"#{named[0].id}"
        has_value = (
            what.isdigit()
            or any(spans_of(words_of(what), self.reader.changes))
            or self.reader.changes.words(f"no {what}") is not None
        )
        if isinstance(found, FoundTasks) and found.is_bulk:
            # `no, home` names a project.
            return ""
        added = [each for each in self.did if isinstance(each.request, Add)]
        # `ring the bank about the loan`, `meant to say mortgage`: a part of it was meant.
        is_part = not is_verb(what.split()[0].casefold()) and any(
            " " in title and surely_verb(title.split()[0].casefold())
            for each in added
            for title in titles_of(each)
        )
        if is_command or has_value or is_part or match["was"] or not template:
            return ""
        is_added = template == "add {}"
        # `no, the invoice` is on the list, and needs no adding; `no problem` names no task.
        is_told = phrases.SUBJECT.match(what) or what.startswith(("wrong ", "let "))
        is_new = match["surely"] or (f", {what}" in self.dialogue.text and not is_told)
        is_new = not what.startswith("the ") if is_named else is_new
        if not (is_new if is_added else is_named):
            return ""
        return f"undo; {template.replace('{}', what)}"

    def _meant_task(self, what: str) -> ShownTask | None:
        """Return the one task, not that of the turn before, that words name in its place."""
        ready = self.did[0]
        was = ready.found.tasks if ready.found else ()
        if len(was) != 1 or not isinstance(ready.request, Change):
            return None
        pool = [task for task in self.resolver.pool(what) if task.id != was[0].id]
        named = self.amendment.named(what, pool)
        common = set(stems(was[0].title))
        days = self.reader.dates.stretch(re.sub(r"^the |'?s$", "", what))
        if days and closes(ready):
            # `cancel monday's meeting`, `no, I meant tuesday's`
            due = [task for task in pool if task.due and days.first <= task.due.day <= days.last]
            named = {task.id for task in due if common & set(stems(task.title))}
        meant = [task for task in pool if task.id in named]
        return meant[0] if len(meant) == 1 else None

    def _again(self, match: re.Match[str]) -> str | list[TaskRequest]:
        """Return the addition of a task like the last one, with what is said of it.

        Another title is that of the new task: `another one for eggs`.
        """
        change = self.reader.changes.words(match["change"] or "") or ""
        title = ""
        for each in self.did:
            if isinstance(each.request, Add) and len(each.request.tasks) == 1:
                title = each.request.tasks[0].title
        if self.reader.changes.repeats(change) and "same" in match[0].casefold():
            return []
        if match["change"] and not change:
            return f"add {match['change']}" if title and match["lead"] else []
        if not title:
            return "add a task" if change and "same" not in match[0].casefold() else []
        return [TaskRequest(Add((NewTask(title, change),), is_explicit=True))]

    def _readings(self, text: str) -> object:
        """Return what a text is read as by itself; None for no request."""
        steps = reader_of(text, self.reader.dates.now, self.reader.dates.style).read()
        return next((step.readings[0] for step in steps if step.is_understood), None)


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


_BOTH = regex(r"(and )?both\b")
_CORRECTING = regex(r"^((INSTEAD|wait|oops)[,.: ]+)+")


def edited(dialogue: Dialogue, reader: Reader) -> list[TaskRequest]:
    """Return what the open question offers, with a value of the message: `yes, but at 8`.

    In `no, squash saturday at 11` the value is that of one of those offered.
    """
    question = dialogue.question
    offer = record.from_json(list(question.offer)) if question and not dialogue.question_age else ()
    said = dialogue.text.strip(" .!")
    more = _bare(_CORRECTING.sub("", said))
    if more.isdigit() and more != said and any(map(reader.changes.has_time, _details(offer))):
        # Of what is offered for 15:00, `no, 4` is an hour; elsewhere it may be a row, or a count.
        more = f"at {more}"
    change, title = "" if said.endswith("?") else reader.changes.words(more), ""
    if not change:
        change, title = _value_of_one(more, reader)
        titles = [each for request in offer for each in titles_of(request)]
        named = [each for each in titles if _is_titled(title, each)]
        if len(named) != 1 or _is_titled(more, named[0]):
            return []
    days = reader.dates.stretch(change)
    is_span = days is not None and days.first != days.last
    new = [task for each in offer if isinstance(each.request, Add) for task in each.request.tasks]
    is_open = len(new) > 1 and not (title or _BOTH.match(more))
    if not offer or not change or is_span or is_open:
        # `just this week` is no day, and `every week` of two new tasks is said of neither.
        return []
    edits: list[TaskRequest] = []
    for each in offer:
        match each.request:
            case Add(tasks):
                changed = tuple(
                    replace(task, details=reader.changes.replaced(task.details, change))
                    if not title or _is_titled(title, task.title)
                    else task
                    for task in tasks
                )
                edits.append(replace(each, request=replace(each.request, tasks=changed)))
            case _ if title and not any(_is_titled(title, named) for named in titles_of(each)):
                edits.append(each)
            case Change(Verb.UPDATE, details=details) if details:
                both = reader.changes.replaced(details, change)
                edits.append(replace(each, request=replace(each.request, details=both)))
            case _:
                return []
    return edits


def _details(offer: Sequence[TaskRequest]) -> list[str]:
    """Return the change words of what is offered."""
    adds = [each.request for each in offer if isinstance(each.request, Add)]
    return [
        *(task.details for add in adds for task in add.tasks),
        *(each.details for each in offer),
    ]


def _value_of_one(said: str, reader: Reader) -> tuple[str, str]:
    """Return the one value of a text as change words, and the words around it."""
    words = words_of(said)
    spans = [span for span in spans_of(words, reader.changes) if span.change]
    if len(spans) != 1:
        return "", ""
    rest = [*words[: spans[0].start], *words[spans[0].end :]]
    return spans[0].change, " ".join(word.said for word in rest)


def _is_titled(words: str, title: str) -> bool:
    """Return True if words are one or more of a title, and no others."""
    return bool(stems(words)) and set(stems(title)).issuperset(stems(words))


_ON_WEEKDAY = regex(
    r"(on )?(the )?(?P<day>WEEKDAY|mon|tues?|wed|thur?s?|fri|sat|sun)"
    r"(,? (and )?(not|instead of|rather than) (on )?(the )?(?P<was>WEEKDAY))?"
)


def _in_same_week(said: str, dialogue: Dialogue, reader: Reader, resolver: Resolver) -> str:
    """Return the date of `actually friday` in the week of the task, where that is yet to come."""
    match = _ON_WEEKDAY.fullmatch(said)
    wanted = reader.dates.stretch(match["day"]) if match else None
    tasks = resolver.list_ids(task.id for task in dialogue.focus).tasks if wanted else ()
    days = {task.due.day for task in tasks if task.due}
    if match is None or wanted is None or len(days) != 1:
        return ""
    (day,) = days
    was = reader.dates.stretch(match["was"]) if match["was"] else None
    is_then = was is not None and was.first.weekday() == day.weekday()
    if not is_then and day - reader.dates.now.date() <= _A_WEEK:
        return ""
    day = day_of_week(wanted.first.weekday(), 0, day, reader.dates.style)
    # In words, which leave the time of day as it is.
    return f"{day.day} {month_name(day.month)} {day.year}"


_GIVE_ME = regex(r"(please )?(give me|let me have|i need)( it| that)? (?=(till|until|to)\b)")
"""What asks for another date of the task last spoken of."""
_IS_BETTER = regex(
    r"(('s| is| would be| will be| might be)( (much|a bit|far|a lot))? (?P<is>better|best|easier"
    r"|safer|nicer)|( would| will)? (works?|suits?)( \w+)?( (much|a bit|far))? (?P<does>better|best"
    r"|more)|( would| will)? suits? \w+|('s| is| would be| works)( \w+)? (good|fine|great|ok))"
    r"( for \w+( \w+)?)?$"
)
"""What says that a value is to be taken."""
_TAIL = regex(
    r"(,? (instead|please|then|too|rather|though|anyway|tbh|to be (safe|sure|honest)|just in case"
    r"|after all))+$"
)
_SOMEBODY_SAYS = regex(
    r"^(so|(he|she|they|i|we) (says?|said|thinks?|reckons?|guess)( that)?|let's (do|say)|maybe"
    r"|(can|could|shall) (i|we) (do|say|have|make (it|that))) (?=\S)"
)
_WHEN = regex(r" (when|while|as|because|cos|since|once)( (?!so\b)[^ ,;.!]+)+$")
"""What tells why it is then, behind a value."""
_UNFIT = regex(
    r"([\w:]{1,10}( \w+)?('s| is| was) )?((a bit|a little|much|far|way|rather|quite|too) )+"
    r"(early|late|soon|tight|close|long)( for .+)?|[\w:]{1,10}( \w+)?('s| is) no good( .+)?"
    r"|[\w:]{1,10}( \w+)? (doesn't|does not|won't|can't) (work|suit|do)( .+)?"
)
"""What says that the value so far does not fit."""


def value_of_last(dialogue: Dialogue, reader: Reader, resolver: Resolver) -> Change | None:
    """Return what is said of the task that the turn before added or changed, or spoke of."""
    said = respelled_whole(resolver.message.strip(" .!?"))
    more = _CORRECTING.sub("", said)
    better = _IS_BETTER.search(_TAIL.sub("", more))
    value = _bare(more)
    more = _GIVE_ME.sub("", value)
    if more.isdigit() and more != said:
        # `make that 6` is no task number.
        more = f"at {more}"
    wishes = more != value or (better and (better["is"] or better["does"]))
    # What is offered is not done yet, and a value of it is no value of the task.
    is_of_one = len(resolver.focus) == 1 and dialogue.question is None
    asks_for_it = wishes and is_of_one
    if len(resolver.shown) > 1 and _PLACED.match(more):
        # `the second on friday` is said of one of those that were named.
        return None
    lasts = _LASTS.fullmatch(more) if dialogue.wrote else None
    length = f"~{LENGTHS.get(lasts['time'].casefold(), lasts['time'])}" if lasts else None
    change = length or _value(more, reader)
    is_asked = dialogue.question is not None and dialogue.question.kind == "deed"
    if change and (dialogue.wrote or asks_for_it or is_asked):
        if dialogue.wrote:
            change = _in_same_week(more, dialogue, reader, resolver) or change
        return Change(Verb.UPDATE, _spoken_of(said), change)
    if dialogue.wrote and (no := reader.changes.words(said)) and no.startswith("no "):
        return Change(Verb.UPDATE, "them", no)
    tag = _TAG.fullmatch(more) if dialogue.wrote else None
    if tag and not isinstance(resolver.resolve(tag["name"]), FoundTasks):
        return Change(Verb.UPDATE, "them", f"@{tag['name']}")
    named = IN_PROJECT.fullmatch(more) if dialogue.wrote else None
    if named:
        return Change(Verb.UPDATE, "them", f"#{named['name']}", known=named["name"])
    is_unfit = is_of_one and any(map(_UNFIT.fullmatch, _VALUE_JOINT.split(more)))
    if not (dialogue.wrote or is_unfit):
        return None
    return _values_of_last(more, reader, resolver, record.from_json(dialogue.did))


def _bare(said: str) -> str:
    """Return a value without what is said around it: `make that tues to be safe`."""
    bare = _WHEN.sub("", _TAIL.sub("", _SOMEBODY_SAYS.sub("", said)))
    if match := phrases.FIELD_NAMED.match(bare):
        bare = f"{match['kept'] or ''} {bare[match.end() :]}".strip()
    return phrases.BE_IT.sub("", peeled(_IS_BETTER.sub("", bare)))


_LASTS = regex(r"(for )?(about |around )?~?(?P<time>LASTING)( long)?")
"""How long a task takes: `for an hour`, `30 min`; with `later` it is a shift."""
_PLACED = regex(r"((and|also|but) )*PLACE(?= |$)")
_TAG = regex(r"(tag|label) (?P<name>[^\W\d][\w-]*)")
_OTHERS_DO = regex(r"((because|cos|as|since) )?(he|she|they)\b")
"""What others do, which tells why and sets no value: `…, he's shut mondays`."""
_DENIED = regex(r"not (on |at |in )?#?[\w:]+")
"""A value that was not meant: `high, not low`."""
_ALL_OF_THEM = regex(r"(all|both|they're|they are)\b")
_TAG_IT = regex(r"tag (it|them|that)( with| as)? ")
_VALUE_JOINT = re.compile(r"[.,;!]+\s+|\s+(?:and|&|n|\+|plus|so)\s+")


def _values_of_last(
    said: str, reader: Reader, resolver: Resolver, did: Sequence[TaskRequest]
) -> Change | None:
    """Return several values, or one among clauses that tell why: `under diy, for monday`."""
    projects = {name.casefold(): name for name in resolver.index.projects()}
    # `no, home` where the turn before set a project
    is_moved = any(each.details.startswith("#") for each in did)
    values: list[str] = []
    asides = 0
    for part in _VALUE_JOINT.split(said):
        bare = _bare(_CORRECTING.sub("", part.strip()))
        bare = _TAG_IT.sub("tagged ", bare)
        named = IN_PROJECT.fullmatch(bare)
        name = named["name"] if named else bare if is_moved else ""
        project = projects.get(name.casefold())
        hour = f"at {bare}" if bare.isdigit() and bare != part else bare
        value = f"#{project}" if project else _value(hour, reader)
        tells = (
            _UNFIT.fullmatch(part.strip())
            or _DENIED.fullmatch(part)
            or is_remark(part, reader.changes)
            or phrases.EXCLAIMED.fullmatch(f"{part} ")
        )
        if value:
            values.append(value)
        elif tells or (values and _OTHERS_DO.match(part)):
            asides += 1
        else:
            return None
    is_one = len(values) == 1 and (asides or is_moved or _ALL_OF_THEM.match(said))
    if not (is_one or (len(values) > 1 and not asides)):
        return None
    details = values[0]
    for value in values[1:]:
        details = reader.changes.replaced(details, value)
    return Change(Verb.UPDATE, _spoken_of(said), details)


_CLOCK_ALONE = regex(r"(at )?(?P<hour>1?\d|2[0-3])[.:]?(?P<minute>[0-5]\d)")


_ABOUT = re.compile(rf"(?:about|around|roughly) (\d{{1,2}}|{'|'.join(list(NUMBERS)[:12])})", re.I)


def _value(words: str, reader: Reader) -> str | None:
    """Return the change words of a value; `10.45` and `430` alone are times."""
    clock, about = _CLOCK_ALONE.fullmatch(words), _ABOUT.fullmatch(words)
    if about:
        return reader.changes.words(f"at {NUMBERS.get(about[1].casefold(), about[1])}")
    return reader.changes.words(f"at {clock['hour']}.{clock['minute']}" if clock else words)


def _spoken_of(said: str) -> str:
    """Return the words for the tasks that get a value: `both for tomorrow` names how many."""
    return "both of those" if _BOTH.match(said) else "them"
