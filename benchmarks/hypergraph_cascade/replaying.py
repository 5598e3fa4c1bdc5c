"""Answers on the rows of a split that are known already: looked up, not run again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.decisions.decision import Decision
from solvers.frontier.evaluation import Split
from solvers.methods.hypergraph_cascade import (
    HypergraphCascadeClassifier,
    Policy,
    Replay,
)

__all__ = ["Replayed", "Seen", "replayed"]


class Seen:
    """Validation and test rows of a split, found again as tables or one by one.

    Parameters
    ----------
    split : Split
        Whose rows.
    """

    def __init__(self, split: Split) -> None:
        self.tables = [split.X(part) for part in ("validation", "test")]
        self._rows = {
            row.tobytes(): (id(table), number)
            for table in self.tables
            for number, row in enumerate(table)
        }

    def find(self, X: NDArray) -> tuple[int, slice | list[int]]:
        """Return the identity of the table that rows are of, and which they are."""
        for table in self.tables:
            if X is table:
                return id(table), slice(None)
        (row,) = X
        table, number = self._rows[row.tobytes()]
        return table, [number]


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
    seen : Seen
        Those tables.
    """

    answers_by_cost = False

    def __init__(
        self,
        model: HypergraphCascadeClassifier,
        policy: Policy,
        replays: dict[int, Replay],
        seen: Seen,
    ) -> None:
        self.policy, self.classes_, self.knobs = policy, model.classes_, model.knobs
        self._model, self._replays, self._seen = model, replays, seen
        self._decided: dict[int, Decision] = {}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return self._model.get_params(deep)

    def decide(self, X: NDArray) -> Decision:
        """Return what the cascade decides at this policy, and what that costs."""
        table, rows = self._seen.find(X)
        if table not in self._decided:
            self._decided[table] = self._decision(self._replays[table])
        whole = self._decided[table]
        return Decision(
            whole.labels[rows],
            whole.scores[rows],
            whole.acquired[rows],
            whole.hypergraph,
        )

    def acquirable_features(self) -> NDArray[np.bool_]:
        """Return what the rows of each leaf may compute at this policy."""
        return self._model.members_[self.policy.member].acquirable(self.policy)

    def _decision(self, replay: Replay) -> Decision:
        sheet, exits = replay.sheets[self.policy.member], replay.exits(self.policy)
        belief = sheet.beliefs[np.arange(len(exits)), exits]
        # Log-odds over the policy's cut for two classes, else the code of the class.
        scores = belief - self.policy.cut if len(self.classes_) == 2 else belief
        codes = scores > 0 if len(self.classes_) == 2 else belief
        labels = self.classes_[codes.astype(int)]
        acquired = self._acquired(sheet, exits)
        return Decision(labels, scores, acquired, self._model.hypergraph)

    def _acquired(self, sheet: Any, exits: NDArray[np.int_]) -> NDArray[np.bool_]:
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
    parts, seen = ("validation", "test"), Seen(split)
    replays = {id(split.X(p)): Replay(model, split.X(p), split.y(p)) for p in parts}
    for policy in policies:
        yield Replayed(model, policy, replays, seen)
