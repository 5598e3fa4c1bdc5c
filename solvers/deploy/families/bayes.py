"""Naive Bayes whose features are chosen beforehand: a table of log-odds a feature."""

from __future__ import annotations

import numpy as np

from ...methods.trimmed_naive_bayes import TrimmedNaiveBayesClassifier
from ..lowering import lower
from ..policy import DeployablePolicy, Fork, PolicyNode, policy_of


@lower.register
def _(model: TrimmedNaiveBayesClassifier) -> DeployablePolicy:
    chosen = np.flatnonzero(model.support_)
    prior = _log_odds(model, (), np.zeros((1, model.n_features_in_), dtype=int))[0]
    threshold = model.trimming_.threshold
    base = prior - np.log(threshold) + np.log1p(-threshold)
    nodes, roots = [PolicyNode((float(base),), buys=tuple(chosen.tolist()))], [0]
    for feature in chosen.tolist():
        cuts = model.cut_points_.cuts[feature].tolist()
        codes = np.zeros((len(cuts) + 1, model.n_features_in_), dtype=int)
        codes[:, feature] = np.arange(len(cuts) + 1)
        said = (_log_odds(model, (feature,), codes) - prior).tolist()
        roots.append(len(nodes))
        nodes += _table(feature, cuts, said, len(nodes))
    return policy_of(model, nodes, roots)


def _log_odds(
    model: TrimmedNaiveBayesClassifier, seen: tuple[int, ...], codes: np.ndarray
) -> np.ndarray:
    shares = model.original_.posterior(codes, list(seen))
    return np.asarray(np.log(shares) - np.log1p(-shares))


def _table(
    feature: int, cuts: list[float], said: list[float], begin: int
) -> list[PolicyNode]:
    """Return questions on the cuts of one feature, and what each bin says."""
    answers = begin + len(cuts)
    questions = [
        PolicyNode(
            (0.0,),
            ((feature, (1.0,)),),
            (),
            Fork(
                at,
                answers + k,
                begin + k + 1 if k + 1 < len(cuts) else answers + len(cuts),
            ),
        )
        for k, at in enumerate(cuts)
    ]
    return [*questions, *(PolicyNode((value,)) for value in said)]
