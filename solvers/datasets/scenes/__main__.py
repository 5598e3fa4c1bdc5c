"""The command that makes the bundled scenes anew."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..folder_command import folder_command
from .bundle import write_bundle

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Write the table and the costs into the folder that is named."""
    return folder_command(arguments, "solvers.datasets.scenes", write_bundle)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
