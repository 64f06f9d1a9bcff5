"""Documents in the store: replacing, removing, and the search over passages and notes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.opened import add, opened, user_context
from tests.store.test_purge import everything
from todo_tui.domain.errors import NotFound
from todo_tui.domain.knowledge.documents import (
    DocumentKind,
    DocumentState,
    FileVersion,
    Passage,
    ReadDocument,
)
from todo_tui.domain.task import Annotation
from todo_tui.store.knowledge import MAX_WORDS, query_words
from todo_tui.store.store import Store


def document(name: str, *texts: str, heading: str = "Rent", problem: str = "") -> ReadDocument:
    title = name.partition(".")[0].title()
    passages = [Passage((title, heading), None, at, text) for at, text in enumerate(texts, 1)]
    version = FileVersion(len(texts), 7, f"hash of {texts}")
    return ReadDocument(f"/docs/{name}", DocumentKind.MARKDOWN, title, version, passages, problem)


def found(store: Store, query: str, limit: int = 5) -> list[str]:
    return [each.text for each in store.knowledge.search(query, limit)]


def test_a_passage_tells_its_place(store: Store) -> None:
    store.knowledge.put([document("lease.md", "Due monthly.", "Three rents of deposit.")])
    (best,) = store.knowledge.search("how big is the deposit")
    assert (best.title, best.heading, best.path) == ("Lease", "Rent", "/docs/lease.md")
    assert (best.page, best.line, best.task_id) == (None, 2, None)
    assert best.score > 0
    again = store.knowledge.passage(best.passage_id)
    assert (again.text, again.document_id) == (best.text, best.document_id)
    (stored,) = store.knowledge.list()
    assert stored.id == best.document_id
    assert (stored.title, stored.kind, stored.passages) == ("Lease", DocumentKind.MARKDOWN, 2)
    assert store.knowledge.document(stored.id) == stored
    assert [each.text for each in store.knowledge.passages(stored.id)] == [
        "Due monthly.",
        "Three rents of deposit.",
    ]


def test_a_replaced_document_keeps_its_id_and_nothing_of_its_text(store: Store) -> None:
    store.knowledge.put([document("a.md", "old quince"), document("b.md", "pear")])
    (old,) = store.knowledge.search("quince")
    store.knowledge.put([document("a.md", "new apple", "plum")])
    assert (found(store, "quince"), found(store, "apple")) == ([], ["new apple"])
    (new,) = store.knowledge.search("apple")
    assert new.document_id == old.document_id
    assert new.passage_id != old.passage_id
    with pytest.raises(NotFound):
        store.knowledge.passage(old.passage_id)
    assert len(store.knowledge.list()) == 2


def test_the_index_agrees_with_the_texts_after_many_changes(store: Store) -> None:
    for turn in range(30):
        names = [f"{turn * 7 % number}.md" for number in range(1, 9)]
        store.knowledge.put([document(name, f"fruit {turn} {name}") for name in {*names}])
        task = add(store, f"task {turn}", notes=f"fruit {turn}")
        store.tasks.update([task.id], {"title": f"renamed {turn}"}, by=user_context(store))
        if turn % 3 == 0:
            store.knowledge.remove([store.knowledge.list()[0].id])
            store.tasks.purge([task.id], by=user_context(store))
    kept = sum(each.passages for each in store.knowledge.list())
    assert len(found(store, "fruit", 50)) == len({*found(store, "fruit", 50)}) >= kept
    with closing(sqlite3.connect(store.path)) as raw:
        raw.execute("INSERT INTO passage_words (passage_words) VALUES ('integrity-check')")
        rows = raw.execute("SELECT count(*) FROM passage_words WHERE passage_words MATCH 'fruit'")
        assert rows.fetchone() == (kept + 20,)
        rows = raw.execute("SELECT count(*) FROM passage_words WHERE passage_words MATCH 'task'")
        assert rows.fetchone() == (0,)


def test_a_removed_document_is_in_no_byte_of_the_file(path: Path) -> None:
    words = ["quittengelee", "rhabarberkompott"]
    with opened(path) as store:
        store.knowledge.put([document("a.md", words[0], heading=words[1]), document("b.md", "x")])
        store.knowledge.put([document(f"{n}.md", f"quitte {n}") for n in range(50)])
        store.knowledge.remove([store.knowledge.find("a.md").id])
        assert found(store, words[0]) == found(store, words[1]) == []
        data = everything(path).lower()
        assert not [word for word in words if word.encode() in data or word[8:].encode() in data]
        assert store.problems() == ()
        with pytest.raises(NotFound):
            store.knowledge.find("a.md")


def test_documents_are_found_by_path_name_title_or_id(store: Store) -> None:
    store.knowledge.put([document("lease.md", "a"), document("sub/lease.md", "b")])
    store.knowledge.put([document("Notes.md", "c")])
    for name in ("/docs/Notes.md", "notes.md", "NOTES", "3"):
        assert store.knowledge.find(name).path == "/docs/Notes.md"
    with pytest.raises(NotFound, match=r"2 documents are named “lease\.md”"):
        store.knowledge.find("lease.md")
    with pytest.raises(NotFound, match="There is no document “nothing”"):
        store.knowledge.find("nothing")


def test_a_document_that_cannot_be_read_is_listed_without_passages(store: Store) -> None:
    store.knowledge.put([document("a.md", "apple")])
    assert store.knowledge.has_documents()
    store.knowledge.put([document("a.md", problem="is encrypted")])
    (listed,) = store.knowledge.list()
    assert (listed.state, listed.problem, listed.passages) == (
        DocumentState.UNREADABLE,
        "is encrypted",
        0,
    )
    assert not store.knowledge.has_documents()
    assert found(store, "apple") == []


@pytest.mark.parametrize("before", [[], ["the version before"]])
def test_an_interrupted_document_leaves_what_was_there(store: Store, before: list[str]) -> None:
    if before:
        store.knowledge.put([document("a.md", *before)])

    def interrupted() -> Iterator[ReadDocument]:
        yield document("a.md", "the version after")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.knowledge.put(interrupted())
    assert found(store, "version") == before
    assert len(store.knowledge.list()) == len(before)
    with closing(sqlite3.connect(store.path)) as raw:
        assert raw.execute("SELECT count(*) FROM passages").fetchone() == (len(before),)
        assert raw.execute("SELECT count(*) FROM documents").fetchone() == (len(before),)


def test_several_threads_add_documents_at_once(path: Path) -> None:
    with opened(path) as store:
        threads = [
            Thread(target=store.knowledge.put, args=([document(f"{n}.md", f"fruit {n}")],))
            for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(store.knowledge.list()) == 8
        assert len(found(store, "fruit", 20)) == 8


def test_notes_and_annotations_of_tasks_are_passages(store: Store) -> None:
    task = add(store, "Call plumber", notes="The boiler leaks in the cellar.")
    store.tasks.annotate(task.id, "said: comes on Tuesday", by=user_context(store))
    add(store, "Boiler without notes")
    (best,) = store.knowledge.search("boiler tuesday")
    assert (best.task_id, best.title, best.document_id) == (task.id, "Call plumber", None)
    assert best.text == "The boiler leaks in the cellar.\nsaid: comes on Tuesday"
    assert store.knowledge.passage(best.passage_id).text == best.text
    assert found(store, "plumber") == [best.text]
    store.tasks.update([task.id], {"notes": "All is repaired."}, by=user_context(store))
    assert found(store, "cellar") == []
    assert found(store, "repair") == ["All is repaired.\nsaid: comes on Tuesday"]
    store.tasks.update([task.id], {"notes": "", "annotations": ()}, by=user_context(store))
    assert found(store, "plumber repaired tuesday") == []


def test_notes_of_deleted_and_undone_tasks_do_not_count(store: Store) -> None:
    task = add(store, "a", notes="quince")
    (best,) = store.knowledge.search("quince")
    store.tasks.delete([task.id], by=user_context(store))
    assert found(store, "quince") == []
    with pytest.raises(NotFound):
        store.knowledge.passage(best.passage_id)
    store.tasks.restore([task.id], by=user_context(store))
    assert found(store, "quince") == ["quince"]
    store.tasks.undo(by=user_context(store))
    assert found(store, "quince") == []


def test_purged_notes_are_in_no_byte_of_the_file(path: Path) -> None:
    with opened(path) as store:
        task = add(store, "a", notes="Quittengelee", annotations=())
        store.tasks.annotate(task.id, "Rhabarberkompott", by=user_context(store))
        store.tasks.update([task.id], {"notes": ""}, by=user_context(store))
        add(store, "b", notes="Quitte")
        store.tasks.purge([task.id], by=user_context(store))
        data = everything(path).lower()
        assert b"quittengelee" not in data
        assert b"tengelee" not in data
        assert b"rhabarber" not in data
        assert found(store, "quitte") == ["Quitte"]


def test_long_notes_are_cut_to_the_part_that_fits(store: Store) -> None:
    filler = "Nothing of interest stands in this line. " * 100
    add(store, "a", notes=f"{filler}The key lies under the quince tree. {filler}")
    (text,) = found(store, "key quince")
    assert text.startswith("The key lies under the quince tree.")
    assert len(text) <= 500


def test_each_user_finds_own_documents_and_notes_only(path: Path) -> None:
    with opened(path) as ann, opened(path, user="bob") as bob:
        ann.knowledge.put([document("a.md", "quince of ann")])
        add(ann, "a", notes="quince in a note")
        bob.knowledge.put([document("b.md", "quince of bob")])
        assert found(bob, "quince") == ["quince of bob"]
        (own,) = ann.knowledge.list()
        for passage in ann.knowledge.search("quince"):
            with pytest.raises(NotFound):
                bob.knowledge.passage(passage.passage_id)
        with pytest.raises(NotFound):
            bob.knowledge.document(own.id)
        assert bob.knowledge.passages(own.id) == ()
        bob.knowledge.remove([own.id])
        bob.knowledge.touch({own.id: FileVersion(0, 0, "")})
        bob.knowledge.erase_words()
        assert ann.knowledge.list() == (own,)


def test_a_passage_is_read_with_those_around_it(path: Path) -> None:
    with opened(path, user="ann") as ann, opened(path, user="bob") as bob:
        ann.knowledge.put([document("lease.md", *(f"clause {number}" for number in range(10)))])
        ann.knowledge.put([document("rules.md", "no music")])
        (found,) = ann.knowledge.search("clause 4", 1)
        around = ann.knowledge.passages_around(found.passage_id, 2)
        assert [each.text for each in around] == [f"clause {number}" for number in range(2, 7)]
        (first,) = ann.knowledge.search("clause 0", 1)
        assert len(ann.knowledge.passages_around(first.passage_id, 2)) == 3
        assert bob.knowledge.passages_around(found.passage_id, 2) == ()
        ann.knowledge.put([document("lease.md", "another clause")])
        assert ann.knowledge.passages_around(found.passage_id, 2) == ()


def test_near_duplicates_are_left_out(store: Store) -> None:
    words = " ".join(f"word{n}" for n in range(30))
    texts = [f"quince {words}", f"Quince  {words.upper()}", f"quince {words} more", "quince alone"]
    store.knowledge.put([document(f"{n}.md", text) for n, text in enumerate(texts)])
    assert len(found(store, "quince")) == 2
    assert len(found(store, "quince", 1)) == 1


def test_words_are_stemmed_and_accents_folded(store: Store) -> None:
    store.knowledge.put([document("a.md", "Crème brûlée needs cooling")])
    for query in ("creme", "BRULEE", "cooled", "cool"):
        assert len(found(store, query)) == 1
    assert found(store, "coo") == []


def test_stop_words_are_dropped_unless_there_are_no_others() -> None:
    assert query_words("What's the deposit for my flat?") == ("deposit", "flat")
    assert query_words("to be or not to be") == ("to", "be", "or", "not")
    assert query_words("Rent, rent and RENT") == ("rent",)
    assert query_words("?! -- ") == ()


def test_the_rarest_words_are_asked(store: Store) -> None:
    common = [f"common{n}" for n in range(MAX_WORDS)]
    store.knowledge.put([document(f"{n}.md", f"{' '.join(common)} u{n}") for n in range(30)])
    store.knowledge.put([document("x.md", "quince"), document("y.md", "medlar")])
    asked = f"{' '.join(common)} absent quince missing medlar"
    assert set(found(store, asked, 2)) == {"quince", "medlar"}


@pytest.mark.parametrize(
    "query",
    ["", " ", '"', "*", "quince*", "quin*", "NEAR(quince)", "text:quince", "NOT quince", "(",
     "quince AND", "-quince", "^quince", "x" * 5_000, "x y " * 5_000, "\x00", "\ud800", "{quince}"],
)  # fmt: skip
def test_no_query_is_read_as_syntax(store: Store, query: str) -> None:
    store.knowledge.put([document("a.md", "The quince ripens.")])
    expected = ["The quince ripens."] if "quince" in query else []
    assert found(store, query) == expected


@given(st.text(max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_any_query_has_an_answer(store: Store, query: str) -> None:
    if not store.knowledge.has_documents():
        store.knowledge.put([document("a.md", "The quince ripens.")])
    store.knowledge.search(query)


def test_limits_are_kept(store: Store) -> None:
    texts = [f"quince {chr(97 + n)}{n}{n}" for n in range(26)] * 3
    store.knowledge.put([document(f"{n}.md", f"{text} {n}") for n, text in enumerate(texts)])
    assert [len(found(store, "quince", limit)) for limit in (-1, 0, 1, 7, 1_000)] == [
        1,
        1,
        1,
        7,
        50,
    ]


def test_folders_are_remembered_until_they_are_forgotten(store: Store) -> None:
    store.knowledge.add_folder("/docs")
    store.knowledge.add_folder("/docs")
    store.knowledge.put([document("a.md", "apple")])
    store.knowledge.remove([store.knowledge.find("a.md").id], keep_out=True)
    assert store.knowledge.folders() == ("/docs",)
    assert (len(store.knowledge.list()), len(store.knowledge.known())) == (0, 1)
    store.knowledge.forget_folder("/docs")
    assert (store.knowledge.folders(), store.knowledge.known()) == ((), ())


def test_annotations_keep_their_order(store: Store) -> None:
    task = add(store, "a")
    for text in ("one", "two", "three"):
        store.tasks.annotate(task.id, text, by=user_context(store))
    assert all(isinstance(each, Annotation) for each in store.tasks.get(task.id).annotations)
    assert found(store, "two") == ["one\ntwo\nthree"]
