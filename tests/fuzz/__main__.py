"""Break files for minutes, in a process of bounded memory: ``make fuzz``.

Each loader gets the same number of broken files; a seed gives the same files again.
What is neither read nor refused with a sentence, or takes too long, ends the run with
the loader, the seed and the file's bytes.
"""

import argparse
import resource
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any, Never

import numpy as np

from tests.fuzz.loaders import Loader, loaders
from tests.fuzz.refusal import is_one_sentence, refusal
from tests.fuzz.test_files import mutated

SECONDS = 10  # of one file
MEMORY = 6 * 2**30  # of addresses: libraries reserve more than they use


class TooSlow(Exception):  # noqa: N818
    """A file was read for too long."""


def fuzz(loader: Loader, n_files: int, random_state: int) -> int:
    """Read broken files; return how many were refused."""
    rng = np.random.default_rng(random_state)
    refused = 0
    for k in range(n_files):
        break_file = loader.rearrange if k % 2 else mutated
        refused += _is_refused(loader.read, break_file(loader.seed, rng))
    return refused


def _is_refused(read: Callable[[bytes], Any], data: bytes) -> bool:
    signal.alarm(SECONDS)
    try:
        sentence = refusal(lambda: read(data))
    except BaseException as error:
        error.add_note(f"the file: {data[:2000]!r}")
        raise
    finally:
        signal.alarm(0)
    if sentence is not None and not is_one_sentence(sentence):
        raise AssertionError(f"no sentence: {sentence!r}; the file: {data[:2000]!r}")
    return sentence is not None


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2000, help="of each loader")
    parser.add_argument("--only", default="", help="loaders of which this is a part")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_slow)
    for version in ("Reading `.npy`", "Trying to unpickle estimator"):
        warnings.filterwarnings("ignore", version)  # of who wrote it; it is read
    chosen = {n: loader for n, loader in loaders().items() if options.only in n}
    for name, loader in chosen.items():
        refused = fuzz(loader, options.files, options.seed)
        sys.stdout.write(f"{name:16} {options.files} files, {refused} refused\n")
        sys.stdout.flush()


def _too_slow(*_: object) -> Never:
    raise TooSlow(f"over {SECONDS} s")


if __name__ == "__main__":
    main()
