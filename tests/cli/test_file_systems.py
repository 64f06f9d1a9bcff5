"""Databases in folders whose file system lacks locks or shared memory."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from todo_tui.store.file_system import lacks_locks, lacks_shared_memory, shared_type

SOURCE = Path(__file__).parent.parent / "data/poor_folder.c"
COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the folder is made for Linux")
NO_LOCKS = "is on a file system without file locks"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if COMPILER is None:
        pytest.skip("no C compiler")
    library = tmp_path_factory.mktemp("library") / "poor_folder.so"
    made = subprocess.run(
        [COMPILER, "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("the C compiler makes no shared library")
    return library


class PoorFolder:
    """A folder that lacks something, and runs of todo-tui there."""

    def __init__(self, shell: Shell, library: Path, lacks: str) -> None:
        self.shell = shell
        self.folder = shell.folder / "poor"
        self.folder.mkdir()
        self._library, self._lacks = library, lacks

    def run(self, *args: str) -> tuple[int, str]:
        """Return status and all that is printed."""
        database = str(self.folder / "t.db")
        done = self.shell.process(
            "--db",
            database,
            *args,
            LD_PRELOAD=str(self._library),
            FOLDER=str(self.folder),
            LACKS=self._lacks,
        )
        return done.returncode, (done.stdout + done.stderr).decode()

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@pytest.mark.parametrize("lacks", ["l", "lm"])
def test_a_folder_without_locks_is_named_with_the_way_out(
    shell: Shell, library: Path, lacks: str
) -> None:
    poor = PoorFolder(shell, library, lacks)
    for command in (("add", "buy milk"), ("doctor",)):
        status, printed = poor.run(*command)
        assert status == 1
        assert NO_LOCKS in printed
        assert "--db" in printed
        assert "another program" not in printed
        assert poor.files() == []


def test_a_folder_without_shared_memory_has_a_rollback_journal(shell: Shell, library: Path) -> None:
    poor = PoorFolder(shell, library, "m")
    assert poor.run("add", "buy milk") == (0, "Added #1 buy milk\n")
    assert poor.run("done", "1")[0] == 0
    assert poor.run("undo")[0] == 0
    status, printed = poor.run("list", "--json")
    assert status == 0
    assert [task["title"] for task in json.loads(printed)] == ["buy milk"]
    assert "sound, 1 open task" in poor.run("doctor")[1]
    assert poor.files() == ["t.db"]


def test_a_database_that_moves_there_loses_its_write_ahead_log(shell: Shell, library: Path) -> None:
    poor = PoorFolder(shell, library, "m")
    database = str(poor.folder / "t.db")
    shell.process("--db", database, "add", "buy milk")
    assert poor.run("add", "buy bread") == (0, "Added #2 buy bread\n")
    assert b"buy bread" in shell.process("--db", database, "list").stdout


def test_a_database_that_moves_to_a_folder_without_locks_stays_as_it_is(
    shell: Shell, library: Path
) -> None:
    poor = PoorFolder(shell, library, "l")
    database = poor.folder / "t.db"
    shell.process("--db", str(database), "add", "buy milk")
    content = database.read_bytes()
    assert NO_LOCKS in poor.run("list")[1]
    assert database.read_bytes() == content


def test_an_ordinary_folder_lacks_nothing(tmp_path: Path) -> None:
    assert not lacks_locks(tmp_path)
    assert not lacks_shared_memory(tmp_path)


MOUNTS = r"""
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
tmpfs /home/me/local tmpfs rw 0 0
//nas/docs /mnt/my\040docs cifs rw 0 0
me@host: /mnt/ssh fuse.sshfs rw 0 0
C: /mnt/c 9p rw 0 0
/dev/sdb1 /mnt/usb fuseblk rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/t.db", ""),
        ("/home/me/t.db", "nfs4"),
        ("/home/me/local/t.db", ""),
        ("/mnt/my docs/t.db", "cifs"),
        ("/mnt/ssh/new/folder/t.db", "fuse.sshfs"),
        ("/mnt/c/t.db", "9p"),
        ("/mnt/usb/t.db", ""),
    ],
)
def test_the_mount_tells_a_shared_file_system(tmp_path: Path, path: str, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    assert shared_type(Path(path), mounts) == kind
    assert shared_type(Path(path), tmp_path / "missing") == ""
