"""When a server began to read files, and how each reading ended.

Runs in the server's process, around what has a child read a file.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.compute import sandbox
from solvers.errors import InterchangeError

__all__ = ["readings", "watch"]

READ = "read"
GIVEN_UP = "given up"


def watch(path: str) -> None:
    """Write when a reading begins, and how it ends, into a file, a line each."""
    pulled = sandbox._pulled

    def note(**told: Any) -> None:
        with Path(path).open("a") as file:
            file.write(json.dumps(told) + "\n")

    @functools.wraps(pulled)
    def noted(*arguments: Any) -> Iterator[Any]:
        began, ending = time.perf_counter(), GIVEN_UP
        note(began=time.time())
        try:
            yield from pulled(*arguments)
            ending = READ
        except InterchangeError as refusal:
            ending = f"refused: {refusal}"
            raise
        finally:
            note(ending=ending, seconds=round(time.perf_counter() - began, 2))

    sandbox._pulled = noted


def readings(path: Path) -> tuple[int, list[dict[str, Any]]]:
    """Return how many readings have begun, and how those ended that did."""
    lines = [*map(json.loads, path.read_text().splitlines())] if path.exists() else []
    return sum("began" in line for line in lines), [x for x in lines if "ending" in x]
