"""Bounds on what a call may take of memory, of the disk and of calls of its own."""

import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# What hangs is ended: this is no measure of anything else.
HANGS_SECONDS = 300.0


@contextmanager
def bounded(megabytes: float) -> Iterator[None]:
    """Fail if what is inside takes more memory besides what is held, or hangs.

    It hangs by the processor's time, not by the clock: a busy machine changes nothing.
    """
    forget_peak()
    memory = peak_kilobytes()
    before = signal.signal(signal.SIGPROF, _hangs)
    signal.setitimer(signal.ITIMER_PROF, HANGS_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    grown = (peak_kilobytes() - memory) / 1000
    assert grown < megabytes, f"{grown:.0f} MB over what was held, {megabytes} allowed"


def _hangs(*_: object) -> None:
    raise TimeoutError(f"{HANGS_SECONDS:g} s of processor time and no end")


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """Count the calls that this thread makes, by the names of what is called."""
    found: Counter[str] = Counter()

    def count(frame, event, called):
        if event == "call":
            found[frame.f_code.co_qualname] += 1
        elif event == "c_call":
            found[called.__qualname__] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield found
    finally:
        sys.setprofile(before)


@contextmanager
def full_disk(n_bytes: int) -> Iterator[None]:
    """Let no file grow beyond some bytes, as on a disk with no more room."""
    with _limited(resource.RLIMIT_FSIZE, n_bytes):
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
