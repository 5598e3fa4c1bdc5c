"""Loopy belief propagation: sum-product and max-product, all messages at once.

Several graphs are one batch: their disjoint union. Messages are log-odds against
label 0, stored label-major, so one round is a handful of array operations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .forests import peel
from .pairwise import Beliefs, PairwiseModel

MAX_ITERATIONS = 200
TOLERANCE = 1e-8
# Undamped while that works, then harder and harder.
DAMPING = ((0, 0.0), (40, 0.5), (120, 0.8))
# exp keeps every term of a sum apart from zero while tables differ by less than this.
SAFE_SPREAD = 200.0
# Beyond this a message has reached its limit to the last bit, given SAFE_SPREAD.
SATURATED = 500.0

Floats: TypeAlias = NDArray[np.float64]
Rule: TypeAlias = Callable[[Floats], Floats]


def sum_product(
    model: PairwiseModel,
    *,
    appearance: Floats | None = None,
    start: Floats | None = None,
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
) -> Beliefs:
    """Return marginals and the Bethe log Z of a Markov network.

    Exact on forests, once messages rest. With `appearance` below 1 it is
    tree-reweighted [2]_, and log Z is bounded from above.

    Parameters
    ----------
    model : PairwiseModel
        The scores.
    appearance : ndarray of float, shape (E,), optional
        Share of spanning trees that each edge is in, above 0; 1 by default.
    start : ndarray of float, shape (L - 1, 2E), optional
        Messages to go on from; zero (uniform) by default.
    tolerance : float, default=1e-8
        Largest change of a message, in nats, at which they count as at rest.
    max_iterations : int, default=200
        Rounds after which to stop all the same.

    Returns
    -------
    Beliefs

    Notes
    -----
    The value is stationary in the messages, so its error is quadratic in the residual,
    and at rest its derivative by a table entry is the marginal.

    References
    ----------
    .. [1] Yedidia, Freeman and Weiss, "Constructing free-energy approximations and
       generalized belief propagation algorithms", 2005.
    .. [2] Wainwright, Jaakkola and Willsky, "A new class of upper bounds on the log
       partition function", 2005.
    """
    links = _Links.of(model, appearance)
    rest = _iterate(links, _sum_rule(links.tables), start, tolerance, max_iterations)
    return _beliefs(model, links, rest)


def max_product(
    model: PairwiseModel,
    *,
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
) -> tuple[NDArray[np.intp], bool]:
    """Return the labels that max-product prefers; the best labelling on forests.

    Forests are solved by elimination: messages would need a round for each link of the
    longest chain, and leave ties open.

    Parameters
    ----------
    model : PairwiseModel
        The scores; for energies this is min-sum on ``energies.negated()``.
    tolerance : float, default=1e-8
        As for `sum_product`.
    max_iterations : int, default=200
        As for `sum_product`.

    Returns
    -------
    labels : ndarray of int, shape (n,)
    converged : bool
        Whether messages came to rest.
    """
    forest = peel(model.n_nodes, model.edges)
    if forest is not None:
        return forest.maximum(model), True
    links = _Links.of(model, None)
    rule = partial(_max_rule, links.tables)
    rest = _iterate(links, rule, None, tolerance, max_iterations)
    preferred = _with_label_zero(links.collect(rest.messages))
    return np.argmax(preferred, axis=0), rest.converged


@dataclass(frozen=True, eq=False)
class _Links:
    """Both directions of every edge: the first E go forward, the next E back."""

    base: Floats  # (L - 1, n): node tables against label 0
    source: NDArray[np.intp]  # (2E,)
    target: NDArray[np.intp]  # (2E,)
    tables: Floats  # (L, L, 2E): [label of source, label of target]
    appearance: Floats | None  # (E,)

    @classmethod
    def of(cls, model: PairwiseModel, appearance: Floats | None) -> _Links:
        nodes = model.node_tables.T
        forward = np.ascontiguousarray(model.edge_tables.transpose(1, 2, 0))
        if appearance is not None:
            # Tree-reweighting: tables over their appearance, messages to its power.
            forward = forward / appearance
        return cls(
            nodes[1:] - nodes[0],
            np.concatenate([model.edges[:, 0], model.edges[:, 1]]),
            np.concatenate([model.edges[:, 1], model.edges[:, 0]]),
            np.concatenate([forward, forward.swapaxes(0, 1)], axis=2),
            appearance,
        )

    def collect(self, messages: Floats) -> Floats:
        """Return node beliefs, (L - 1, n): what a node and all its messages say."""
        if self.appearance is not None:
            messages = messages * np.tile(self.appearance, 2)
        n = self.base.shape[1]
        beliefs = self.base.copy()
        for belief, row in zip(beliefs, messages, strict=True):
            belief += np.bincount(self.target, row, minlength=n)
        return beliefs

    def cavity(self, messages: Floats) -> Floats:
        """Return, (L - 1, 2E), beliefs of each source without its target's message."""
        beliefs = self.collect(messages).take(self.source, axis=1, mode="clip")
        half = messages.shape[1] // 2
        # What goes to a node must not repeat what came from it.
        beliefs[:, :half] -= messages[:, half:]
        beliefs[:, half:] -= messages[:, :half]
        return beliefs


@dataclass(frozen=True, eq=False)
class _Rest:
    """Where the rounds ended."""

    messages: Floats
    converged: bool
    iterations: int
    residual: float


def _iterate(
    links: _Links,
    rule: Rule,
    start: Floats | None,
    tolerance: float,
    max_iterations: int,
) -> _Rest:
    shape = (len(links.base), len(links.source))
    messages = np.zeros(shape) if start is None else start
    residual, damping = 0.0, 0.0
    if not messages.size:
        return _Rest(messages, True, 0, residual)
    schedule = dict(DAMPING)
    for iteration in range(max_iterations):
        damping = schedule.get(iteration, damping)
        fresh = rule(links.cavity(messages))
        change = fresh - messages
        residual = float(np.abs(change).max())
        # Damped in log-odds: oscillations die out, fixed points stay.
        messages = fresh if not damping else fresh - damping * change
        if residual <= tolerance:
            return _Rest(messages, True, iteration + 1, residual)
    return _Rest(messages, False, max_iterations, residual)


def _sum_rule(tables: Floats) -> Rule:
    """Return the sum-product update: in probabilities where exp is safe, else logs."""
    top = tables.max(axis=(0, 1))
    spread = np.max(top - tables.min(axis=(0, 1)), initial=0.0)
    if spread > SAFE_SPREAD:
        return partial(_sum_of_logs, tables)
    return partial(_sum_of_weights, np.exp(tables - top))


def _sum_of_weights(weights: Floats, cavity: Floats) -> Floats:
    odds = _odds(cavity)
    sums = np.empty_like(weights[0])
    for target, total in enumerate(sums):
        np.multiply(weights[0, target], odds[0], out=total)
        for source in range(1, len(odds)):
            total += weights[source, target] * odds[source]
    # m(target) ~ sum over the source's labels of exp(edge) x belief without the target.
    return np.log(sums[1:] / sums[0])


def _odds(cavity: Floats) -> list[Floats | float]:
    """Return the odds of each label, scaled so that nothing overflows."""
    if len(cavity) == 1:
        bounded = np.minimum(np.maximum(cavity[0], -SATURATED), SATURATED)
        return [1.0, np.exp(bounded)]
    top = np.maximum(cavity.max(axis=0), 0.0)
    return [np.exp(-top), *np.exp(cavity - top)]


def _sum_of_logs(tables: Floats, cavity: Floats) -> Floats:
    sums = np.logaddexp.reduce(tables + _with_label_zero(cavity)[:, None], axis=0)
    return sums[1:] - sums[0]


def _max_rule(tables: Floats, cavity: Floats) -> Floats:
    best = (tables + _with_label_zero(cavity)[:, None]).max(axis=0)
    return best[1:] - best[0]


def _with_label_zero(log_odds: Floats) -> Floats:
    return np.concatenate([np.zeros((1, log_odds.shape[1])), log_odds])


def _beliefs(model: PairwiseModel, links: _Links, rest: _Rest) -> Beliefs:
    """Return marginals, and log Z as a function of the messages.

    log Z = sum_i (1 - d_i) log Z_i + sum_e w_e log Z_e, d_i the sum of the w_e at i.
    """
    n, n_edges = model.n_nodes, len(model.edges)
    zero = model.node_tables[:, 0]
    node_logs = _with_label_zero(links.collect(rest.messages)) + zero
    node_sums = np.logaddexp.reduce(node_logs, axis=0)
    cavity = _with_label_zero(links.cavity(rest.messages)) + zero[links.source]
    pair_logs = (
        links.tables[:, :, :n_edges]
        + cavity[:, None, :n_edges]
        + cavity[None, :, n_edges:]
    )
    pair_sums = np.logaddexp.reduce(pair_logs, axis=(0, 1))
    weights = np.ones(n_edges) if links.appearance is None else links.appearance
    degrees = np.bincount(links.target, np.tile(weights, 2), minlength=n)
    return Beliefs(
        np.exp(node_logs - node_sums).T,
        np.exp(pair_logs - pair_sums).transpose(2, 0, 1),
        float((1.0 - degrees) @ node_sums + weights @ pair_sums),
        rest.converged,
        rest.iterations,
        rest.residual,
        rest.messages,
    )
