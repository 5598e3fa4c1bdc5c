"""What all sessions of a process share of bundled data; filled by `warming`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.evaluation import Split
    from solvers.frontier import FrontierPoint

    from .traces import Trace

__all__ = ["SHARED_MARKS", "SHARED_SPLITS", "SHARED_TRACES"]

# By data set (the one object of this process), method, parameters, rule and seed.
SHARED_TRACES: dict[Any, Trace] = {}
# Likewise, and by λ. A session that moves no slider needs no solver of its own.
SHARED_MARKS: dict[Any, FrontierPoint] = {}
# By data set and seed: a split keeps the rows of its parts, which nobody changes.
SHARED_SPLITS: dict[tuple[int, int], Split] = {}
