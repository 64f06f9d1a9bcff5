"""Amend what the turn before wrote: take it back, all or part of it, or correct a value of it.

`no, thursday, they are shut`, `sorry, not Bell, St Mark's`, `30 bags, not 20`, `except the slides`.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from todo_tui.domain.when import When
from todo_tui.providers.offline.dialogue import Dialogue
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import is_time
from todo_tui.providers.offline.language.clauses import spans_of, words_of
from todo_tui.providers.offline.language.pattern import lines, regex
from todo_tui.providers.offline.language.reference_words import ById, ByPlace, read_reference
from todo_tui.providers.offline.language.words import (
    alike,
    distance,
    folded,
    is_past,
    is_verb,
    peeled,
    surely_verb,
    tokens,
)
from todo_tui.providers.offline.reading.meaning import is_remark
from todo_tui.providers.offline.reading.reader import Reader
from todo_tui.providers.offline.reading.reference_resolver import Resolver
from todo_tui.providers.offline.reading.title_matching import DONE, OFF, mentioned, stems
from todo_tui.providers.offline.reading.write_gate import is_function
from todo_tui.providers.offline.requests import (
    Add,
    Change,
    FixedAnswer,
    FoundTasks,
    TaskRequest,
    Undo,
    Verb,
)
from todo_tui.providers.offline.tool_results import ShownTask

_CLOSING = (Verb.COMPLETE, Verb.DELETE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)")
_LAST_HOUR = 24
_SIGNS = ",.;!–-"
_MAX_REWORDED = 4
"""Words that take the place of others in a title."""


_SPARES = regex(
    phrases.OOPS + r"((and|but)[, ]+)?(((all|everything) )?(except( for)?|but)|not|apart from|bar"
    r"|leave|keep|minus|without)"
    r" (the |my )?(?P<what>[^.,;!]+?)( (either|yet|though|tho|alone|out|out of it|open"
    r"|(as|where) (it|they) (was|were|is|are)))*"
    r"([.,;!]+ ?(leave|keep|that|those|it|they|i|he|she|we|because|cos)\b.*)?"
)
"""What the turn before should have spared."""
_STAYS = regex(
    rf"{phrases.OOPS}((and|but)[, ]+)?(only )?(the |my )?(?P<what>[^.,;!]+?)"
    r" (can |should |must |has to |is to )?(stays?|remains?|is (ok|okay|fine|good))\b( [^.,;!]*)?"
    r"([.,;!]+ ?(?P<why>.*))?"
)
"""What the turn before should have left as it was: `the report can stay on friday`."""
_ONLY = regex(
    phrases.OOPS + r"((and|but)[, ]+)?(i )?((just|only)( meant)?|meant (just|only)) (the |my )?"
    r"(?P<what>[^.,;!]+?)([.,;!]+ ?(?P<why>.*))?|(the |my )?(?P<what2>[^.,;!]+?) only"
)
"""The only one that the turn before should have changed."""
_UNDO_OF = regex(
    r"(undo|revert|take back|reverse) (((what|everything|all)( that)? (you|i|we)( have|'ve)?"
    r"( just)? (did|done|changed)|((the|my|your) )?((last|latest|previous) )?(changes?|edits?))"
    r" (with|to|of|on|for|in|about) (the |my )?(?P<what>.+)"
    r"|(?!((the|my) )?(last|latest|previous|two|three|four|five|\d+)\b)(the |my )?(?P<task>.+?)"
    r" (changes?|edits?|update))"
    r"|(put|set|change|move|bring|turn) (the |my )?(?P<changed>.+?) back to"
    r" (what|where|how|the way) (it|that|they) (was|were)( before)?"
)
"""An order to take back what was done to one task."""
_BOTH_BACK = regex(
    r"(?P<verb>undo|revert|take back|redo) (both|the two|all two)"
    r"( of (them|those|these)| (changes|messages|things))?"
)
"""An order to take back, or to do again, two changes or one of two tasks."""
_UNDOES = regex(
    rf"({phrases.OOPS}((please|pls|just|do) )*((undo|revert|take back)( undo| it| that| this)*"
    r"|take (it|that|this) back"
    r"|(belay|disregard|forget|ignore|scrap|scratch|strike) (it|that|this)"
    r"|(go )?back to (where|how|what|the way) (it|that|they|things) (was|were)( before)?"
    r"|(leave|put|keep|bring|set|move|change|have) (it|that|this|them|those|him|her)( back)?( to)?"
    r" (where|when|as|how|what|the way) (it|that|they|she|he|we|i)"
    r" (was|were|had (it|them)|had been)"
    r"( before)?)|((OOPS|TAKEN_BACK)[,.! ]+)+(never ?mind|forget (it|that)))"
    r"( please| pls| again| then)*[,.! ]*"
    r"(?P<why>((lol|haha|mum|dad|i|he|she|we|they|sorry|because|cos)\b.*)?)"
)
"""A clause that takes back what was done last, whatever is said around it."""
_RESTORES = regex(
    rf"{phrases.OOPS}((and|but|so|then|please|just)[, ]+)*{phrases.FIELD_BACK}"
    r"([,.;]*( (but|and|then)\b,?|(?<=[,.;])) (?P<more>.+))?"
)
"""An order to take back what was done to one field, and what else is to be done."""
_MARKS = {"prio": "!", "impo": "!", "proj": "#", "list": "#", "tag": "@", "tags": "@",
          "labe": "@", "esti": "~"}  # fmt: skip
"""What the change words of fields begin with; those of dates with no sign."""
_SIGN = re.compile(r"(?<!\S)[-+]?(?P<mark>[@#!~])\S+")
_NUMBER_ALONE = regex(
    phrases.OOPS + r"(better )?((it's|its|it is|that's|make (it|that)|(it )?(should|was)"
    r" (be|say|supposed to be)|i (mean|meant)) )?(for )?[£$€]?(?P<number>\d+(\.\d+)?)"
    r" ?(quid|pounds?|euros?|dollars?|bucks|people|of us)?"
    r"(,? (actually|sorry|instead|now|not [£$€]?\d+))*"
)
_WORDS = r"[^,.;!]+?"
_REWORDS = tuple(
    regex(rf"{phrases.OOPS}((and|but) )?{line}([,.!]+ (sorry|silly me|my \w+|oops|thanks|lol))?")
    for line in lines(rf"""
        ((it's|its|it is|that's|make (it|that)|(it )?(should|was) (be|say)|i (mean|meant)) )?(the )?
            (?P<new>{_WORDS})( this time| now| (we|i|they)(\S+)? \w+)?,? (and )?not (the |a )?
            (?P<old>{_WORDS})
        not (the |a )?(?P<old>{_WORDS}),? (but )?(?P<new>{_WORDS})
        (i|you|it|that) (wrote|said|put|typed|says|meant|spel(led|t))( down)? (the )?
            (?P<old>{_WORDS})( wrong)?,? (but |and )?(it's|that's|(it|that|i) (is|should|was meant
            |meant|is meant|has|must)( to)? (be|say|read|have said|have been|write|put|type))
            ( the)? (?P<new>{_WORDS})
        ((it|that) )?(should|must|has to) (be|say|read) (?P<new>{_WORDS})[,.;]? (but )?(i|you|it)
            [ ](wrote|said|put|typed|says)( down)? (the )?(?P<old>{_WORDS})
        (it|that)( isn't| ain't|'s not| is not) (the )?(?P<old>{_WORDS})( (i|we|you) (need|want
            |meant?|have to \w+))?[,.;]? (but )?((it's|it is|i (need|meant?)) )?((his|her|their|my)
            [ ]\w+ (?=\w))?(?P<new>{_WORDS})
        (change|replace|swap|correct) (the )?(?P<old>{_WORDS}) (to|with|for|by|into)
            [ ](?P<new>{_WORDS})
        (?P<old>{_WORDS}) ?(->|→|=>) ?(?P<new>{_WORDS})
    """)
)
"""What takes the place of words of a title: `30 bags, not 20`."""
_EXACTLY = regex(
    rf"{phrases.OOPS}((and|but) )?(?P<lead>(((it|that)('s| is)( spel(led|t))?|((it|that) )?should"
    r" (be|say|read)|make (it|that) (say|read)|(his|her|its|the) name('s| is)"
    r"|(i )?meant?( to (say|write|put|type))?|make (it|that)|spel(led|t)|typo,?) )?)"
    r"(?!(an?|called|named) )(the )?(?P<new>[^,.;!]+?)"
    r"(?P<tail>(,? (that is|i meant?|rather|actually|sorry|to be exact|with (an? |two )?\w{1,2}"
    r"('?s)?))?)"
)
"""What a title is to say where it says it less exactly: `red diesel that is`."""
_MEANS = regex(r"\b(i meant?|meant to)\b|,? (that is|sorry|rather)$")
"""What says that one word was meant, and another written."""
_COMES_TOO = regex(
    r"((and|also) )*((write|put|add|include)( down)? )?(also )?"
    r"(?!(he|she|they|it|i|we|you|who|that|this|what|everyone|nobody|noone)\b)"
    r"(?P<who>\w+( (and|&) \w+)?)"
    r"( (too|as well|also))*(,? (he|she|they)|'s|'re| is| are)('s|'re| is| are)?"
    r" (com(es?|ing)|join(s|ing)?)\b( (too|as well|also|along|us))*(,? add (him|her|them))?( too)?"
    r"|((and|also) )*(write|put|include)( down)? (also (?P<also>\w+)|(?P<too>\w+) (too|as well))"
)
"""Who is to be in a title beside those who are: `write also Sara, she comes too`."""
_PEOPLE = regex(r"\b(with|meet|invite|see|visit) \w+((,| and) \w+)*")
_QUANTITY = regex(r"\d+ \w+")
_FEW = 5
"""Words from which on a reason is read with care."""
_TOLD = frozenset({"not", "it", "already", "anyway", "myself", "excuse"})
"""Words that tell something, and are no part of a title."""
_NO_DATE = re.compile("no |[-@#!~]|after|under|cancelled|skip|todo|doing|starts")
"""Change words that set no date."""
_NOT_DONE = regex(
    phrases.OOPS
    + r"((i|we) (haven't|have not|didn't|did not)( (actually|really|even|yet|do|done|finish"
    r"|it|that|so|either))*|not (yet|really|quite|done|\w{3,}ed)( yet)?"
    r"|(it|that|this)( isn't|'?s not| is not)( (done|finished|complete))?( yet)?"
    r"|(just |please )*(put|set|change|mark|make) (it|that|this|them|those|both)( back)? (to|as) "
    r"(not done|undone|open|to-?do|incomplete|unfinished)( again| please)*"
    r"|(just |please |do )*(put|bring|get|stick) (it|that|this|them|those|these|her|him|both)"
    r"( one)? back( on( (my|the) list)?| again| please)*"
    r"|(re-?open|restore|undelete|un-?tick) (it|that|this|them|those|her|him)( one)?( again)?"
    r"|(please )?open (it|that|this|them|those)( one)? (up )?again( please)?)"
)
"""What takes back a completion or a deletion."""
_ONCE = regex(
    rf"{phrases.OOPS}(i (mean|meant) )?(only|just) ((the |this )?once"
    r"|(the )?(?P<days>.+?)('?s)?( one)?)( i (mean|meant))?,? (and )?"
    r"not (for (good|ever)|forever|altogether|all( of them)?|every .+|the (whole|entire) .+)"
)
"""What says that one occurrence was meant: `just this week's, not for good`."""
_LEAVES = regex(
    r"(just |please )*(leave|keep) (it|that|them|those|him|her)"
    r"( (as|where) (it|they) (is|was|are|were)"
    r"| (without|with no) (a |any )?(due )?(date|day|time)| open| there| alone| be)"
)
"""What says once more that nothing is to be done."""
_REASON = regex(
    r"(because |cos |as |since )?((i|we|he|she|it|they|there|you|(my|the|our|his|her) [\w' -]+?"
    r"|[\w']+)( (only|just|always|still))?('\w+| \w+)|is|are)\b.*"
)
"""What tells why, its days left out: `he only works`, `is the recital`."""
_WISHES = regex(
    r"\b(want|need|like|love|prefer|rather|meant?|say|said|better|best|fine|good|ok|okay|suits"
    r"|(it|that) works|make|put|move|set|push|bring|instead|then|please)\b"
)
"""Words of a clause whose day may be the one that is wanted."""
_PUT_BACK = regex(r"\b(put|bring|get|stick) (it|that|this|them|those|these|both)( one)? back\b")
_NOT_SO = regex(
    r"(?P<what>[^.,;!]+?) (((is|are|was|were) not|isn't|aren't|wasn't|weren't)( (DONE|\w+ed))?"
    r"|(still )?needs? (doing|to be done)|not yet)( (yet|after all|though|actually))*"
    r"|(i|we) ((have|did) not|haven't|didn't|never) (?!not\b)\w+ (?P<what2>[^.,;!]+?)"
    r"( (yet|after all|though|actually))*"
    r"|(?P<what3>[^.,;!]+?) (i|we) ((have|did) not|haven't|didn't)( \w+)?( (yet|though|actually))*"
)
"""What denies that a task is done."""
_I_MEANT = regex(r"^((i|it|that) )?(meant|was|is|'s|should be)( only| just)? (the )?|^(just|only) ")
_BETTER = regex(
    r"((INSTEAD|OOPS|or|so|then|better|please|just|not (possible|then)|(that )?won't work"
    r"|can't do (that|it)|doesn't work)[,.! –-]+)+"
)
"""What stands before the value of a correction."""
_TELLS_WHY = regex(
    r"( (then|instead|please|is|would be|works|suits|me|better|fine|best|will do)\b)*"
    r"((,|(,)? (?P<because>because|cos|cuz|'cause|cause|as|since)\b) .+)"
)
"""What stands behind the value of a correction, and why it is made."""


IN_PROJECT = regex(r"(in|into|to|under|for) (the |my )?#?(?P<name>[^\W\d][\w.-]*)")
_NOTED_ON = regex(
    r"(?P<told>.*\w\S*?)([,;.!]+| [-–—]| so| and) ((please|and|so|just|can you|could you) )*"
    r"NOTING (it|that|this|an? note)( (down|in|into|to|as|the|an?|notes?|also|too))*"
    r" (of|for|on|to|with|about) (?P<task>[^,.;!]+)"
)
"""What is told, and the order to keep it with a task that is named behind."""
_NOTED = regex(
    r"(?P<told>.*\w\S*?)([,;.!]+| [-–—]| so| and) (?P<order>"
    r"((and|so|can you|could you|please|just) )*((write|note|jot|put|keep|save|pop|stick"
    r"|pencil|remember|scribble|add) (it|that|this)"
    r"( (down|in|on|to|with|for|as|there|somewhere|it|me|the|an?|its|his|her|their|notes?"
    r"|comment|task|one|next|too|also|well))*|(please |pls )note( down)?"
    r"|(make|take) a note( of (it|that|this))?)"
    r"( (please|pls|hon|love|mate|dear|thanks|ta|ok|would (you|ya)))*)"
    r"( and (?P<more>\w+ (it|that) .+))?"
)
"""What is told, and the order to keep it with a task."""
_BE = frozenset({"is", "are"})
_SUBJECT_WORDS = 3
"""Words that the subject of a sentence is among."""
_WITH_TASK = regex(r"\b((on|to|with|in) it|notes?|comment|task)\b")
"""What says that it is kept with a task, whatever is told."""
_OF_TASK = regex(r"((for|on|about|re|with) )?(?P<head>[^,.:;!?]+)([,.:;!?]+| [-–—]) (?P<told>.+)")
_OWED = regex(
    r"(need|must|have to|got to|should|out of)\b|(i|we)\b.* (need|must|have to|got to|should)\b.*"
)
"""What somebody has to do, which is a task rather than a note."""


@dataclass(frozen=True, slots=True)
class _Remarks:
    """Knows what is only told beside a correction, and asks for nothing."""

    dialogue: Dialogue
    reader: Reader
    resolver: Resolver

    def is_aside(self, text: str) -> bool:
        """Return True for words that set no value, and speak of no other task."""
        if phrases.EXCLAIMED.fullmatch(f"{text} "):
            return True
        words = words_of(peeled(text))
        spans = spans_of(words, self.reader.changes)
        acts = bool(words) and surely_verb(words[0].low)
        acts = acts or any(
            isinstance(each, Change) or (isinstance(each, Add) and each.is_explicit)
            for each in self.reader.readings(text)[:1]
        )
        if acts or any(span.change for span in spans) or "#" in text:
            return False
        found, _ = mentioned(tokens(text), self.resolver.pool(text))
        return {task.id for task in found} <= {task.id for task in self.dialogue.focus}

    def tells_why(self, text: str) -> bool:
        """Return True for words that tell why something is taken back, with any day in them."""
        bare = self.without_days(text)
        is_reason = bare != text and _REASON.fullmatch(bare) and not _WISHES.search(bare)
        said = tokens(text)
        # `undo that, email bounced`
        is_told = 1 < len(said) < _FEW and (is_past(said[-1]) or said[-1].endswith("ed"))
        is_told = is_told and not mentioned(said, self.resolver.pool(text))[0]
        return self.is_aside(text) or bool(_LEAVES.fullmatch(text) or is_reason or is_told)

    def only_tells(self, text: str) -> bool:
        """Return True for words that tell something, and ask for nothing."""
        return self.is_aside(text) or is_remark(text, self.reader.changes)

    def tells_of_day(self, text: str, day: date) -> bool:
        """Return True for a remark that names this day or none, and no other task."""
        spans = [span for span in spans_of(words_of(text), self.reader.changes) if span.change]
        days = [self.reader.dates.stretch(span.change) for span in spans]
        is_of_day = all(each is not None and each.first == each.last == day for each in days)
        return is_of_day and self.only_tells(self.without_days(text))

    def without_days(self, text: str) -> str:
        words = words_of(text)
        spans = [span for span in spans_of(words, self.reader.changes) if span.change]
        in_spans = {at for span in spans for at in range(span.start, span.end)}
        return " ".join(word.typed for at, word in enumerate(words) if at not in in_spans)


@dataclass(frozen=True, slots=True)
class Amendment:
    """Reads a message as one that amends what the turn before did."""

    dialogue: Dialogue
    reader: Reader
    resolver: Resolver
    did: tuple[TaskRequest, ...]

    @property
    def _remarks(self) -> _Remarks:
        return _Remarks(self.dialogue, self.reader, self.resolver)

    def requests(self, said: str) -> list[TaskRequest]:
        """Return what takes back all or part of what the turn before wrote, or its number."""
        if match := _UNDO_OF.fullmatch(peeled(said)):
            return self._undone(match)
        if match := _BOTH_BACK.fullmatch(peeled(said)):
            # Two tasks of one message are one change.
            times = 1 if sum(len(titles_of(each)) for each in self.did) > 1 else 2
            return [TaskRequest(Undo(match["verb"].casefold() == "redo", times))]
        if not self.dialogue.wrote:
            return []
        return (
            self._taken_back(said)
            or self._all_but(said)
            or self._exchanged(said)
            or self._recounted(said)
            or self._reworded(said)
        )

    def restored(self, said: str) -> str | list[TaskRequest]:
        """Return what takes back one field that the turn before changed: `put the date back`."""
        match = _RESTORES.fullmatch(peeled(said))
        if match is None:
            return []
        field = match["field"][:4].casefold()
        mark, names_title = _MARKS.get(field, ""), field in ("titl", "name")
        steps = ["undo"]
        for each in self.did if self.dialogue.wrote else ():
            kept = _without(each.details, mark)
            title = each.request.title if isinstance(each.request, Change) else ""
            is_same = not title if names_title else title or kept == each.details
            if _verb(each) is not Verb.UPDATE or is_same:
                steps = []
                break
            ids = " ".join(f"#{task.id}" for task in tasks_by_name(each))
            steps += [f"set {ids}: {kept}"] if kept else []
        if not (self.dialogue.wrote and steps):
            return [TaskRequest(FixedAnswer("older undo"))]
        return "; ".join(filter(None, (*steps, match["more"])))

    def noted(self, said: str) -> str | list[TaskRequest]:
        """Return the note on a task: `she likes blue, please write it down`.

        It is for the task named before it, or the one last spoken of.
        """
        match = _NOTED_ON.fullmatch(said)
        pool = self.resolver.pool(match["task"]) if match else ()
        if match and len(meant := self.named(match["task"], pool)) == 1:
            return f"add a note to #{next(iter(meant))}: {match['told']}"
        match = _NOTED.fullmatch(said)
        if match is None:
            return []
        told = phrases.LEADING.sub("", phrases.EXCLAIMED.sub("", f"{match['told']} ", count=1))
        is_placed = _WITH_TASK.search(match["order"])
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        pool, is_kept = self.resolver.pool(told), is_placed or "there" in tokens(match["order"])
        if named := _OF_TASK.fullmatch(told.strip()):
            head = named["head"]
            found, _ = mentioned(tokens(head), pool)
            titles = {word for task in found for word in tokens(task.title)}
            tells = any(is_past(word) or word in _BE for word in {*tokens(head)} - titles)
            if is_kept and found and tells:
                return f"{head}. Add a note: {named['told']}"
            if meant := self.named(head, pool):
                told = named["told"]
                tasks = tuple(task for task in pool if task.id in meant)
        is_told = is_placed or (self._remarks.only_tells(told) and not _OWED.match(told))
        about, places = mentioned(tokens(told), pool)
        is_most = len(tasks) != 1 or any(
            2 * len(places) >= len(stems(each.title)) for each in about
        )
        if about and min(places) < _SUBJECT_WORDS and is_most and not (named and meant):
            # `the hall costs £45, put that in the notes`
            tasks = about
        if len(tasks) != 1 or not is_told:
            return []
        if match["more"]:
            return f"{match['more']}. Add a note to #{tasks[0].id}: {peeled(told)}"
        note = Change(Verb.UPDATE, "it", notes=f"+ {told.strip()}")
        return [TaskRequest(note, FoundTasks(tasks))]

    def _taken_back(self, said: str) -> list[TaskRequest]:
        """Return what takes back the turn before, where a clause says so, and none says more."""
        parts = [each for each in phrases.PART.split(said) if each.strip()]
        if reopened := self._denied(parts):
            return reopened
        for whole in ([said], parts):
            undoing = [_UNDOES.fullmatch(each) for each in whole]
            others = [
                each["why"] if each else part for each, part in zip(undoing, whole, strict=True)
            ]
            if any(undoing) and all(map(self._remarks.tells_why, others)):
                return [TaskRequest(Undo())]
        done = self.closed()
        if done and (match := _ONCE.fullmatch(said)):
            return self._skipped(done, match)
        backs = [each for each in parts if _NOT_DONE.fullmatch(each)]
        rest = [each for each in parts if each not in backs]
        is_meant = _NOT_DONE.fullmatch(said) or (backs and all(map(self._remarks.is_aside, rest)))
        if done and is_meant:
            return [TaskRequest(Change(Verb.REOPEN, "them"), done)]
        puts_back = any(_PUT_BACK.search(each) for each in (*backs, said))
        is_told = backs and all(
            self._remarks.only_tells(self._remarks.without_days(each)) for each in rest
        )
        if puts_back and (is_meant or is_told):
            return [TaskRequest(Undo())]
        return []

    def _skipped(self, done: FoundTasks, match: re.Match[str]) -> list[TaskRequest]:
        """Return the skip of what was deleted, where its next occurrence alone was meant."""
        deleted = self.resolver.list(f"trash ({' or '.join(f'#{each.id}' for each in done.tasks)})")
        days = self.reader.dates.stretch(match["days"]) if match["days"] else None
        is_next = all(
            task.repeat_words
            and task.due
            and (days.first <= task.due.day <= days.last if days else not match["days"])
            for task in deleted.tasks
        )
        if not (deleted.tasks and is_next):
            return []
        return [TaskRequest(Undo()), TaskRequest(Change(Verb.UPDATE, "it", "skip"), done)]

    def _denied(self, clauses: Sequence[str]) -> list[TaskRequest]:
        """Return the reopening of a task that is not done after all: `the disk is not done`."""
        clauses = [
            phrases.LEADING.sub("", phrases.EXCLAIMED.sub("", each, count=1))
            for each in clauses
            if not (phrases.EXCLAIMED.fullmatch(f"{each} ") or _UNDOES.fullmatch(each))
        ]
        match = _NOT_SO.fullmatch(clauses[0]) if clauses else None
        closed = tuple(task for each in self.did if closes(each) for task in tasks_by_name(each))
        named = self.named(_filled(match, "what"), closed) if match else set()
        found = tuple(task for task in closed if task.id in named)
        if not found or not all(map(self._remarks.only_tells, clauses[1:])):
            return []
        return [TaskRequest(Change(Verb.REOPEN, "it"), FoundTasks(found))]

    def _undone(self, match: re.Match[str]) -> list[TaskRequest]:
        """Return the undo of what was done to one task, if that was the last change."""
        what = match["what"] or match["task"] or match["changed"]
        pools = (self.dialogue.focus, *(self.resolver.pool(what, each) for each in ("", "all")))
        named = next(filter(None, (self.named(what, pool) for pool in pools)), set())
        if not named:
            return []
        is_last = self.dialogue.wrote and named == {task.id for task in self.dialogue.focus}
        tasks = tuple(task for task in self.resolver.pool(what, "all") if task.id in named)
        return [
            TaskRequest(Undo())
            if is_last
            else TaskRequest(FixedAnswer("other undo"), FoundTasks(tasks))
        ]

    def _all_but(self, said: str) -> list[TaskRequest]:
        """Return what spares some of the tasks of the turn before: `except the slides`."""
        forms = (_SPARES, _ONLY, _STAYS)
        match = next(filter(None, (form.fullmatch(said) for form in forms)), None)
        if match is None or len(self.did) != 1:
            return []
        ready = self.did[0]
        if isinstance(ready.request, Add):
            new = ready.request.tasks
            titles = [ShownTask(n, each.title) for n, each in enumerate(new)]
            named = self.named(_filled(match, "what"), titles, are_last=True)
            kept = [n in named for n in range(len(new))]
            if match.re is not _ONLY:
                kept = [not each for each in kept]
            left = tuple(task for task, is_kept in zip(new, kept, strict=True) if is_kept)
            is_some = named and 0 < len(left) < len(new)
            return (
                [TaskRequest(Undo()), TaskRequest(replace(ready.request, tasks=left))]
                if is_some
                else []
            )
        found = ready.found.tasks if ready.found and not ready.found.filter else ()
        spares = match.re is not _ONLY
        named = self.named(_filled(match, "what"), found, are_last=True)
        chosen = tuple(task for task in (*found, *self.dialogue.shown) if task.id in named)
        chosen = tuple({task.id: task for task in chosen}.values())
        others = tuple(task for task in found if task.id not in named)
        if not chosen or not others:
            return []
        kept_ones = others if spares else chosen
        return [
            TaskRequest(Undo()),
            replace(ready, found=FoundTasks(kept_ones, is_bulk=len(kept_ones) > 1)),
        ]

    def _exchanged(self, said: str) -> list[TaskRequest]:
        """Return what the turn before did, for other tasks: `sorry, not Bell, St Mark's`."""
        clauses = _told_clauses(said)
        if not all(map(tasks_by_name, self.did)):
            return []
        changed = {task.id: task for each in self.did for task in tasks_by_name(each)}
        if both := _REWORDS[0].fullmatch(said) or _REWORDS[1].fullmatch(said):
            # `the invoice, not the slides`
            clauses = [f"not {both['old']}", both["new"]]
        match = _SPARES.fullmatch(clauses[0]) if clauses else None
        if match is None:
            return []
        spared = self.named(match["what"], tuple(changed.values()), are_last=True)
        rest = [each for each in clauses[1:] if not self._remarks.only_tells(each)]
        meant = self._others_than(changed.keys(), _I_MEANT.sub("", rest[0])) if rest else ()
        if not spared or len(rest) > 1 or bool(rest) != bool(meant):
            return []
        requests = [TaskRequest(Undo())]
        for ready in self.did:
            kept = tuple(task for task in tasks_by_name(ready) if task.id not in spared)
            kept += meant if len(kept) < len(tasks_by_name(ready)) else ()
            if kept:
                requests.append(replace(ready, found=FoundTasks(kept, is_bulk=len(kept) > 1)))
        return requests if len(requests) > 1 else []

    def _recounted(self, said: str) -> list[TaskRequest]:
        """Return the new task, or the note, with another number in the place of its only one."""
        match = _NUMBER_ALONE.fullmatch(said)
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        if match is None or len(self.did) != 1 or len(tasks) != 1:
            return []
        change, (task,) = self.did[0].request, tasks
        note = change.notes if isinstance(change, Change) else None
        text = task.title if isinstance(change, Add) else note or ""
        numbers = _NUMBER.findall(text)
        may_be_hour = task.due is not None and task.due.at is not None and not note
        if len(numbers) != 1 or (may_be_hour and float(match["number"]) <= _LAST_HOUR):
            return []
        new = text.replace(numbers[0], match["number"])
        if note is None:
            return [TaskRequest(Change(Verb.UPDATE, "it", title=new), FoundTasks(tasks))]
        return [
            TaskRequest(Undo()),
            TaskRequest(Change(Verb.UPDATE, "it", notes=new), FoundTasks(tasks)),
        ]

    def _reworded(self, said: str) -> list[TaskRequest]:
        """Return the one task with other words in its title: `30 bags, not 20`.

        A value may be said beside them: `make that tuesday and it's for Cian, not Finn`.
        """
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        if len(tasks) != 1:
            return []
        old = tasks[0].title
        for parts in ([said], re.split(r"[,.;] (?:and )?| and ", said)):
            title, value, is_sure = old, "", True
            for part in parts:
                bare = phrases.BE_IT.sub("", peeled(phrases.LEADING.sub("", part)))
                if words := self.reader.changes.words(bare):
                    value = words
                elif new := self._retitled(title, part):
                    title, is_sure = new
                elif title != old and _QUANTITY.fullmatch(part):
                    title = f"{title}, {part}"
                elif not self._remarks.only_tells(part):
                    title = old
                    break
            if title != old:
                change = Change(Verb.UPDATE, "it", value, title=title, is_guess=not is_sure)
                return [TaskRequest(change, FoundTasks(tasks))]
        return []

    def _retitled(self, title: str, said: str) -> tuple[str, bool] | None:
        """Return a title as a text corrects it, and whether that is sure."""
        if (match := _COMES_TOO.fullmatch(said)) and (people := _PEOPLE.search(title)):
            who = match["who"] or match["also"] or match["too"]
            return f"{title[: people.end()]} and {who}{title[people.end() :]}", True
        words, whole = title.split(), said.split()
        for size in range(2, min(len(words), len(whole) - 1) + 1):
            # `for Ella and Tom` of what ends in `for Ella`
            if whole[size] in ("and", "&") and folded(" ".join(words[-size:])) == folded(
                " ".join(whole[:size])
            ):
                return " ".join((*words[:-size], *whole)), True
        forms = filter(None, (form.fullmatch(said) for form in _REWORDS))
        pairs = [(match["old"], match["new"]) for match in forms if self._is_part(match["new"])]
        for old, new in pairs:
            if reworded := _reworded(title, old, new):
                return reworded, True
        if pairs:
            # `oat milk, not cow's`
            denies = "not" in tokens(said)
            return _more_exactly(title, pairs[0][1], is_meant=False) if denies else None
        return self._said_exactly(title, said)

    def _said_exactly(self, title: str, said: str) -> tuple[str, bool] | None:
        """Return a new title as a text says it more exactly: `red diesel that is`."""
        match = _EXACTLY.fullmatch(said)
        if not (match and (match["lead"] or match["tail"] or _MEANS.search(said))):
            return None
        new = match["new"]
        did = [each.request for each in self.did]
        adds = any(isinstance(each, Add) for each in did)
        if not (adds or any(isinstance(each, Change) and each.title for each in did)):
            # What was closed or moved was named as it is.
            return None
        is_other = not adds and self._others_than({task.id for task in self.dialogue.focus}, new)
        if is_other or any(spans_of(words_of(new), self.reader.changes)):
            return None
        if new.isdigit():
            return None
        is_whole = " " in new and is_verb(tokens(title)[0]) and is_verb(tokens(new)[0]) and not adds
        is_said = match["lead"] or (is_whole and _MEANS.search(said))
        if is_said and (is_whole or set(tokens(title)) < set(tokens(new))):
            return new[:1].upper() + new[1:], True
        new = new[:1].lower() + new[1:] if said.startswith(new) else new
        is_part = self._is_part(new) and not all(map(is_function, tokens(new)))
        meant = bool(_MEANS.search(said))
        return _more_exactly(title, new, is_meant=meant) if is_part else None

    def _is_part(self, words: str) -> bool:
        """Return True for words that may be some of a title."""
        said = tokens(words)
        is_told = phrases.SUBJECT.match(words) or not _TOLD.isdisjoint(said)
        is_long = len(words.split()) > _MAX_REWORDED or words.casefold() in DONE | OFF
        return not (is_told or is_long or self.reader.changes.words(words))

    def value(self, said: str) -> str:
        """Return the value in a message that corrects what was done, where the rest tells why."""
        return self._corrected_value(said) or self._value_among_reasons(said)

    def _corrected_value(self, said: str) -> str:
        """Return the value that a message begins with, where the rest only tells why.

        In `no, friday, I work on saturday` that is Friday, where Saturday is the day so far.
        """
        lead = _BETTER.match(said)
        rest = said[lead.end() :] if lead else said
        words = words_of(rest)
        spans = list(spans_of(words, self.reader.changes))
        is_after_change = self.dialogue.wrote and len(self.did) == 1
        if not is_after_change or not spans or spans[0].start or not spans[0].change:
            return ""
        typed = [word.typed for word in words]
        end = spans[0].end
        value = " ".join(typed[:end]).strip(_SIGNS)
        behind = "".join(
            f"{',' if word.pause else ''} {word.typed.strip(_SIGNS)}" for word in words[end:]
        )
        match = _TELLS_WHY.fullmatch(behind)
        if match is None or not self.sets_day(value):
            return ""
        was = self.due()
        days = [self.reader.dates.stretch(span.change) for span in spans[1:]]
        is_of_day_before = was is not None and any(each and each.first == was.day for each in days)
        in_spans = {at for span in spans for at in range(span.start, span.end)}
        told = " ".join(word for at, word in enumerate(typed) if at not in in_spans)
        is_reason = match["because"] or is_of_day_before
        is_reason = is_reason or (told and is_remark(told, self.reader.changes))
        return value if is_reason else ""

    def _value_among_reasons(self, said: str) -> str:
        """Return the value that a clause consists of, where the others tell why.

        In `pardon, thursday they are closed; it is friday` that is Friday, where Thursday is the
        day so far.
        """
        was = self.due()
        if was is None or not self.dialogue.wrote or len(self.did) != 1:
            return ""
        clauses = [phrases.BE_IT.sub("", each) for each in _told_clauses(said)]
        values = [
            each for each in clauses if self.reader.changes.words(each) and self.sets_day(each)
        ]
        others = [each for each in clauses if each not in values]
        if any(map(IN_PROJECT.fullmatch, others)):
            return ""
        is_told = all(self._remarks.tells_of_day(each, was.day) for each in others)
        return values[0] if len(values) == 1 and others and is_told else ""

    def closed(self) -> FoundTasks | None:
        """Return the tasks that were completed, deleted or cancelled, if nothing else was done."""
        is_closing = len(self.did) == 1 and closes(self.did[0])
        return self.did[0].found if is_closing else None

    def due(self) -> When | None:
        """Return when the tasks of the turn before are due, if all are at one time."""
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        dues = {task.due for task in tasks}
        return next(iter(dues)) if self.dialogue.focus and len(dues) == 1 else None

    def named(self, words: str, tasks: Sequence[ShownTask], *, are_last: bool = False) -> set[int]:
        """Return the numbers of the tasks that words name, all of them; none if a word is left.

        Those of the turn before (`are_last`) may be named by their place or their verb too.
        """
        named: set[int] = set()
        match read_reference(words, self.reader.dates):
            case ById(ids):
                return {task.id for task in tasks if task.id in ids}
            case ByPlace(order) if are_last:
                return {tasks[at].id for at in order if -len(tasks) <= at < len(tasks)}
        for part in re.split(r",? (?:and|or|nor) |, ", words):
            said = tokens(part)
            found, places = mentioned(said, tasks)
            if are_last and not found:
                found, places = mentioned(said, tasks, by_verb=True)
            left = [each for at, each in enumerate(said) if at not in places]
            if len(found) != 1 or not all(map(is_function, left)):
                return set()
            named.add(found[0].id)
        return named

    def _others_than(self, changed: Collection[int], words: str) -> tuple[ShownTask, ...]:
        """Return the tasks that words name, all of them, where none is among those changed."""
        pool = self.resolver.pool(words)
        named = self.named(words, pool)
        return tuple(task for task in pool if task.id in named and named.isdisjoint(changed))

    def sets_day(self, text: str) -> bool:
        """Return True for a text with a day in it, or a shift of one."""
        said = [span.change for span in spans_of(words_of(text), self.reader.changes)]
        return any(each and not (is_time(each) or _NO_DATE.match(each)) for each in said)


def _filled(match: re.Match[str], name: str) -> str:
    """Return the words of a group, whichever alternative of the pattern has them."""
    groups = match.groupdict()
    return next(filter(None, (groups.get(group) for group in (name, f"{name}2", f"{name}3"))), "")


def _more_exactly(title: str, new: str, *, is_meant: bool) -> tuple[str, bool] | None:
    """Return a title with the words that say a part of it more exactly, or spell it.

    With `is_meant` they may take the place of others.
    """
    old, words = title.split(), new.split()
    known = [folded(each) for each in old]
    ends = [at for at, word in enumerate(known) if word == folded(words[-1])]
    if len(ends) == 1 and len(words) > 1:
        end = start = ends[0] + 1
        more = list(words)
        while start and more and known[start - 1] == folded(more[-1]):
            start -= 1
            more.pop()
        before = known[max(0, start - len(more)) : start]
        is_other = len(before) == len(more) and not any(
            is_verb(each) or is_function(each) or each.isdigit() for each in before
        )
        if not more or (is_other and not is_meant):
            return None
        start -= len(more) if is_other else 0
        made = " ".join((*old[:start], *words, *old[end:]))
        return made[:1].upper() + made[1:], not is_other
    if len(words) > 1:
        return None
    like = [word for word in old if _is_spelled(word, new)]
    if like and like[0][0].isupper():
        new = new[:1].upper() + new[1:]
    elif is_meant and not like and len(old) == 2 and is_verb(known[0]):
        like = old[1:]
    made = _reworded(title, like[0], new) if len(like) == 1 else ""
    return (made, True) if made else None


def _is_spelled(word: str, new: str) -> bool:
    """Return True for `Joan` where it is spelled `Joanne`; a short name may have one slip."""
    one, other = folded(word).removesuffix("'s"), folded(new).removesuffix("'s")
    is_name = word[0].isupper() and len(one) > 2 and one != other
    is_near = is_name and (other.startswith(one) or distance(one, other) < 2)
    return one != other and (alike(one, other) or is_near)


def _reworded(text: str, old: str, new: str) -> str:
    """Return a title with new words in the place of old ones; empty if those are not in it once."""
    title, wanted, words = text.split(), folded(old).replace("'s", "").split(), new.split()
    places = [
        at
        for at in range(len(title))
        if folded(" ".join(title[at:])).replace("'s", "").split()[: len(wanted)] == wanted
    ]
    if len(places) != 1:
        return ""
    first, after = places[0], places[0] + len(wanted)
    lead = next(
        (
            size
            for size in range(len(words) - 1, 0, -1)
            if [*map(folded, title[:first][-size:])] == [*map(folded, words[:size])]
        ),
        0,
    )
    words = words[lead:]
    behind = [folded(each) for each in title[after : after + len(words) - 1]]
    if len(words) > 1 and behind == [folded(each) for each in words[1:]]:
        words = words[:1]
    if title[after - 1].endswith("'s") and not words[-1].endswith("'s"):
        words[-1] += "'s"
    made = " ".join((*title[:first], *words, *title[after:]))
    return made[:1].upper() + made[1:] if text[:1].isupper() else made


def _told_clauses(said: str) -> list[str]:
    """Return the clauses of a message without what is only exclaimed."""
    parts = phrases.PART.split(said)
    return [each for each in parts if not phrases.EXCLAIMED.fullmatch(f"{each} ")]


def _without(details: str, mark: str) -> str:
    """Return change words without those of one field: that of a sign, or the dates."""
    signs = [sign[0] for sign in _SIGN.finditer(details) if sign["mark"] != mark]
    rest = " ".join(_SIGN.sub("", details).split())
    cleared = rest.removeprefix("no ") if rest.startswith("no ") else ""
    is_other = _MARKS.get(cleared[:4], "") != mark
    return " ".join([*([rest] if rest and is_other else []), *signs])


def tasks_by_name(ready: TaskRequest) -> tuple[ShownTask, ...]:
    """Return the tasks of a change; none for a filter."""
    return ready.found.tasks if ready.found and not ready.found.filter else ()


def _verb(ready: TaskRequest) -> Verb | None:
    return ready.request.verb if isinstance(ready.request, Change) else None


def closes(ready: TaskRequest) -> bool:
    """Return True for a change that completes, deletes or cancels tasks."""
    is_closing = _verb(ready) in _CLOSING or ready.details == "cancelled"
    return is_closing and bool(ready.found and ready.found.tasks)


def titles_of(ready: TaskRequest) -> list[str]:
    """Return the titles of what a request adds or changes."""
    tasks = ready.request.tasks if isinstance(ready.request, Add) else tasks_by_name(ready)
    return [task.title for task in tasks]
