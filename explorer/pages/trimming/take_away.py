"""What a person takes away from the trimming page: JSON, and files that run."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from solvers import FeatureHypergraph, from_hif, to_hif
from solvers.bayes import (
    BayesianClassifier,
    Trimming,
    classifier_from_json,
    classifier_to_json,
    sample,
    trim,
)
from solvers.bayes.pricing import Costs
from solvers.checks import versions
from solvers.deploy import PricedNetwork
from solvers.errors import DataError, NetworkError
from solvers.values.rounding import rounded

from ...export.call import Call, script
from ...export.deployed import DeployForm, as_download, deployed_files
from ...session.footprint import Deployable
from ...session.take_away import policy_downloads, take_away_view
from ...widgets.text import charge_text
from .log import TrimmingQuestion
from .state import TrimmingState

# Rows that are drawn from a network.
_DRAWN = 100

Write = Callable[[TrimmingQuestion, Trimming], str | bytes]


def deployable(state: TrimmingState) -> Deployable | None:
    """Return the best trimming, and rows that are drawn from its network."""
    if state.log is None or state.log.best is None:
        return None
    priced = priced_trimming(state.log.question, state.log.best)
    network, names = priced.classifier.network, priced.classifier.features
    drawn = sample(network, _DRAWN)
    return priced, np.column_stack([drawn[name] for name in names]).astype(float)


def take_trimming_away(state: TrimmingState) -> Any:
    """Return the downloads of the trimming page."""

    def of_found(write: Write) -> str | bytes:
        if state.log is None or state.log.best is None:
            raise DataError("No trimming is found yet; let the search find one first.")
        return write(state.log.question, state.log.best)

    def written(question: TrimmingQuestion, _: Trimming) -> str:
        same = state.opened.classifier is question.original
        return trimming_script(question, state.opened.call if same else None)

    def policy(form: DeployForm) -> str | bytes:
        return of_found(lambda question, best: trimmed_policy(question, best, form))

    files: list[tuple[str, str, Write]] = [
        ("Trimmed classifier (JSON)", "trimmed.json", trimmed_json),
        ("Script (Python)", "thriftscope_trimming.py", written),
        ("Original classifier (JSON)", "original.json", lambda q, _: original_json(q)),
    ]
    found = [(label, name, partial(of_found, write)) for label, name, write in files]
    return take_away_view([*found, *policy_downloads(policy)], "The trimmed classifier")


def original_json(question: TrimmingQuestion) -> str:
    """Return the original classifier as JSON."""
    return classifier_to_json(question.classifier())


def trimmed_json(question: TrimmingQuestion, best: Trimming) -> str:
    """Return a trimmed classifier as JSON: its network, features and new threshold."""
    return classifier_to_json(_trimmed(question, best))


def trimmed_policy(
    question: TrimmingQuestion, best: Trimming, form: DeployForm
) -> str | bytes:
    """Return a trimmed classifier as what runs elsewhere."""
    priced = priced_trimming(question, best)
    cost = charge_text(best.cost, question.unit)
    error = rounded(best.standard_error, 2)
    told = "" if best.exact else f" (estimated, standard error {error:g})"
    notes = [
        f"Decides as the original, which sees {len(question.original.features)} "
        f"features, with probability {best.agreement:.4f}{told}: according to the "
        "network, not on data.",
        f"Kept: {len(best.features)} features; all of them cost {cost}. Those that can "
        "no longer change the decision are not asked for.",
        f"Threshold {best.threshold:.6g} in place of {question.threshold:g}.",
        f"Thriftscope {versions()['thriftscope']}.",
    ]
    name = f"About {question.original.target}"
    return as_download(deployed_files(priced, form, notes, name), form)


def priced_trimming(question: TrimmingQuestion, best: Trimming) -> PricedNetwork:
    """Return a trimmed classifier, with what its features cost."""
    trimmed = _trimmed(question, best)
    return PricedNetwork(trimmed, _kept(question, best), question.unit)


def _kept(question: TrimmingQuestion, best: Trimming) -> Costs:
    """Return the costs of the features that are kept."""
    if question.costs is None or isinstance(question.costs, FeatureHypergraph):
        return question.costs
    alone, names = question.prices.alone(), question.original.features
    return [float(alone[names.index(feature)]) for feature in best.features]


def _trimmed(question: TrimmingQuestion, best: Trimming) -> BayesianClassifier:
    if not best.features:
        raise NetworkError(
            "The best trimming sees no feature: it always decides alike. Raise the "
            "budget B, or move the threshold T."
        )
    return question.original.trimmed(list(best.features), best.threshold)


def trimming_script(question: TrimmingQuestion, call: Call | None) -> str:
    """Return a Python script that finds the same trimming.

    `call`: gives the classifier; where there is none, its JSON is written into the
    script.
    """
    if call is None:
        told = json.loads(classifier_to_json(question.original))
        call = Call(classifier_from_json, json.dumps(told, ensure_ascii=True))
    costs = question.costs
    if isinstance(costs, FeatureHypergraph):
        costs = Call(from_hif, to_hif(costs))
    best = Call(
        trim,
        call,
        budget=question.budget,
        costs=costs,
        threshold=question.threshold,
    )
    about = "The trimming that decides most like a Bayesian-network classifier."
    return script(about, best=best)
