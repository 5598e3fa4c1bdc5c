"""What a person has chosen and what has been computed: no widgets, no plots."""

from .frontier import FrontierState
from .tracing import TraceRequest, trace_methods

__all__ = ["FrontierState", "TraceRequest", "trace_methods"]
