"""Answers from documents in the place of what the list says, or before it."""

from dataclasses import dataclass

from todo_tui.domain.knowledge.content_words import content_words
from todo_tui.providers.offline import help, replies
from todo_tui.providers.offline.answering import quotations
from todo_tui.providers.offline.dialogue import Reply
from todo_tui.providers.offline.language.words import peeled
from todo_tui.providers.offline.reading.reader import Reader
from todo_tui.providers.offline.tool_results import CallRounds


@dataclass(frozen=True, slots=True)
class DocumentAnswer:
    """Answers a question from documents; `listed` is what was answered without them."""

    text: str
    message: str
    """The text as it was meant after the turn before."""
    reader: Reader
    listed: Reply

    def reply(self) -> CallRounds[Reply]:
        """Return the reply from documents, or `listed` where they are not asked.

        What the list has answered they answer only if it is for a fact that they have.
        """
        text, listed = self.text, self.listed
        if not (listed.is_unanswered or quotations.asks_fact(text)):
            return listed
        if not quotations.is_question(self.reader, text):
            return listed
        found = self._on_list()
        answer = yield from quotations.quote(text, found, listed.named.values())
        has_subject = any(word.isalpha() for word in content_words(text))
        is_open = has_subject and not quotations.is_about_own_days(text)
        if not answer and is_open and listed.text == replies.DECLINED:
            answer = replies.IN_NO_DOCUMENT
        if not answer:
            return listed
        reply, is_nowhere = Reply(), answer == replies.IN_NO_DOCUMENT
        if is_nowhere and found is not quotations.OnList.NOTHING:
            # What the list knows of the same thing may help.
            reply.say(answer)
            reply.say(listed.text, [*listed.named.values()])
        elif is_nowhere and quotations.is_about_own_tasks(text):
            reply.say(replies.NOWHERE)
        else:
            reply.say(answer)
        return reply

    def _on_list(self) -> quotations.OnList:
        """Return what the list says of the question."""
        if not self.listed.is_unanswered:
            return quotations.OnList.ANSWER
        is_near = any(quotations.is_about(self.text, each) for each in self.listed.named.values())
        is_help = self.listed.text == help.help_text(peeled(self.message)) != help.HELP
        if is_help or quotations.is_about_own_days(self.text) or is_near:
            return quotations.OnList.SIMILAR
        return quotations.OnList.NOTHING
