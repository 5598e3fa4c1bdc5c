"""Hypergraphs to start from: solvable by hand, published, and by sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solvers import Dataset, FeatureHypergraph
from solvers.datasets import make_published, make_sources


@dataclass(frozen=True)
class StartingGraph:
    """A hypergraph that somebody can open empty-handed."""

    title: str  # What it is called
    about: str  # What it shows, in one sentence
    # Returns a data set, or only a hypergraph
    make: Callable[[], Dataset | FeatureHypergraph]


def tiny_world() -> FeatureHypergraph:
    """Return two components and three features: solvable by hand.

    The peak and the centroid of a spectrum share an FFT of 3 us; the mean costs half a
    microsecond.
    """
    return FeatureHypergraph(
        [[1, 1, 0], [0, 0, 1]],
        [3.0, 0.5],
        ("peak", "centroid", "mean"),
        ("fft", "sum"),
    )


STARTING_GRAPHS = (
    StartingGraph(
        "Tiny world",
        "Two components, three features: one FFT pays for two of them.",
        tiny_world,
    ),
    StartingGraph(
        "Table 1 of the paper",
        "Eleven statistics of a signal at published prices; many share the mean.",
        make_published,
    ),
    StartingGraph(
        "Four sources",
        "Each source is costly to open, and its features then cost little.",
        lambda: make_sources(n_sources=4, features_per_source=4, n_samples=4000),
    ),
)
