"""How marginals are computed: the choices that training and prediction share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .belief_propagation import TOLERANCE, sum_product
from .elimination import exact_marginals
from .forests import peel
from .pairwise import Beliefs, PairwiseModel
from .spanning_trees import edge_appearance

__all__ = ["Engine", "EngineKind", "make_engine"]

PATIENT_ITERATIONS = 2000

Engine: TypeAlias = Callable[[PairwiseModel], Beliefs]
EngineKind: TypeAlias = Literal["cold", "warm", "tree-reweighted", "exact"]


def make_engine(
    kind: EngineKind,
    n_nodes: int,
    edges: NDArray[np.intp],
    tolerance: float = TOLERANCE,
) -> Engine:
    """Return what turns scores on one graph into marginals; exactly, on forests.

    Shapes: `edges` (E, 2).
    `kind`: "cold": belief propagation from uniform messages; "warm": going on from the
    messages of the call before, as in 2006; "tree-reweighted": with edges weighed by
    their share of spanning trees; "exact": elimination, for graphs of small width.
    """
    forest = peel(n_nodes, edges)
    if forest is not None:
        return forest.marginals
    if kind == "exact":
        return exact_marginals
    if kind == "warm":
        return _WarmMessages(tolerance)
    if kind == "tree-reweighted":
        shares = edge_appearance(n_nodes, edges)
        # Its one fixed point is always reached, but late where links are strong.
        return partial(
            sum_product,
            appearance=shares,
            tolerance=tolerance,
            max_iterations=PATIENT_ITERATIONS,
        )
    return partial(sum_product, tolerance=tolerance)


class _WarmMessages:
    """Belief propagation that goes on from where its last call ended."""

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance
        self.messages: NDArray[np.float64] | None = None

    def __call__(self, model: PairwiseModel) -> Beliefs:
        beliefs = sum_product(model, start=self.messages, tolerance=self.tolerance)
        self.messages = beliefs.messages
        return beliefs
