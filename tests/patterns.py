"""`python -m tests.patterns`: regular expressions whose time grows with the square of the text.

It takes every one of the package, where it stands, and texts that are hard for it. It measures
times, so that it wants a machine with nothing else to do, and is not a test.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import todo_tui
from todo_tui.domain import text as domain_text
from todo_tui.providers import embeddings, registry
from todo_tui.providers import errors as complaints
from todo_tui.providers import traits as model_traits

Code = Any
"""What Python's parser of patterns makes of them, and it has no types."""
_METHODS = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
_ANY_METHOD = re.compile(rf"\.(?:compile|{'|'.join(_METHODS)})\b")
"""In every module that has or uses a pattern; the others are not parsed."""
_ALL_THROUGH = frozenset({"compile", "findall", "finditer", "split", "sub", "subn"})
"""Methods that go on after a match, which cost the same; so may those of a compiled pattern."""
_ENDS = ("", "\x00", "\n")
"""Characters that hardly any pattern goes on with, so that what came before was in vain."""
_MAX_IN_PAIRS = 7
_MEMBERS = "a0 \n-.,:;#@<[({\"'`\\/|=!&x\t\x1b\x90\x9d\ud800é"
"""Candidates for one member of a class of characters."""


class RunTime(Exception):
    """A pattern is put together when it is used, so that its module does not have it."""


@dataclass(frozen=True)
class Use:
    """One pattern, how it is used, and where."""

    place: str
    pattern: re.Pattern[str]
    method: str

    def run(self, text: str) -> None:
        """Use the pattern on a text, as the package does."""
        if self.method in _ALL_THROUGH:
            for _ in self.pattern.finditer(text):
                pass
        else:
            getattr(self.pattern, self.method)(text)


def uses(*, without: Sequence[str] = ()) -> tuple[tuple[Use, ...], dict[str, str]]:
    """All uses of patterns in the package; places and methods of those made at run time.

    `without` are names of packages that are left out.
    """
    folder = Path(str(todo_tui.__file__)).parent
    files = sorted(folder.rglob("*.py"))
    sources = [
        _Source(file, folder)
        for file in files
        if file.name != "__main__.py" and _ANY_METHOD.search(file.read_text("utf-8"))
    ]
    sources = [each for each in sources if not each.module.startswith(tuple(without))]
    abroad: dict[str, set[str]] = {}
    for source in sources:
        for name, methods in source.methods.items():
            abroad.setdefault(name, set()).update(methods)
    found: dict[tuple[str, int, str], Use] = {}
    unknown: dict[str, str] = {}
    for source in sources:
        for call in source.calls:
            try:
                pattern = source.pattern(call)
            except RunTime:
                unknown[source.place(call)] = _function(call)
                continue
            for method in source.used_with(call, abroad):
                kind = "finditer" if method in _ALL_THROUGH else method
                key = (pattern.pattern, pattern.flags, kind)
                found.setdefault(key, Use(source.place(call), pattern, kind))
    return tuple(found.values()), unknown


class _Source:
    """One module as it is written; only one with patterns is imported."""

    def __init__(self, path: Path, package: Path) -> None:
        self._path = path.relative_to(package)
        parts = path.relative_to(package.parent).with_suffix("").parts
        self.module = ".".join(parts).removesuffix(".__init__")
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        self.calls = [node for node in nodes if isinstance(node, ast.Call) and _is_of_re(node.func)]
        self._parents = {
            child: parent
            for parent in (nodes if self.calls else ())
            for child in ast.iter_child_nodes(parent)
        }
        self.methods: dict[str, set[str]] = {}
        """By the name of what they are called on."""
        for node in nodes:
            if isinstance(node, ast.Attribute) and node.attr in _METHODS:
                self.methods.setdefault(_last_name(node.value), set()).add(node.attr)

    def place(self, call: ast.Call) -> str:
        """The file below the package, and the pattern as it is written there."""
        name = self._assigned_to(call) or ast.unparse(call.args[0])
        return f"{self._path.as_posix()} {name}"

    def pattern(self, call: ast.Call) -> re.Pattern[str]:
        """The compiled pattern of a call.

        Raises:
            RunTime: the module alone does not say it.
        """
        if _function(call) == "compile":
            value = self._value(call)
        else:
            named = [each.value for each in call.keywords if each.arg == "flags"]
            place = {"sub": 4, "subn": 4, "split": 3}.get(_function(call), 2)
            flags = [*named, *call.args[place:]]
            value = self._value(call.args[0])
            value = re.compile(value, self._value(flags[0]) if flags else 0)
        assert isinstance(value, re.Pattern)
        return value

    def used_with(self, call: ast.Call, abroad: Mapping[str, set[str]]) -> Iterable[str]:
        """The methods that are called with the pattern; of one that is handed on, any."""
        if _function(call) != "compile":
            return [_function(call)]
        parent = self._parents[call]
        if isinstance(parent, ast.Attribute):
            return [parent.attr]
        name = self._assigned_to(call)
        known = self.methods if name.startswith("_") else abroad
        return known.get(name) or self.methods.get("pattern") or ["finditer", "fullmatch"]

    def _assigned_to(self, call: ast.Call) -> str:
        node: ast.AST = call
        while isinstance(node, ast.expr | ast.keyword):
            node = self._parents[node]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
        return ""

    def _value(self, node: ast.expr) -> Code:
        code = compile(ast.Expression(node), str(self._path), "eval")
        try:
            return eval(code, vars(importlib.import_module(self.module)))  # noqa: S307
        except NameError as error:
            raise RunTime(ast.unparse(node)) from error


def _is_of_re(function: ast.expr) -> bool:
    match function:
        case ast.Attribute(value=ast.Name(id="re"), attr=name):
            return name in ("compile", *_METHODS)
        case _:
            return False


def _function(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Subscript(value=value):
            return _last_name(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


@dataclass(frozen=True)
class Hard:
    """A text that grows: the beginning once, the unit as often as fits, the end once."""

    begin: str
    unit: str
    end: str

    def text(self, length: int) -> str:
        """About that many characters of it."""
        return self.begin + self.unit * (length // len(self.unit)) + self.end


def hard_texts(pattern: re.Pattern[str]) -> Iterable[Hard]:
    """Texts of the pattern's own characters on which it may try much in vain.

    What it repeats is repeated behind what it wants before; so is each of its literals,
    alone and with each of the others; then comes what it does not go on with.
    """
    pieces = _Pieces()
    pieces.collect(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG), "")
    singles = dict.fromkeys(each for each in (*pieces.runs, *pieces.members, *" \na") if each)
    strong = dict.fromkeys([*" \na", *pieces.runs, *pieces.literals])
    few = list(filter(None, strong))[:_MAX_IN_PAIRS]
    pairs = [a + b for a in few for b in few if a != b]
    begun = dict.fromkeys(
        (begin, unit)
        for begin, units in pieces.repeats
        for unit in dict.fromkeys((*units, " ", "\n"))
        if unit
    )
    hard = [Hard(begin, unit, end) for begin, unit in begun for end in _ENDS]
    hard += [Hard("", unit, end) for unit in singles for end in _ENDS]
    hard += [Hard("", unit, "\x00") for unit in pairs]
    return dict.fromkeys(hard)


@dataclass
class _Pieces:
    """What a pattern consists of."""

    literals: dict[str, None] = field(default_factory=dict)
    members: dict[str, None] = field(default_factory=dict)
    runs: dict[str, None] = field(default_factory=dict)
    repeats: list[tuple[str, list[str]]] = field(default_factory=list)
    """What stands before a repeat, and what it repeats."""

    def collect(self, items: Iterable[Any], before: str) -> str:
        """Take a sequence apart; an example of it, behind the example of what stands before."""
        run = ""
        for code, argument in items:
            if code is codes.LITERAL:
                self.literals[chr(argument)] = None
                run += chr(argument)
            else:
                self.runs[run] = None
                run = ""
            before = self._item(code, argument, before)
        self.runs[run] = None
        return before

    def _item(self, code: Code, argument: Code, before: str) -> str:
        match code:
            case codes.LITERAL:
                return before + chr(int(argument))
            case codes.IN | codes.ANY | codes.NOT_LITERAL | codes.CATEGORY:
                few = _members(code, argument)[:4]
                self.members.update(dict.fromkeys(few))
                return before + (few[0] if few else "")
            case codes.BRANCH:
                ends = [self.collect(each, before) for each in argument[1]]
                return max(ends, key=len)
            case codes.SUBPATTERN:
                return self.collect(argument[3], before)
            case codes.ATOMIC_GROUP:
                return self.collect(argument, before)
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                least, _, body = argument
                example: str = self.collect(body, before)[len(before) :]
                self.repeats.append((before, [example, *_single(body)]))
                return before + example * max(int(least), 1)
            case codes.ASSERT | codes.ASSERT_NOT:
                self.collect(argument[1], before)
                return before
            case codes.AT | codes.GROUPREF | codes.GROUPREF_EXISTS | codes.FAILURE:
                return before
        raise NotImplementedError(code)


def _single(body: Sequence[Any]) -> list[str]:
    """Members of the class that a repeat consists of."""
    if len(body) != 1 or body[0][0] not in (codes.IN, codes.ANY, codes.NOT_LITERAL):
        return []
    return _members(*body[0])[:4]


def _members(code: Code, argument: Code) -> list[str]:
    candidates = dict.fromkeys((*_named(code, argument), *_MEMBERS))
    match code:
        case codes.ANY:
            return list(candidates)
        case codes.NOT_LITERAL:
            return [each for each in candidates if ord(each) != argument]
        case codes.CATEGORY:
            argument = [(code, argument)]
    denied = argument[0][0] is codes.NEGATE
    return [each for each in candidates if any(_is(each, *item) for item in argument) is not denied]


def _named(code: Code, argument: Code) -> Iterator[str]:
    """The characters that a class names itself."""
    if code is codes.IN:
        for kind, value in argument:
            if kind is codes.LITERAL:
                yield chr(value)
            elif kind is codes.RANGE:
                yield chr(value[0])


def _is(character: str, code: Code, argument: Code) -> bool:
    match code:
        case codes.LITERAL:
            return ord(character) == int(argument)
        case codes.RANGE:
            return bool(argument[0] <= ord(character) <= argument[1])
        case codes.CATEGORY:
            return re.fullmatch(_CATEGORIES[argument], character) is not None
    return False


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def strings_in(value: object) -> Iterator[str]:
    """All texts in the tables of a module, or in whatever else."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, ModuleType):
        tables = (each for name, each in vars(value).items() if not name.startswith("__"))
        for table in tables:
            if isinstance(table, tuple | list | dict):
                yield from strings_in(table)
    elif isinstance(value, Mapping):
        yield from strings_in(list(value.items()))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from strings_in(each)
    elif is_dataclass(value):
        yield from strings_in([getattr(value, each.name) for each in fields(value)])


_RUN_TIME = {
    "config/named_models.py pattern": registry,
    "domain/text.py pattern": domain_text,
    "providers/embeddings.py _FAMILIES": embeddings,
    "providers/errors.py p": complaints,
    "providers/errors.py pattern": complaints,
    "providers/traits.py pattern": model_traits,
    "tui/models/catalog.py pattern": registry,
    # Of a key, or of words that a person or a scenario wrote, taken literally.
    "config/config_file_edit.py example": None,
    "cli/title_search.py patterns": None,
    "providers/wire_formats/answer_marks.py _THINKING_ENDS": None,
    "providers/wire_formats/answer_marks.py printed": None,
    "domain/filters/search_words.py re.escape(word)": None,
    "evaluation/expectations.py pattern": None,
    "domain/secret.py ''.join(map(_escaped_forms, _split_characters(secret)))": None,
    "store/conversations/search.py literal": None,
    "store/operations/purge.py text": None,
}
"""Where patterns are used that stand in tables, and whose."""
_MOST = 6.0
"""Times the time that four times the text may take."""
_NOISE = 0.002
"""Seconds: what takes less is not weighed."""
_SHORT, _LONG = 200, 2_000
_SUSPICIOUS = 0.0005
"""Seconds for a text of the second length: several times what the square-free ones take."""
_HOPELESS = 0.05
"""Seconds for a text of the first length, beyond which longer ones might take for ever."""


def main() -> int:
    """Print what is too slow; return the number of such uses."""
    found, at_run_time = uses(without=("todo_tui.providers.offline",))
    if set(at_run_time) != set(_RUN_TIME):
        print(
            "The table of patterns made at run time differs from:", *sorted(at_run_time), sep="\n"
        )
        return 1
    in_tables = [
        Use(place, re.compile(text, re.IGNORECASE | re.DOTALL), at_run_time[place])
        for place, module in _RUN_TIME.items()
        for text in dict.fromkeys(strings_in(module))
        if _is_pattern(text)
    ]
    problems = [problem for use in (*found, *in_tables) for problem in _problems(use)]
    print(
        *problems, f"{len(problems)} of {len(found) + len(in_tables)} uses are too slow.", sep="\n"
    )
    return len(problems)


def _seconds(work: Callable[[str], object], text: str, tries: int = 1) -> float:
    """CPU seconds of this thread, at best."""
    best = float("inf")
    for _ in range(tries):
        began = time.thread_time()
        work(text)
        best = min(best, time.thread_time() - began)
    return best


def _too_steep(work: Callable[[str], object], hard: Hard, lengths: tuple[int, ...]) -> str:
    """Say where more text takes too much more time; empty where it never does."""
    for shorter, longer in pairwise(lengths):
        # Only what seems too slow is tried again: that may have been somebody else.
        for tries in (1, 2, 4):
            before, took = (_seconds(work, hard.text(each), tries) for each in (shorter, longer))
            if took <= max(before, _NOISE) * _MOST * longer / shorter / 4:
                break
        else:
            return f"{before * 1000:.1f} ms for {shorter:,}, {took * 1000:.1f} ms for {longer:,}"
    return ""


def _problems(use: Use) -> list[str]:
    """What is too slow; judged by the texts that take longest when they are short."""
    timed: list[tuple[float, Hard]] = []
    for hard in hard_texts(use.pattern):
        for length, most in ((_SHORT, _HOPELESS), (_LONG, _HOPELESS * 10)):
            took = _seconds(use.run, hard.text(length))
            if took > most and (took := _seconds(use.run, hard.text(length), tries=3)) > most:
                return [f"{use.place}, {use.method}, {hard}: {took * 1000:.1f} ms for {length}"]
        timed.append((took, hard))
    timed.sort(key=lambda each: -each[0])
    suspicious = [hard for took, hard in timed[:3] if took > _SUSPICIOUS]
    lengths = (2_500, 10_000, 40_000, 160_000) if suspicious else (10_000, 40_000)
    for hard in suspicious or [timed[0][1]]:
        if problem := _too_steep(use.run, hard, lengths):
            return [f"{use.place}, {use.method}, {hard}: {problem}"]
    return []


def _is_pattern(text: str) -> bool:
    """Whether it has a meaning as a pattern: the other texts of a table are words."""
    if re.escape(text) == text:
        return False
    try:
        re.compile(text)
    except re.error:
        return False
    return True


if __name__ == "__main__":
    sys.exit(min(main(), 1))
