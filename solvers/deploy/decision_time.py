"""What a decision takes in the exported Python file, timed in its own process."""

from __future__ import annotations

import json
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..values import TimeForm
from .footprint import MOST_ROWS, run_tool
from .policy import DeployablePolicy, ValueKind
from .python import python_text

__all__ = ["DecisionTime", "measure_python"]

# The first round warms up; of the others each row's quickest is taken: other work on
# the machine makes a decision longer, never shorter.
_SCRIPT = """\
import json, sys, time
sys.path.insert(0, sys.argv[1])
from policy import decide
samples = json.load(sys.stdin)
best = [1e9] * len(samples)
for number in range(8):
    for i, sample in enumerate(samples):
        before = time.perf_counter()
        decide(sample)
        took = time.perf_counter() - before
        best[i] = min(best[i], took) if number else 1e9
print(json.dumps([sum(best), sum(decide(sample).cost for sample in samples)]))
"""


@dataclass(frozen=True)
class DecisionTime:
    """What a decision takes in Python, and what it asks for, in the mean over rows."""

    seconds: float  # Beside the features
    cost: float  # Of the features, in the unit of the costs


def measure_python(
    policy: DeployablePolicy, rows: NDArray[np.float64]
) -> DecisionTime | None:
    """Return what a decision of the exported Python file takes.

    Parameters
    ----------
    policy : DeployablePolicy
        As `policy_from` gives it.
    rows : ndarray of float, shape (n_rows, n_asked)
        Values of the policy's features, in its order: numbers, codes, NaN for a gap.

    Returns
    -------
    DecisionTime or None
        None where there are no rows, or the file did not run in time.
    """
    samples = [_sample(policy, row) for row in rows[:MOST_ROWS].tolist()]
    if not samples:
        return None
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "policy.py").write_text(python_text(policy), encoding="utf-8")
        script, given = ("-I", "-c", _SCRIPT, made), json.dumps(samples)
        ran = run_tool(Path(made), sys.executable, *script, given=given)
    if ran is None:
        return None
    seconds, cost = json.loads(ran.stdout)
    return DecisionTime(seconds / len(samples), cost / len(samples))


def _sample(policy: DeployablePolicy, row: Sequence[float]) -> dict[str, Any]:
    """Return a row as people give it: words and dates in place of codes."""
    return {
        name: _as_given(kind, value)
        for name, kind, value in zip(policy.features, policy.kinds, row, strict=True)
    }


def _as_given(kind: ValueKind, code: float) -> Any:
    if math.isnan(code):
        return None
    if kind.kind == "number":
        return code
    if kind.kind == "time":
        return TimeForm().write(code)
    if kind.kind == "date":
        return (datetime(1970, 1, 1) + timedelta(days=code)).isoformat()
    return dict(enumerate(kind.words)).get(int(code), "another")
