"""The Python script that computes a cascade again, with nothing but public names."""

from __future__ import annotations

from solvers import Dataset

from ...export.page_script import GivenData, assignments, bundled_data, session_data
from .state import CascadeState
from .training import MAX_ROWS

_HEAD = '''"""Compute a cascade of Thriftscope again."""

{given.first}import numpy as np

from solvers import {given.imports}, split_dataset
{imports}
from solvers.datasets.splits import Split

{given.lines}
MOST_ROWS = {most_rows!r}  # of each part
{constants}

rows = split_dataset(dataset).rows
split = Split(dataset, {{part: found[:MOST_ROWS] for part, found in rows.items()}})
'''

_THRESHOLD = """
# The stages see columns that are centred and scaled by the training rows.
X, weight = split.X("train"), split.weight("train")
centre = np.average(X, axis=0, weights=weight)
width = np.sqrt(np.average((X - centre) ** 2, axis=0, weights=weight))
width = np.where(width > 0, width, 1.0)
model = TEFEClassifier(
    split.hypergraph, C=C, order=ORDER, confidence=CONFIDENCE
).fit((X - centre) / width, split.y("train"), weight, groups=split.groups("train"))
cap = max(CAP * model.stage_costs_[-1], model.stage_costs_[0])


def stages(part):
    scaled = (split.X(part) - centre) / width
    return CascadeRows.of(model, scaled, split.y(part)).capped(cap)


# The exit threshold is a quantile of the confidences of validation rows.
if QUANTILE in (0.0, 1.0):
    threshold = np.inf if QUANTILE else -np.inf
else:
    threshold = stages("validation").curve.threshold_at_share(QUANTILE)
test = stages("test")
exits = test.exits(threshold)
right = test.right[np.arange(test.n_rows), exits]
cost, accuracy = float(test.stage_costs[exits].mean()), float(right.mean())
print(f"threshold {threshold:.6g}: {cost:.6g} {dataset.unit} a test row on average, "
      f"{accuracy:.4f} of {test.n_rows} test rows are right")
for stage, count in enumerate(np.bincount(exits, minlength=test.n_stages), start=1):
    print(f"stage {stage}: {test.stage_costs[stage - 1]:.6g} {dataset.unit}, "
          f"{count} rows leave")
"""

_BUDGET = """
model = HypergraphCascadeClassifier(
    split.hypergraph, order=ORDER, model=MODEL, routing=ROUTING, objective=OBJECTIVE
).fit(
    split.X("train"), split.y("train"), split.weight("train"),
    groups=split.groups("train"),
)
# One training has a policy for every budget.
cascade = model.at_budget(BUDGET * dataset.hypergraph.total_cost)
X, y = split.X("test"), split.y("test")
cost = float(cascade.prediction_cost(X).mean())
accuracy = float((cascade.predict(X) == y).mean())
print(f"{cost:.6g} {dataset.unit} a test row on average, "
      f"{accuracy:.4f} of {len(y)} test rows are right")
for row in cascade.stage_table():
    bought = split.features_of(split.hypergraph.feature_mask(row.features))
    names = [dataset.feature_names[j] for j in np.flatnonzero(bought)]
    print(f"stage {row.stage}: {', '.join(names) or 'nothing'}, "
          f"{row.cost:.6g} {dataset.unit} so far")
"""


def cascade_script(state: CascadeState) -> str:
    """Return a script that prints what the cascade on screen costs and is worth."""
    is_tefe = state.way == "tefe"
    if is_tefe:
        chosen = {
            "C": float(state.C),
            "ORDER": state.order,
            "CONFIDENCE": state.confidence,
            "CAP": float(state.cap),
            "QUANTILE": float(state.share),
        }
        module, names = "solvers.methods.tefe", "TEFEClassifier"
    else:
        chosen = {
            "ORDER": state.buying,
            "MODEL": state.model,
            "ROUTING": state.routing or None,
            "OBJECTIVE": state.objective,
            "BUDGET": float(state.budget),
        }
        module = "solvers.methods.hypergraph_cascade"
        names = "HypergraphCascadeClassifier"
    rows = "from solvers.papers.cascades import CascadeRows\n" if is_tefe else ""
    head = _HEAD.format(
        imports=f"{rows}from {module} import {names}",
        given=_given(state.source, state.session_dataset),
        most_rows=MAX_ROWS,
        constants=assignments(chosen),
    )
    return head + (_THRESHOLD if is_tefe else _BUDGET)


def _given(source: str, dataset: Dataset | None) -> GivenData:
    if source == "scenes_published":
        return bundled_data("scenes", {"costs": "published"})
    if source != "session":
        return bundled_data(source, {})
    return session_data(dataset)
