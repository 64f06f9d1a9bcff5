"""What the styles of a page hide, read from `style` attributes and `<style>` elements.

Imported by parser_script.py, in its process. Of the cascade there is what pages hide text with:
specificity, order, `!important`, and what is inherited. External style sheets are not read, and
rules hold in any medium.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

Declarations = Mapping[str, str]
_MAX_SELECTORS = 200
"""Selectors with several parts that are looked up; each is a pass over the page."""
_LONGEST_VALUE = 300
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SIMPLE = re.compile(r"([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_STATE = re.compile(r":(?!not\(|is\(|where\(|has\(|first-|last-|only-|nth-|root|empty)")
"""Pseudo-elements and states such as `:hover`; of positions in the document is the rest."""
_IMPORTANT = re.compile(r"(?<!\s)\s*+!\s*+important$")
_FAR = re.compile(r"-(?:\d{3,}|\d{2,}(?:\.\d+)?(?:r?em|vw|vh))|\d{5,}")
_VERY_FAR = re.compile(r"-(?:\d{4,}|\d{2,}(?:\.\d+)?(?:r?em|vw|vh))|\d{5,}")
_HIDING = {
    "display": re.compile(r"none"),
    "content-visibility": re.compile(r"hidden"),
    "opacity": re.compile(r"(?:0?\.0[0-5]?\d*|0|[0-5](?:\.\d+)?%)$"),
    "left": _FAR,
    "right": _FAR,
    "top": re.compile(r"-\d{3,}"),
    "bottom": re.compile(r"-\d{3,}"),
    "text-indent": _FAR,
    "margin-left": _VERY_FAR,
    "margin-top": _VERY_FAR,
    "clip": re.compile(r"rect\((?:[01](?:px)?[\s,]*){4}\)"),
    "clip-path": re.compile(r"inset\((?:[5-9]\d|100)(?:\.\d+)?%|circle\(0"),
}
"""Values, from their beginning, with which an element and all that is in it cannot be seen."""
_HIDING_FUNCTIONS = {
    "filter": re.compile(r"opacity\((?:0?\.0\d*|0%?)\)"),
    "transform": re.compile(
        r"scale(?:3d|x|y)?\(0(?:\.0+)?[,)\s]|translate(?:3d|x|y)?\([^()]*-(?:\d{4,}|\d{3}v)"
    ),
}
"""The same, anywhere in a value that is a list of functions."""
_SIZES = ("height", "max-height", "width", "max-width")
_NO_SIZE = re.compile(r"(?:0|1px|0?\.\d+px)|0[a-z%]+")
_CLIPPED = re.compile(r"hidden|clip")
_OF_TEXT = frozenset(
    {"visibility", "font-size", "font", "color", "-webkit-text-fill-color",
     "background", "background-color", "background-image"}
)  # fmt: skip
_PROPERTIES = (
    _HIDING.keys()
    | _HIDING_FUNCTIONS.keys()
    | _OF_TEXT
    | {*_SIZES, "overflow", "overflow-x", "overflow-y"}
)
_FONT_SIZE = re.compile(r"(?<![\d.])(\d++(?:\.\d++)?|\.\d++)(px|pt|r?em|ex|ch|%|)(?:/|$|\s)")
_SMALLEST = {"px": 2.0, "pt": 1.5, "%": 10.0, "": 0.0}
"""Font sizes up to which nobody can read; of units relative to a size a tenth."""
_NAMED_COLORS = {
    "white": (255, 255, 255), "snow": (255, 250, 250), "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255), "whitesmoke": (245, 245, 245),
    "floralwhite": (255, 250, 240), "black": (0, 0, 0),
}  # fmt: skip
_COLOR_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]*+)\)")
_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b")
_ALIKE = 12
"""Difference of two colors, of 255, up to which text cannot be told from its background."""
Color = tuple[int, int, int]
_WHITE: Color = (255, 255, 255)


class Look(NamedTuple):
    """Look of the text of an element; colors are None where they are not known."""

    is_gone: bool = False
    is_invisible: bool = False
    is_tiny: bool = False
    is_transparent: bool = False
    color: Color | None = None
    background: Color | None = _WHITE

    @property
    def is_hidden(self) -> bool:
        """True if the text cannot be seen."""
        return (
            self.is_gone
            or self.is_invisible
            or self.is_tiny
            or self.is_transparent
            or (
                self.color is not None
                and self.background is not None
                and all(
                    abs(a - b) <= _ALIKE for a, b in zip(self.color, self.background, strict=True)
                )
            )
        )


class _Rule(NamedTuple):
    """Declarations of a selector; those of a higher weight come later."""

    weight: tuple[int, int, int, int]
    declarations: Declarations
    tag: str = ""
    ids: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()


class Styles:
    """The rules of one page; `look` is called for elements from the root down."""

    def __init__(self, page: LexborHTMLParser) -> None:
        self._rules: dict[str, list[_Rule]] = defaultdict(list)
        self._of_node: dict[int, list[_Rule]] = defaultdict(list)
        self._cached: dict[tuple[str, str, str], Declarations] = {}
        self._read(page)
        # Whatever is behind the text is in a file that is not read.
        has_others = page.css_first("link[rel~=stylesheet]") is not None
        self.root = Look(background=None if has_others else _WHITE)

    def look(self, node: LexborNode, tag: str, above: Look) -> Look:
        """Return the look of an element, from that of the element around it."""
        attributes = node.attributes
        declared = self._declarations(node.mem_id, tag, attributes)
        if not declared and not attributes.keys() & {"hidden", "popover", "color", "bgcolor"}:
            return above
        look = _apply(above, declared, attributes, tag)
        if tag in ("html", "body"):
            # Scripts show pages that are hidden as a whole.
            return look._replace(is_gone=False, is_invisible=False, is_tiny=False)
        if "hidden" in attributes or "popover" in attributes:
            return look._replace(is_gone=True)
        return look

    def _read(self, page: LexborHTMLParser) -> None:
        # A selector that occurs again overrides: otherwise each of its elements would have all.
        found: dict[str, dict[str, str]] = {}
        for sheet in page.css("style"):
            for written in _COMMENT.sub("", sheet.text()).split("}"):
                selectors, _, text = written.rpartition("{")
                if declarations := _parse(text):
                    # Of `@media print {.note {…}}` the inner selector; what ends before a rule.
                    for selector in re.split("[{;]", selectors)[-1].split(","):
                        _merge(found.setdefault(selector.strip(), {}), declarations)
        several = 0
        for order, (selector, declarations) in enumerate(found.items()):
            simple = _SIMPLE.fullmatch(selector)
            parts = re.findall(r"([.#])([\w-]+)", selector)
            ids = frozenset(name for mark, name in parts if mark == "#")
            classes = frozenset(name for mark, name in parts if mark == ".")
            weight = (len(ids), len(classes), int(not parts), order)
            if simple:
                tag = (simple[1] or "").lower().strip("*")
                rule = _Rule(weight, declarations, tag, ids, classes)
                key = next(
                    (f"#{each}" for each in ids), next((f".{each}" for each in classes), tag)
                )
                self._rules[key].append(rule)
            elif several < _MAX_SELECTORS and not _STATE.search(selector):
                several += 1
                for mem_id in _matching(page, selector):
                    self._of_node[mem_id].append(_Rule(weight, declarations))

    def _declarations(
        self, mem_id: int, tag: str, attributes: Mapping[str, str | None]
    ) -> Declarations:
        key = (tag, attributes.get("id") or "", attributes.get("class") or "")
        own = self._of_node.get(mem_id, [])
        inline = _parse(attributes.get("style") or "")
        if not own and not inline and key in self._cached:
            return self._cached[key]
        names = key[2].split()
        keys = dict.fromkeys(("", tag, f"#{key[1]}", *(f".{each}" for each in names)))
        rules = [
            rule
            for each in keys
            for rule in self._rules.get(each, ())
            if rule.tag in ("", tag) and rule.ids <= {key[1]} and rule.classes <= {*names}
        ]
        declared: dict[str, str] = {}
        for rule in sorted([*rules, *own], key=lambda rule: rule.weight):
            _merge(declared, rule.declarations)
        if not own and not inline:
            self._cached[key] = declared
        _merge(declared, inline)
        return declared


def _matching(page: LexborHTMLParser, selector: str) -> Iterator[int]:
    from selectolax.lexbor import SelectolaxError

    with suppress(SelectolaxError):
        yield from (node.mem_id for node in page.css(selector))


def _parse(style: str) -> dict[str, str]:
    """Return the declarations that can hide something, by property, in lower case."""
    declared: dict[str, str] = {}
    for part in _COMMENT.sub("", style).split(";") if style else ():
        name, _, value = part.partition(":")
        if (name := name.strip().lower()) in _PROPERTIES:
            _merge(declared, {name: " ".join(value[:_LONGEST_VALUE].lower().split())})
    return declared


def _merge(declared: dict[str, str], later: Declarations) -> None:
    for name, value in later.items():
        if _IMPORTANT.search(value) or not _IMPORTANT.search(declared.get(name, "")):
            declared[name] = value


def _apply(
    above: Look, marked: Declarations, attributes: Mapping[str, str | None], tag: str
) -> Look:
    declared = {name: _IMPORTANT.sub("", value) for name, value in marked.items()}
    is_gone = (
        above.is_gone
        or any(name in declared and each.match(declared[name]) for name, each in _HIDING.items())
        or any(
            name in declared and each.search(declared[name])
            for name, each in _HIDING_FUNCTIONS.items()
        )
    )
    overflow = " ".join(declared.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    if _CLIPPED.search(overflow):
        is_gone |= any(_NO_SIZE.fullmatch(declared.get(each, "")) for each in _SIZES)
    look = above._replace(is_gone=bool(is_gone))
    if (visibility := declared.get("visibility")) is not None:
        look = look._replace(is_invisible=visibility in ("hidden", "collapse"))
    if size := _FONT_SIZE.search(declared.get("font-size") or declared.get("font", "")):
        number, unit = float(size[1]), size[2]
        is_relative = unit in ("em", "ex", "ch", "%")
        is_tiny = number <= _SMALLEST.get(unit, 0.1) or (is_relative and above.is_tiny)
        look = look._replace(is_tiny=is_tiny)
    attribute = (attributes.get("color") or "") if tag == "font" else ""
    color = declared.get("-webkit-text-fill-color") or declared.get("color") or attribute.lower()
    if color and color not in ("inherit", "currentcolor"):
        value, is_transparent = _color(color)
        look = look._replace(color=value, is_transparent=is_transparent)
    background = " ".join(
        declared.get(name, "") for name in ("background", "background-color", "background-image")
    )
    background += (attributes.get("bgcolor") or "").lower()
    if background.strip():
        look = look._replace(background=_background(background, above.background))
    return look


def _background(written: str, above: Color | None) -> Color | None:
    if "url(" in written or "gradient" in written or "var(" in written:
        return None
    if written.strip() in ("none", "inherit", "initial", "unset"):
        return above
    value, is_transparent = _color(written)
    return above if is_transparent else value


def _color(written: str) -> tuple[Color | None, bool]:
    """Return a color, None if it is not known, and True if it is transparent."""
    if "transparent" in written:
        return None, True
    if found := _HEX.search(written):
        digits = found[1] if len(found[1]) > 4 else "".join(each * 2 for each in found[1])
        red, green, blue, *alpha = (int(digits[at : at + 2], 16) for at in range(0, len(digits), 2))
        return (red, green, blue), alpha != [] and alpha[0] < _ALIKE
    if found := _COLOR_FUNCTION.search(written):
        numbers = re.findall(r"-?\d*\.?\d+%?", found[2])
        values = [float(each.rstrip("%")) / (100 if "%" in each else 1) for each in numbers]
        if len(values) < 3:
            return None, False
        is_transparent = len(values) > 3 and values[3] < 0.05
        if found[1] == "rgb":
            scale = 255 if "%" in found[2].split("/")[0] else 1
            red, green, blue = (int(each * scale) for each in values[:3])
            return (red, green, blue), is_transparent
        # Only white and black are the same for all hues.
        light = int(values[2] * 255)
        return ((light, light, light) if light in (0, 255) else None), is_transparent
    return next(
        (_NAMED_COLORS[each] for each in re.findall(r"[a-z]+", written) if each in _NAMED_COLORS),
        None,
    ), False
