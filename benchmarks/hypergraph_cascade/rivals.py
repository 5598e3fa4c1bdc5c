"""What a practitioner would put together without this library, as models of a row."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from solvers import ThriftscopeError
from solvers.decisions.decision import Decision
from solvers.frontier.evaluation import Split

from .replaying import Seen

__all__ = ["best_subsets", "two_stages"]

# The cheap stage's share of the full cost, and how unsure rows must be to go on.
_CHEAP = (0.05, 0.1, 0.2, 0.3, 0.5)
_SURE = (0.0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)
_SIZES = 20


class Answered:
    """A model whose answers on validation and test rows are known.

    Parameters
    ----------
    seen : Seen
        Those rows.
    decided : dict of int to Decision
        By the identity of the table.
    classes : ndarray
        Both or all labels.
    """

    answers_by_cost = False

    def __init__(
        self, seen: Seen, decided: dict[int, Decision], classes: NDArray
    ) -> None:
        self.classes_, self._seen, self._decided = classes, seen, decided
        self.knobs: dict = {}

    def get_params(self, deep: bool = True) -> dict:
        return {}

    def decide(self, X: NDArray) -> Decision:
        table, rows = self._seen.find(X)
        known = self._decided[table]
        return Decision(
            known.labels[rows],
            known.scores[rows],
            known.acquired[rows],
            known.hypergraph,
        )

    def acquirable_features(self) -> NDArray[np.bool_]:
        """Return everything: what rows of other tables compute is not known."""
        return np.ones((1, self._seen.tables[0].shape[1]), dtype=bool)


def two_stages(split: Split) -> Iterator[Answered]:
    """Yield a logistic regression on cheap features, then boosting on all if unsure.

    Both from scikit-learn. The cheap ones are taken by their F-statistic over what
    they add to the price, as long as the share lasts; rows whose most likely class is
    less likely than a threshold go on to HistGradientBoosting on all features.
    """
    X, y = split.X("train"), split.y("train")
    boosted = HistGradientBoostingClassifier(random_state=0).fit(X, y)
    seen = Seen(split)
    late = {id(table): boosted.predict_proba(table) for table in seen.tables}
    for chosen in _cheap_ones(split):
        scaled = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
        scaled.fit(X[:, chosen], y)
        early = {id(t): scaled.predict_proba(t[:, chosen]) for t in seen.tables}
        for sure in _SURE:
            decided = {
                key: _staged(
                    split, boosted.classes_, early[key], late[key], chosen, sure
                )
                for key in late
            }
            yield Answered(seen, decided, boosted.classes_)


def _cheap_ones(split: Split) -> Iterator[NDArray[np.bool_]]:
    hypergraph = split.dataset.hypergraph
    worth = np.nan_to_num(f_classif(split.X("train"), split.y("train"))[0])
    chosen = np.zeros(len(worth), dtype=bool)
    for share in _CHEAP:
        while True:
            computed = hypergraph.required_components(chosen)
            adds = np.asarray(hypergraph.marginal_costs(computed))
            left = share * hypergraph.total_cost - hypergraph.cost(chosen)
            fits = ~chosen & (adds <= left)
            if not fits.any():
                break
            chosen[np.argmax(np.where(fits, worth / np.maximum(adds, 1e-12), -1))] = (
                True
            )
        if chosen.any():
            yield chosen.copy()


def _staged(
    split: Split,
    classes: NDArray,
    first: NDArray,
    second: NDArray,
    chosen: NDArray[np.bool_],
    sure: float,
) -> Decision:
    goes_on = first.max(axis=1) < sure
    belief = np.where(goes_on[:, None], second, first)
    acquired = chosen[None, :] | goes_on[:, None]
    labels = classes[belief.argmax(axis=1)]
    return Decision(labels, _log_odds(belief), acquired, split.dataset.hypergraph)


def _log_odds(belief: NDArray) -> NDArray[np.float64]:
    clipped = np.clip(belief, 1e-12, 1.0)
    return np.log(clipped[:, -1]) - np.log(clipped[:, 0])


def best_subsets(split: Split) -> Iterator[Answered]:
    """Yield abess's best subset of each size: what it costs is not asked."""
    try:
        from abess import LogisticRegression as BestSubset
    except ImportError as error:
        raise ThriftscopeError(
            "abess is not installed; pip install abess brings it."
        ) from error
    if split.dataset.positive is None:
        raise ThriftscopeError("takes two classes only here")
    X, seen = split.X("train"), Seen(split)
    classes, y = np.unique(split.y("train"), return_inverse=True)
    sizes = np.unique(np.geomspace(1, X.shape[1], _SIZES).round().astype(int))
    for size in sizes:
        model = BestSubset(support_size=[int(size)]).fit(X, y)
        weights, bias = np.ravel(model.coef_), np.ravel(model.intercept_)
        decided = {}
        for table in seen.tables:
            scores = table @ weights + bias
            acquired = np.broadcast_to(weights != 0, table.shape)
            labels = classes[(scores > 0).astype(int)]
            decided[id(table)] = Decision(
                labels, scores, acquired, split.dataset.hypergraph
            )
        yield Answered(seen, decided, classes)
