"""What all sessions of a process share of bundled data; filled by `warming`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.evaluation import Split

    from .traces import Trace

__all__ = ["SHARED_SPLITS", "SHARED_TRACES"]

# By data set (the one object of this process), method, parameters, rule and seed.
SHARED_TRACES: dict[Any, Trace] = {}
# By data set and seed: a split keeps the rows of its parts, which nobody changes.
SHARED_SPLITS: dict[tuple[int, int], Split] = {}
