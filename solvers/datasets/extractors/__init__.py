"""Extractors that come along: traced, measured and verified while one looks on.

Only code of ours and of installed libraries is run here. Who brings an extractor runs
``thriftscope trace`` where it lives, and opens the hypergraph that this writes.
"""

from .bundled import BundledExtractor, all_extractors
from .running import ExtractorProgress, MeasuredExtractor, measuring_extractor

__all__ = [
    "BundledExtractor",
    "ExtractorProgress",
    "MeasuredExtractor",
    "all_extractors",
    "measuring_extractor",
]
