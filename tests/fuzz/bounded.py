"""Bounds on what a call may take of the processor's time, of memory and of the disk."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def bounded(seconds: float, megabytes: float) -> Iterator[None]:
    """Fail if what is inside takes more processor time, or more memory besides.

    Processor time, not time by the clock: a busy machine changes nothing.
    """
    forget_peak()
    memory, ends = peak_kilobytes(), time.process_time() + seconds
    yield
    late, grown = time.process_time() - ends, (peak_kilobytes() - memory) / 1000
    assert late < 0, f"{late:.1f} s of processor time over {seconds} s"
    assert grown < megabytes, f"{grown:.0f} MB over what was held, {megabytes} allowed"


@contextmanager
def full_disk(n_bytes: int) -> Iterator[None]:
    """Let no file grow beyond some bytes, as on a disk with no more room."""
    with _limited(resource.RLIMIT_FSIZE, n_bytes):
        yield


@contextmanager
def open_files(n: int) -> Iterator[None]:
    """Let this process, and what it starts, have so many until it asks for more."""
    with _limited(resource.RLIMIT_NOFILE, n):
        yield


@contextmanager
def _limited(limit: int, soft: int) -> Iterator[None]:
    before = resource.getrlimit(limit)
    resource.setrlimit(limit, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(limit, before)


def forget_peak() -> None:
    """Have what is held now be the peak; elsewhere than on Linux it stays as it was."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")


def peak_kilobytes() -> int:
    """Return the most memory that this process has held, since a peak was forgotten."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    (peak,) = (line for line in lines if line.startswith("VmHWM:"))
    return int(peak.split()[1])
