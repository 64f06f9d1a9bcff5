"""The key file: nobody else can read it, nothing in it is lost, and it is never half written."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.home import Home
from todo_tui.config.key_file import KeyFile
from todo_tui.domain.errors import TodoError
from todo_tui.domain.secret import Secret

posix = pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
as_root = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away"
)
NOBODY = 65534

_KEEP_TEN = """
import sys
from pathlib import Path
from todo_tui.config.key_file import KeyFile
from todo_tui.domain.secret import Secret
for number in range(10):
    KeyFile(Path(sys.argv[1])).keep(f"{sys.argv[2]}-{number}", Secret("key"))
"""


@pytest.fixture
def file(home: Home) -> KeyFile:
    return KeyFile(home.folder / "keys.json")


@pytest.fixture
def umask() -> Iterator[None]:
    """Let files be born without any permission, as far as the process may say."""
    before = os.umask(0o777)
    yield
    os.umask(before)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user of the machine can enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def keys_in(file: KeyFile) -> dict[str, str]:
    return {name: key.reveal() for name, key in file.read().keys.items()}


def test_a_key_is_kept_changed_and_removed(file: KeyFile) -> None:
    assert file.read().keys == {}
    file.keep("groq", Secret("one"))
    file.keep("gemini", Secret("two"))
    file.keep("groq", Secret("three"))
    assert keys_in(file) == {"groq": "three", "gemini": "two"}
    assert file.remove("groq")
    assert not file.remove("groq")
    assert keys_in(file) == {"gemini": "two"}
    assert file.read().problems == ()


def test_its_keys_come_after_variables_and_before_the_configuration(home: Home) -> None:
    KeyFile(home.folder / "keys.json").keep("groq", Secret("of-file"))
    toml = '[providers.groq]\napi_key = "of-config"\n[providers.gemini]\napi_key = "of-config"'
    providers = home.settings(None, toml).providers
    assert providers["groq"].key == Secret("of-file")
    assert providers["groq"].key_source == str(home.folder / "keys.json")
    assert providers["gemini"].key == Secret("of-config")
    assert home.settings(GROQ_API_KEY="of-env").providers["groq"].key == Secret("of-env")


def test_nothing_but_variables_counts_where_the_configuration_says_so(home: Home) -> None:
    KeyFile(home.folder / "keys.json").keep("groq", Secret("of-file"))
    toml = '[keys]\nstore = "environment"\n[providers.gemini]\napi_key = "of-config"'
    settings = home.settings(None, toml, ANTHROPIC_API_KEY="of-env")
    with_key = [row_id for row_id, each in settings.providers.items() if each.has_key]
    assert with_key == ["anthropic"]
    assert settings.keyring is None
    (problem,) = settings.problems
    assert "line 4: `api_key` is ignored" in problem.message


@posix
@pytest.mark.usefixtures("umask")
def test_whatever_is_made_is_for_its_owner_alone_under_any_umask(tmp_path: Path) -> None:
    os.umask(0)
    file = KeyFile(tmp_path / "new/folder/keys.json")
    file.keep("groq", Secret("one"))
    assert mode_of(file.path) == 0o600
    assert mode_of(file.path.parent) == 0o700
    assert {mode_of(path) for path in file.path.parent.iterdir()} == {0o600}
    os.umask(0o777)
    other = KeyFile(tmp_path / "keys.json")
    other.keep("groq", Secret("one"))
    assert mode_of(other.path) == 0o600


@posix
def test_a_file_that_others_can_read_is_closed_and_reported_once(file: KeyFile, home: Home) -> None:
    file.keep("groq", Secret("one"))
    file.path.chmod(0o644)
    (problem,) = home.settings().problems
    assert "was readable by other users" in problem.message
    assert "replace these keys" in problem.hint
    assert mode_of(file.path) == 0o600
    assert home.settings().providers["groq"].has_key
    assert home.settings().problems == ()


@posix
def test_a_link_is_followed_and_stays_a_link(file: KeyFile, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "my-keys"
    file.path.symlink_to(target)
    assert file.read().keys == {}
    file.keep("groq", Secret("one"))
    assert file.path.is_symlink()
    assert json.loads(target.read_text()) == {"groq": "one"}
    assert mode_of(target) == 0o600
    assert file.remove("groq")
    assert file.path.is_symlink()


@posix
def test_a_link_to_itself_is_reported(file: KeyFile) -> None:
    file.path.symlink_to(file.path)
    assert "cannot be read" in file.read().problems[0].message
    with pytest.raises(TodoError):
        file.keep("groq", Secret("one"))


@as_root
def test_a_file_of_somebody_else_is_not_used_and_left_alone(file: KeyFile) -> None:
    file.keep("groq", Secret("one"))
    os.chown(file.path, NOBODY, NOBODY)
    stored = file.read()
    assert stored.keys == {}
    assert "belongs to another user" in stored.problems[0].message
    with pytest.raises(TodoError, match="another user"):
        file.keep("groq", Secret("two"))
    assert file.path.stat().st_uid == NOBODY


@posix
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_reported_and_not_waited_for(file: KeyFile, make: object) -> None:
    assert callable(make)
    make(file.path)
    assert "is not a regular file" in file.read().problems[0].message
    with pytest.raises(TodoError, match="is not a regular file"):
        file.keep("groq", Secret("one"))


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff", b'"x"', b"[" * 100_000, b"x" * 1_000_001]
)
def test_a_file_that_is_no_list_of_keys_is_reported_and_left_alone(
    file: KeyFile, home: Home, content: bytes
) -> None:
    file.path.write_bytes(content)
    file.path.chmod(0o600)
    (problem,) = home.settings().problems
    assert str(file.path) in problem.message
    assert problem.hint
    with pytest.raises(TodoError, match="invalid format"):
        file.keep("groq", Secret("one"))
    assert file.path.read_bytes() == content


def test_an_entry_that_is_no_key_is_reported_without_it_and_the_others_hold(file: KeyFile) -> None:
    content = {"groq": "two\nlines", "gemini": 5, "anthropic": "", "openai": "sk", "x\x1b[m": "é"}
    file.path.write_text(json.dumps(content))
    file.path.chmod(0o600)
    stored = file.read()
    assert list(stored.keys) == ["openai"]
    said = " ".join(f"{problem.message} {problem.hint}" for problem in stored.problems)
    for name in ("groq", "gemini", "anthropic"):
        assert name in said
    assert "lines" not in said
    assert said.isprintable()
    file.keep("groq", Secret("good"))
    assert keys_in(file) == {"openai": "sk", "groq": "good"}


def test_processes_that_keep_keys_at_once_lose_none(file: KeyFile) -> None:
    runs = [
        subprocess.Popen([sys.executable, "-c", _KEEP_TEN, str(file.path), name])
        for name in ("a", "b", "c")
    ]
    while any(run.poll() is None for run in runs):
        # Whoever reads meanwhile sees a whole file, or none yet.
        assert file.read().problems == ()
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert len(file.read().keys) == 30
    assert {path.name for path in file.path.parent.iterdir()} == {"keys.json", ".keys.json.lock"}


@as_root
def test_a_folder_that_cannot_be_written_is_reported_and_the_file_stays(open_folder: Path) -> None:
    file = KeyFile(open_folder / "keys.json")
    file.keep("groq", Secret("one"))
    for path in (file.path, file.path.with_name(".keys.json.lock")):
        os.chown(path, NOBODY, NOBODY)
    file.path.parent.chmod(0o555)
    os.seteuid(NOBODY)
    try:
        with pytest.raises(TodoError, match=r"Cannot write .*: Permission denied"):
            file.keep("groq", Secret("two"))
        assert keys_in(file) == {"groq": "one"}
    finally:
        os.seteuid(0)


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("")
    file = KeyFile(tmp_path / "folder/keys.json")
    with pytest.raises(TodoError, match="Cannot write"):
        file.keep("groq", Secret("one"))
