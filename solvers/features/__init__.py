"""Features as computations: pipelines of steps, their time, and code that is traced."""

from .base import FeatureExtractor
from .pipeline import FeaturePipeline, Step
from .tracing import trace_extractor

__all__ = ["FeatureExtractor", "FeaturePipeline", "Step", "trace_extractor"]
