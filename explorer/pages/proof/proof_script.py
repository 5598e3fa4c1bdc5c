"""The Python script that proves the budget's floor again, with public names only."""

from __future__ import annotations

from ...export.page_script import GivenData, bundled_data, session_data
from .data import MAX_ROWS
from .state import ProofState
from .streams import MOST_LISTED

# Less is rounding.
LEAST_GAP = 1e-6

_SCRIPT = '''"""Prove with Thriftscope how good a linear model can be for the money."""

{given.first}from solvers import {given.imports}, split_dataset
from solvers.certify import certified_frontier, check_certificate, near_optimal

{given.lines}
MOST_ROWS = {most_rows!r}  # of training
RIDGE = {ridge!r}  # half of it times the squared norm of the weights
SHARE = {share!r}  # the budget, of the cost of everything
WITHOUT = {without!r}  # components that must not be bought
TOLERANCE, WITHIN = {tol!r}, {within!r}  # shares of what all features bring
GAP = {gap!r}  # what the page has left at most: the search goes on until then
SECONDS = {seconds!r}

split = split_dataset(dataset)
X = split.X("train")[:MOST_ROWS]
y = (split.y("train")[:MOST_ROWS] == dataset.positive).astype(int)
hypergraph, weight = split.hypergraph, split.weight("train")
if weight is not None:
    weight = weight[:MOST_ROWS]
budget = SHARE * hypergraph.total_cost

# Bounds improve while one waits; the last ones count.
*_, one = certified_frontier(
    X, y, hypergraph, ridge=RIDGE, budgets=[budget], tol=GAP,
    seconds=SECONDS, without=WITHOUT, sample_weight=weight,
)
state = "proven" if one.gap <= TOLERANCE else "OPEN"
print(f"within {{budget:.6g}} {{dataset.unit}}: none below {{one.lower:.6f}}, "
      f"best known {{one.upper:.6f}}, gap {{one.gap:.2%}}, {{state}}")
bought = hypergraph.required_components(one.features)
print("buys", [n for n, b in zip(hypergraph.component_names, bought) if b])
# By code that shares nothing with the search.
floor = check_certificate(one.certificate, X, y, hypergraph, sample_weight=weight)
print(f"checked: the certificate proves {{floor:.6f}}")

near = near_optimal(
    X, y, hypergraph, ridge=RIDGE, budget=budget, within=WITHIN,
    seconds=SECONDS, limit={limit!r}, without=WITHOUT, sample_weight=weight,
)
listed = "exactly" if near.complete else "at least"
print(f"{{listed}} {{near.count}} selections are within {{WITHIN:.2%}} of the best")
'''


def proof_script(state: ProofState) -> str:
    """Return a script that prints what is proven of the budget on screen."""
    without = list(state.without)
    if state.data is not None:
        without = state.data.known(tuple(without))
    return _SCRIPT.format(
        given=_given(state),
        most_rows=MAX_ROWS,
        ridge=float(state.ridge),
        share=float(state.share),
        without=without,
        tol=float(state.tol),
        gap=_gap(state),
        within=float(state.within),
        seconds=state.budget_question().seconds,
        limit=MOST_LISTED,
    )


def _gap(state: ProofState) -> float:
    """Return the gap on screen where it is closed: larger budgets close it, too."""
    known = state.known() if state.data is not None else None
    left = float(state.tol if known is None else known.gap)
    return max(min(left, float(state.tol)), LEAST_GAP)


def _given(state: ProofState) -> GivenData:
    if state.source != "session":
        return bundled_data(state.source, {})
    return session_data(state.dataset)
