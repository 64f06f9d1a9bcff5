"""The grammar of subtasks: adding below a task, nesting, completing with what is below."""

from __future__ import annotations

from todo_tui.providers.offline.builders import act, lacks
from todo_tui.providers.offline.intents import Add, Deed, Intent
from todo_tui.providers.offline.pattern import Rule, Slots
from todo_tui.providers.offline.structure_words import BELOW, ID, SUB, linked

_A_SUB = (
    r"(?:an? |the )?(?:sub-? ?task|child(?: task)?|sub-?item|sub-?step|step|part|piece|component)"
)

_MAKE = r"(?:make|turn|set|have|let|mark|put)"


def _parts(slots: Slots) -> Intent:
    return Add(slots["item"], parent=slots["ref"])


def _list_of_parts(slots: Slots) -> Intent:
    return Add(slots["item"], parent=slots["ref"], listed=True)


ADDING_BELOW = (
    Rule(
        rf"(?:add|create|give|write|put|new)(?: me)? ?(?:some |the |these "
        rf"|the following |new |a |an "
        rf"|another |two |three |four |five |six |\d+ )*{SUB} (?:to|under|for|below|of) {{ref}}: ?"
        rf"{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:give|add to) {{ref}} (?:the |these |some |the following |a |an |another |two |three "
        rf"|four |five |\d+ )*{SUB}:? "
        rf"{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|put|make) {{item}} as (?:a |an |the |another |new )*{SUB} "
        rf"(?:to|of|under|for|below|in) {{ref}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|make) (?:a |an |another |the |new )*{SUB}(?: called| named|:)? {{item}} "
        rf"(?:to|under|for|of|below|in) {{ref}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|make) (?:a |an |another |the |new )*{SUB} (?:to|under|for|of|below|in) "
        rf"{{ref}} (?:called|named|to) {{item}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|put) {{item}} (?:{BELOW}|to|in|into|for) (?:the )?(?P<ref>{ID})",
        _parts,
    ),
    Rule(
        rf"(?:add|create|put) {{item}} {BELOW} (?P<ref>it|that|that one|this|this one|\d+)",
        _parts,
    ),
    Rule(
        rf"{BELOW} {{ref}},? (?:please )?(?:add|create|put):? {{item}}",
        _parts,
    ),
    Rule(
        rf"(?:add|put) {BELOW} {{ref}}: ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|put) (?:under|to|for) (?P<ref>{ID}|it|that): ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:break|split|divide|cut|separate)(?: up| down)? {{ref}}(?: up| down)? (?:into|in to"
        rf"|in|as|to)\b(?: (?:the |these |some )?(?:\w+ )?{SUB})?:? ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"{{ref}} (?:consists of|has (?:the |these |two |three |four |five )?{SUB}:?"
        rf"|is made up of|needs (?:the |these )?{SUB}:?) {{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|make)(?: an?| another| the| some| a new| new)? {SUB}"
        rf"(?: (?:to|under|for|of) (?P<ref>[^:]+))?: ?(?P<item>.+)",
        lambda slots: Add(slots["item"], parent=slots["ref"] or "it", listed=True),
        strong=False,
    ),
    Rule(
        rf"(?:break|split|divide)(?: up| down)? {{ref}}(?: up| down)?(?: into {SUB})?",
        lacks("Which parts shall it have?", "add subtasks to {ref}: {blank}"),
        strong=False,
    ),
    Rule(
        rf"(?:add|create|make)(?: an?| another| the| some| a new| new)? {SUB} "
        rf"(?:to|under|for|of) {{ref}}",
        lacks("What shall the subtask be?", "add subtasks to {ref}: {blank}"),
    ),
)

NESTING = (
    Rule(
        rf"{_MAKE} {{ref}} (?:in ?to |as |to be |be |become )*{_A_SUB}s? (?:of|under|to|in"
        rf"|for|below) {{other}}",
        linked(Deed.NEST),
    ),
    Rule(
        rf"{{ref}} (?:is|are|should be|belongs as|shall be|must be|becomes) {_A_SUB}s? (?:of"
        rf"|under|to|in) {{other}}",
        linked(Deed.NEST),
    ),
    Rule(
        rf"(?:move|put|file|place|nest|indent|stick|drop|hang|tuck|bring|shift|transfer|attach) "
        rf"{{ref}} (?:{BELOW}|in|into|to|onto) (?:the )?(?P<other>{ID}(?: .+)?)",
        linked(Deed.NEST),
    ),
    Rule(
        rf"(?:move|put|file|place|nest|indent|stick|drop|hang|tuck|attach) {{ref}} "
        rf"(?:{BELOW}|in|into) (?P<other>\d+|it|that|that one)",
        linked(Deed.NEST),
    ),
    Rule(rf"(?:nest|tuck|hang|indent) {{ref}} {BELOW} {{other}}", linked(Deed.NEST)),
    Rule(
        r"(?:set|change|make) (?:the )?parent(?: task)? of {ref} (?:to|as|be) (?:none|nothing"
        r"|no one)",
        act(Deed.NEST, "none"),
    ),
    Rule(
        r"(?:set|change|make) (?:the )?parent(?: task)? of {ref} (?:to|as|be) {other}",
        linked(Deed.NEST),
    ),
    Rule(
        rf"{_MAKE} {{other}} (?:the )?parent(?: task)? of {{ref}}",
        linked(Deed.NEST),
    ),
    Rule(
        r"(?:make|turn|set|move|bring|promote|lift|pull) {ref} (?:in ?to |to |out to |as |be )*"
        r"(?:a |an |the )?(?:top[- ]?level|own|separate|independent|standalone|stand-alone|root"
        r"|main)(?: (?:task|level|one|item|list))?",
        act(Deed.NEST, "none"),
    ),
    Rule(
        r"(?:unnest|un-nest|outdent|detach|unparent) {ref}"
        r"(?: from (?P<other>.+))?",
        act(Deed.NEST, "none"),
    ),
    Rule(
        rf"(?:take|move|get|pull|bring) {{ref}} out (?:of|from under) (?P<other>{ID}|it|that"
        rf"|its parent)",
        act(Deed.NEST, "none"),
    ),
    Rule(
        r"(?:take|move|get|pull|bring|remove) {ref} (?:out )?from (?:under|below|beneath|inside) "
        r"(?P<other>.+)",
        act(Deed.NEST, "none"),
    ),
)

FAMILY_FINISHING = (
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) {{ref}}(?: as done)? "
        rf"(?:and|with|including|along with|together with|plus) (?:all )?(?:of )?(?:its|the|their"
        rf"|all|every) ?(?:open |remaining )?{SUB}(?: as done)?(?: too| as well)?",
        act(Deed.COMPLETE, "close"),
    ),
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) {{ref}}(?: as done)? "
        rf"(?:and|with|including|along with|together with|plus) (?:everything|all|anything"
        rf"|all tasks|the tasks) (?:{BELOW}|in|below) (?:it|them|that)(?: as done)?"
        rf"(?: too| as well)?",
        act(Deed.COMPLETE, "close"),
    ),
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) (?:only |just )?{{ref}}"
        rf"(?: as done)?(?:,? (?:but|and))? (?:leave|keep|leaving|keeping|without|not|but not)"
        rf" (?:completing |closing |its |the |their |any |all )*{SUB}(?: open| alone"
        rf"| as they are)?",
        act(Deed.COMPLETE, "leave"),
    ),
    Rule(
        r"(?:complete|finish|tick off|tick|close|check off) {ref} (?:only|itself|alone|on its own)",
        act(Deed.COMPLETE, "leave"),
    ),
    Rule(
        r"(?:complete|finish|tick off|tick|close|check off) (?:only|just) (?:the parent )?{ref}"
        r"(?: itself| alone| on its own)?",
        act(Deed.COMPLETE, "leave"),
    ),
)
