"""Every figure and table of the five papers: what was computed, and what follows.

`findings` returns what was recorded last of a figure, and `verdict` the sentences that
follow from it; nothing is settled in advance. ``solvers.papers.register`` has how each
is computed, and ``python -m benchmarks.papers`` computes and records them.
"""

from .recording import findings, record
from .verdict import Finding, verdict

__all__ = ["Finding", "findings", "record", "verdict"]
