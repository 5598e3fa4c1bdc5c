"""Many frontiers at once: processes here, a Dask cluster elsewhere, the same call."""

from .parts import read_sweep
from .sweeping import sweep, sweep_frontiers
from .tasks import SweepPoint, SweepRefusal, SweepTask, plan_sweep

__all__ = [
    "SweepPoint",
    "SweepRefusal",
    "SweepTask",
    "plan_sweep",
    "read_sweep",
    "sweep",
    "sweep_frontiers",
]
