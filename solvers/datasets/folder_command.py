"""The command that makes bundled data anew: the same for every data set."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..timing import Measurement

__all__ = ["folder_command"]


def folder_command(
    arguments: Sequence[str], module: str, write: Callable[[Path], Measurement]
) -> int:
    """Write into the folder that is named; say what was priced.

    `module`: as which it is run.
    """
    if len(arguments) != 1:
        sys.stderr.write(f"usage: python -m {module} FOLDER\n")
        return 2
    measurement = write(Path(arguments[0]))
    sys.stdout.write(
        f"{measurement.hypergraph!r}, measured on {measurement.n_samples} samples\n"
    )
    return 0
