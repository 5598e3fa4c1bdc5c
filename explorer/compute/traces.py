"""What has come of a method on the frontier page, and the point that is lit."""

from __future__ import annotations

from dataclasses import dataclass

from solvers import FrontierPoint


@dataclass(frozen=True)
class Trace:
    """Points of one method under one setting of its parameters."""

    points: tuple[FrontierPoint, ...]  # In the order of the method's path
    is_complete: bool  # Whether the path has come to its end


@dataclass(frozen=True)
class Chosen:
    """The point that is lit, and why it was chosen."""

    point: FrontierPoint  # The point
    reason: str  # Best within the budget, solved at exactly λ, or picked by hand
