"""Where a result was measured."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path


def machine() -> dict[str, object]:
    """Return processor, cores, versions and load."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":")[1].strip() for line in lines if "model name" in line]
    return {
        "cpu": models[0] if models else platform.processor(),
        "cores": os.cpu_count(),
        "threads used": 1,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
        "load before": [round(load, 1) for load in os.getloadavg()],
    }


@cache
def code_version() -> str:
    """Return the last commit that changed the solvers, with "+" for edits since."""
    here = Path(__file__).parents[1]
    asked = ["git", "log", "-1", "--format=%h", "--", "solvers"]
    changed = ["git", "status", "--porcelain", "--", "solvers"]
    commit, edits = (
        subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
        for command in (asked, changed)
    )
    return (commit.stdout.strip() or "unknown") + ("+" if edits.stdout.strip() else "")
