"""The solvers' tests under every kernel of OpenBLAS: ``python -m tests.kernels``.

A product of two matrices has other last digits on another processor. What hangs on them
is wrong everywhere, so the tests marked "kernels" must pass with each kernel that this
processor can run: one process a kernel, one thread each, two at a time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Of each family that OpenBLAS tells apart on x86-64 and ARM, the oldest.
FAMILIES = (
    "Prescott",
    "Nehalem",
    "Sandybridge",
    "Haswell",
    "SkylakeX",
    "ARMV8",
    "NEOVERSEN1",
    "NEOVERSEV1",
)
AT_ONCE = 2
FOLDERS = ("numerics", "methods", "markov")
TESTS = Path(__file__).parent
# What a child says: the kernels that its libraries took, once each has done a product.
ASKED = """
import numpy, scipy.linalg, threadpoolctl
numpy.linalg.solve(numpy.eye(64) + 1.0, numpy.ones(64))
scipy.linalg.cho_factor(numpy.eye(64))
found = (info.get("architecture") for info in threadpoolctl.threadpool_info())
print(*sorted({name for name in found if name}))
"""


def environment(kernel: str) -> dict[str, str]:
    """Return the environment of a child that is to run one kernel on one thread."""
    return {**os.environ, "OPENBLAS_CORETYPE": kernel, "OMP_NUM_THREADS": "1"}


def taken(kernel: str) -> str:
    """Return the kernels that a child took when asked for one; none if it ended."""
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        env=environment(kernel),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def kernels() -> dict[str, str]:
    """Return, of the families that differ here, a name to ask for and what is taken."""
    found: dict[str, str] = {}
    own = taken("")
    for family in FAMILIES:
        answer = taken(family)
        # What is not known, or not runnable, falls back to the processor's own.
        if answer and answer != own and answer not in found.values():
            found[family] = answer
    return found


def marked() -> list[str]:
    """Return the files that hold marked tests; no other is imported."""
    files = (path for name in FOLDERS for path in (TESTS / name).rglob("test_*.py"))
    return sorted(str(p) for p in files if "mark.kernels" in p.read_text("utf-8"))


def tested(kernel: str) -> subprocess.CompletedProcess[str]:
    """Run the marked tests under one kernel."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "kernels", *marked()]
    return subprocess.run(
        command,
        env=environment(kernel),
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def main() -> int:
    """Print how each kernel fared; return 1 if any failed."""
    found, failed = kernels(), 0
    own = taken("") or "unknown"
    sys.stdout.write(f"The processor's own kernel is {own}; others follow.\n")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for kernel, done in zip(found, pool.map(tested, found), strict=True):
            is_right = done.returncode == 0
            failed += not is_right
            last = done.stdout.strip().splitlines()[-1:] or ["no output"]
            report = "" if is_right else f"{done.stdout}\n{done.stderr}\n"
            sys.stdout.write(f"{report}{kernel} ({found[kernel]}): {last[0]}\n")
            sys.stdout.flush()
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
