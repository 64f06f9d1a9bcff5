"""Work that a turn hands to threads, done at once: handing it over takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class SameThread(ThreadPoolExecutor):
    """Executor that starts no thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except BaseException as error:
            done.set_exception(error)
        return done


def use_no_threads() -> None:
    """Let the running loop do such work in its own thread."""
    asyncio.get_running_loop().set_default_executor(SameThread())
