"""Check a certified floor by minimum cuts: numpy and scipy, and nothing of the solver.

Run as ``python check_certificate.py FILE.json``.

Rows have weights p that add up to 1. For a in [0, 1]^n with sum_i p_i a_i y_i = 0 and
lam >= 0, no selection within the budget has an objective below E(a) - C - lam budget.
E is the mean entropy of a; C is the maximum closure with profits
q_j = (x_j (p a y))^2 / (2 ridge) and prices lam times cost.

A leaf with a region proves the least of two numbers: a value `beat`, and the same
difference for the quadratic that is below the loss wherever a model is worth at most
`beat`. Such models are near the region's: their Bregman divergence from there is at
most what its residuals' floor lacks of `beat`, so margins stay within the reach, which
is checked, and with them the least secant curvatures of the loss.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.csgraph import maximum_flow

_FORMAT = "certified-floor-2"
# Capacities are whole numbers; what rounding adds is on the safe side.
_LARGEST = 1 << 29
# What counts as within a budget, as where the floor was proven.
_SLACK = 1e-9
_RAISED = 0.01
_UNCENTRED = 1e-7
# What reading something else raises. A ValueError says itself what is wrong.
_NO_CERTIFICATE = (
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


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
        The table as it came; where a hypergraph is given, a frame's columns by name.
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
        If the format is another, the leaves leave selections out, a vector is not
        feasible, or table, labels, costs, weights, ridge or budget are nothing of which
        anything could be proven.
    """
    needs, price = _bought(incidence, costs)
    if hasattr(incidence, "aligned"):
        X = incidence.aligned(X)  # a hypergraph takes columns by name
    signs = _signs(y)
    rows = _rows(sample_weight, len(signs))
    table = _standardised(X, rows, len(needs))
    try:
        as_record = getattr(certificate, "as_record", None)
        record = certificate if as_record is None else as_record()
        return _proven(record, (table, signs, rows), needs, price)
    except _NO_CERTIFICATE as error:
        raise ValueError(
            f"This is no whole certificate ({type(error).__name__}: {_said(error)}); "
            "give one as it was made, or what its file holds."
        ) from error


def _proven(
    record: Mapping[str, Any],
    data: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    needs: NDArray[np.bool_],
    price: NDArray[np.float64],
) -> float:
    table, signs, rows = data
    ridge, budget = _asked(record)
    allowed = np.asarray(~needs[:, list(record["without"])].any(axis=1))
    table, needs = table[:, allowed], needs[allowed]
    needs, price, merged = _merged(needs, price)
    leaves = [_decided(leaf["decisions"], merged) for leaf in record["leaves"]]
    if not _covers(leaves):
        raise _forged(f"The leaves, {len(leaves)}, do not cover all selections")
    room = budget * (1.0 + _SLACK)
    found = np.inf

    def bound(
        cut: tuple[float, NDArray[np.float64]], decided: dict[int, bool], part: Any
    ) -> float:
        multiplier = float(part["multiplier"])
        if not 0.0 <= multiplier < np.inf:
            raise _forged(f"A multiplier is {multiplier:g}, no number from 0 up")
        value = _bound(*cut, needs, price, (decided, room, multiplier))
        if np.isnan(value):  # which is below nothing, and above nothing
            raise _forged(f"A leaf or a region proves {value:g}, which is no floor")
        return value

    regions: list[tuple[dict[int, bool], float, _Quadratic]] = []
    for one in record.get("regions", ()):
        decided = _decided(one["decisions"], merged)
        fits = _fits(needs, price, (decided, room))
        model = _RegionModel(one, table, (signs, rows), ridge, allowed)
        lower = bound(model.cut, decided, one)
        regions.append((decided, float(one["beat"]), model.below(lower, fits)))
    for leaf, decided in zip(record["leaves"], leaves, strict=True):
        vector, most = _numbers(leaf["vector"], "A vector"), np.inf
        if leaf.get("region") is None:
            cut = _cut(vector, table, (signs, rows), ridge)
        else:
            wider, most, quadratic = regions[int(leaf["region"])]
            if not wider.items() <= decided.items():
                raise _forged(f"A leaf is not within its region {leaf['region']}")
            cut = quadratic.cut(vector[allowed])
        found = min(found, most, bound(cut, decided, leaf))
    return found


def _bought(
    incidence: Any, costs: ArrayLike | None
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return what features need, and what that costs, of a hypergraph or of arrays."""
    if costs is None:
        costs = getattr(incidence, "component_costs", None)
    if costs is None:
        raise ValueError("There are no costs; give some, or a hypergraph, which has.")
    needs = getattr(incidence, "incidence", incidence)
    needs = _numbers(needs.toarray() if sparse.issparse(needs) else needs, "incidence")
    price = _numbers(costs, "costs")
    if needs.ndim != 2 or price.shape != needs.shape[:1] or not _from_0_up(price):
        raise ValueError(
            "The costs do not give each component a number from 0 up: there are "
            f"{price.shape}, for an incidence of shape {needs.shape}; give one for "
            "each of its rows."
        )
    return needs.T != 0.0, price


def _numbers(values: ArrayLike, name: str) -> NDArray[np.float64]:
    try:
        found = np.asarray(values)
        if found.dtype.kind in "cmM":  # NumPy would drop what makes it none
            raise TypeError(f"its type is {found.dtype}")
        return found.astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} holds what is no number ({_said(error)}); give plain arrays of "
            "numbers."
        ) from error


def _forged(what: str) -> ValueError:
    """Return the refusal of a proof that says what it may not."""
    return ValueError(f"{what}; give the certificate as the search wrote it.")


def _said(error: Exception) -> str:
    return str(error).split(". ")[0].rstrip(".")


def _from_0_up(values: NDArray[np.float64]) -> bool:
    return bool((np.isfinite(values) & (values >= 0.0)).all())


def _asked(record: Mapping[str, Any]) -> tuple[float, float]:
    told = record["format"]
    if told != _FORMAT:
        raise ValueError(
            f"The format is {told!r}; this checker reads {_FORMAT}, so take the one "
            "that was written beside the file."
        )
    ridge, budget = _numbers([record["ridge"], record["budget"]], "The certificate")
    if not 0.0 < ridge < np.inf:
        raise _forged(f"The ridge is {ridge:g}, which is no number above 0")
    if not budget >= 0.0:
        raise _forged(f"The budget is {budget:g}, which is no number from 0 up")
    return ridge, budget


def _rows(sample_weight: ArrayLike | None, n: int) -> NDArray[np.float64]:
    weights = np.ones(n) if sample_weight is None else sample_weight
    rows = _numbers(weights, "sample_weight")
    if rows.shape != (n,) or not _from_0_up(rows) or not rows.any():
        raise ValueError(
            "The weights do not give each row a number from 0 up: their shape is "
            f"{rows.shape}, for {n} rows; give one for each, some of them above 0."
        )
    rows = rows / rows.max()  # a sum may overflow
    return np.asarray(rows / rows.sum())


def _standardised(X: Any, rows: NDArray[np.float64], m: int) -> NDArray[np.float64]:
    table = _numbers(X.toarray() if sparse.issparse(X) else X, "X")
    if table.shape != (len(rows), m) or not np.isfinite(table).all():
        raise ValueError(
            "The table does not give each row and column a number: its shape is "
            f"{table.shape}, for {len(rows)} labels and {m} features; give finite "
            "ones."
        )
    # By powers of two, which lose nothing: squares of huge values overflow.
    table = np.ldexp(table, -np.frexp(np.abs(table).max(axis=0))[1])
    centred = table - rows @ table
    centred -= rows @ centred
    spread = np.sqrt(rows @ centred**2)
    constant = spread <= 1e-13 * np.abs(table).max(axis=0)
    table = centred / np.where(constant, 1.0, spread)
    table[:, constant] = 0.0
    return table


def _signs(y: ArrayLike) -> NDArray[np.float64]:
    try:
        labels = np.asarray(y)
        classes = np.unique(labels)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y holds labels that make no classes ({_said(error)}); give two of the "
            "same type."
        ) from error
    if labels.ndim != 1 or len(classes) != 2 or (classes != classes).any():
        raise ValueError(
            f"y has shape {labels.shape} and {len(classes)} classes; give one label a "
            "row, of two classes, none missing."
        )
    return np.where(labels == classes[1], 1.0, -1.0)


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
            raise _forged(
                f"A leaf decides what cannot be decided, component {component}"
            )
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
        raise _forged(
            f"A vector of shape {a.shape} does not give each row a number in [0, 1], "
            f"of {len(signs)}"
        )
    pull = rows * a * signs
    if abs(left := float(pull.sum())) > 1e-10:
        raise _forged(f"A vector does not hold the classes in balance but {left:.2g}")
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
    left = room - float(price[bought].sum())
    if left < 0.0:
        return np.inf
    missing = needs.copy()
    missing[:, bought] = False
    fits = _fits(needs, price, (decided, room))
    best = _closure(gains[fits], missing[fits], multiplier * price)
    return entropy - best - multiplier * left


def _fits(
    needs: NDArray[np.bool_],
    price: NDArray[np.float64],
    leaf: tuple[dict[int, bool], float],
) -> NDArray[np.bool_]:
    """Return what may be bought: not ruled out, nor costlier than what is left."""
    decided, room = leaf
    bought = [c for c, inside in decided.items() if inside]
    banned = [c for c, inside in decided.items() if not inside]
    missing = needs.copy()
    missing[:, bought] = False
    left = room - float(price[bought].sum())
    return np.asarray(~needs[:, banned].any(axis=1) & (missing @ price <= left))


class _RegionModel:
    """A region's model, and what its residuals say."""

    def __init__(
        self,
        region: Any,
        table: NDArray[np.float64],
        labels: tuple[NDArray[np.float64], NDArray[np.float64]],
        ridge: float,
        allowed: NDArray[np.bool_],
    ) -> None:
        (signs, self.rows), self.table, self.ridge = labels, table, ridge
        self.weights = _numbers(region["weights"], "A region's model")[allowed]
        self.spare = _numbers(region["spare"], "A region's spare")[allowed]
        self.reach = _numbers(region["reach"], "A region's reach")
        self.beat = float(region["beat"])
        if not _from_0_up(self.spare) or self.reach.shape != signs.shape:
            raise _forged(
                f"A region does not give each row a reach, of {len(signs)}, and each "
                "weight a spare curvature from 0 up"
            )
        if not (np.isfinite(self.weights).all() and np.isfinite(self.beat)):
            raise _forged(f"A region's weights or its value, {self.beat:g}, are none")
        scores, intercept = table @ self.weights, float(region["intercept"])
        # Columns of large numbers are not centred to the last digit: what that leaves
        # out of balance is made up for, and no more.
        for most in (_UNCENTRED, _UNCENTRED, 1e-10):
            self.margins = signs * (scores + intercept)
            self.doubt = 1.0 / (1.0 + np.exp(self.margins))
            pull = self.rows * self.doubt * signs
            left = float(pull.sum())
            if not abs(left) <= most:
                raise _forged(
                    f"A region's model does not balance the classes but for {left:.2g}"
                )
            curvature = float(self.rows @ (self.doubt * (1.0 - self.doubt)))
            intercept += left / max(curvature, 1e-300)
        self.pulls = table.T @ pull
        self.loss = float(self.rows @ np.logaddexp(0.0, -self.margins))

    @property
    def cut(self) -> tuple[float, NDArray[np.float64]]:
        entropy = self.loss + float(self.pulls @ self.weights)
        return entropy, self.pulls**2 / (2.0 * self.ridge)

    def below(self, lower: float, fits: NDArray[np.bool_]) -> _Quadratic:
        """Return the quadratic below the loss, once the reach is seen to be enough."""
        if self.weights[~fits].any():
            bought = np.flatnonzero(self.weights * ~fits)
            raise _forged(f"A region's model buys what nobody can, column {bought[0]}")
        # No weights of a model worth at most `beat` are farther from these than that.
        norm = np.sqrt(2.0 * self.beat / self.ridge) + np.linalg.norm(self.weights)
        room = max(self.beat - lower, 0.0)
        design = np.column_stack([self.table[:, fits], np.ones(len(self.margins))])
        curvature = self.rows * self._least_curvature()
        hessian = (design.T * curvature) @ design
        # Raising the diagonal by a little is paid for by a little more room.
        raised = np.full(len(hessian), 2.0 * _RAISED * room / norm**2)
        raised[-1] = 0.0
        solved = np.linalg.solve(hessian + np.diag(raised), design.T)
        spread = np.einsum("ij,ji->i", design, solved)
        needed = np.sqrt(2.0 * (1.0 + _RAISED) * room * np.maximum(spread, 0.0))
        is_within = needed <= self.reach * (1.0 + 1e-9) + 1e-12
        if not is_within[self.rows > 0.0].all():
            short = np.flatnonzero(~is_within & (self.rows > 0.0))[0]
            raise _forged(
                f"A region's reach is not enough: {self.reach[short]:.6g} of row "
                f"{short}, which can go {needed[short]:.6g} far"
            )
        side = hessian[:-1, -1]
        inner = hessian[:-1, :-1] - np.outer(side, side) / hessian[-1, -1]
        whole = np.zeros((len(fits), len(fits)))
        whole[np.ix_(fits, fits)] = inner
        curved = whole @ self.weights
        least = np.linalg.eigvalsh(inner - np.diag(self.spare[fits]))[0]
        const = self.loss + float(self.weights @ (self.pulls + 0.5 * curved))
        matrix = whole - np.diag(np.where(fits, self.spare, 0.0))
        strengths = self.ridge + np.where(fits, self.spare, 0.0)
        concave = max(-float(least), 0.0), float(norm)
        return _Quadratic(const, self.pulls + curved, matrix, strengths, concave)

    def _least_curvature(self) -> NDArray[np.float64]:
        """Secants of the loss curve least at an end of the reach, or at the model."""
        here, found = self.margins, self.doubt * (1.0 - self.doubt)
        for t in (self.reach, -self.reach):
            near = np.clip(t, -1e-2, 1e-2)
            there = 1.0 / (1.0 + np.exp(here + near))
            change = np.logaddexp(0.0, -here - t) - np.logaddexp(0.0, -here)
            is_far = np.abs(t) > 1e-2
            secant = 2.0 * (change + self.doubt * t) / np.where(is_far, t, 1.0) ** 2
            least = np.where(is_far, np.maximum(secant - 1e-11, 0.0), np.inf)
            # Farther is never more curved, as in any smaller reach.
            found = np.minimum(found, np.minimum(least, there * (1.0 - there)))
        return np.asarray(found)


@dataclass(frozen=True)
class _Quadratic:
    """const - linear'w + 1/2 w' matrix w + 1/2 sum strengths w^2, below the loss."""

    const: float
    linear: NDArray[np.float64]
    matrix: NDArray[np.float64]
    strengths: NDArray[np.float64]
    concave: tuple[float, float]  # how far it is from convex, and how far weights are

    def cut(self, point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return what the tangent at a point says, as `_cut`."""
        if point.shape != self.linear.shape or not np.isfinite(point).all():
            raise _forged(
                f"A vector of shape {point.shape} does not give each feature a weight, "
                f"of {len(self.linear)}"
            )
        curved = self.matrix @ point
        gains = (self.linear - curved) ** 2 / (2.0 * self.strengths)
        least, far = self.concave
        lost = 0.5 * least * (far + float(np.linalg.norm(point))) ** 2
        return self.const - 0.5 * float(point @ curved) - lost, gains


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
    if len(arguments) != 1:
        sys.stdout.write("Run as: python check_certificate.py FILE.json\n")
        return 2
    try:
        holds, said = _checked(arguments[0])
    except OSError as error:
        holds = False
        said = f"{arguments[0]} cannot be read: {error.strerror}; give a JSON file."
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        holds = False
        said = f"{arguments[0]} is no JSON ({_said(error)}); give one as it was made."
    except ValueError as error:
        holds, said = False, f"DOES NOT HOLD: {error}"
    except _NO_CERTIFICATE:  # JSON of something else
        holds = False
        said = "DOES NOT HOLD: This is no whole certificate; give one as it was made."
    sys.stdout.write(f"{said}\n")
    return 0 if holds else 1


def _checked(path: str) -> tuple[bool, str]:
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    proven = check_certificate(
        record,
        record["X"],
        record["y"],
        record["incidence"],
        record["costs"],
        record.get("sample_weight"),
    )
    holds = bool(proven >= record["lower"] - 1e-6)
    return holds, (
        f"claimed {record['lower']:.9f}, proven {proven:.9f} for budget "
        f"{record['budget']:g}: {'holds' if holds else 'DOES NOT HOLD'}"
    )


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
