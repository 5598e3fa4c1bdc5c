"""What an extractor that comes along is."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from numpy.typing import NDArray

from ..datasets import Dataset
from ..hypergraph import FeatureHypergraph
from ..pipeline import FeaturePipeline
from ..tracing import FeatureFunction, TracedExtractor

__all__ = ["BundledExtractor"]

RawSamples: TypeAlias = tuple[Sequence[Any], NDArray[Any]]  # and their labels


# Takes a table, labels, raw samples, what extracted it, its prices and their source
TableMaker: TypeAlias = Callable[
    [Any, Any, Any, FeaturePipeline | TracedExtractor, FeatureHypergraph, str], Dataset
]


@dataclass(frozen=True)
class BundledExtractor:
    """An extractor with samples to run it on, and the data set that it computes."""

    name: str
    title: str  # What people read
    about: str  # In one or two sentences
    dataset: str  # A name of ``all_datasets()``
    options: Mapping[str, Any]  # Of its maker
    raw: Callable[[], RawSamples] = field(repr=False)
    # Functions to trace, or a pipeline that declares what it shares
    features: Callable[[], FeaturePipeline | Sequence[FeatureFunction]] = field(
        repr=False
    )
    table: TableMaker = field(repr=False)
    inside: Sequence[str] | None = None  # Packages that are watched
    modules: Sequence[str] = ()  # That have to be installed
    extra: str = ""  # That installs them

    @property
    def is_installed(self) -> bool:
        """Whether all that it needs is there."""
        return all(importlib.util.find_spec(name) for name in self.modules)
