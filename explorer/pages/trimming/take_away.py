"""What a person takes away from the trimming page: JSON, and files that run."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from solvers import FeatureHypergraph
from solvers.bayes import BayesianClassifier, Trimming, classifier_to_json, sample
from solvers.bayes.pricing import Costs
from solvers.costs.interchange import to_hif
from solvers.deploy import PricedNetwork
from solvers.errors import DataError, NetworkError
from solvers.values.rounding import rounded

from ...export.deployed import DeployForm, as_download, deployed_files
from ...export.files import versions
from ...session.footprint import Deployable
from ...session.take_away import policy_downloads, take_away_view
from ...widgets.text import charge_text
from .log import TrimmingQuestion
from .state import TrimmingState

# Characters of a line of a string in a script, and rows that are drawn.
_LINE, _DRAWN = 76, 100

_SCRIPT = '''"""The trimming that decides most like a Bayesian-network classifier."""

from solvers.bayes import {imports}
{reading}
original = {call}
original = original.with_threshold({threshold!r})
costs = {costs}
best = trim(original, {budget!r}, costs)
print("features:", *best.features, sep="\\n    ")
print(f"agreement: {{best.agreement:.6f}}, cost: {{best.cost:g}}")
print(f"new threshold: any in {{best.threshold_interval}}")
'''

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

    def script(question: TrimmingQuestion, _: Trimming) -> str:
        same = state.opened.classifier is question.original
        return trimming_script(question, state.opened.call if same else "")

    def policy(form: DeployForm) -> str | bytes:
        return of_found(lambda question, best: trimmed_policy(question, best, form))

    files: list[tuple[str, str, Write]] = [
        ("Trimmed classifier (JSON)", "trimmed.json", trimmed_json),
        ("Script (Python)", "thriftscope_trimming.py", script),
        ("Original classifier (JSON)", "original.json", lambda q, _: original_json(q)),
    ]
    found = [(label, name, partial(of_found, write)) for label, name, write in files]
    return take_away_view([*found, *policy_downloads(policy)])


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


def trimming_script(question: TrimmingQuestion, call: str) -> str:
    """Return a Python script that finds the same trimming.

    `call`: the expression that gives the classifier; where empty, its JSON is written
    into the script.
    """
    names = ("BayesianClassifier", "bundled_classifier", "classic_network")
    used = [name for name in (*names, "learned_classifier") if f"{name}(" in call]
    if not call:
        used = ["classifier_from_json"]
        given = json.loads(classifier_to_json(question.original))
        call = f"classifier_from_json(\n{_quoted(given)}\n)"
    is_shared = isinstance(question.costs, FeatureHypergraph)
    return _SCRIPT.format(
        imports=", ".join(sorted([*used, "trim"])),
        reading="from solvers.costs.interchange import read_hif\n" if is_shared else "",
        call=call,
        threshold=question.threshold,
        costs=_costs_text(question.costs),
        budget=question.budget,
    )


def _costs_text(costs: Costs) -> str:
    if isinstance(costs, FeatureHypergraph):
        return f"read_hif((\n{_quoted(to_hif(costs))}\n).encode())"
    return repr(costs)


def _quoted(given: Any) -> str:
    """Return JSON as string literals on lines of their own: nothing in it runs."""
    text = json.dumps(given, ensure_ascii=True)
    pieces = [text[i : i + _LINE] for i in range(0, len(text), _LINE)]
    return "\n".join(f"    {piece!r}" for piece in pieces)
