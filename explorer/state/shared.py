"""Traces of bundled data that all sessions of a process share; filled by `warming`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .traces import Trace

__all__ = ["SHARED_TRACES"]

# By data set (the one object of this process), method, parameters, rule and seed.
SHARED_TRACES: dict[Any, Trace] = {}
