"""Garbage collection, put off while a long list is made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def put_off() -> Iterator[None]:
    """Let no collection come in between; from any thread.

    A list of a hundred thousand rows sets off several, each of which looks at all rows
    and holds up every thread; and the rows are no garbage, neither now nor later: as
    they are in no circle, they go when the list lets go of them.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
