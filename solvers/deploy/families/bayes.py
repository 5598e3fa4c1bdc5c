"""Naive Bayes whose features are chosen beforehand: a table of log-odds a feature."""

from __future__ import annotations

import numpy as np

from ...decisions.program import Node, bin_questions
from ...methods.trimmed_naive_bayes import TrimmedNaiveBayesClassifier
from ..lowering import lower
from ..policy import DeployablePolicy, policy_of


@lower.register
def _(model: TrimmedNaiveBayesClassifier) -> DeployablePolicy:
    chosen = np.flatnonzero(model.support_)
    prior = _log_odds(model, (), np.zeros((1, model.n_features_in_), dtype=int))[0]
    threshold = model.trimming_.threshold
    base = prior - np.log(threshold) + np.log1p(-threshold)
    nodes, roots = [Node((float(base),), buys=tuple(chosen.tolist()))], [0]
    for feature in chosen.tolist():
        cuts = model.cut_points_.cuts[feature].tolist()
        codes = np.zeros((len(cuts) + 1, model.n_features_in_), dtype=int)
        codes[:, feature] = np.arange(len(cuts) + 1)
        said = (_log_odds(model, (feature,), codes) - prior).tolist()
        begin = len(nodes)
        answers = range(begin + len(cuts), begin + len(cuts) + len(said))
        roots.append(begin)
        nodes += bin_questions(feature, cuts, answers, begin)
        nodes += [Node((value,)) for value in said]
    return policy_of(model, nodes, roots)


def _log_odds(
    model: TrimmedNaiveBayesClassifier, seen: tuple[int, ...], codes: np.ndarray
) -> np.ndarray:
    shares = model.original_.posterior(codes, list(seen))
    return np.asarray(np.log(shares) - np.log1p(-shares))
