"""What a person takes away from the trimming page: JSON, and Python that runs."""

from __future__ import annotations

import json
import math

from solvers import FeatureHypergraph
from solvers.bayes import BayesianClassifier, Trimming, classifier_to_json
from solvers.bayes.pricing import Costs, as_prices
from solvers.deploy import PricedNetwork
from solvers.errors import NetworkError
from solvers.interchange import to_hif

from ...export.deployed import DeployForm, as_download, deployed_files
from ...export.files import versions
from ...widgets.text import charge_text
from .log import TrimmingQuestion

__all__ = [
    "original_json",
    "priced_trimming",
    "trimmed_json",
    "trimmed_policy",
    "trimming_script",
]

_LINE = 76


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
    told = (
        "" if best.exact else f" (estimated, standard error {best.standard_error:.2g})"
    )
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
    given, names = question.costs, question.original.features
    if given is None or isinstance(given, FeatureHypergraph):
        return given
    each = as_prices(names, given, math.inf).alone()
    return [float(each[names.index(feature)]) for feature in best.features]


def _trimmed(question: TrimmingQuestion, best: Trimming) -> BayesianClassifier:
    if not best.features:
        raise NetworkError(
            "The best trimming sees no feature: it always decides alike. Raise the "
            "budget B, or move the threshold T."
        )
    return question.original.trimmed(list(best.features), best.threshold)


def trimming_script(question: TrimmingQuestion, call: str) -> str:
    """Return a Python script that finds the same trimming.

    `call`: the expression that gives the classifier; where empty, its JSON is written
    into the script.
    """
    imports = ["trim"]
    names = ("BayesianClassifier", "bundled_classifier", "classic_network")
    found = [name for name in (*names, "learned_classifier") if f"{name}(" in call]
    if not call:
        found = ["classifier_from_json"]
    original = f"original = {call}"
    if not call:
        text = classifier_to_json(question.original)
        compact = json.dumps(json.loads(text), ensure_ascii=True)
        original = f"original = classifier_from_json(\n{_quoted(compact)}\n)"
    head = [
        '"""The trimming that decides most like a Bayesian-network classifier."""',
        "",
        f"from solvers.bayes import {', '.join(sorted([*found, *imports]))}",
    ]
    return "\n".join(
        [
            *head,
            *_cost_imports(question.costs),
            "",
            original,
            f"original = original.with_threshold({question.threshold!r})",
            f"costs = {_costs_text(question.costs)}",
            f"best = trim(original, {question.budget!r}, costs)",
            'print("features:", *best.features, sep="\\n    ")',
            'print(f"agreement: {best.agreement:.6f}, cost: {best.cost:g}")',
            'print(f"new threshold: any in {best.threshold_interval}")',
            "",
        ]
    )


def _cost_imports(costs: Costs) -> list[str]:
    is_shared = isinstance(costs, FeatureHypergraph)
    return ["from solvers.interchange import read_hif"] if is_shared else []


def _costs_text(costs: Costs) -> str:
    if isinstance(costs, FeatureHypergraph):
        compact = json.dumps(to_hif(costs), ensure_ascii=True)
        return f"read_hif((\n{_quoted(compact)}\n).encode())"
    return repr(costs)


def _quoted(text: str) -> str:
    """Return a text as string literals on lines of their own: nothing in it runs."""
    pieces = [text[i : i + _LINE] for i in range(0, len(text), _LINE)]
    return "\n".join(f"    {piece!r}" for piece in pieces)
