"""What fits methods again at another λ, for a hand that moves the slider."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from solvers import CostAwareClassifier, all_methods
from solvers.frontier.evaluation import Split


class Refitters:
    """What fits each method again at other parameters, with the work kept so far.

    Preparing takes time: it is done on first use, on the worker's thread.
    """

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Any, Callable[..., CostAwareClassifier]]] = {}

    def clear(self) -> None:
        """Forget all: the data are other ones."""
        self._known.clear()

    def of(
        self,
        method: str,
        split: Split,
        params: Mapping[str, Any],
        settings: Mapping[str, Any] = MappingProxyType({}),
    ) -> Callable[..., CostAwareClassifier]:
        """Return what fits a method on the training rows.

        `settings`: those of `params` that are prepared for; others move without.
        """
        key, wanted = (method, id(split)), dict(settings)
        if key not in self._known or self._known[key][0] != wanted:
            self._known[key] = wanted, _lazy_refitter(method, split, wanted)
        refit = self._known[key][1]
        moved = {name: value for name, value in params.items() if name not in wanted}
        return lambda **more: refit(**moved, **more)


def _lazy_refitter(
    method: str, split: Split, settings: Mapping[str, Any]
) -> Callable[..., CostAwareClassifier]:
    estimator = all_methods()[method](hypergraph=split.hypergraph, **settings)
    prepared: list[Callable[..., CostAwareClassifier]] = []
    lock = threading.Lock()

    def refit(**params: Any) -> CostAwareClassifier:
        # A request that a newer one has made stale may still be at its last model.
        with lock:
            if not prepared:
                prepared.append(estimator.refitter(**split.training))
            return prepared[0](**params)

    return refit
