"""Which files of tests are left to `make test`, as a run with --durations tells.

`python -m tests.slow_files < log` writes the list anew that `make quick` leaves out;
the log is one of `make unit` with `--durations=0 --durations-min=0.2`.
"""

import re
import sys
from collections import Counter
from pathlib import Path

LIST = Path(__file__).with_name("slow_files.txt")
SECONDS = 1.2  # of all tests of a file on a quiet machine, from which on it is slow
_LINE = re.compile(r"([0-9.]+)s (?:call|setup|teardown) +([^:]+)::")


def slow_files():
    """The files, relative to the repository."""
    return frozenset(LIST.read_text("utf-8").split())


def slow_in(log):
    """Return the files that a log of durations tells to be slow, in order."""
    seconds = Counter()
    for line in log:
        if found := _LINE.match(line):
            seconds[found[2]] += float(found[1])
    slow = (file for file, taken in seconds.items() if taken >= SECONDS)
    return sorted(file for file in slow if file.startswith("tests/"))


if __name__ == "__main__":
    LIST.write_text("\n".join(slow_in(sys.stdin)) + "\n", "utf-8")
