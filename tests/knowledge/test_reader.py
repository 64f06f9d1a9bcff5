"""Reading files: structure, places, encodings, and files that cannot be documents."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import too_steep
from tests.knowledge.files import pdf
from tests.rows import each_row
from todo_tui.domain.knowledge.documents import DocumentKind, FileVersion, ReadDocument
from todo_tui.knowledge import reader as module
from todo_tui.knowledge.parser_script import parse_html
from todo_tui.knowledge.passages import Block, split_passages
from todo_tui.knowledge.reader import (
    DocumentReader,
    FileUnreadable,
    LoadedFile,
    load_file,
)

DATA = Path(__file__).parents[1] / "data" / "knowledge"


def read(reader: DocumentReader, folder: Path, name: str, content: str | bytes) -> ReadDocument:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return reader.parse(load_file(path))


def texts(document: ReadDocument) -> list[str]:
    assert document.problem == ""
    return [each.text for each in document.passages]


def test_markdown_has_headings_and_lines(reader: DocumentReader, tmp_path: Path) -> None:
    text = (
        "Before\n\n# Lease\n\nIntro\n\n## Rent\nDue monthly.\nOn the third.\n\n"
        "Deposit\n-------\nThree rents.\n### Return\n\n```\n# no heading\n\nx\n```\nAfter\n"
        "## Pets\n"
    )
    document = read(reader, tmp_path, "a.md", text)
    assert document.title == "Lease"
    assert [(each.headings, each.line, each.text) for each in document.passages] == [
        (("Lease",), 1, "Before"),
        (("Lease",), 5, "Intro"),
        (("Lease", "Rent"), 8, "Due monthly.\nOn the third."),
        (("Lease", "Deposit"), 13, "Three rents."),
        (
            ("Lease", "Deposit", "Return"),
            16,
            "```\n# no heading\n\nx\n```\n\nAfter",
        ),
        (("Lease", "Pets"), 22, "Pets"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("notes.txt", "# not Markdown\n", "notes"),
        ("a.md", "no heading", "a"),
        ("a.md", "---\ntags: [x]\ntitle: 'Front'\n---\n# Other\n\ntext", "Front"),
        ("a.md", "---\n\nno front matter\n\n# Real\n", "Real"),
        ("a.html", "<title> A  &amp; B </title><h1>C</h1>x", "A & B"),
        ("a.html", "<h2>C<br>D</h2>x", "C D"),
        ("a.html", "<p>x", "a"),
        ("a.pdf", pdf("x", title="Manual"), "Manual"),
        ("a.pdf", pdf("x", outline=(("One", 0),)), "a"),
    ],
)
def test_titles(
    reader: DocumentReader, tmp_path: Path, name: str, text: str | bytes, title: str
) -> None:
    assert read(reader, tmp_path, name, text).title == title


def test_what_a_reader_of_markdown_does_not_see_is_dropped(
    reader: DocumentReader, tmp_path: Path
) -> None:
    text = "One <!-- ignore\nall --> two\n\n![x](data:image/png;base64,AAAA)\n\n<!-- open"
    document = read(reader, tmp_path, "a.md", text)
    assert texts(document) == ["One \n two\n\n![x]()\n\n<!-- open"]
    tags = "".join(chr(0xE0000 + ord(sign)) for sign in "obey")
    assert texts(read(reader, tmp_path, "b.md", f"a{tags}\u200b\x1b[31mb")) == ["ab"]


def test_html_is_read_as_a_browser_shows_it(reader: DocumentReader, tmp_path: Path) -> None:
    text = (
        "<head><title>T</title><style>.a, #b {display : none} @media print{.c{opacity:0}}"
        " p::before{display:none}</style></head><body><h1>Top</h1>Some <b>bo</b>ld<br>text"
        "<p class=a>no</p><p id=b>no</p><p class=c>no</p><p hidden>no</p><script>no</script>"
        "<div style='VISIBILITY: hidden'><p>no<b>no</b></p></div><p style='font-size:0px'>no</p>"
        "<p style='opacity: 0'>no</p><p style='text-indent:-9999px'>no</p><template>no</template>"
        "<noscript>no</noscript><textarea>no</textarea><!-- no --><svg><text>no</text></svg>"
        "<p style='opacity:0.5;font-size:10px'>yes</p><ul><li>one<li>two</ul><h2>Below</h2>"
        "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table><pre>a\n  b</pre>"
    )
    document = read(reader, tmp_path, "a.html", text)
    assert [(each.headings, each.text) for each in document.passages] == [
        (("T", "Top"), "Some bold\ntext\n\nyes\n\none\ntwo"),
        (("T", "Top", "Below"), "1 2\n3\n\na\n  b"),
    ]


def test_a_pdf_has_pages_and_the_headings_of_its_outline(
    reader: DocumentReader, tmp_path: Path
) -> None:
    content = pdf(
        "The rent is due on the third work-\ning day.",
        "Cats are allowed.",
        title="Lease",
        outline=(("Rent", 0), ("Pets", 1)),
    )
    document = read(reader, tmp_path, "a.pdf", content)
    assert [(each.headings, each.page, each.text) for each in document.passages] == [
        (("Lease", "Rent"), 1, "The rent is due on the third working day."),
        (("Lease", "Pets"), 2, "Cats are allowed."),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "Käse €".encode(),
        "\ufeffKäse €".encode(),
        "Käse €".encode("utf-16"),
        "Käse €".encode("utf-32"),
        "Käse €".encode("cp1252"),
        "Ka\u0308se €".encode(),
    ],
)
def test_usual_encodings_are_read(reader: DocumentReader, tmp_path: Path, content: bytes) -> None:
    (text,) = texts(read(reader, tmp_path, "a.txt", content))
    assert text in ("Käse €", "Ka\u0308se €")


def test_a_page_may_declare_its_encoding(reader: DocumentReader, tmp_path: Path) -> None:
    for charset in ("iso-8859-2", "no-such-charset"):
        page = f"<meta charset='{charset}'><p>Łódź".encode(
            "iso-8859-2" if charset == "iso-8859-2" else "utf-8"
        )
        assert texts(read(reader, tmp_path, "a.html", page)) == ["Łódź"]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "contains binary data"),
        ("a.txt", bytes(range(1, 32)) * 50, "contains binary data"),
        ("a.html", b"GIF89a\x01\x00\x01\x00", "contains binary data"),
        ("a.txt", "Привет, мир".encode("cp1251"), "has an unknown encoding: save it as UTF-8"),
        ("a.txt", "こんにちは".encode("shift-jis"), "has an unknown encoding: save it as UTF-8"),
        ("a.txt", b"\xff\xfea", "has an unknown encoding: save it as UTF-8"),
        ("a.md", b"", "is empty"),
        ("a.txt", b" \n\t\n", "is empty"),
        ("a.html", b"<p hidden>x", "is empty"),
        ("a.pdf", b"", "is not a PDF"),
        ("a.pdf", b"hello", "is not a PDF"),
        ("a.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 100, "is a broken PDF"),
        ("a.pdf", pdf("cut off")[:300], "is a broken PDF"),
        ("a.pdf", pdf("x").replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"), "is a broken PDF"),
        ("a.pdf", pdf(""), "has no text: its pages may be scanned pictures"),
        (
            "a.pdf",
            (DATA / "encrypted.pdf").read_bytes(),
            "is encrypted: save a copy without a password",
        ),
    ],
)
def test_content_that_is_no_document_is_named(
    reader: DocumentReader, tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    document = read(reader, tmp_path, name, content)
    assert (document.problem, list(document.passages)) == (problem, [])


@pytest.mark.parametrize(("name", "megabytes"), [("a.txt", 1024), ("a.pdf", 1024), ("a.md", 33)])
def test_a_file_that_is_too_large_is_not_read(
    reader: DocumentReader, tmp_path: Path, name: str, megabytes: int
) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(megabytes * 1024 * 1024)
    tracemalloc.start()
    try:
        document = reader.parse(load_file(path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert document.problem in ("is larger than 32 MB", "is larger than 256 MB")
    assert most < 1024 * 1024


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "self.md").symlink_to(tmp_path / "self.md")
    for path, reason in (
        (tmp_path / "none.md", "does not exist"),
        (tmp_path / "pipe.md", "is not an ordinary file"),
        (tmp_path / "self.md", "is a link that leads to itself"),
        (tmp_path, "is not an ordinary file"),
        (Path("/dev/zero"), "is not an ordinary file"),
        (Path("a\0b.md"), "has a name that is not text"),
        (Path("a\udc80.md"), "has a name that is not text"),
    ):
        with pytest.raises(FileUnreadable, match=reason):
            load_file(path)


def test_a_hostile_page_takes_a_limited_time(tmp_path: Path) -> None:
    # The parser's time grows with the square of the depth: two minutes.
    deep = "<div>" * 200_000 + "x"
    with DocumentReader(seconds=3) as reader:
        document = read(reader, tmp_path, "deep.html", deep)
        assert document.problem == "takes more than 3 seconds to read"
        assert texts(read(reader, tmp_path, "next.html", "<p>next")) == ["next"]


def test_a_missing_library_is_named_and_others_are_read(
    reader: DocumentReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library, name in (("selectolax", "a.html"), ("pypdfium2", "a.pdf")):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(FileUnreadable, match=r"'todo-tui\[knowledge\]'"):
            read(reader, tmp_path, name, pdf("x"))
    assert texts(read(reader, tmp_path, "a.md", "x")) == ["x"]


def test_long_paragraphs_are_cut_at_sentences(reader: DocumentReader, tmp_path: Path) -> None:
    sentence = "Here is a sentence of some forty letters. "
    document = read(reader, tmp_path, "a.txt", f"Short.\n\n{sentence * 30}\n\nEnd.")
    assert all(each.text.endswith(".") for each in document.passages)
    assert [len(each.text) for each in document.passages] == [6, 419, 419, 419, 4]


def test_lists_are_cut_between_items_and_keep_their_lines(
    reader: DocumentReader, tmp_path: Path
) -> None:
    items = [f"- item {number} with a few more words in it" for number in range(40)]
    document = read(reader, tmp_path, "a.md", "# List\n\n" + "\n".join(items))
    lines = ["", "", *items]
    for each in document.passages:
        assert each.line is not None
        assert each.text.split("\n") == lines[each.line - 1 :][: each.text.count("\n") + 1]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 0, 0, 1, 2, 6]),
            st.text(alphabet="ab .\n-é", min_size=0, max_size=900),
        )
    )
)
def test_no_text_is_lost_or_too_long(parts: list[tuple[int, str]]) -> None:
    blocks = [Block(level, text, None, 1) for level, text in parts]
    passages = split_passages("title", blocks)
    joined = "".join("".join(each.text.split()) for each in passages)
    for level, text in parts:
        if not level:
            assert "".join(text.split()) in joined
    assert all(0 < len(each.text) <= 1_000 for each in passages)


@pytest.mark.parametrize(
    "unit", ["word ", "x", "Sentence. ", "- item\n", "\n\nab", "# h\n", "<!--"]
)
def test_splitting_takes_work_in_proportion(unit: str, tmp_path: Path) -> None:
    def parse(text: str) -> None:
        split_passages(*module._markdown_blocks(text))

    parse("word " * 1_000)  # What is compiled once is no work of the text.
    assert not too_steep(parse, lambda length: unit * (length // len(unit)))


HIDDEN = """
    <p hidden>no</p>
    <p style="DISPLAY : none !important">no</p>
    <div style="display:none"><p style="display:block">no</p></div>
    <p style="visibility:hidden">no</p>
    <p style="visibility:collapse">no</p>
    <p style="opacity:0">no</p>
    <p style="opacity:0.01">no</p>
    <p style="opacity:0%">no</p>
    <p style="font-size:0">no</p>
    <p style="font-size:1px">no</p>
    <p style="font-size:.01em">no</p>
    <p style="font:0/0 a">no</p>
    <div style="font-size:0"><p style="font-size:100%">no</p></div>
    <p style="position:absolute;left:-9999px">no</p>
    <p style="position:fixed;top:-1000px">no</p>
    <p style="text-indent:-999em">no</p>
    <p style="margin-left:-10000px">no</p>
    <p style="transform:translateX(-9999px)">no</p>
    <p style="transform:scale(0)">no</p>
    <p style="height:0;overflow:hidden">no</p>
    <p style="max-height:0px;overflow-y:hidden">no</p>
    <p style="position:absolute;width:1px;height:1px;overflow:hidden">no</p>
    <p style="clip:rect(0 0 0 0)">no</p>
    <p style="clip-path:inset(50%)">no</p>
    <p style="color:transparent">no</p>
    <p style="color:rgba(0,0,0,0)">no</p>
    <p style="color:#0000">no</p>
    <p style="color:white">no</p>
    <p style="color:#fefefe">no</p>
    <p style="color:rgb(255, 255, 255)">no</p>
    <p style="color:#000;background:#000">no</p>
    <div style="background:black"><p style="color:#000000">no</p></div>
    <font color="#FFFFFF">no</font>
    <table bgcolor="#000000"><tr><td style="color:black">no</td></tr></table>
    <p style="/* x */display/* y */:none">no</p>
    <template>no</template>
    <body><noscript>no</noscript>
    <dialog>no</dialog>
    <datalist><option>no</option></datalist>
    <style>.a{display:none}</style><p class="b a">no</p>
    <style>#a{visibility:hidden}</style><p id="a">no</p>
    <style>q{opacity:0}</style><q>no</q>
    <style>P.b, i{font-size:0}</style><p class="b">no</p>
    <style>/* x */ .a /* y */{color:#fff}</style><p class="a">no</p>
    <style>.a .b{display:none}</style><div class="a"><p class="b">no</p></div>
    <style>@import url(x.css); .a{display:none}</style><p class="a">no</p>
    <style>.a{display:none !important}</style><p class="a" style="display:block">no</p>
"""
SHOWN = """
    <p aria-hidden="true">yes</p>
    <p style="opacity:0.5;font-size:10px">yes</p>
    <p style="display:block;visibility:visible">yes</p>
    <div style="visibility:hidden"><p style="visibility:visible">yes</p></div>
    <div style="font-size:0"><p style="font-size:14px">yes</p></div>
    <div style="background:#000"><p style="color:#fff">yes</p></div>
    <div style="background:url(dark.png)"><p style="color:#fff">yes</p></div>
    <div style="background:black"><p style="color:#fff;background:none">yes</p></div>
    <p style="color:white;background-color:navy">yes</p>
    <p style="margin-left:-10px;text-indent:-2em;top:-5px">yes</p>
    <p style="height:0">yes</p>
    <p style="height:100px;overflow:hidden">yes</p>
    <table bgcolor="black"><tr><td><font color="white">yes</font></td></tr></table>
    <dialog open>yes</dialog>
    <details><summary>yes</summary></details>
    <style>.a:hover{display:none} .a::after{display:none}</style><p class="a">yes</p>
    <style>.a{display:none} .a{display:block}</style><p class="a">yes</p>
    <style>p{display:none} #a{display:block}</style><p id="a">yes</p>
    <style>.a.b{display:none}</style><p class="a">yes</p>
    <style>.a{display:none}</style><p class="a" style="display:block">yes</p>
    <link rel="stylesheet" href="dark.css"><p style="color:white">yes</p>
    <style>body{opacity:0}</style>yes
"""


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (line.strip(), text)
        for lines, text in ((HIDDEN, ""), (SHOWN, "yes"))
        for line in lines.strip().splitlines()
    ],
)
def test_text_that_styles_hide_is_not_read(reader: DocumentReader, page: str, text: str) -> None:
    file = LoadedFile(Path("a.html"), DocumentKind.HTML, FileVersion(1, 1, ""), page.encode())
    assert [each.text for each in reader.parse(file).passages] == [text][: len(text)]


@each_row(
    "unit",
    [
        "<li>an item",
        "<p>a paragraph",
        "<tr><td>a row",
        "<b>bold</b>",
        "<p class='a b' style='color:red'>x",
        "<style>.a{display:none}</style><p class=a>x",
        "<style>p{</style>",
        "<style>a b{color:red}</style>",
    ],
)
def test_pages_take_work_in_proportion(unit: str) -> None:
    def parse(text: str) -> None:
        parse_html(text.encode())

    assert not too_steep(parse, lambda length: unit * (length // len(unit)))


DEEP = b"<div>" * 200_000
"""Takes two minutes: the parser's time grows with the square of the depth."""


def parser_process(seconds: float) -> subprocess.Popen[bytes]:
    """Return a parser process that has begun to parse a page."""
    script = Path(module.__file__).with_name("parser_script.py")
    process = subprocess.Popen(
        [sys.executable, "-P", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    request = {"kind": "html", "size": len(DEEP), "seconds": seconds}
    process.stdin.write(json.dumps(request).encode() + b"\n" + DEEP)
    process.stdin.flush()
    return process


def test_the_parser_ends_when_nobody_waits_for_it() -> None:
    process = parser_process(seconds=600)
    assert process.communicate()[0] == b""  # closes its input, as the end of a program does
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="has no limits of processor time")
def test_the_parser_limits_its_own_processor_time() -> None:
    with parser_process(seconds=1) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b""
        assert process.wait() == -signal.SIGXCPU


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_parser_has_no_keys_in_its_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "secret")
    with DocumentReader() as reader:
        read(reader, tmp_path, "a.html", "<p>x")
        children = [path.read_text().split() for path in Path("/proc/self/task").glob("*/children")]
        environments = [
            Path("/proc", child, "environ").read_bytes() for each in children for child in each
        ]
    assert environments
    assert not any(b"secret" in each for each in environments)


def test_a_text_has_headings_and_nothing_of_its_pages(
    reader: DocumentReader, tmp_path: Path
) -> None:
    text = (
        "LEASE OF FLAT 3\n\nCONTENTS\n\n1. Rent .......... 1\n2. Leaving ....... 2\n\n"
        "1. RENT\n\nThe rent is due monthly.\nIt is 875 euros.\n\nFlat 3           Page 1 of 2\n\n"
        "Heating   yes\nCold rent ...... 700 euros\n\n- 1 -\n\n"
        "2. LEAVING\nGive notice in writ-\ning.\n\n"
        "Keys\n----\nReturn all keys.\n\nMilk\n\nEggs\n\n- 2 -\n"
    )
    document = read(reader, tmp_path, "lease.txt", text)
    above = ("lease", "LEASE OF FLAT 3")
    assert [(each.headings, each.line, each.text) for each in document.passages] == [
        (
            (*above, "1. RENT"),
            10,
            "The rent is due monthly.\nIt is 875 euros.\n\nHeating   yes\nCold rent: 700 euros",
        ),
        ((*above, "2. LEAVING"), 21, "Give notice in writing."),
        ((*above, "Keys"), 26, "Return all keys.\n\nMilk\n\nEggs"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Shopping\n\nMilk\n\nEggs",
        "2026",
        "Call 0800 555 or\n1947\nin the evening.",
        "Coffee ........ 3",
        "Day 1\n\nDay 2\n\nDay 3",
        "one line, then another;\n\nand a third",
    ],
)
def test_what_is_no_page_furniture_stays(reader: DocumentReader, tmp_path: Path, text: str) -> None:
    document = read(reader, tmp_path, "a.txt", text)
    found = " ".join(f"{' '.join(each.headings)} {each.text}" for each in document.passages)
    assert {*re.findall(r"\w+", text)} <= {*re.findall(r"\w+", found)}


def test_running_heads_of_a_pdf_are_left_out(reader: DocumentReader, tmp_path: Path) -> None:
    pages = [f"Handbook {n}\nRule {n} is {word}.\nPage {n}" for n, word in enumerate("abcd")]
    document = read(reader, tmp_path, "a.pdf", pdf(*pages))
    assert texts(document) == ["Rule 0 is a.", "Rule 1 is b.", "Rule 2 is c.", "Rule 3 is d."]
