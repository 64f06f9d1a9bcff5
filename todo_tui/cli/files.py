"""Reading and atomic writing of files and folders for import and export."""

import codecs
import errno
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

import click

from todo_tui.cli.output import messages
from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.import_entry import BadEntry, ImportEntry
from todo_tui.domain.private_writing import make_private_folder
from todo_tui.domain.task import Task
from todo_tui.formats.parsed_file import FormatContext, ParsedFile
from todo_tui.formats.registry import FileFormat

PRIVATE_FILE = 0o600
"""Permissions of an exported file, whatever the umask: tasks are personal."""
LARGEST_FILE = 256 * 1024 * 1024
"""Bytes; a hundred thousand tasks take a quarter of it."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LONGEST_NAME = 100
_UNSAFE = re.compile(r"[^A-Za-z0-9@._-]")


def read_text(path: Path | None, *, largest: int = LARGEST_FILE) -> str:
    """Return the text of a file, or of standard input if `path` is None.

    The text is UTF-8, or UTF-16 with its mark, as Windows writes it; with any line ends.

    Raises:
        ValidationError: the file cannot be read, is too large or no text.
    """
    name = "standard input" if path is None else str(path)
    try:
        with nullcontext(sys.stdin.buffer) if path is None else path.open("rb") as file:
            # The size comes first, so that a gigabyte is not read only to be refused.
            size = 0 if path is None else os.fstat(file.fileno()).st_size
            data = b"" if size > largest else file.read(largest + 1)
    except OSError as error:
        raise ValidationError(
            f"Cannot read {name} ({error.strerror}).", hint="Check the path and its permissions."
        ) from error
    if max(size, len(data)) > largest:
        raise ValidationError(
            f"{name} is larger than {largest // 1024 // 1024} MB, the limit for one file.",
            hint="Split it into several files.",
        )
    encoding = next((codec for mark, codec in _MARKS if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\0" in data:
        hint = "The file contains binary data."
        raise ValidationError(f"{name} is not a text file.", hint=hint)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValidationError(
            f"{name} is not UTF-8 text: byte 0x{data[error.start]:02x} in line {line}.",
            hint="Save the file as UTF-8; its encoding may be Latin-1.",
        ) from error


def may_write(path: Path, *, replaces: bool) -> bool:
    """Return true if a file may be written; ask before one with content is replaced.

    Raises:
        Unauthorized: nobody can be asked, and `replaces` is false.
    """
    has_content = path.is_file() and path.stat().st_size > 0
    question = f"{path} exists. Replace the file?"
    return replaces or not has_content or messages.confirm(question, "Nothing exported.")


replace_option = click.option("--yes", is_flag=True, help="Replace an existing file.")


@contextmanager
def atomic_writer(path: Path) -> Iterator[IO[str]]:
    """Open a text file that gets its name only when it is complete.

    An older file of that name stays until then, or for good if something fails. A device or
    pipe is written to directly.

    Raises:
        TodoError: the file cannot be written.
    """
    with _explain_failure(path):
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="") as file:
                yield file
            return
        # A link goes on pointing to its file.
        with _rename_all() as written, _temporary_file(path.resolve(), written) as file:
            yield file


def read_folder(folder: Path, chosen: FileFormat, context: FormatContext) -> ParsedFile:
    """Parse all files of a folder; positions in the result are file names.

    Raises:
        ValidationError: the folder has no such files, or cannot be read.
    """
    entries: list[ImportEntry] = []
    bad: list[BadEntry] = []
    notes: dict[str, None] = {}
    owners: dict[str | None, str] = {}
    for path in _files(folder, chosen.folder_suffix):
        name = path.name
        try:
            parsed = chosen.module.read(read_text(path), context)
        except ValidationError as error:
            # It may begin with the path.
            message = error.message.removeprefix(str(path)).lstrip(": ")
            bad.append(BadEntry(name, f"{name}: {message}", error.hint))
            continue
        bad += (
            BadEntry(name, f"{name}: {bad_entry.message}", bad_entry.hint)
            for bad_entry in parsed.bad
        )
        notes |= dict.fromkeys(parsed.notes)
        for entry in parsed.entries:
            owner = owners.setdefault(entry.uuid, name)
            if owner == name:
                entries.append(replace(entry, place=name))
            else:
                message = f"{name} has the same uuid as {owner}."
                bad.append(BadEntry(name, message, "Remove one of the two files."))
    return ParsedFile(tuple(entries), tuple(bad), tuple(notes))


def write_folder(
    folder: Path, tasks: Sequence[Task], chosen: FileFormat, context: FormatContext
) -> Iterator[None]:
    """Write a file for each task, or replace the one that has it; yield after each.

    The files get their names when all are complete; others are not touched.

    Raises:
        ValidationError: one of the files holds other tasks too.
        TodoError: the folder cannot be written; nothing was changed in it.
    """
    with _explain_failure(folder):
        if not folder.parent.is_dir():
            # A mistyped path makes no tree of folders.
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder.parent))
        make_private_folder(folder)
        names = _names(folder, tasks, chosen)
    alone = replace(context, is_apart=True)
    with _explain_failure(folder), _rename_all() as written:
        for task in tasks:
            with _temporary_file(folder / names[task.uuid], written) as file:
                file.writelines(chosen.module.write([task], alone))
            yield


def _files(folder: Path, suffix: str) -> list[Path]:
    try:
        entries = [entry for entry in sorted(folder.iterdir()) if not entry.name.startswith(".")]
        paths = [entry for entry in entries if entry.suffix.lower() == suffix and entry.is_file()]
        size = sum(entry.stat().st_size for entry in paths)
    except OSError as error:
        raise ValidationError(
            f"Cannot read {folder} ({error.strerror}).", hint="Check the path."
        ) from error
    if not paths:
        folders = [
            entry.name for entry in entries if entry.is_dir() and any(entry.glob(f"*{suffix}"))
        ]
        hint = (
            f"Import one of its folders: {', '.join(folders)}." if folders else "Name another one."
        )
        raise ValidationError(f"No {suffix} file in folder {folder}.", hint=hint)
    if size > LARGEST_FILE:
        raise ValidationError(
            f"The files in {folder} are larger than {LARGEST_FILE // 1024 // 1024} MB together,"
            " the limit for one import.",
            hint="Split them into several folders.",
        )
    return paths


def _names(folder: Path, tasks: Iterable[Task], chosen: FileFormat) -> Mapping[str, str]:
    """Return the name of the file for each task, by uuid."""
    suffix = chosen.folder_suffix
    file_of: dict[str, str] = {}
    shared: dict[str, str] = {}
    for path in sorted(folder.glob(f"*{suffix}")):
        uuids = chosen.module.uuids_in(read_text(path))
        file_of |= dict.fromkeys(uuids, path.name)
        shared |= dict.fromkeys(uuids if len(uuids) > 1 else (), path.name)
    taken = {path.name for path in folder.iterdir()}
    names: dict[str, str] = {}
    for task in tasks:
        if task.uuid in shared:
            raise ValidationError(
                f"{folder / shared[task.uuid]} contains several tasks and was not changed.",
                hint="Export to another folder, or to a file.",
            )
        names[task.uuid] = file_of.get(task.uuid) or _free_name(task.uuid, suffix, taken)
        taken.add(names[task.uuid])
    return names


def _free_name(uuid: str, suffix: str, taken: set[str]) -> str:
    stem = _UNSAFE.sub("_", uuid)[:_LONGEST_NAME].lstrip(".")
    name = f"{stem}{suffix}"
    if stem == uuid and name not in taken:
        return name
    # Made safe, two uuids may look alike.
    return f"{stem}-{sha256(uuid.encode()).hexdigest()[:12]}{suffix}"


@contextmanager
def _rename_all() -> Iterator[list[tuple[Path, Path]]]:
    """Yield a list of files and targets; rename them all at the end, or delete them on failure."""
    written: list[tuple[Path, Path]] = []
    try:
        yield written
        for path, target in written:
            path.replace(target)
    except BaseException:
        for path, _ in written:
            path.unlink(missing_ok=True)
        raise


@contextmanager
def _temporary_file(target: Path, written: list[tuple[Path, Path]]) -> Iterator[IO[str]]:
    """Open a hidden file that is to replace the target, and add it to `written`.

    It gets the permissions of the target; a new one is private.
    """
    # Line ends are the writer's: some formats want both characters, most only one.
    folder = target.parent
    with NamedTemporaryFile(
        "w", encoding="utf-8", newline="", dir=folder, prefix=".", suffix=".tmp", delete=False
    ) as file:
        path = Path(file.name)
        written.append((path, target))
        yield file
        file.flush()
        os.fsync(file.fileno())
        try:
            path.chmod(stat.S_IMODE(target.stat().st_mode))
        except FileNotFoundError:
            path.chmod(PRIVATE_FILE)


@contextmanager
def _explain_failure(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise TodoError(
            f"Cannot write {path} ({error.strerror}).",
            hint="Nothing changed. Check the folder, its permissions and the disk.",
        ) from error
