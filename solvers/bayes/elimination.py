"""Variable elimination: joint distributions and posteriors of many rows at once.

Variables that nobody asks for are summed out in the cheapest of a few orders that
opt_einsum finds; those that cannot matter (barren ones) are left out beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
import opt_einsum
from numpy.typing import NDArray
from opt_einsum.contract import PathInfo
from opt_einsum.paths import PathOptimizer, greedy

from ..checks import refuse_twins
from ..errors import NetworkError
from .network import MAX_TABLE_ENTRIES, BayesianNetwork

# Rows whose evidence is contracted at once: large enough to be fast, small in memory.
BATCH_ENTRIES = 2**22
# Greedy orders differ in how much a factor that goes counts against the one that
# comes; no weight is best on every network, so the cheapest order is taken.
GREEDY_WEIGHTS = (0.25, 0.5, 1.0, 2.0)
KEPT_ORDERS = 64
_BATCH = "rows"

Axes: TypeAlias = tuple[int, ...]
Factor = tuple[NDArray[np.float64], tuple[str, ...]]


def joint(
    network: BayesianNetwork,
    variables: Sequence[str],
    evidence: Mapping[str, int] | None = None,
) -> NDArray[np.float64]:
    """Return the joint distribution of a few variables, perhaps with some observed.

    Parameters
    ----------
    network : BayesianNetwork
        The network.
    variables : sequence of str
        Distinct names.
    evidence : mapping of str to int, optional
        Position of the observed state of other variables; none by default.

    Returns
    -------
    ndarray of float, shape (cardinality of each variable, in order)
        Sums to the probability of the evidence.

    Raises
    ------
    NetworkError
        If a variable is unknown or named twice, or a table on the way would hold more
        than ``MAX_TABLE_ENTRIES`` numbers.

    Examples
    --------
    >>> coin = BayesianNetwork({"coin": ("head", "tail")}, {}, {"coin": [0.5, 0.5]})
    >>> joint(coin, ["coin"]).tolist()
    [0.5, 0.5]
    """
    seen = dict(evidence or {})
    wanted = _distinct(network, (*variables, *seen))[: len(variables)]
    relevant = _relevant(network, (*wanted, *seen))
    if not relevant:  # nothing is asked for: of nothing observed the probability is 1
        return np.ones(())
    return _contract([_sliced(network, name, seen) for name in relevant], wanted)


def _sliced(network: BayesianNetwork, name: str, seen: Mapping[str, int]) -> Factor:
    """Return a variable's table without the axes that are observed."""
    scope = (*network.parents[name], name)
    at = tuple(seen.get(variable, slice(None)) for variable in scope)
    table = np.asarray(network.tables[name][at])
    return table, tuple(variable for variable in scope if variable not in seen)


def conditional(
    network: BayesianNetwork, variable: str, given: str
) -> NDArray[np.float64]:
    """Return the distribution of one variable given each state of another.

    Shape: (cardinality of given, cardinality of variable).
    """
    if network.parents[network.known(variable)] == (given,):
        return network.tables[variable]
    both = joint(network, (given, variable))
    sums = both.sum(axis=1, keepdims=True)
    uniform = np.full_like(both, 1.0 / both.shape[1])
    return np.divide(both, sums, out=uniform, where=sums > 0)


def posterior(
    network: BayesianNetwork, target: str, evidence: Mapping[str, NDArray[np.integer]]
) -> NDArray[np.float64]:
    """Return the joint probability of a target's states and each row of evidence.

    Parameters
    ----------
    network : BayesianNetwork
        The network.
    target : str
        The variable that is asked for.
    evidence : mapping of str to ndarray of int, shape (n_rows,)
        Position of the observed state in each row, for each observed variable.

    Returns
    -------
    ndarray of float, shape (n_rows, cardinality of target)
        Pr(target, row); scale rows to sum to one for Pr(target | row). A row of zeros
        is of evidence that cannot occur, of which there is no posterior.
    """
    observed = _distinct(network, tuple(evidence))
    if not observed:
        return joint(network, (target,))[np.newaxis]
    relevant = _relevant(network, (target, *observed))
    n_rows = len(evidence[observed[0]])
    plan = _one_row_order(network, target, relevant, observed)
    batch = max(1, BATCH_ENTRIES // int(plan.largest_intermediate))
    found = np.empty((n_rows, network.cardinality(target)))
    for start in range(0, n_rows, batch):
        rows = slice(start, start + batch)
        seen = {name: evidence[name][rows] for name in observed}
        factors = [_observed(network, name, seen) for name in relevant]
        every_row = np.ones(len(found[rows])), (_BATCH,)
        operands, out = _numbered([*factors, every_row], (_BATCH, target))
        # The order was chosen for one row: the axis of rows rides along.
        found[rows] = opt_einsum.contract(*operands, out, optimize=plan.path)
    return found


def row_operations(
    network: BayesianNetwork, target: str, observed: Sequence[str]
) -> float:
    """Return about how many operations `posterior` takes for one row."""
    relevant = _relevant(network, (target, *observed))
    return float(_one_row_order(network, target, relevant, observed).opt_cost)


def joint_operations(network: BayesianNetwork, variables: Sequence[str]) -> float:
    """Return about how many operations `joint` takes."""
    relevant = _relevant(network, variables)
    factors = [_sliced(network, name, {}) for name in relevant]
    return float(_cheapest_order(*_numbered(factors, variables)).opt_cost)


def _one_row_order(
    network: BayesianNetwork,
    target: str,
    relevant: Sequence[str],
    observed: Sequence[str],
) -> PathInfo:
    # The axis of rows would tie every two factors: without it there is less to weigh.
    one = dict.fromkeys(observed, 0)
    factors = [_sliced(network, name, one) for name in relevant]
    return _cheapest_order(*_numbered([*factors, (np.ones(()), ())], (target,)))


def _observed(
    network: BayesianNetwork, name: str, evidence: Mapping[str, NDArray[np.integer]]
) -> Factor:
    """Return a variable's table with its observed axes read off, one row each."""
    table, scope = network.tables[name], (*network.parents[name], name)
    seen = [axis for axis, variable in enumerate(scope) if variable in evidence]
    if not seen:
        return table, scope
    hidden = [axis for axis in range(len(scope)) if axis not in seen]
    moved = table.transpose(seen + hidden)
    rows = moved[tuple(evidence[scope[axis]] for axis in seen)]
    return rows, (_BATCH, *(scope[axis] for axis in hidden))


def _distinct(network: BayesianNetwork, names: Sequence[str]) -> tuple[str, ...]:
    wanted = tuple(network.known(name) for name in names)
    refuse_twins(wanted, "The question names", NetworkError)
    return wanted


def _relevant(network: BayesianNetwork, wanted: Iterable[str]) -> list[str]:
    """Return the wanted variables and their ancestors: all others are barren."""
    # A variable that nothing wanted descends from sums to 1, whatever its table says.
    kept = set(wanted)
    for name in tuple(kept):
        kept |= nx.ancestors(network.graph, name)
    return [name for name in network.variables if name in kept]


def _numbered(
    factors: Sequence[Factor], wanted: Sequence[str]
) -> tuple[list[Any], list[int]]:
    """Return operands and output as opt_einsum's interleaved form takes them."""
    names = dict.fromkeys(chain.from_iterable(scope for _, scope in factors))
    number = {name: place for place, name in enumerate(names)}
    operands: list[Any] = []
    for table, scope in factors:
        operands += [table, [number[name] for name in scope]]
    return operands, [number[name] for name in wanted]


class _Greedy(PathOptimizer):
    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, inputs, output, sizes, memory_limit=None):
        return greedy(inputs, output, sizes, memory_limit, cost_fn=self._cost)

    def _cost(self, size12, size1, size2, *_):
        return size12 - self.weight * (size1 + size2)


def _cheapest_order(operands: list[Any], out: list[int]) -> PathInfo:
    shapes = tuple(table.shape for table in operands[::2])
    return _order(shapes, tuple(map(tuple, operands[1::2])), tuple(out))


@lru_cache(maxsize=KEPT_ORDERS)
def _order(shapes: tuple[Axes, ...], scopes: tuple[Axes, ...], out: Axes) -> PathInfo:
    """Return the cheapest order; it hangs on shapes alone and is asked for again."""
    # Of a table only the shape is looked at, so one number stands in for all of it.
    tables = [np.broadcast_to(0.0, shape) for shape in shapes]
    operands = [*chain.from_iterable(zip(tables, scopes, strict=True)), out]
    plans = (
        opt_einsum.contract_path(*operands, optimize=_Greedy(weight))[1]
        for weight in GREEDY_WEIGHTS
    )
    return min(plans, key=lambda plan: plan.opt_cost)


def _contract(factors: Sequence[Factor], wanted: Sequence[str]) -> NDArray[np.float64]:
    operands, out = _numbered(factors, wanted)
    plan = _cheapest_order(operands, out)
    if plan.largest_intermediate > MAX_TABLE_ENTRIES:
        raise NetworkError(
            "Summing out the hidden variables needs a table of "
            f"{float(plan.largest_intermediate):.1e} numbers; at most "
            f"{MAX_TABLE_ENTRIES} fit. Ask for fewer variables."
        )
    return np.asarray(opt_einsum.contract(*operands, out, optimize=plan.path))
