"""The Python script that computes a selective ridge again, of public names alone."""

from __future__ import annotations

from ...export.page_script import assignments, bundled_data, session_data
from .data import SIZES, STRENGTH
from .state import SelectivityState
from .streams import PATH_POINTS, SMALLEST, TOLERANCE

_SCRIPT = '''"""Compute a selective ridge of Thriftscope again."""

{given.first}import numpy as np
from sklearn.metrics import balanced_accuracy_score

from solvers import {given.imports}, split_dataset
from solvers.methods.selective_ridge import (
    maximum_selectivity,
    selective_ridge_path,
    selective_ridge_stream,
)

{given.lines}
{constants}

split = split_dataset(dataset)
train, validation = split.X("train"), split.X("validation")
weight = split.weight("train")
if IS_SCALED:  # Every column is divided by its spread over the training rows.
    centre = np.average(train, axis=0, weights=weight)
    spread = np.sqrt(np.average((train - centre) ** 2, axis=0, weights=weight))
    spread[spread == 0] = 1.0
    train, validation = (train - centre) / spread, (validation - centre) / spread
signs = {{
    part: np.where(split.y(part) == dataset.positive, 1.0, -1.0)
    for part in ("train", "validation")
}}
problem = {{"gamma": GAMMA, "loss": LOSS, "sample_weight": weight}}
if IS_PRICED:  # A feature that costs c has mu * sqrt(c).
    problem["feature_weights"] = np.sqrt(split.hypergraph.marginal_costs())


def report(fit):
    """Print what a model uses, how good it is, and what is not proven of it."""
    used = np.flatnonzero(fit.coef)
    right = []
    for part, X in (("train", train), ("validation", validation)):
        said = np.where(X[:, used] @ fit.coef[used] + fit.intercept > 0, 1.0, -1.0)
        right.append(balanced_accuracy_score(
            signs[part], said, sample_weight=split.weight(part)
        ))
    # A feature of several columns is ridge if one of them is.
    ridge = split.features_of(fit.states == "ridge")
    boundary = split.features_of(fit.states == "boundary") & ~ridge
    print(f"mu {{fit.mu:.6g}}: of {{len(ridge)}} features {{boundary.sum()}} on the "
          f"boundary, {{ridge.sum()}} ridge; balanced accuracy {{right[0]:.4f}} on "
          f"training and {{right[1]:.4f}} on validation rows; "
          f"relative gap {{fit.relative_gap:.1e}}")
    return right


largest = maximum_selectivity(train, signs["train"], **problem)
for model in selective_ridge_stream(
    train, signs["train"], mu=SHARE * largest, tol=TOLERANCE, **problem
):
    pass  # coarse to fine: the last is within the tolerance
print("The answer:")
scores = report(model)
for j in np.argsort(-np.abs(model.coef))[:MOST_LISTED]:
    if model.coef[j]:
        name = split.hypergraph.features[j]
        print(f"    {{name}}: {{model.coef[j]:.6g}} ({{model.states[j]}})")
print("The path:")
path = list(
    selective_ridge_path(
        train,
        signs["train"],
        n_points=PATH_POINTS,
        smallest=SMALLEST,
        tol=TOLERANCE,
        **problem,
    )
)
for fit in path:
    report(fit)
'''
# Coefficients that are printed, the largest first.
MOST_LISTED = 20


def selectivity_script(state: SelectivityState) -> str:
    """Return a script that prints the model on screen and its path."""
    is_own = state.source == "session"
    if is_own:
        given = session_data(state.dataset)
    else:
        n_samples, n_channels, n_times = SIZES[state.source]
        options = {
            "n_samples": n_samples,
            "n_channels": n_channels,
            "n_times": n_times,
            "strength": STRENGTH,
        }
        given = bundled_data("evoked", options)
    constants = {
        "IS_SCALED": is_own,
        "SHARE": float(state.share),
        "GAMMA": float(state.gamma),
        "LOSS": state.loss,
        "IS_PRICED": state.is_priced,
        "TOLERANCE": TOLERANCE,
        "PATH_POINTS": PATH_POINTS,
        "SMALLEST": SMALLEST,
        "MOST_LISTED": MOST_LISTED,
    }
    return _SCRIPT.format(given=given, constants=assignments(constants))
