"""`knowledge`: adding, listing, removing, refreshing and searching documents."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import at_a_terminal, on_terminal
from tests.knowledge.embedding_server import EmbeddingServer, embedding_server
from todo_tui.domain.extras import install_command


@pytest.fixture
def documents(shell: Shell) -> Path:
    folder = shell.folder / "documents"
    folder.mkdir()
    (folder / "lease.md").write_text("# Lease\n\n## Rent\n\nThe rent is 940 euros.\n")
    (folder / "notes.txt").write_text("Call the \x1b[31mlandlord about the boiler.\n")
    return folder


def printed(shell: Shell, *words: str) -> Any:  # noqa: ANN401 - an object or an array
    return json.loads(shell.done("knowledge", *words, "--json").out)


def test_documents_are_added_listed_and_removed(shell: Shell, documents: Path) -> None:
    assert "No documents. Add some" in shell.done("knowledge", "list").err
    added = shell.done("knowledge", "add", str(documents))
    assert added.out == "Added 2 documents (2 passages)\n"
    lines = shell.done("knowledge", "list").out.splitlines()
    assert lines[0].split() == ["ID", "Title", "Kind", "Passages", "Path"]
    assert lines[1].split() == ["1", "Lease", "markdown", "1", str(documents / "lease.md")]
    assert shell.done("knowledge", "add", str(documents)).out == "2 documents unchanged\n"
    (documents / "lease.md").write_text("# Lease\n\nOne.\n\n# Two\n\nTwo.\n")
    (documents / "new.md").write_text("New.")
    refreshed = shell.done("knowledge", "refresh").out
    assert refreshed == "Added 1 document, updated 1 document (3 passages), 1 unchanged\n"
    assert shell.done("knowledge", "remove", "lease").out == "Removed Lease\n"
    (documents / "new.md").unlink()
    assert shell.done("knowledge", "refresh").out == "1 document unchanged, 1 removed\n"
    assert shell.done("knowledge", "remove", str(documents)).out == "Removed notes\n"
    assert shell.fails("knowledge", "remove", str(documents))
    assert "There is no document “lease”." in shell.fails("knowledge", "remove", "lease").err
    assert printed(shell, "list") == []


def test_removing_says_where_quotations_stay(shell: Shell, documents: Path) -> None:
    shell.done("knowledge", "add", str(documents))
    shell.done("ask", "--provider", "offline", "how high is the rent?")
    (listed,) = json.loads(shell.done("conversations", "list", "--json").out)
    removed = shell.done("knowledge", "remove", "notes.txt")
    assert "Quotations" not in removed.err
    removed = shell.done("knowledge", "remove", "lease.md")
    command = f"todo-tui conversations delete {str(listed['id'])[:8]}"
    assert "Quotations of it stay in 1 conversation. Erase:" in removed.err
    assert command in removed.err
    shell.done(*command.split()[1:], "--yes")
    shell.done("knowledge", "add", str(documents / "lease.md"))
    assert "Quotations" not in shell.done("knowledge", "remove", "lease.md").err


def test_skipped_files_are_named_with_the_reason(shell: Shell, documents: Path) -> None:
    (documents / "bad.md").write_bytes(b"\0\1")
    (documents / "photo.jpg").write_bytes(b"\0\1")
    added = shell.done("knowledge", "add", str(documents))
    assert added.out == (
        "Added 2 documents (2 passages), 1 skipped:\n"
        f"  {documents / 'bad.md'} contains binary data\n"
    )
    assert added.err == "1 file of other kinds ignored.\n"
    assert "contains binary data" in shell.done("knowledge", "list").out


@pytest.mark.parametrize("name", ["missing", "bad.md", "empty"])
def test_adding_nothing_fails(shell: Shell, name: str) -> None:
    (shell.folder / "empty").mkdir()
    (shell.folder / "bad.md").write_bytes(b"\0\1")
    assert shell.run("knowledge", "add", str(shell.folder / name)).status == 1


def test_search_shows_the_best_passages_with_their_place(shell: Shell, documents: Path) -> None:
    shell.done("add", "Call plumber", "--notes", "The boiler leaks.")
    shell.done("knowledge", "add", str(documents))
    assert shell.done("knowledge", "search", "how", "high is the rent?").out == (
        f"[1] Lease › Rent · {documents / 'lease.md'}:5\n    The rent is 940 euros.\n"
    )
    both = shell.done("knowledge", "search", "boiler").out
    assert "#1 Call plumber\n    The boiler leaks.\n" in both
    assert f"notes · {documents / 'notes.txt'}:1\n    Call the landlord about the boiler." in both
    assert "\x1b" not in both
    assert len(shell.done("knowledge", "search", "boiler", "--limit", "1").out.splitlines()) == 2
    assert "No passage matches “quince”." in shell.done("knowledge", "search", "quince").err
    assert shell.done("knowledge", "search", "-quince*", '"').status == 0


def test_json_has_stable_fields(shell: Shell, documents: Path) -> None:
    (documents / "bad.md").write_bytes(b"\0\1")
    assert printed(shell, "add", str(documents)) == {
        "added": 2, "updated": 0, "unchanged": 0, "removed": 0, "passages": 2, "ignored": 0,
        "skipped": [{"path": str(documents / "bad.md"), "reason": "contains binary data"}],
        "interrupted": False,
    }  # fmt: skip
    assert printed(shell, "refresh")["unchanged"] == 2
    bad, lease, _ = printed(shell, "list")
    assert (bad["state"], bad["problem"]) == ("unreadable", "contains binary data")
    assert lease == {
        "id": 2, "title": "Lease", "path": str(documents / "lease.md"), "kind": "markdown",
        "size": 41, "added_at": "2026-11-18T13:30:00+00:00", "state": "ready", "problem": None,
        "passages": 1,
    }  # fmt: skip
    (found,) = printed(shell, "search", "rent")
    assert found.pop("score") > 0
    assert found == {
        "passage_id": 1, "document_id": 2, "task_id": None, "title": "Lease",
        "path": str(documents / "lease.md"), "heading": "Rent", "page": None, "line": 5,
        "text": "The rent is 940 euros.",
    }  # fmt: skip
    assert printed(shell, "search", "quince") == []
    assert [each["title"] for each in printed(shell, "remove", "lease.md")] == ["Lease"]


def test_relative_paths_and_links_lead_to_the_same_document(
    shell: Shell, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shell.folder / "link").symlink_to(documents)
    monkeypatch.chdir(documents)
    shell.done("knowledge", "add", "lease.md", "./lease.md", str(shell.folder / "link/lease.md"))
    assert len(printed(shell, "list")) == 1
    assert shell.done("knowledge", "remove", "../link/lease.md").out == "Removed Lease\n"


def test_a_folder_below_an_added_one_is_removed_for_good(shell: Shell, documents: Path) -> None:
    (documents / "sub").mkdir()
    (documents / "sub" / "a.md").write_text("a")
    shell.done("knowledge", "add", str(documents))
    assert shell.done("knowledge", "remove", str(documents / "sub")).out == "Removed a\n"
    assert shell.done("knowledge", "refresh").out == "2 documents unchanged\n"
    assert shell.done("knowledge", "remove", str(documents)).out == "Removed 2 documents\n"
    assert shell.done("knowledge", "add", str(documents)).out.startswith("Added 3 documents")


def test_a_name_that_is_no_text_is_told(shell: Shell, documents: Path) -> None:
    (documents / os.fsdecode(b"caf\xe9.md")).write_text("a")
    (documents / "two\nlines.md").write_text("quince")
    report = printed(shell, "add", str(documents))
    assert report["added"] == 3
    assert report["skipped"][0]["reason"] == "has a name that is not text: rename it"
    assert shell.done("knowledge", "add", str(documents)).out.endswith("rename it\n")
    assert printed(shell, "search", "quince")[0]["title"] == "two lines"


def test_a_missing_library_names_the_line_that_installs_it(shell: Shell, documents: Path) -> None:
    (documents / "page.html").write_text("<p>page")
    script = (
        "import sys; sys.modules['selectolax'] = None\nfrom todo_tui.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "knowledge", "add", str(documents)],
        capture_output=True,
        text=True,
    )
    assert f"page.html needs selectolax: {install_command('knowledge')}" in done.stdout
    assert "Added 2 documents" in done.stdout
    # With the library it is read.
    assert shell.done("knowledge", "refresh").out.startswith("Added 1 document (1 passage)")


def test_a_table_fits_a_narrow_terminal(shell: Shell, documents: Path) -> None:
    shell.done("knowledge", "add", str(documents))
    lines = on_terminal(50, "knowledge", "list")
    assert lines[0].split() == ["ID", "Title", "Path"]


def test_long_work_shows_a_bar_and_can_be_interrupted(shell: Shell, documents: Path) -> None:
    for number in range(60):
        (documents / f"{number:02}.md").write_text(f"Number {number}")
    (documents / "50.html").write_text("<div>" * 200_000)
    child = at_a_terminal("knowledge", "add", str(documents))
    child.expect("Reading documents")
    child.expect("79%")  # 50 of 63: the page is read
    child.kill(signal.SIGINT)
    child.expect("Added 50 documents")
    child.expect("Interrupted. Run the command again to continue.")
    child.wait()
    assert child.exitstatus == 130
    (documents / "50.html").write_text("<p>short")
    again = printed(shell, "add", str(documents))
    assert again["added"] + again["unchanged"] == 63
    assert again["unchanged"] >= 50


@pytest.fixture
def embedding(shell: Shell) -> Iterator[EmbeddingServer]:
    """A server of embeddings that the configuration names."""
    path = shell.folder / "embedding.toml"
    path.write_text('[roles]\nembed = "local:test"\n')
    with embedding_server() as server:
        shell.set(
            TODO_TUI_CONFIG=str(path), LOCAL_BASE_URL=f"{server.url}/v1", LOCAL_API_KEY="secret"
        )
        yield server


def test_an_embedding_model_finds_passages_by_meaning(
    shell: Shell, documents: Path, embedding: EmbeddingServer
) -> None:
    (documents / "pets.md").write_text("# Pets\n\nDogs need a permission.\n")
    added = shell.done("knowledge", "add", str(documents))
    assert added.err == ""
    assert set(embedding.keys) == {"Bearer secret"}
    assert "Dogs need a permission." in shell.done("knowledge", "search", "puppy").out

    assert shell.done("knowledge", "remove", "pets").err == ""
    assert "Dogs" not in shell.done("knowledge", "search", "puppy").out


def test_documents_added_before_the_model_are_embedded_by_refresh(
    shell: Shell, documents: Path, embedding: EmbeddingServer
) -> None:
    embedding.status = 503
    added = shell.done("knowledge", "add", str(documents))
    assert added.out == "Added 2 documents (2 passages)\n"
    assert added.err.startswith("Not all passages are embedded. ")
    searched = shell.done("knowledge", "search", "boiler")
    assert searched.err.startswith("Searched by words only. ")
    assert "boiler" in searched.out
    assert shell.done("knowledge", "list").err == (
        "0 of 2 passages are embedded. Run `todo-tui knowledge refresh`.\n"
    )

    embedding.status = 200
    assert shell.done("knowledge", "refresh").err == ""
    assert shell.done("knowledge", "search", "boiler").err == ""
    assert shell.done("knowledge", "list").err == ""


def test_the_assistant_says_that_it_searched_by_words_only(
    shell: Shell, documents: Path, embedding: EmbeddingServer
) -> None:
    shell.done("knowledge", "add", str(documents))
    embedding.status = 503
    turn: Any = shell.done("ask", "how high is the rent?", "--json").json
    assert turn["trace"][-1]["summary"].endswith(" by words only")
    assert "Searched by words only." in str(turn["trace"][-1]["result"])
