"""Check a certified floor by minimum cuts: numpy and scipy, and nothing of the solver.

Run as ``python check_certificate.py FILE.json``.

Rows have weights p that add up to 1. For a in [0, 1]^n with sum_i p_i a_i y_i = 0 and
lam >= 0, no selection within the budget has an objective below E(a) - C - lam budget.
E is the mean entropy of a; C is the maximum closure with profits
q_j = (x_j (p a y))^2 / (2 ridge) and prices lam times cost.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.csgraph import maximum_flow

__all__ = ["check_certificate"]

# Capacities are whole numbers; what rounding adds is on the safe side.
_LARGEST = 1 << 29
_SLACK = 1e-9


def check_certificate(
    certificate: Any,
    X: ArrayLike,
    y: ArrayLike,
    incidence: Any,
    costs: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the floor that a certificate proves, by one minimum cut for each leaf.

    Parameters
    ----------
    certificate : Certificate or mapping
        The proof, or what its file holds.
    X : array_like of float, shape (n_rows, n_features)
        The table as it came.
    y : array_like, shape (n_rows,)
        Labels of two classes.
    incidence : FeatureHypergraph or array_like, shape (n_components, n_features)
        Which feature needs which component.
    costs : array_like of float, shape (n_components,), optional
        What components cost; a hypergraph has them.
    sample_weight : array_like of float, shape (n_rows,), optional
        How much each row counts, as it was given to the solver.

    Returns
    -------
    float
        No selection within the budget has a lower objective. Compare it with ``lower``.

    Raises
    ------
    ValueError
        If the leaves leave selections out or a vector is not feasible.
    """
    record = (
        certificate if isinstance(certificate, Mapping) else certificate.as_record()
    )
    if costs is None:
        incidence, costs = incidence.incidence.toarray(), incidence.component_costs
    needs = np.asarray(incidence, dtype=bool).T
    price = np.asarray(costs, dtype=float)
    signs = _signs(y)
    weights = np.ones(len(signs)) if sample_weight is None else sample_weight
    rows = np.asarray(weights, dtype=float)
    if rows.shape != signs.shape or not (rows >= 0.0).all():
        raise ValueError("The weights do not give each row a number from 0 up.")
    rows = rows / rows.sum()
    table = _standardised(X, rows)
    allowed = ~needs[:, list(record["without"])].any(axis=1)
    table, needs = table[:, allowed], needs[allowed]
    needs, price, merged = _merged(needs, price)
    leaves = [_decided(leaf["decisions"], merged) for leaf in record["leaves"]]
    if not _covers(leaves):
        raise ValueError("The leaves do not cover all selections.")
    room = float(record["budget"]) + _SLACK * float(price.sum())
    found = np.inf
    for leaf, decided in zip(record["leaves"], leaves, strict=True):
        a = np.asarray(leaf["vector"], dtype=float)
        entropy, gains = _cut(a, table, (signs, rows), float(record["ridge"]))
        multiplier = float(leaf["multiplier"])
        if not multiplier >= 0.0:
            raise ValueError("A multiplier is below 0.")
        bound = _bound(entropy, gains, needs, price, (decided, room, multiplier))
        found = min(found, bound)
    return found


def _standardised(X: ArrayLike, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    table = np.array(X, dtype=float)
    centred = table - rows @ table
    centred -= rows @ centred
    spread = np.sqrt(rows @ centred**2)
    constant = spread <= 1e-13 * np.abs(table).max(axis=0)
    table = centred / np.where(constant, 1.0, spread)
    table[:, constant] = 0.0
    return table


def _signs(y: ArrayLike) -> NDArray[np.float64]:
    labels = np.asarray(y)
    return np.where(labels == labels.max(), 1.0, -1.0)


def _merged(
    needs: NDArray[np.bool_], price: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.int_]]:
    """Join components that the same features need: they are bought together."""
    priced = np.flatnonzero((price > 0.0) & needs.any(axis=0))
    kinds, which = np.unique(needs[:, priced], axis=1, return_inverse=True)
    merged = np.full(len(price), -1)
    merged[priced] = which.ravel()
    sums = np.bincount(which.ravel(), price[priced], minlength=kinds.shape[1])
    return kinds, sums.astype(float), merged


def _decided(
    decisions: Sequence[Sequence[Any]], merged: NDArray[np.int_]
) -> dict[int, bool]:
    found: dict[int, bool] = {}
    for component, bought in decisions:
        kind = int(merged[int(component)])
        if kind < 0 or found.get(kind, bool(bought)) is not bool(bought):
            raise ValueError("A leaf decides what cannot be decided.")
        found[kind] = bool(bought)
    return found


def _covers(leaves: list[dict[int, bool]]) -> bool:
    """Return whether every way to buy keeps the decisions of some leaf."""
    waiting = [leaves]
    while waiting:
        part = waiting.pop()
        if not part:
            return False
        if any(not leaf for leaf in part):
            continue
        common = set(part[0]).intersection(*part[1:])
        if not common:
            return False
        split = min(common, key=list(part[0]).index)
        for side in (True, False):
            kept = [leaf for leaf in part if leaf[split] is side]
            rest = [{c: b for c, b in leaf.items() if c != split} for leaf in kept]
            waiting.append(rest)
    return True


def _cut(
    a: NDArray[np.float64],
    table: NDArray[np.float64],
    labels: tuple[NDArray[np.float64], NDArray[np.float64]],
    ridge: float,
) -> tuple[float, NDArray[np.float64]]:
    signs, rows = labels
    if a.shape != signs.shape or not ((a >= 0.0) & (a <= 1.0)).all():
        raise ValueError("A vector does not give each row a number in [0, 1].")
    pull = rows * a * signs
    if abs(float(pull.sum())) > 1e-10:
        raise ValueError("A vector does not hold the classes in balance.")
    is_inner = (a > 0.0) & (a < 1.0)
    inner = a[is_inner]
    doubt = inner * np.log(inner) + (1 - inner) * np.log1p(-inner)
    return -float(rows[is_inner] @ doubt), (table.T @ pull) ** 2 / (2.0 * ridge)


def _bound(
    entropy: float,
    gains: NDArray[np.float64],
    needs: NDArray[np.bool_],
    price: NDArray[np.float64],
    leaf: tuple[dict[int, bool], float, float],
) -> float:
    decided, room, multiplier = leaf
    bought = [c for c, inside in decided.items() if inside]
    banned = [c for c, inside in decided.items() if not inside]
    left = room - float(price[bought].sum())
    if left < 0.0:
        return np.inf
    missing = needs.copy()
    missing[:, bought] = False
    # What is ruled out, or costs more than is left, nobody buys.
    fits = ~needs[:, banned].any(axis=1) & (missing @ price <= left)
    best = _closure(gains[fits], missing[fits], multiplier * price)
    return entropy - best - multiplier * left


def _closure(
    profits: NDArray[np.float64], needs: NDArray[np.bool_], prices: NDArray[np.float64]
) -> float:
    """Return at least the most that profits less the prices of their needs can be."""
    n, m = needs.shape
    total = float(profits.sum())
    if total == 0.0:
        return 0.0
    # No more than this can pass, whatever a component costs.
    scale = _LARGEST / max(total, 1e-300)
    most = _LARGEST + n + 1
    source, sink = n + m, n + m + 1
    up = np.ceil(profits * scale).astype(np.int32)
    down = np.floor(np.minimum(prices * scale, most)).astype(np.int32)
    feature, component = np.nonzero(needs)
    rows = np.concatenate([np.full(n, source), feature, np.arange(m) + n])
    columns = np.concatenate([np.arange(n), component + n, np.full(m, sink)])
    room = np.concatenate([up, np.full(len(feature), most, dtype=np.int32), down])
    keep = room > 0
    graph = sparse.csr_array(
        (room[keep].astype(np.int32), (rows[keep], columns[keep])),
        shape=(n + m + 2, n + m + 2),
    )
    graph.indices = graph.indices.astype(np.int32)
    graph.indptr = graph.indptr.astype(np.int32)
    flow = int(maximum_flow(graph, source, sink).flow_value)
    return (int(up.sum(dtype=np.int64)) - flow) / scale


def _main(arguments: Sequence[str]) -> int:
    with open(arguments[0], encoding="utf-8") as file:
        record = json.load(file)
    proven = check_certificate(
        record,
        record["X"],
        record["y"],
        record["incidence"],
        record["costs"],
        record.get("sample_weight"),
    )
    holds = proven >= record["lower"] - 1e-6
    sys.stdout.write(
        f"claimed {record['lower']:.9f}, proven {proven:.9f} for budget "
        f"{record['budget']:g}: {'holds' if holds else 'DOES NOT HOLD'}\n"
    )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
