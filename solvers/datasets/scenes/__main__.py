"""The command that makes the bundled scenes anew."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from .bundle import write_bundle
from .table import BUNDLED_SAMPLES

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Write the table and the costs into the folder that is named."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m solvers.datasets.scenes FOLDER\n")
        return 2
    hypergraph = write_bundle(Path(arguments[0])).hypergraph
    sys.stdout.write(f"{BUNDLED_SAMPLES} images, {hypergraph!r}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
