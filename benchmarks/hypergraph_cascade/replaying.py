"""Policies of a trained cascade on the rows of a split, looked up, not run again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.evaluation import Split
from solvers.methods.hypergraph_cascade import (
    HypergraphCascadeClassifier,
    Policy,
    Replay,
)

__all__ = ["Replayed", "replayed"]


class Replayed:
    """The cascade at one policy: what it says of validation and test rows is known.

    Parameters
    ----------
    model : HypergraphCascadeClassifier
        Trained.
    policy : Policy
        When rows leave.
    replays : dict of int to Replay
        By the identity of the table of rows.
    """

    def __init__(
        self,
        model: HypergraphCascadeClassifier,
        policy: Policy,
        replays: dict[int, Replay],
    ) -> None:
        self.policy, self._model, self._replays = policy, model, replays

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def _at_exit(self, X: NDArray) -> tuple[Any, NDArray[np.int_], NDArray]:
        replay = self._replays[id(X)]
        sheet, exits = replay.sheets[self.policy.member], replay.exits(self.policy)
        return sheet, exits, sheet.beliefs[np.arange(len(exits)), exits]

    def decision_function(self, X: NDArray) -> NDArray[np.float64]:
        """Return log-odds over the policy's cut, for two classes."""
        return self._at_exit(X)[2] - self.policy.cut

    def predict(self, X: NDArray) -> NDArray:
        """Return labels."""
        if len(self._model.classes_) == 2:
            return self._model.classes_[(self.decision_function(X) > 0).astype(int)]
        return self._model.classes_[self._at_exit(X)[2].astype(int)]

    def acquired_features(self, X: NDArray) -> NDArray[np.bool_]:
        """Return what each row computed."""
        sheet, exits, _ = self._at_exit(X)
        member = self._model.members_[self.policy.member]
        found = np.empty((len(exits), self._model.n_features_in_), dtype=bool)
        for number, leaf in enumerate(member.leaves):
            table = [member.acquired(number, s) for s in range(leaf.plan.n_stages)]
            here = sheet.leaf_of == number
            found[here] = np.array(table)[exits[here]]
        return found


def replayed(
    model: HypergraphCascadeClassifier, policies: Iterable[Policy], split: Split
) -> Iterator[Replayed]:
    """Yield a model for each policy."""
    parts = ("validation", "test")
    replays = {id(split.X(p)): Replay(model, split.X(p), split.y(p)) for p in parts}
    for policy in policies:
        yield Replayed(model, policy, replays)
