"""Writes the output of a command."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from typing import IO, Iterator, Optional


@contextlib.contextmanager
def output(path: Optional[str]) -> Iterator[IO[bytes]]:
    """The standard output, or a file that has its previous content until the end, and keeps it after an exception."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        # A pipe or a device cannot be replaced.
        with open(target, "wb") as file:
            yield file
        return
    temporary = f"{target}.{os.getpid()}.part"
    try:
        with open(temporary, "wb") as file:
            yield file
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
