"""Adding files and folders, and what is kept when files change, vanish or are bad."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

import pytest

from tests.knowledge.files import pdf
from tests.store.opened import opened
from tests.store.test_migrations import NOBODY
from tests.store.test_purge import everything
from todo_tui.knowledge.indexing import IndexReport, add_paths, refresh
from todo_tui.knowledge.reader import DocumentReader
from todo_tui.store.store import Store


def add(store: Store, reader: DocumentReader, *paths: Path) -> IndexReport:
    return add_paths(store.knowledge, paths, reader)


def names(store: Store) -> list[str]:
    return [Path(each.path).name for each in store.knowledge.list()]


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def test_a_folder_is_walked_but_not_its_hidden_parts(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    for name in ("a.md", "sub/deep/b.TXT", ".git/c.md", "node_modules/d.md", ".e.md", "f.jpg"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
    report = add(store, reader, folder)
    assert (report.added, report.ignored, report.skipped) == (2, 1, {})
    assert names(store) == ["a.md", "b.TXT"]


def test_each_real_file_is_added_once_whatever_links_lead_to_it(
    store: Store, reader: DocumentReader, folder: Path, tmp_path: Path
) -> None:
    write(folder, a="text")
    (folder / "sub").mkdir()
    (folder / "sub" / "up").symlink_to(folder)
    (folder / "sub" / "self").symlink_to("self")
    (folder / "again.md").symlink_to("a.md")
    (folder / "none.md").symlink_to("missing.md")
    (tmp_path / "link").symlink_to(folder)
    report = add(store, reader, tmp_path / "link", folder, folder / "a.md")
    assert (report.added, report.unchanged, names(store)) == (1, 0, ["a.md"])
    assert list(report.skipped.values()) == ["does not exist"]


def test_only_changed_files_are_read_again(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    write(folder, same="one", touched="two", changed="three")
    assert add(store, reader, folder).added == 3
    os.utime(folder / "touched.md", ns=(1, 1))
    write(folder, changed="four and more")
    # A file that is not opened can be of any content.
    stamp = (folder / "same.md").stat()
    (folder / "same.md").write_text("xyz")
    os.utime(folder / "same.md", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    report = add(store, reader, folder)
    assert (report.added, report.updated, report.unchanged) == (0, 1, 2)
    assert store.knowledge.search("xyz") == ()
    (found,) = store.knowledge.search("four")
    assert found.text == "four and more"
    assert store.knowledge.search("three") == ()
    assert refresh(store.knowledge, reader).unchanged == 3


def test_refresh_finds_new_files_and_drops_vanished_ones(
    store: Store, reader: DocumentReader, folder: Path, tmp_path: Path
) -> None:
    write(folder, a="apple", b="banana")
    write(tmp_path, alone="cherry")
    add(store, reader, folder, tmp_path / "alone.md")
    (folder / "a.md").unlink()
    write(folder, new="damson")
    write(tmp_path, other="not of an added folder")
    report = refresh(store.knowledge, reader)
    assert (report.added, report.unchanged, report.removed) == (1, 2, 1)
    assert names(store) == ["alone.md", "b.md", "new.md"]
    assert store.knowledge.search("apple") == ()


def test_documents_of_a_folder_that_is_not_mounted_are_kept(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    write(folder, a="apple")
    add(store, reader, folder)
    shutil.rmtree(folder)
    report = refresh(store.knowledge, reader)
    assert report.skipped == {str(folder): "is missing; its documents are kept"}
    assert names(store) == ["a.md"]


def test_a_removed_document_does_not_come_back_by_itself(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    write(folder, a="apple", b="banana")
    add(store, reader, folder)
    store.knowledge.remove([store.knowledge.find("a.md").id], keep_out=True)
    assert refresh(store.knowledge, reader).unchanged == 1
    assert names(store) == ["b.md"]
    assert add(store, reader, folder / "a.md").added == 1
    assert names(store) == ["a.md", "b.md"]


def test_bad_files_are_named_and_the_rest_is_added(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    write(folder, good="good")
    (folder / "page.html").write_text("<p>page")
    (folder / "scan.pdf").write_bytes(pdf(""))
    (folder / "binary.md").write_bytes(b"\0\1\2")
    os.mkfifo(folder / "pipe.txt")
    with (folder / "line.txt").open("wb") as file:
        file.write(b"x" * 100_000_000)
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(1 << 30)
    report = add(store, reader, folder)
    assert (report.added, report.passages) == (2, 2)
    assert {Path(path).name: reason for path, reason in report.skipped.items()} == {
        "binary.md": "contains binary data",
        "huge.txt": "is larger than 32 MB",
        "line.txt": "is larger than 32 MB",
        "pipe.txt": "is not an ordinary file",
        "scan.pdf": "has no text: its pages may be scanned pictures",
    }
    # They are named again, without being read again.
    again = add(store, reader, folder)
    assert (again.unchanged, again.skipped) == (2, report.skipped)
    listed = {Path(each.path).name: each for each in store.knowledge.list()}
    assert (listed["scan.pdf"].state, listed["scan.pdf"].passages) == ("unreadable", 0)
    assert listed["scan.pdf"].problem == report.skipped[str(folder / "scan.pdf")]


def test_a_file_that_becomes_readable_is_added(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    (folder / "a.md").write_bytes(b"\0")
    assert add(store, reader, folder).added == 0
    write(folder, a="apple")
    assert refresh(store.knowledge, reader).added == 1
    (folder / "a.md").write_bytes(b"\0\0")
    assert list(refresh(store.knowledge, reader).skipped.values()) == ["contains binary data"]
    assert store.knowledge.search("apple") == ()


@pytest.mark.skipif(NOBODY == 0, reason="only root can become somebody who may read nothing")
def test_what_may_not_be_read_is_named_and_stays_as_it_was(reader: DocumentReader) -> None:
    with TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name, "documents")
        (folder / "closed").mkdir(parents=True)
        Path(name).chmod(0o755)
        write(folder, a="apple", b="banana")
        with opened(Path(name, "todo.db")) as store:
            add(store, reader, folder)
            write(folder, a="apple pie")
            (folder / "a.md").chmod(0)
            (folder / "closed").chmod(0)
            os.seteuid(NOBODY)
            try:
                report = refresh(store.knowledge, reader)
            finally:
                os.seteuid(0)
            assert (report.unchanged, report.removed) == (1, 0)
            assert report.skipped == {
                str(folder / "closed"): "cannot be read (Permission denied)",
                str(folder / "a.md"): "may not be read: check its permissions",
            }
            (found,) = store.knowledge.search("apple")
            assert found.text == "apple"


def test_files_that_vanish_meanwhile_are_named(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    write(folder, a="apple", b="banana", c="cherry")

    def vanish(done: int, total: int) -> None:
        if done == 1:
            (folder / "b.md").unlink()

    report = add_paths(store.knowledge, [folder], reader, vanish)
    assert (report.added, report.skipped) == (2, {str(folder / "b.md"): "does not exist"})


def test_ctrl_c_keeps_what_is_done_and_the_next_run_goes_on(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    for number in range(10):
        (folder / f"{number}.html").write_text(f"<p>number {number}")

    def interrupt(done: int, total: int) -> None:
        assert total == 10
        if done == 4:
            signal.raise_signal(signal.SIGINT)

    report = add_paths(store.knowledge, [folder], reader, interrupt)
    assert (report.added, report.is_interrupted) == (4, True)
    assert len(names(store)) == 4
    report = add(store, reader, folder)
    assert (report.added, report.unchanged, report.is_interrupted) == (6, 4, False)


def test_ctrl_c_while_a_page_is_parsed(store: Store, folder: Path) -> None:
    write(folder, a="apple")
    (folder / "deep.html").write_text("<div>" * 200_000)
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))

    def interrupt_the_next(done: int, total: int) -> None:
        if done == 1:
            signal.setitimer(signal.ITIMER_REAL, 0.5)

    with DocumentReader() as reader:
        report = add_paths(store.knowledge, [folder], reader, interrupt_the_next)
        assert (report.added, report.is_interrupted) == (1, True)
        signal.signal(signal.SIGALRM, before)
        (folder / "deep.html").write_text("<p>shallow")
        assert add(store, reader, folder).added == 1


def test_cancelling_from_another_thread_interrupts_the_parsing_of_a_page(
    store: Store, folder: Path
) -> None:
    write(folder, a="apple")
    (folder / "deep.html").write_text("<div>" * 200_000)
    with DocumentReader() as reader:
        timer = Timer(0.5, reader.cancel)

        def cancel_the_next(done: int, total: int) -> None:
            if done == 1:
                timer.start()

        report = add_paths(store.knowledge, [folder], reader, cancel_the_next)
        timer.join()
    assert (report.added, report.is_interrupted, report.skipped) == (1, True, {})
    assert [each.title for each in store.knowledge.list()] == ["a"]


def test_a_folder_with_ten_thousand_files(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    for number in range(10_000):
        name = f"{number}.md" if number % 100 == 0 else f"{number}.jpg"
        os.close(os.open(folder / name, os.O_CREAT | os.O_WRONLY))
    for number in range(0, 10_000, 200):
        (folder / f"{number}.md").write_text(f"note {number}")
    report = add(store, reader, folder)
    assert (report.added, report.ignored, len(report.skipped)) == (50, 9_900, 50)
    assert set(report.skipped.values()) == {"is empty"}


def test_documents_of_another_user_are_left_alone(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    write(folder, a="apple")
    with opened(store.path, user="bob") as bob:
        assert add(store, reader, folder).added == 1
        assert add(bob, reader, folder).added == 1
        bob.knowledge.remove([each.id for each in bob.knowledge.list()])
        assert refresh(bob.knowledge, reader).added == 1
        assert names(store) == names(bob) == ["a.md"]


def test_links_out_of_added_folders_are_named_and_not_followed(
    store: Store, reader: DocumentReader, folder: Path, tmp_path: Path
) -> None:
    write(folder, real="in the folder")
    (folder / "key.bin").write_text("key in the folder")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "id_ed25519").write_text("secret key")
    write(outside, diary="secret diary")
    (folder / "nested").mkdir()
    for link, target in (
        ("notes.md", outside / "id_ed25519"),
        ("diary.md", "../outside/diary.md"),
        ("diary", outside / "diary.md"),
        ("chain.md", "diary.md"),
        ("outside", outside),
        ("nested/up", ".."),
        ("nested/far.md", "../outside/diary.md"),
        ("kind.md", "key.bin"),
        ("real", "real.md"),
        ("tool", "/bin/sh"),
    ):
        (folder / link).symlink_to(target)
    for report in (add(store, reader, folder), refresh(store.knowledge, reader)):
        assert {Path(path).relative_to(folder).as_posix() for path in report.skipped} == {
            "notes.md", "diary.md", "diary", "chain.md", "outside", "nested/far.md", "kind.md",
        }  # fmt: skip
        assert report.skipped[str(folder / "notes.md")] == (
            f"is a link out of the folder ({outside / 'id_ed25519'})"
        )
    assert names(store) == ["real.md"]
    # Of two added folders each may lead into the other.
    assert add(store, reader, outside).added == 1
    report = add(store, reader, folder)
    assert (report.added, report.unchanged) == (0, 2)
    assert {Path(path).name for path in report.skipped} == {"notes.md", "kind.md"}


def test_a_document_that_becomes_a_link_is_removed(
    store: Store, reader: DocumentReader, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    (folder / "sub").mkdir()
    write(folder, a="apple", b="banana")
    write(folder / "sub", c="cherry")
    write(tmp_path, alone="damson")
    add(store, reader, folder, tmp_path / "alone.md")
    for path in (folder / "a.md", tmp_path / "alone.md"):
        path.unlink()
        path.symlink_to(tmp_path / "secret")
    (folder / "sub").rename(tmp_path / "moved")
    (folder / "sub").symlink_to(tmp_path / "moved")
    write(tmp_path / "moved", c="changed cherry")
    report = refresh(store.knowledge, reader)
    assert report.removed == 2
    assert set(report.skipped) == {str(folder / each) for each in ("a.md", "sub", "sub/c.md")}
    assert names(store) == ["b.md", "c.md"]
    for word in ("secret", "changed"):
        assert store.knowledge.search(word) == ()


def test_an_added_folder_that_becomes_a_link_keeps_its_documents(
    store: Store, reader: DocumentReader, folder: Path, tmp_path: Path
) -> None:
    write(folder, a="apple")
    add(store, reader, folder)
    folder.rename(tmp_path / "moved")
    folder.symlink_to(tmp_path / "moved")
    write(tmp_path / "moved", a="changed", b="banana")
    report = refresh(store.knowledge, reader)
    assert [*report.skipped] == [str(folder)]
    assert names(store) == ["a.md"]
    assert store.knowledge.search("changed") == ()


@pytest.mark.parametrize("swapped", ["b.md", "sub"])
def test_a_link_that_is_put_there_meanwhile_is_not_followed(
    store: Store, reader: DocumentReader, folder: Path, tmp_path: Path, swapped: str
) -> None:
    outside = tmp_path / "outside"
    for each in (folder / "sub", outside):
        each.mkdir()
    for name, text in (("b.md", "banana"), ("sub/c.md", "cherry")):
        (folder / name).write_text(text)
        (outside / Path(name).name).write_text("secret")

    def swap(done: int, total: int) -> None:
        if done == 0:
            (folder / swapped).rename(tmp_path / "old")
            (folder / swapped).symlink_to(outside / ("" if swapped == "sub" else swapped))

    report = add_paths(store.knowledge, [folder], reader, swap)
    assert report.added == 1
    assert store.knowledge.search("secret") == ()
    (reason,) = report.skipped.values()
    assert "is a link now" in reason


def test_our_own_files_are_never_documents(
    store: Store, reader: DocumentReader, folder: Path, tmp_path: Path
) -> None:
    config = tmp_path / "config"
    (config / "below").mkdir(parents=True)
    (config / "keys.json").write_text('{"groq": "secret"}')
    (config / "below" / "log.txt").write_text("secret")
    own = tmp_path / "mine.toml"
    own.write_text("secret = 1")
    backups = [tmp_path / "mine.toml.bak", tmp_path / "mine.toml.format8-1.bak.part"]
    for each in backups:
        each.write_text("secret")
    write(tmp_path, mine="not secret")
    (folder / "hard.md").hardlink_to(config / "keys.json")
    (folder / "soft.md").symlink_to(config / "keys.json")
    named = [
        config / "keys.json",
        config / "below" / "log.txt",
        own,
        *backups,
        folder / "hard.md",
        folder / "soft.md",
    ]
    paths = [folder, config, tmp_path / "mine.md", *named]
    report = add_paths(store.knowledge, paths, reader, own_paths=[config, own])
    assert names(store) == ["mine.md"]
    assert report.skipped == {str(each): "belongs to todo-tui" for each in named[:-1]} | {
        str(named[-1]): f"is a link to a file of another kind ({named[0]})"
    }
    # What an earlier version has indexed goes.
    assert add(store, reader, *named).added == 6
    report = refresh(store.knowledge, reader, own_paths=[config, own])
    assert report.removed == 6
    assert names(store) == ["mine.md"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="Linux shows processes as files")
def test_answers_of_the_kernel_are_not_read(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    paths = [Path("/proc/self/environ"), Path("/proc/self"), Path("/dev/null")]
    report = add(store, reader, *paths)
    assert (report.added, len(report.skipped)) == (0, 3)


def test_words_that_a_line_end_divides_are_found_both_ways(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    text = "The XR-\n500 is for self-\nemployed tenants after termina-\ntion notices."
    shown = "The XR-500 is for self-employed tenants after termination notices."
    (folder / "a.pdf").write_bytes(pdf(text))
    (folder / "b.txt").write_text(text.replace("-", "\u2010"))
    (folder / "c.md").write_text(text)
    add(store, reader, folder)
    for query in ("XR-500", "XR500", "self-employed", "selfemployed", "employed", "termination"):
        assert {each.kind for each in store.knowledge.list()} == {"pdf", "text", "markdown"}
        (found, *_) = store.knowledge.search(query)
        assert " ".join(found.text.split()) == shown, query
    for name in ("a.pdf", "b.txt", "c.md"):
        store.knowledge.remove([store.knowledge.find(name).id])
    assert store.knowledge.search("selfemployed") == ()


def test_nothing_of_a_changed_or_vanished_text_is_left_in_the_file(
    store: Store, reader: DocumentReader, folder: Path
) -> None:
    words = ["quittengelee", "rhabarberkompott", "zwetschgenmus"]
    write(folder, changed=words[0], broken=words[1], gone=words[2], same="apple")
    add(store, reader, folder)
    assert all(word.encode() in everything(store.path) for word in words)
    write(folder, changed="banana and more")
    (folder / "broken.md").write_bytes(b"\0\1\2")
    (folder / "gone.md").unlink()
    refresh(store.knowledge, reader)
    data = everything(store.path)
    assert not [word for word in words if word.encode() in data or word[6:].encode() in data]
