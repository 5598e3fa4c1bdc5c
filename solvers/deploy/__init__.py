"""A fitted model that runs elsewhere: as Python, as C99, as one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from ..bayes import BayesianClassifier
from ..datasets.columns import TableEncoder
from ..decisions.program import refusal
from ..errors import DeployError, shown
from ..features.pipeline import FeaturePipeline
from ..features.tracing import TracedExtractor
from ..methods.base import CostAwareClassifier
from ..methods.wrapped import order_on_arrival
from .c import c_files
from .footprint import (
    CFootprint,
    DecisionTime,
    c_readme,
    measure_c,
    measure_python,
    sample_features,
)
from .html import html_text
from .itemised import ItemisedBill, itemised
from .networks import PricedNetwork, network_policy
from .policy import DeployablePolicy, policy_of, toward_first
from .preprocessed import on_raw_columns, on_unscaled_columns
from .python import python_text

__all__ = [
    "CFootprint",
    "DecisionTime",
    "ItemisedBill",
    "PricedNetwork",
    "c_readme",
    "itemised",
    "measure_c",
    "measure_python",
    "policy_from",
    "sample_features",
    "to_c",
    "to_html",
    "to_python",
]

# What may stand before a model, in this order.
_BEFORE = ([TableEncoder], [StandardScaler], [TableEncoder, StandardScaler])


def policy_from(model: Any) -> DeployablePolicy:
    """Return the decision program of a fitted model, as data.

    Parameters
    ----------
    model : CostAwareClassifier, FixedThresholdClassifier, Pipeline or PricedNetwork
        A fitted model of a method that can be exported; with its threshold, and behind
        a ``TableEncoder``, as a frontier's estimator is saved, a ``StandardScaler``, or
        the one and then the other. Or a Bayesian-network classifier, trimmed or not,
        with what features cost.

    Returns
    -------
    DeployablePolicy

    Raises
    ------
    DeployError
        If the method cannot be exported; the message names it.
    sklearn.exceptions.NotFittedError
        If the model is not fitted.
    """
    if isinstance(model, BayesianClassifier):
        model = PricedNetwork(model)
    if isinstance(model, PricedNetwork):
        return network_policy(model)
    check_is_fitted(model)
    if isinstance(model, Pipeline):
        return _behind_others(model)
    if isinstance(model, FixedThresholdClassifier):
        return _at_threshold(model)
    fitted = model.estimator if isinstance(model, FrozenEstimator) else model
    if not isinstance(fitted, CostAwareClassifier):
        raise refusal(fitted)
    return policy_of(fitted)


def _behind_others(model: Pipeline) -> DeployablePolicy:
    """Return the policy that encodes and scales columns itself."""
    *before, estimator = (step for _, step in model.steps)
    if [type(step) for step in before] not in _BEFORE:
        raise refusal(
            model,
            "only a TableEncoder or a StandardScaler, or both in this order, may stand "
            "before it",
        )
    policy, order = policy_from(estimator), order_on_arrival(model)
    if order is not None:  # the columns that the steps before it give
        policy = replace(policy, places=tuple(order[j] for j in policy.places))
    for step in reversed(before):
        is_encoder = isinstance(step, TableEncoder)
        policy = (on_raw_columns if is_encoder else on_unscaled_columns)(policy, step)
    return policy


def _at_threshold(model: FixedThresholdClassifier) -> DeployablePolicy:
    """Return the policy that calls the positive class from a threshold on."""
    policy, cut = policy_from(model.estimator_), model.threshold
    if cut == "auto":  # a probability of a half, or a score of 0
        cut = 0.0
    elif model.response_method != "decision_function" and hasattr(
        model.estimator_, "predict_proba"
    ):
        raise DeployError(
            f"The threshold {shown(cut)} is one of probabilities, and what is exported "
            "decides by its score; give a threshold of the score, with "
            "response_method='decision_function'."
        )
    if model.pos_label is not None and model.pos_label != policy.classes[1]:
        policy = toward_first(policy)
    return replace(policy, cut=float(cut), calls_at_cut=True)


def to_python(
    model: Any,
    notes: Sequence[str] = (),
    pipeline: FeaturePipeline | TracedExtractor | None = None,
) -> str:
    """Return a fitted model as one Python file that needs nothing else.

    Its ``decide(sample)`` takes features by name, as numbers or as functions that
    compute them, calls only what its answer depends on, each once, and returns label,
    score, what was computed and what that cost.

    Parameters
    ----------
    model : CostAwareClassifier, FixedThresholdClassifier, Pipeline or PricedNetwork
        A fitted model, as `policy_from` takes it.
    notes : sequence of str, optional
        Lines for the file's head, such as the test score or a data fingerprint.
    pipeline : FeaturePipeline or TracedExtractor, optional
        What computes the features of a raw sample. The source of the functions that the
        model needs goes along, and ``decide_raw(sample)`` computes what its answer
        depends on, what features share once. Packages that they import are needed.

    Returns
    -------
    str

    Raises
    ------
    DeployError
        If the method cannot be exported, or the source of a feature function cannot be
        taken: it is a lambda, a method or an object, or uses a variable of a function
        around it.

    Examples
    --------
    >>> from solvers import FeatureHypergraph
    >>> from solvers.methods.csdt import CSDTClassifier
    >>> prices = FeatureHypergraph.independent([3.0, 1.0], ["scan", "age"])
    >>> X = [[0.0, 5.0], [1.0, 5.0], [0.0, 6.0], [1.0, 6.0]]
    >>> module = {}
    >>> exec(to_python(CSDTClassifier(prices).fit(X, [0, 1, 0, 1])), module)
    >>> module["decide"]({"scan": lambda: 1.0})[:4]
    (1, 1.0, ('scan',), 3.0)
    """
    return python_text(policy_from(model), notes, pipeline)


def to_c(
    model: Any,
    name: str = "policy",
    real: Literal["double", "float"] = "double",
    notes: Sequence[str] = (),
    integers: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return a fitted model as C99: a header, a source and an example.

    It allocates nothing and needs math.h alone. Features and the components that they
    share are callbacks, called when the answer depends on them, each once.

    Parameters
    ----------
    model : CostAwareClassifier, FixedThresholdClassifier, Pipeline or PricedNetwork
        A fitted model, as `policy_from` takes it.
    name : str, default="policy"
        What names of files, functions and types begin with.
    real : {"double", "float"}, default="double"
        Type of the numbers. With "float" a row that lies on a boundary, to seven
        digits, may be decided otherwise.
    notes : sequence of str, optional
        Lines for the header, such as the test score.
    integers : mapping of str to str, optional
        Types of features that are whole numbers: ``{"steps": "uint16_t"}``. Listed
        words are codes by themselves.

    Returns
    -------
    dict of str to str
        Texts by file name.

    Raises
    ------
    DeployError
        If the method cannot be exported, or the name is no identifier.
    """
    return c_files(policy_from(model), name, real, notes, integers)


def to_html(model: Any, title: str = "", notes: Sequence[str] = ()) -> str:
    """Return a fitted model as one page that works from disk, without a request.

    It shows how the model decides, asks for one test at a time as the model would, and
    says what each costs and why it stops.

    Parameters
    ----------
    model : CostAwareClassifier, FixedThresholdClassifier, Pipeline or PricedNetwork
        A fitted model, as `policy_from` takes it.
    title : str, optional
        The page's title; the method's by default.
    notes : sequence of str, optional
        Lines for the page's foot, such as the test score.

    Returns
    -------
    str
        Below 300 kB.

    Raises
    ------
    DeployError
        If the method cannot be exported, or the page would be larger.
    """
    return html_text(policy_from(model), title, notes)
