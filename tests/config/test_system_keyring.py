"""The system keyring: asked once, only when needed, and never a reason to fail at start."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from tests.config.home import Home
from tests.config.keyring_backends import LockedKeyring, MemoryKeyring, keyring_in_memory
from todo_tui.config.keyring import SystemKeyring
from todo_tui.domain.errors import TodoError, Unauthorized
from todo_tui.domain.secret import Secret


@pytest.fixture
def backend() -> Iterator[MemoryKeyring]:
    with keyring_in_memory() as backend:
        yield backend


def test_a_key_is_found_under_the_name_of_its_provider(backend: MemoryKeyring) -> None:
    backend.passwords["todo-tui", "groq"] = "gsk_ring\n"
    backend.passwords["another", "gemini"] = "not-ours"
    found = SystemKeyring()
    assert found.find("groq") == Secret("gsk_ring")
    assert found.find("gemini") is None
    assert found.known == (Secret("gsk_ring"),)


def test_it_is_asked_once_for_each_provider_even_by_several_threads(
    backend: MemoryKeyring,
) -> None:
    ring = SystemKeyring()
    threads = [threading.Thread(target=ring.find, args=("groq",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ring.find("gemini")
    assert backend.asked == ["groq", "gemini"]


def test_a_key_is_kept_and_removed(backend: MemoryKeyring) -> None:
    ring = SystemKeyring()
    assert not ring.remove("groq")
    ring.keep("groq", Secret("one"))
    assert backend.passwords == {("todo-tui", "groq"): "one"}
    assert ring.find("groq") == Secret("one")
    assert ring.remove("groq")
    assert ring.find("groq") is None
    assert backend.passwords == {}


def test_reading_the_settings_asks_nothing(backend: MemoryKeyring, home: Home) -> None:
    backend.passwords["todo-tui", "groq"] = "gsk_ring"
    settings = home.settings()
    assert not settings.providers["groq"].has_key
    assert backend.asked == []
    assert settings.keyring is not None
    assert settings.keyring.find("groq") == Secret("gsk_ring")


@pytest.mark.usefixtures("backend")
def test_a_locked_keyring_is_reported_without_what_it_says() -> None:
    keyring.set_keyring(LockedKeyring())
    ring = SystemKeyring()
    with pytest.raises(Unauthorized, match="KeyringLocked") as caught:
        ring.find("groq")
    assert caught.value.hint
    with pytest.raises(Unauthorized) as caught:
        ring.keep("groq", Secret("gsk_secret"))
    assert "secret" not in f"{caught.value} {caught.value.hint}"


def test_a_locked_keyring_is_asked_again(backend: MemoryKeyring) -> None:
    backend.passwords["todo-tui", "groq"] = "one"
    keyring.set_keyring(LockedKeyring())
    ring = SystemKeyring()
    with pytest.raises(Unauthorized):
        ring.find("groq")
    keyring.set_keyring(backend)
    assert ring.find("groq") == Secret("one")


def test_what_is_no_key_is_reported(backend: MemoryKeyring) -> None:
    backend.passwords["todo-tui", "groq"] = "two\nlines"
    with pytest.raises(Unauthorized, match="is invalid") as caught:
        SystemKeyring().find("groq")
    assert "lines" not in str(caught.value)


@pytest.mark.usefixtures("backend")
def test_a_machine_without_a_keyring_has_no_keys_in_it() -> None:
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]  # as the package has it
    ring = SystemKeyring()
    assert ring.find("groq") is None
    with pytest.raises(TodoError):
        ring.keep("groq", Secret("one"))


_WITHOUT_PACKAGE = """
import sys
sys.modules["keyring"] = None
from todo_tui.config.keyring import SystemKeyring
from todo_tui.domain.errors import TodoError
from todo_tui.domain.secret import Secret
ring = SystemKeyring()
assert ring.find("groq") is None
assert not ring.remove("groq")
try:
    ring.keep("groq", Secret("one"))
except TodoError as error:
    print(error.hint)
"""


def test_without_the_package_it_says_which_extra_to_install() -> None:
    run = subprocess.run(
        [sys.executable, "-c", _WITHOUT_PACKAGE], capture_output=True, check=True, text=True
    )
    assert "todo-tui[keyring]" in run.stdout


_READ_SETTINGS = """
import sys
from todo_tui.config.load import load_settings
from todo_tui.config.machine import detect_machine
from todo_tui.config.settings import Flags
load_settings(Flags(), {}, (), detect_machine({}))
print({"keyring", "tomllib", "difflib"} & set(sys.modules) or set())
"""


def test_the_package_is_not_imported_to_read_settings() -> None:
    run = subprocess.run(
        [sys.executable, "-c", _READ_SETTINGS], capture_output=True, check=True, text=True
    )
    assert run.stdout == "set()\n"
