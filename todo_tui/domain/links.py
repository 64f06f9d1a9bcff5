"""Links (web and mail addresses) found in the text of a task."""

import re
from typing import NamedTuple

from todo_tui.domain.task import Task

_ADDRESS = re.compile(
    r"""
    (?<![\w@/.-])
    (?: (?P<scheme> https? | mailto | tel ) : (?: // )? (?= \w | [\[+] )
      | (?P<bare> www\. (?= \w ) ) )
    [^\s<>"“”„«»`{}|\\^\x00-\x20\x7f]+
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ENDINGS = ".,;:!?'’…*_~"
"""Punctuation that ends a sentence rather than an address."""
_BRACKETS = {")": "(", "]": "["}
_LONGEST = 4000


class Link(NamedTuple):
    """Address in a text, from `start` to `end`; `url` is the target."""

    start: int
    end: int
    url: str


def find_links(text: str) -> tuple[Link, ...]:
    """Find the addresses in a plain or Markdown text, in order.

    Punctuation after an address is not part of it, nor is a bracket opened before it.
    """
    found: list[Link] = []
    for match in _ADDRESS.finditer(text):
        if len(match[0]) > _LONGEST:
            continue
        address = _strip_punctuation(match[0])
        name = address[len("www.") :] if match["bare"] else address.partition(":")[2].strip("/")
        if name:
            url = f"https://{address}" if match["bare"] else address
            found.append(Link(match.start(), match.start() + len(address), url))
    return tuple(found)


def find_task_links(task: Task) -> tuple[str, ...]:
    """Find the addresses in title, notes and annotations of a task, each once."""
    texts = (task.title, task.notes, *(annotation.text for annotation in task.annotations))
    return tuple(dict.fromkeys(link.url for text in texts for link in find_links(text)))


def _strip_punctuation(address: str) -> str:
    while address:
        last = address[-1]
        opening = _BRACKETS.get(last)
        closes_nothing = opening is not None and address.count(last) > address.count(opening)
        if last not in _ENDINGS and not closes_nothing:
            break
        address = address[:-1]
    return address
