"""Who is compared on which data in the paper's figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from ...checks import refuse_unknown
from ...costs.hypergraph import FeatureHypergraph
from ...datasets.base import Dataset
from ...datasets.makers.signals import BUNDLED_SEED, make_signals
from ...methods import all_methods
from ...methods.acafh import ACAFHClassifier
from ...methods.base import CostAwareClassifier
from ...methods.forward_selection import ForwardSelectionClassifier
from ...methods.l1 import L1Classifier
from ...methods.reweighted_l1 import ReweightedL1Classifier

HALF, TWO_THIRDS = "ACAFH p=1/2", "ACAFH p=2/3"
HALF_PUBLISHED = f"{HALF}, as published"
TWO_THIRDS_PUBLISHED = f"{TWO_THIRDS}, as published"
OURS, PUBLISHED = (HALF, TWO_THIRDS), (HALF_PUBLISHED, TWO_THIRDS_PUBLISHED)
L1_METHODS = ("Reweighted L1", "L1")
PENALISED = (*PUBLISHED, *OURS, *L1_METHODS)
# Fewer points than on the Frontier page: these figures trace dozens of paths.
_ALPHAS = 12
_ALGORITHM_2: dict[str, Any] = {"algorithm": "admm", "candidates": "best"}
_L1_ALPHAS = 20
_L1_TOL = 1e-5


def contenders(
    *, refit: bool, rivals: Sequence[str] = ()
) -> dict[str, CostAwareClassifier]:
    """Return the unfitted methods that a figure compares, by what they are called.

    `refit`: whether the selected features are weighed without penalty; where False, the
    weights stay shrunken, as in the paper.
    """
    acafh = partial(ACAFHClassifier, refit=refit, n_alphas=_ALPHAS)
    l1: dict[str, Any] = {"refit": refit, "n_alphas": _L1_ALPHAS, "tol": _L1_TOL}
    found: dict[str, CostAwareClassifier] = {
        # Algorithm 2: one model for each λ. Ours has four or five times as many,
        # from several starts and an elimination sequence, to choose from.
        HALF_PUBLISHED: acafh(p=1 / 2, **_ALGORITHM_2),
        TWO_THIRDS_PUBLISHED: acafh(p=2 / 3, **_ALGORITHM_2),
        HALF: acafh(p=1 / 2),
        TWO_THIRDS: acafh(p=2 / 3),
        "Reweighted L1": ReweightedL1Classifier(**l1),
        "L1": L1Classifier(**l1),
        ForwardSelectionClassifier.title: ForwardSelectionClassifier(),
    }
    for name in rivals:
        rival = all_methods()[name]
        found[rival.title] = rival()
    return found


def check_rivals(rivals: Sequence[str]) -> None:
    """Refuse names that no method has."""
    for name in rivals:
        refuse_unknown(name, all_methods(), "method")


def recordings(n_samples: int, n_devices: int) -> Iterator[Dataset]:
    """Yield simulated traffic in the place of the paper's, which is not public.

    Of each run all six signals (bidirectional, 54 features), then the two of the total
    traffic alone (unidirectional, 18 features).
    `n_devices`: how many times the simulation is run anew; the first is bundled.
    """
    for device in range(n_devices):
        both = make_signals(n_samples, BUNDLED_SEED + device)
        total = np.array(["_total_" in name for name in both.feature_names])
        yield replace(both, name=f"run {device + 1}, bidirectional")
        yield replace(
            both,
            name=f"run {device + 1}, unidirectional",
            X=both.X[:, total],
            hypergraph=both.hypergraph.restrict(total),
            pipeline=None,
            samples=None,
        )


def repeated(hypergraph: FeatureHypergraph, times: int) -> FeatureHypergraph:
    """Return a hypergraph beside copies of itself, which share nothing."""
    copies = sparse.kron(sparse.eye_array(times), hypergraph.incidence, format="csr")
    return FeatureHypergraph(
        copies, np.tile(hypergraph.component_costs, times), unit=hypergraph.unit
    )
