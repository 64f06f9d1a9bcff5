"""Answer questions about tasks; nothing is changed."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.filters.text import describe_tasks
from todo_tui.domain.recurrence.later_occurrences import ComingTask, coming_tasks
from todo_tui.domain.text import format_count
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dialogue import Reply
from todo_tui.providers.offline.language.filters import TaskDescription
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import folded, tokens, word_table
from todo_tui.providers.offline.reading.reference_resolver import Resolver
from todo_tui.providers.offline.reading.title_matching import find_strictly, mentioned, stems
from todo_tui.providers.offline.reading.write_gate import DAY, is_function
from todo_tui.providers.offline.requests import Ask, Aspect
from todo_tui.providers.offline.tool_results import Call, CallRounds, Outcome, ShownTask

_RAW_FILTER = regex(r"(?<!\w)[a-z]+(\.[a-z]+)?:[\w\"]|[#@!]\w.*\(.+ or .+\)")

_MAX_IGNORED = 2
"""Words of a question that are named as ignored; one with more of them is not about tasks."""
_ASKS_WHY = regex(r"why( (that|this|it|is|are|should|must|first)\b|\W*$)")
_ASKS_OF_ONE = regex(r"(what|when|where|who|how)\b")
_DUE_DAYS = re.compile(r"due(?:\.(?P<bound>\w+))?:\"?(?P<days>[^\"?]+)\??\"?")
_PAST = ("done", "completed", "created", "updated")
"""How conditions begin on what was done, added or changed."""
MAX_RECURRING = 500
"""Recurring tasks of which the coming dates are looked at."""


def answerable(ask: Ask, resolver: Resolver) -> bool:
    """Return True if the words of a question describe tasks."""
    words = re.sub(
        r"^(?:tasks|things|to-?dos)? ?(?:that |which )?(?:belongs?|are|is|do i have|"
        r"should i do)"
        r" (?:to|in|of|with|for|about|under)?",
        "",
        ask.tasks.strip(" ?"),
        flags=re.IGNORECASE,
    )
    if ask.aspect in (Aspect.NEXT, Aspect.GROUPS) or not ask.tasks or ask.rank:
        return True
    asked = resolver.described(ask.tasks)
    named = asked.group or asked.rest or asked.search
    if _RAW_FILTER.search(ask.tasks):
        return True
    if not named:
        return asked.clear or bool(asked.conditions)
    if len(named.split()) > 5:
        return False
    if asked.clear or asked.search:
        return True
    outcome = resolver.list(resolver.filter_of(asked))
    if outcome.tasks or not words:
        return True
    pool = resolver.pool(named)
    wanted = tokens(resolver.quoted.shown(named))
    return any(all(word in tokens(task.title) for word in wanted) for task in pool)


def listed(words: str) -> CallRounds[Outcome]:
    """List tasks for an answer, by the tool, so that the person sees where it comes from."""
    (outcome,) = yield (Call("list_tasks", {"filter": words} if words else {}),)
    return outcome


def answer(
    ask: Ask, tasks: Sequence[ShownTask], resolver: Resolver, reply: Reply
) -> CallRounds[None]:
    """Answer a question about the tasks it names, if it names any."""
    match ask.aspect:
        case Aspect.ONE:
            for task in tasks[:3]:
                yield from _describe(task, resolver, reply)
        case Aspect.DONE:
            for task in tasks[:3]:
                done = (yield from listed(f'done sort:done- "{task.title}"')).tasks
                last = next((each for each in done if each.title == task.title), task)
                reply.say(replies.last_done(last, resolver.dates.now), [last])
        case Aspect.BLOCKED | Aspect.BELOW:
            yield from _related(ask.aspect, tasks, reply)
        case Aspect.NEXT:
            bounds = resolver.filter_of(resolver.described(ask.tasks)) if ask.tasks else ""
            if bounds and not resolver.list(f"ready {bounds}").tasks:
                yield from _list(replace(ask, aspect=Aspect.LIST), resolver, reply)
                return
            outcome = yield from listed(f"ready {bounds} sort:urgency".replace("  ", " "))
            best = outcome.tasks[:3]
            text = replies.most_urgent(best, outcome.total) if best else "Nothing to do."
            reply.say(text, best)
        case Aspect.GROUPS:
            group = "project" if ask.tasks.lower().startswith(("project", "list")) else "tag"
            outcome = yield from listed(f"open group:{group}")
            rows = [f"- {name} ({total})" for name, total, _ in outcome.groups]
            reply.say("\n".join(rows) or "No projects or tags yet.")
        case _:
            yield from _list(ask, resolver, reply)


_RANKS = word_table("ranks")
_OF_THEM = regex(r"\b(ones )?of (them|those|these)\b")


def _list(ask: Ask, resolver: Resolver, reply: Reply) -> CallRounds[None]:
    """List or count the tasks that a question describes."""
    about = _OF_THEM.sub("", ask.tasks)
    words = resolver.quoted.shown(about)
    asked = resolver.described(about)
    named = resolver.quoted.shown(asked.search or asked.rest)
    if asked.except_for and not resolver.filter_of(asked):
        reply.say(replies.not_mentioned(resolver.quoted.shown(asked.except_for)))
        return
    filter_words = _without_inner(named, resolver.filter_of(asked), resolver)
    if _RAW_FILTER.search(words):
        filter_words = re.sub(r"^(?:filter|tasks)\b:? ?", "", words.strip(" ?"), flags=re.I)
    elif others := _excluded(asked, resolver):
        if not any(each.startswith(_PAST) for each in asked.conditions):
            about = _count(0, asked, filter_words, resolver)
            reply.say(replies.none_but(about, others, resolver.dates.now), others)
            return
    elif (asked.rest or asked.search or asked.group) and not resolver.list(filter_words).tasks:
        parts = (asked.search, asked.rest, asked.group)
        named = resolver.quoted.shown(" ".join(filter(None, parts)))
        bounds = replace(asked, rest="", search="", group="")
        pool = resolver.pool(named, "all")
        if bounds.is_plain or len(named.split()) > _MAX_IGNORED or _mentions(named, pool):
            yield from _nearest(named, pool, asked, resolver, reply)
            return
        # What no task says is no condition: it is named, and the rest is answered.
        reply.is_unanswered = True
        reply.say(replies.ignored(named))
        asked, words = bounds, " ".join(bounds.conditions)
        filter_words = resolver.filter_of(asked)
    found = resolver.list(filter_words).tasks
    if len(found) == 1 and named and _is_about_one(found[0], asked, resolver):
        yield from _describe(found[0], resolver, reply)
        return
    # `which of them has no date?`
    ranked = _RANKS.get(ask.rank, "")
    of_them = resolver.focus if about != ask.tasks else ()
    scope = f" ({' or '.join(f'#{task.id}' for task in of_them)})" if of_them else ""
    outcome = yield from listed(f"{filter_words}{scope} {ranked}".strip())
    about = _count(outcome.total, asked, f"{filter_words} {ranked}", resolver)
    if ask.most and outcome.total > ask.most:
        first = f"{ask.rank} {ask.most if ask.most > 1 else ''}".strip().capitalize()
        about = f"{first} of {about}"
        reply.say(replies.listing(outcome.tasks[: ask.most], ask.most, about), outcome.tasks)
        return
    about += " among these" if of_them else ""
    _say_found(ask, outcome, "" if asked.is_plain and not outcome.total else about, reply)
    if not of_them and (coming := _coming(asked, resolver)):
        reply.say(replies.coming(coming, resolver.dates.now), outcome.tasks)


def _say_found(ask: Ask, outcome: Outcome, about: str, reply: Reply) -> None:
    if outcome.error:
        reply.say(replies.escaped(outcome.error), restates_steps=outcome.shows_error)
    elif ask.aspect is Aspect.COUNT:
        reply.say(f"{about or 'No tasks'}.", outcome.tasks)
    elif outcome.groups:
        reply.say(replies.grouped(outcome), outcome.tasks)
    else:
        about = about or "Your list is empty"
        reply.say(replies.listing(outcome.tasks, outcome.total, about), outcome.tasks)


def _count(total: int, asked: TaskDescription, words: str, resolver: Resolver) -> str:
    """Return a number of tasks with what their filter asks for: `3 tasks in #work`."""
    try:
        query = parse_query(words, resolver.dates.now, resolver.dates.style)
    except ValidationError:
        # It names a view.
        return format_count(total, "task")
    about = replies.escaped(describe_tasks(total, query.filter, resolver.dates.now.date()))
    spared = resolver.quoted.shown(asked.except_for)
    return f"{about} except {replies.quoted(spared)}" if spared else about


def _without_inner(named: str, filter_words: str, resolver: Resolver) -> str:
    """Return a filter without tasks that have the words inside others alone: rent in parents."""
    if not named or not resolver.message.rstrip().endswith("?"):
        return filter_words
    word = re.compile(rf"(?<![^\W_]){re.escape(folded(named))}")
    ids = [
        f"not #{task.id}"
        for task in resolver.list(filter_words).tasks
        if folded(named) in folded(task.title)
        and not word.search(folded(" ".join((task.title, task.project, *task.tags))))
    ]
    return " ".join((filter_words, *ids))


def _coming(asked: TaskDescription, resolver: Resolver) -> list[ComingTask]:
    """Return the recurring tasks that come again on the days of a question."""
    days = [each for each in asked.conditions if _DUE_DAYS.fullmatch(each)]
    if len(days) != 1 or asked.order or "done" in asked.conditions:
        return []
    others = tuple(each for each in asked.conditions if each not in days)
    words = resolver.filter_of(replace(asked, conditions=others))
    return _coming_on(days[0], f"{words} recurring open".strip(), resolver)


def _coming_on(condition: str, filter_words: str, resolver: Resolver) -> list[ComingTask]:
    """Return the tasks of a filter that come again on the days of a condition."""
    named, today = _DUE_DAYS.fullmatch(condition), resolver.dates.now.date()
    days = resolver.dates.stretch(named["days"]) if named else None
    if named is None or days is None:
        return []
    match named["bound"]:
        case None:
            first, last = days.first, days.last
        case "by":
            first, last = today, days.last
        case "before":
            first, last = today, days.first - timedelta(days=1)
        case _:  # Days without an end.
            return []
    try:
        found = resolver.index.find(filter_words, MAX_RECURRING).tasks
    except ValidationError:
        return []
    tasks = (each.task for each in found)
    return coming_tasks(tasks, first, last, resolver.dates.now, resolver.dates.style.zone)


def _excluded(asked: TaskDescription, resolver: Resolver) -> tuple[ShownTask, ...]:
    """Return the tasks with the words of a question if its days and values fit none of them.

    All is said of a single one instead, unless the question is about what belongs to something.
    """
    named = asked.rest or asked.search or asked.group
    filter_words = resolver.filter_of(asked)
    if not (named and asked.conditions) or resolver.list(filter_words).tasks:
        return ()
    found = resolver.list(resolver.filter_of(replace(asked, conditions=()))).tasks
    is_group = bool(re.search("[#@]", filter_words))
    says_all = (
        len(found) == 1 and not is_group and (not asked.group or replies.asks(resolver.message))
    )
    return () if says_all else found


def _is_about_one(task: ShownTask, asked: TaskDescription, resolver: Resolver) -> bool:
    """Return True for a question that is answered by all that is known of a task."""
    is_plain = bool(asked.rest) and not (asked.conditions or asked.group or asked.order)
    asks = _ASKS_OF_ONE.match(resolver.message) and resolver.message.rstrip().endswith("?")
    return bool(is_plain and asks) or bool(replies.yes_or_no(resolver.message, task))


def _nearest(
    named: str, pool: Sequence[ShownTask], asked: TaskDescription, resolver: Resolver, reply: Reply
) -> CallRounds[None]:
    """Answer from the tasks whose titles share most with the words of a question."""
    near = find_strictly(named, pool) or mentioned(tokens(named), pool)[0]
    known = {word for task in near for word in stems(task.title)}
    reply.is_unanswered = not known.issuperset(stems(named))
    if len(near) == 1:
        yield from _describe(near[0], resolver, reply, fits=not asked.conditions)
    elif near:
        reply.say(replies.nearest(named, near), near)
    elif used := [word for word in named.split() if _mentions(word, pool)]:
        # What no task says is no condition: it is named, and the rest is answered.
        left = " ".join(word for word in named.split() if word not in used)
        words = resolver.filter_of(replace(asked, rest=" ".join(used), search="", group=""))
        outcome = yield from listed(words)
        if not outcome.tasks:
            # The words are those of a project or tag, or of several titles.
            near = tuple(each for each in pool if any(_mentions(word, (each,)) for word in used))
            reply.say(replies.nearest(named, near), near)
            return
        about = _count(outcome.total, asked, words, resolver)
        text = replies.listing(outcome.tasks, outcome.total, about)
        reply.say(f"{replies.ignored(left)} {text}" if left else text, outcome.tasks)
    else:
        reply.say(replies.not_mentioned(named))


def _mentions(words: str, tasks: Sequence[ShownTask]) -> bool:
    """Return True if a title, a project or a tag has any of the words."""
    wanted = set(stems(words))
    return any(
        wanted & {*stems(task.title), *stems(f"{task.project} {' '.join(task.tags)}")}
        for task in tasks
    )


def _asks_more(question: str, task: ShownTask) -> bool:
    """Return True for a question with a word that is not the task's: `are cats allowed?`."""
    known = {name for text in (task.title, task.project, *task.tags) for name in stems(text)}
    return any(
        not (is_function(word) or DAY.fullmatch(word) or word.isdigit())
        and known.isdisjoint(stems(word))
        for word in tokens(question)
    )


_OPENING = regex(r"\b(open|opens|closed|free|busy|full|available)\b")
_ASKS_BLOCKERS = regex(
    r"(what|which|why|(is|are|does) any\w*)\b.* (?P<verb>block(s|ed|ing)?|(wait|depend)(s|ing)?)"
    r"( (for|on|by))?\b"
)
"""A question for what a task waits for."""


def _describe(
    task: ShownTask, resolver: Resolver, reply: Reply, *, fits: bool = True
) -> CallRounds[None]:
    """Say all of a task; its blockers, parent and open subtasks by their titles."""
    asks_why = bool(_ASKS_WHY.match(resolver.message)) and not task.blocked
    outcome = yield from listed(f"#{task.id}{' sort:urgency' if asks_why else ''}")
    shown = outcome.tasks[0] if outcome.tasks else task
    described = resolver.described(resolver.message)
    days = [each for each in described.conditions if "due" in each]
    # `is the hall free on friday?` is no question about the task *Book the hall*.
    is_opening = days and _OPENING.search(resolver.message)
    asks_of_world = is_opening or _asks_more(described.rest, shown)
    if days and replies.asks(resolver.message) and not asks_of_world:
        is_then = resolver.list(f"#{task.id} {' '.join(days)}").tasks or _coming_on(
            " ".join(days), f"#{task.id}", resolver
        )
        lead = "Yes: " if is_then else "No: "
    else:
        asks_more = is_opening or _asks_more(resolver.message, shown)
        lead = "" if asks_more else replies.yes_or_no(resolver.message, shown, fits=fits)
    blocking = _ASKS_BLOCKERS.match(resolver.message)
    is_in_title = blocking is not None and blocking["verb"].casefold() in shown.title.casefold()
    if blocking and not (lead or is_in_title or shown.blocked):
        reply.say(replies.unblocked(shown), [shown])
        return
    if asks_why and outcome.reasons:
        reply.say(replies.because(shown, outcome.reasons), [shown])
        return
    related = [*shown.blocked_by, *([shown.parent] if shown.parent else [])]
    known: dict[int, ShownTask] = {}
    if related:
        others = resolver.list(f"all ({' or '.join(f'#{id}' for id in related)})")
        known = {each.id: each for each in others.tasks}
    below: tuple[ShownTask, ...] = ()
    if shown.below:
        below = resolver.list(f"under:{task.id}").tasks
    reply.day = shown.due.day.isoformat() if shown.due else ""
    reply.say(lead + replies.one(shown, known, below, resolver.dates.now), [shown])


def _related(aspect: Aspect, tasks: Sequence[ShownTask], reply: Reply) -> CallRounds[None]:
    """List the subtasks of tasks, or what they block."""
    ids = {task.id for task in tasks}
    if aspect is Aspect.BELOW:
        words = " or ".join(f"under:{number}" for number in ids)
        found = (yield from listed(words)).tasks
        text = replies.listing(found, len(found)) if found else replies.no_subtasks(tasks)
    else:
        blocked = (yield from listed("blocked")).tasks
        found = tuple(task for task in blocked if ids & set(task.blocked_by))
        text = replies.listing(found, len(found)) if found else replies.blocks_nothing(tasks)
    reply.say(text, found)
