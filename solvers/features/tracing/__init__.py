"""Extractors that exist, traced into priced hypergraphs and cut to a selection."""

from ..base import SharedComponent, TrimmedExtractor
from ..steps import probability_step
from .entries import FeatureFunction
from .extractor import TracedExtractor
from .stages import TraceProgress, trace_extractor, tracing

__all__ = [
    "FeatureFunction",
    "SharedComponent",
    "TraceProgress",
    "TracedExtractor",
    "TrimmedExtractor",
    "probability_step",
    "trace_extractor",
    "tracing",
]
